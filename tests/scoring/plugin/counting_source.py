"""A third party's source, found by its entry point: a stack machine whose every execution is written to a log."""

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
    EnvironmentRefusal,
    Explanation,
    Family,
    InfrastructureError,
    Season,
    SourceChecker,
    SourceStatus,
    Task,
    Verdict,
)
from verifierbench.families.guest.replaying import described


def log(line: str) -> None:
    with Path(os.environ["COUNTING_LOG"]).open("a") as file:
        file.write(line + "\n")


class Stack:
    """Executes `{"events": [...]}`: each call pushes its argument; the observation is the stack."""

    version = "stack 1"

    def execute(self, request: Any) -> Any:
        log("executed")
        flaw = Path(os.environ["COUNTING_LOG"] + ".flaw")
        if flaw.exists() and not request["events"]:
            raise InfrastructureError("the stack went away")
        if not isinstance(request, dict) or "events" not in request:
            raise EnvironmentRefusal("a request needs events")
        calls = [event["call"] for event in request["events"]]
        results = [{**call, "result": None, "changed": True} for call in calls]
        stack = [call["arguments"]["x"] for call in calls]
        return {"results": results, "changes": list(described({}, {"stack": stack} if stack else {}))}

    def close(self) -> None:
        pass


class Checker:
    """Upstream's checker, wrong on purpose: looks at the last element alone."""

    version = "checker 1"

    def decide(self, task: Task, solution: Any) -> Decision:
        last = [event["call"]["arguments"]["x"] for event in solution["events"]][-1:]
        return Decision(verdict=Verdict.PASS if last == [2] else Verdict.FAIL)

    def close(self) -> None:
        log("checker closed")


class Counting:
    PLUGIN_API = 2
    name = "counting"

    def status(self) -> SourceStatus:
        return SourceStatus(name=self.name, ready=True, needs="", version="1", licence="none", families=(Family.STATE,))

    def install(self, origin: Path | None) -> None:
        pass

    def candidates(self, season: Season) -> Iterator[Candidate]:
        return iter(())

    def environment(self, task: Task) -> Environment | None:
        return Stack()

    def checker(self) -> SourceChecker | None:
        return Checker()

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        return None


SOURCE = Counting()
