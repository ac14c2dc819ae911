"""A small suite on disk: three tasks of four cases, of a source that is found by its entry point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifierbench.core import (
    All,
    Atom,
    Candidate,
    Case,
    CaseKind,
    Clause,
    Convention,
    Family,
    Ground,
    Material,
    Reference,
    Span,
    Submission,
    Task,
    sha256,
)
from verifierbench.core.files import encode, encode_lines, write_atomically
from verifierbench.suite import Manifest, Suite, suite_hash, write_tasks

PLUGIN = Path(__file__).parent / "plugin"

RUNS_IT = b"""
def verify(solution, env):
    changes = env.run({"events": solution["events"]})["changes"]
    wanted = env.read("goal", "/stack")
    return "PASS" if [change["new"] for change in changes] == [wanted] else "FAIL"
"""
LOOKS_ONLY = b"""
def verify(solution, env):
    return "PASS" if len(solution["events"]) == 2 else "FAIL"
"""
CRASHES = b"""
def verify(solution, env):
    return solution["no such thing"]
"""


def solution(*pushed: int) -> dict[str, Any]:
    events = [{"role": "assistant", "call": {"name": "push", "arguments": {"x": x}}} for x in pushed]
    return {"events": events, "answer": " ".join(map(str, pushed))}


#            kind              pushes
CASES = [
    (CaseKind.GOLD, (1, 2)),
    (CaseKind.BASE, ()),
    (CaseKind.NEAR_MISS, (1, 3)),
    (CaseKind.HACK, (0, 2)),
]


def reference(environment: str | None) -> Reference:
    check, parameters = "answer_is", {"value": "1 2"}
    if environment:
        check, parameters = "changed_to", {"path": "/stack", "value": [1, 2]}
    atom = Atom(name="SECRET_ATOM", clause="SECRET_CLAUSE", check=check, parameters=parameters)
    return Reference(root=All(of=(atom,)), probes={"replay": {}} if environment else {})


def make_candidate(number: int, environment: str | None = "stack") -> Candidate:
    name = f"counting/{number}"
    task = Task(
        id=name,
        source="counting",
        source_version="1",
        family=Family.STATE,
        instruction=f"Push one, then two ({number}).",
        materials=(Material(name="goal", kind="json", content={"stack": [1, 2]}, inline=False),),
        conventions=(Convention(id="visible_convention", text="Order matters."),),
        clauses=(
            Clause(id="SECRET_CLAUSE", text="SECRET_TEXT", spans=(Span(material="instruction", quote="Push one"),)),
        ),
        reference=reference(environment),
        environment=environment,
    )
    cases = tuple(
        Case(
            id=f"{name}#SECRET_OPERATOR.{n}",
            task=name,
            kind=kind,
            content=solution(*pushed),
            operator="SECRET_OPERATOR",
            grounds=(Ground(clause="SECRET_CLAUSE", note="SECRET_NOTE"),),
        )
        for n, (kind, pushed) in enumerate(CASES)
    )
    return Candidate(task=task, cases=cases)


def write_suite(path: Path, candidates: list[Candidate]) -> Suite:
    manifest = Manifest(
        season="test",
        sources={"counting": "1"},
        tasks=len(candidates),
        cases=sum(len(one.cases) for one in candidates),
        excluded=0,
        hash=suite_hash(candidates),
        made_of=suite_hash(candidates),
    )
    write_tasks(path, [one.task for one in candidates])
    write_atomically(path / "hidden/cases.jsonl", encode_lines(case for one in candidates for case in one.cases))
    write_atomically(path / "hidden/source_records.jsonl", b"")
    write_atomically(path / "suite.json", encode(manifest))
    return Suite.load(path)


def submit(path: Path, task: Task, source: bytes | None) -> None:
    place = path / "submissions" / task.alias
    handed_in = Submission(
        task=task.alias,
        outcome="missing" if source is None else "submitted",
        verifier_hash=None if source is None else sha256(source),
    )
    if source is not None:
        write_atomically(place / "verifier.py", source)
    write_atomically(place / "submission.json", encode(handed_in))
