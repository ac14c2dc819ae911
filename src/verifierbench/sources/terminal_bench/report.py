"""The exclusion report: what pytest, upstream's parser and the strict reader made of the cases that show a defect.

Every row is one solution that is wrong by the words of its task. It is computed anew each time, by the same requests as
a build makes; the page in the documentation is held against it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from verifierbench.core import DEVELOPMENT, Case, Environment, Task
from verifierbench.families import decide
from verifierbench.families.code import FAMILY
from verifierbench.families.code.described import PROBE
from verifierbench.families.code.driver import MARK
from verifierbench.families.code.operators import cases

from .reading import READERS, OwnFolder, canaries, own_folders
from .upstream import RESOLVED

HEAD = (
    "| folder | defect | solution | pytest's exit | upstream's parser | resolved | strict reporter | accepted |",
    "|---|---|---|---|---|---|---|---|",
)


class Exhibit(msgspec.Struct, frozen=True, kw_only=True):
    """One wrong solution, and what each reader made of it."""

    folder: str
    defect: str
    operator: str
    exit: int | None
    """Status of `run-tests.sh`, which is pytest's."""
    parser: dict[str, str]
    """Test → what upstream's parser says of it; empty where it finds nothing."""
    resolved: bool
    strict: dict[str, str]
    """Test → what the reporter says of it, `missing` where it says nothing."""
    canaries: int
    """How many canaries were not reported as what they are."""
    accepted: bool
    """Whether the strict reference accepts the solution."""

    @property
    def row(self) -> str:
        """The row of the table."""
        told = _counted(self.strict.values()) + (f", {self.canaries} canaries wrong" if self.canaries else "")
        cells = (
            f"`{self.folder}`",
            self.defect,
            f"`{self.operator}`",
            "none" if self.exit is None else str(self.exit),
            _counted(self.parser.values()) or "no results",
            "yes" if self.resolved else "no",
            told,
            "yes" if self.accepted else "no",
        )
        return "| " + " | ".join(cells) + " |"


def every_exhibit(environment: Callable[[Task], Environment]) -> Iterator[Exhibit]:
    """The exhibits of all our folders, in order; `environment` gives a task's, and what it gives is closed."""
    for folder in own_folders():
        opened = {reader: environment(folder.task(reader)) for reader in READERS}
        try:
            yield from exhibits(folder, opened)
        finally:
            for each in opened.values():
                each.close()


def exhibits(folder: OwnFolder, environments: Mapping[str, Environment]) -> Iterator[Exhibit]:
    """Every exhibit of a folder; `environments` are those of its two tasks, by reader."""
    for operator in folder.cases.exhibits:
        yield exhibit(folder, operator, environments)


def exhibit(folder: OwnFolder, operator: str, environments: Mapping[str, Environment]) -> Exhibit:
    """What each reader makes of the case an operator makes."""
    case = next(each for each in cases(folder.draft("strict"), DEVELOPMENT) if each.operator == operator)
    answers = {
        reader: environments[reader].execute(FAMILY.request(case.content, folder.probe(reader)))
        for reader in environments
    }
    ran, asked = answers["parser"]["commands"]
    parsed = {name: texts[0] for name, texts in _told(asked["stdout"]).items()}
    reported = _told(answers["strict"]["commands"][0]["stdout"])
    return Exhibit(
        folder=folder.name,
        defect=folder.cases.defect,
        operator=operator,
        exit=ran["exit"],
        parser={name: how for name, how in parsed.items() if name != RESOLVED},
        resolved=parsed[RESOLVED] == "True",
        strict={name: _in_a_word(reported.get(name), due) for name, due in folder.wanted.items()},
        canaries=sum(reported.get(name) != [due] for name, due in canaries().items()) if reported else 0,
        accepted=_accepted(folder.task("strict"), case, answers["strict"]),
    )


def table(found: Iterable[Exhibit]) -> str:
    """The exhibits as a table in Markdown."""
    return "\n".join((*HEAD, *(each.row for each in found))) + "\n"


def _accepted(task: Task, case: Case, answer: Any) -> bool:
    assert set(task.reference.probes) == {PROBE}
    return decide(FAMILY, task.reference, case.content, lambda _request: answer).ok


def _told(stdout: str) -> dict[str, list[str]]:
    """Everything that is said under a name; what else a solution printed among these lines is passed over."""
    told: dict[str, list[str]] = {}
    for line in stdout.splitlines():
        if line.startswith(MARK):
            name, said = json.loads(line.removeprefix(MARK))
            told.setdefault(name, []).append(said)
    return told


def _in_a_word(said: list[str] | None, due: str) -> str:
    """What became of a test: `passed` where all its parts did that are due, else the worst of what is said of it."""
    if said is None:
        return "missing"
    if said == [due]:
        return "passed"
    parts = " ".join(said).split()
    return next((part for part in parts if part != "passed"), "incomplete")


def _counted(outcomes: Iterable[str]) -> str:
    counts = Counter(outcomes)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in sorted(counts))
