"""A third party's source with an environment and a checker, and no task of its own: a season's plug-in brings one."""

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
    Season,
    SourceChecker,
    SourceStatus,
    Task,
    Unavailable,
    Verdict,
)
from verifierbench.families.guest.replaying import described


class Shelf:
    """Each call puts its argument on the shelf; the observation is the shelf."""

    @property
    def version(self) -> str:
        return os.environ.get("SHELF_VERSION", "shelf 1")

    def execute(self, request: Any) -> Any:
        calls = [event["call"] for event in request["events"]]
        results = [{**call, "result": None, "changed": True} for call in calls]
        shelf = [call["arguments"]["x"] for call in calls]
        return {"results": results, "changes": list(described({}, {"shelf": shelf} if shelf else {}))}

    def close(self) -> None:
        pass


class Checker:
    """Looks at the last element alone."""

    version = "checker 1"

    def decide(self, task: Task, solution: Any) -> Decision:
        last = [event["call"]["arguments"]["x"] for event in solution["events"]][-1:]
        return Decision(verdict=Verdict.PASS if last == [2] else Verdict.FAIL)

    def close(self) -> None:
        pass


class Shelves:
    PLUGIN_API = 2
    name = "shelves"

    def status(self) -> SourceStatus:
        return SourceStatus(
            name=self.name,
            ready="SHELF_GONE" not in os.environ,
            needs="the shelf is gone: put it back",
            version=os.environ.get("SHELVES_VERSION", "1"),
            licence="none",
            families=(Family.STATE,),
        )

    def install(self, origin: Path | None) -> None:
        pass

    def candidates(self, season: Season) -> Iterator[Candidate]:
        return iter(())

    def environment(self, task: Task) -> Environment | None:
        if "SHELF_LOCKED" in os.environ:
            raise Unavailable("the shelf is locked: unlock it")
        return Shelf()

    def checker(self) -> SourceChecker | None:
        return Checker()

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        return None


SOURCE = Shelves()
