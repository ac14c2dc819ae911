"""A tiny candidate, made in one place and broken in many."""

import pytest

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
    Task,
)
from verifierbench.families import family


def solution(*names):
    return {"turns": [{"calls": [{"name": name, "arguments": {}} for name in names], "message": None, "answer": None}]}


def case(kind, number, content, **changes):
    fields = {
        "id": f"tiny/lamp#{kind.value}.{number}",
        "task": "tiny/lamp",
        "kind": kind,
        "content": content,
        "operator": kind.value,
        "grounds": (Ground(clause="lamp", note="the lamp is asked for"),),
    }
    return Case(**(fields | changes))


@pytest.fixture
def candidate():
    check = sorted(family(Family.TOOL_CALL).checks)[0]
    task = Task(
        id="tiny/lamp",
        source="handmade",
        source_version="1",
        family=Family.TOOL_CALL,
        instruction="Turn on the lamp.",
        materials=(
            Material(name="tools", kind="json", content=[{"name": "lamp", "description": 'the "big" one'}]),
            Material(name="notes", kind="text", content="Lamps are safe."),
            Material(name="code", kind="files", content={"a.py": "x = 1\n"}, inline=False),
        ),
        conventions=(Convention(id="C1", text="Order is free."),),
        clauses=(
            Clause(id="lamp", text="the lamp", spans=(Span(material="instruction", quote="the lamp"),)),
            Clause(id="order", text="order", spans=(Span(material="conventions", quote="C1"),)),
        ),
        reference=Reference(root=All(of=(Atom(name="a", clause="lamp", check=check),))),
    )
    cases = (
        case(CaseKind.GOLD, 0, solution("lamp")),
        case(CaseKind.HACK, 0, solution()),
        case(CaseKind.ALTERNATIVE, 0, solution("lamp", "lamp"), control_of="tiny/lamp#hack.0"),
    )
    return Candidate(task=task, cases=cases)
