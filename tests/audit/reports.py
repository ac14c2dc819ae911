"""Reports made by hand: two checks, three tasks, figures that can be worked out on paper."""

from __future__ import annotations

from typing import Any

from verifierbench.audit.findings import Check, Examined, Flaw
from verifierbench.audit.report import AuditedTask, Report, SuiteFacts, assemble
from verifierbench.suite import Excluded

HOSTILE = "<script>alert('x')</script> \x1b[31m\u202eevil\x00 \ud800"
"""Markup, a terminal's command, a right-to-left override, a NUL, a lone surrogate."""


def task(name: str, family: str = "tool_call", cases: int = 10) -> AuditedTask:
    return AuditedTask(id=name, source=name.partition("/")[0], family=family, cases=cases)


TASKS = (task("own/a"), task("own/b", "state", 20), task("up/c", cases=30))


def suite(*tasks: AuditedTask, path: str = "/nowhere/suite") -> SuiteFacts:
    return SuiteFacts(path=path, name="suite", hash="f" * 64, season="test", tasks=tasks or TASKS)


def never(subject: Any) -> Examined:
    raise AssertionError("these reports are made of what was seen already")


def check(name: str, **fields: Any) -> Check:
    given = {
        "question": f"Is {name} as it should be?",
        "prose": f"\nWhat {name} compares.\n\nHow to mend it.\n",
        "reasons": {"wrong": "it is not as it should be", "missing": "it is not there"},
        "examine": never,
    }
    return Check(name=name, **{**given, **fields})


def flaw(name: str, where: str, **fields: Any) -> Flaw:
    given = {"reason": "wrong", "says": f"{where}: {name} is wrong", "evidence": {"seen": 1}}
    return Flaw(check=name, task=where, **{**given, **fields})


def seen(name: str, where: str, passed: int = 1, *flaws: Flaw, **facts: float) -> Examined:
    return Examined(check=name, task=where, passed=passed, flaws=flaws, facts=facts)


def overall(_seen: Any) -> tuple[Flaw, ...]:
    return (flaw("mutation", "", says="too many are equivalent", reason="missing"),)


EXCLUDED = (
    Excluded(task="up/d", source="up", reason="reference_disagrees", evidence=("up/d#gold.0: no",)),
    Excluded(task="up/e", source="up", reason="replay.wrong", evidence=("replay-1",)),
    Excluded(task="up/e", source="up", reason="mutation.wrong", evidence=("mutation-2",)),
)


def failing(path: str = "/nowhere/suite") -> Report:
    """Five candidates: a is clean, b and c are flawed, d and e were excluded before."""
    examined = [
        seen("replay", "own/a", 10),
        seen("replay", "own/b", 19, flaw("replay", "own/b", case="own/b#gold.0", says=f"own/b#gold.0: {HOSTILE}")),
        seen("replay", "up/c", 30),
        seen("mutation", "own/a", 3, mutants=4, killed=3, equivalent=1, survived=0, **{"operator:drop": 4}),
        seen(
            "mutation",
            "own/b",
            5,
            flaw("mutation", "own/b", place="drop:x", evidence={"content": HOSTILE}, reproduction="print('<b>')\n"),
            flaw("mutation", "own/b", place="drop:y"),
            mutants=7,
            killed=5,
            survived=2,
            **{"operator:drop": 5, "operator:loosen": 2},
        ),
        seen("mutation", "up/c", 0, flaw("mutation", "up/c", reason="missing", place="z"), mutants=1, survived=1),
    ]
    checks = (check("replay"), check("mutation", overall=overall))
    return assemble(suite(path=path), examined, checks, EXCLUDED, seconds=1.25)


def passing() -> Report:
    return assemble(suite(), [seen("replay", one.id, one.cases) for one in TASKS], (check("replay"),), ())
