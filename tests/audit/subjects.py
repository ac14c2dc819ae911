"""Subjects of the handmade source as an audit gathers them, made in this process, and ways to spoil one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.audit import Fresh, Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.audit.findings import Flaw
from verifierbench.core import DEVELOPMENT, Candidate, Case, Decision, Record, SourceRecord, Verdict, canonical_hash
from verifierbench.families import family, view
from verifierbench.scoring import environment_version
from verifierbench.sources.handmade import HANDMADE
from verifierbench.sources.handmade.state.environment import replay

CALLS, DESK, PATCH = "handmade/telescope", "handmade/waive_one", "handmade/verorder"
"""A task of each family."""


@cache
def candidates() -> dict[str, Candidate]:
    return {found.task.id: found for found in HANDMADE.candidates(DEVELOPMENT)}


@cache
def subject(name: str, operators: tuple[str, ...] = ()) -> Subject:
    """A healthy task; with `operators`, only the cases these made."""
    task, all_cases = candidates()[name].task, candidates()[name].cases
    cases = tuple(case for case in all_cases if not operators or case.operator in operators)
    definition = family(task.family)
    judge = TreeJudge.of(task.reference, definition)
    execute = executor(name)
    views = {case.id: view(definition, task.reference, case.content, execute) for case in cases}
    version = environment_version(task)
    return Subject(
        task=task,
        cases=cases,
        family=definition,
        judge=judge,
        views=views,
        records=tuple(record(judge, task, case, views[case.id], version) for case in cases),
        source_records=tuple(
            SourceRecord(
                case=case.id,
                case_hash=case.content_hash,
                checker_version="1",
                decision=Decision(verdict=Verdict.PASS),
            )
            for case in cases
        ),
        environment_version=version,
        runs={case.id: (seen(judge, views[case.id]),) * 2 for case in cases},
    )


@cache
def executor(name: str) -> Callable[[Any], Any]:
    task = candidates()[name].task
    if name == DESK:
        return lambda request: replay(request["events"])
    environment = HANDMADE.environment(task)
    return environment.execute if environment is not None else nothing


def nothing(request: Any) -> Any:
    raise AssertionError(request)


def record(judge: TreeJudge, task: Any, case: Case, view: Any, version: str | None) -> Record:
    finding = judge.decide(view)
    return Record(
        case=case.id,
        case_hash=case.content_hash,
        task_hash=task.public_hash,
        reference_hash=task.reference.hash,
        environment_version=version,
        verdict=Verdict.PASS if finding.ok else Verdict.FAIL,
        failed=tuple(atom.name for atom in finding.failed),
    )


def seen(judge: TreeJudge, view: Any) -> Fresh:
    return Fresh(view=canonical_hash(view), ok=judge.decide(view).ok)


def changed(of: Subject, **fields: Any) -> Subject:
    return msgspec.structs.replace(of, **fields)


def edited(of: Subject, case: Case, **fields: Any) -> Subject:
    """The subject with one case changed."""
    spoilt = msgspec.structs.replace(case, **fields)
    return changed(of, cases=tuple(spoilt if one.id == case.id else one for one in of.cases))


def the_case(of: Subject, operator: str) -> Case:
    return next(case for case in of.cases if case.operator == operator)


def flaws(name: str, of: Subject) -> tuple[Flaw, ...]:
    """What a check says, each flaw well-formed."""
    found = check(name).examine(of)
    assert found.check == name
    assert found.task == of.task.id
    for flaw in found.flaws:
        assert flaw.reason in check(name).reasons
        assert flaw.task == of.task.id
        assert flaw.says
        assert msgspec.json.encode(flaw.evidence)
    assert len({flaw.id for flaw in found.flaws}) == len(found.flaws)
    return found.flaws


def told(found: tuple[Flaw, ...]) -> list[tuple[str, str, str]]:
    """Reason, case and place of flaws."""
    return [(flaw.reason, flaw.case, flaw.place) for flaw in found]


def reproduces(flaw: Flaw, folder: Path) -> None:
    """The script stands alone and exits 1."""
    path = folder / "reproduction.py"
    path.write_text(flaw.reproduction, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    assert "the flaw stands" in done.stdout
