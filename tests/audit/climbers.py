"""Handmade tasks as the ladder meets them: with what the reference saw where that is cheap, and a way to execute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from verifierbench.audit import Subject, TreeJudge, ladder
from verifierbench.core import DEVELOPMENT, Candidate, Family
from verifierbench.families import family, view
from verifierbench.sources.handmade import HANDMADE
from verifierbench.sources.handmade.state.environment import replay

from .subjects import changed

CALLS, NO_CALL, DESK, PATCH = "handmade/ferry", "handmade/telescope", "handmade/move_booking", "handmade/verorder"


@cache
def made() -> dict[str, Candidate]:
    return {found.task.id: found for found in HANDMADE.candidates(DEVELOPMENT)}


@cache
def climbable(name: str) -> Subject:
    """A task with its ladder; a code task without views, so that whatever is asked for is executed."""
    task, cases = made()[name].task, made()[name].cases
    definition = family(task.family)
    execute = _house if task.family is Family.STATE else None
    seen = () if task.family is Family.CODE else cases
    return Subject(
        task=task,
        cases=cases,
        family=definition,
        judge=TreeJudge.of(task.reference, definition),
        views={case.id: view(definition, task.reference, case.content, _house) for case in seen},
        ladder=ladder(task.family),
        execute=execute,
    )


def _house(request: Any) -> Any:
    return replay(request["events"])


@contextmanager
def counting(of: Subject) -> Iterator[tuple[Subject, Callable[[], int]]]:
    """A subject over its real environment, and how often that was executed."""
    environment = HANDMADE.environment(of.task)
    assert environment is not None
    made: list[Any] = []

    def execute(request: Any) -> Any:
        made.append(request)
        return environment.execute(request)

    try:
        yield changed(of, execute=execute), lambda: len(made)
    finally:
        environment.close()
