"""A third party's source, found by its entry point, with environments that cannot be trusted to repeat themselves.

Every execution, and every start of an environment, is written to a log with the process it happened in.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifierbench.core import (
    Candidate,
    Case,
    Decision,
    Environment,
    Explanation,
    Family,
    Overrun,
    Season,
    SourceChecker,
    SourceStatus,
    Task,
)
from verifierbench.families.guest.replaying import described


def log(what: str, more: str = "") -> int:
    """Write a line; returns how many lines of its kind there are now."""
    path = Path(os.environ["WOBBLY_LOG"])
    with path.open("a") as file:
        file.write(f"{what} {os.getpid()} {os.environ.get('PYTHONHASHSEED')} {more}\n")
    return sum(line.startswith(what) for line in path.read_text().splitlines())


class Steady:
    """Says what it was told."""

    version = "1"

    def __init__(self) -> None:
        log("opened")
        self.asked = 0

    def execute(self, request: Any) -> Any:
        self.asked += 1
        said = [event["message"] for event in request["events"]]
        log("executed", "+".join(said))
        return {"results": [], "changes": list(described({}, self.state(said)))}

    def state(self, said: list[str]) -> Any:
        return {"said": said}

    def close(self) -> None:
        log("closed")


class Remembering(Steady):
    """Keeps books over requests: a reset that resets nothing."""

    def state(self, said: list[str]) -> Any:
        return {"said": said, "asked": self.asked}


class Hashing(Steady):
    """Lists a set as it comes, which depends on the seed of hashing."""

    def state(self, said: list[str]) -> Any:
        return {"said": said, "order": list({f"item {number}" for number in range(40)})}


class SlowAtFirst(Steady):
    """Its first execution takes too long, whatever it is."""

    def state(self, said: list[str]) -> Any:
        if log("late") == 1:
            raise Overrun("the environment took too long")
        return super().state(said)


ENVIRONMENTS = {"steady": Steady, "remembering": Remembering, "hashing": Hashing, "slow_at_first": SlowAtFirst}


class Wobbly:
    PLUGIN_API = 2
    name = "wobbly"

    def status(self) -> SourceStatus:
        return SourceStatus(name=self.name, ready=True, needs="", version="1", licence="none", families=(Family.STATE,))

    def install(self, origin: Path | None) -> None:
        pass

    def candidates(self, season: Season) -> Iterator[Candidate]:
        return iter(())

    def environment(self, task: Task) -> Environment | None:
        return ENVIRONMENTS[task.environment or ""]()

    def checker(self) -> SourceChecker | None:
        return None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        return None


SOURCE = Wobbly()
