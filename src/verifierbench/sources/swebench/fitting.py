"""Whether what is said of a task holds in a tree: places, words, edits, tests, and the language of the interpreter."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from verifierbench.core import DEVELOPMENT, Span, Task, VerifierBenchError
from verifierbench.families.code.operators import cases
from verifierbench.families.code.runners import runner
from verifierbench.sources.sdists import under

if TYPE_CHECKING:
    from .reading import Reading

_PACKED = ("PKG-INFO", "setup.cfg")
"""What packing a release adds to it where the repository has none."""


def objection(reading: Reading) -> str:
    """Why a task's description does not hold in its checkout, "" where it does.

    Everything is made of it that a build makes, so that none fails there; nothing is executed.
    """
    try:
        return next(_objections(reading), "")
    except (VerifierBenchError, LookupError, RuntimeError, SyntaxError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _objections(reading: Reading) -> Iterator[str]:
    checkout, said = reading.checkout, reading.said
    if checkout.python_version < runner(said.suite).OLDEST_PYTHON:
        yield f"Python {'.'.join(map(str, checkout.python_version))} is too old for what runs in the copy"
    both = dict(checkout.before) | dict(checkout.after)
    places = [place for place in (*said.keep, *said.hidden) if not place.startswith("!")]
    yield from (f"there is no {place}" for place in places if not under(both, [place]) and place not in _PACKED)
    yield from (f"there is no test {test}" for test in _missing(said_tests(reading), reading.hidden.values()))
    task, draft = reading.task, reading.draft
    spans = [span for clause in task.clauses for span in clause.spans]
    yield from (f"no {span.material} says {span.quote!r}" for span in spans if not _says(task, span))
    written = [text for variant in draft.variants for path, text in variant.files.items() if path.endswith(".py")]
    for text in (reading.cases, *filter(None, written)):
        if _parses(text) and not _parses(text, checkout.python_version):
            yield "a file is written for a newer Python"
    if not list(cases(draft, DEVELOPMENT)):
        yield "there are no cases"


def said_tests(reading: Reading) -> list[str]:
    """Ids of the hidden tests that atoms name."""
    return [test for atom in reading.said.atoms for test in atom.tests]


def _missing(tests: Iterable[str], texts: Iterable[str]) -> Iterator[str]:
    """Tests whose function is in no file; what it is called is an id's last part, before its parameters."""
    functions = set(re.findall(r"\bdef +(\w+)", "\n".join(texts)))
    return (test for test in tests if re.split(r"::|\.", test.partition("[")[0])[-1] not in functions)


def _says(task: Task, span: Span) -> bool:
    if span.material == "instruction":
        return span.quote in task.instruction
    material = task.material(span.material)
    if material is None:
        return any(each.id == span.quote for each in task.conventions)
    return json.dumps(span.quote)[1:-1] in json.dumps(material.content)


def _parses(text: str, version: tuple[int, int] | None = None) -> bool:
    try:
        ast.parse(text, feature_version=version)
    except SyntaxError:
        return False
    return True
