"""A season's plug-in: a task on the shelf, and one more case for a task that is there."""

import msgspec

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

SHELF = "shelves/two"


def candidates(season):
    atom = Atom(name="both", clause="both", check="changed_to", parameters={"path": "/shelf", "value": [1, 2]})
    task = Task(
        id=SHELF,
        source="shelves",
        source_version="1",
        family=Family.STATE,
        instruction="Put one, then two on the shelf.",
        materials=(
            Material(name="rules", kind="text", content="The shelf holds numbers."),
            Material(name="goal", kind="json", content={"shelf": [1, 2]}, inline=False),
        ),
        conventions=(Convention(id="order", text="Order matters."),),
        clauses=(
            Clause(id="both", text="both in order", spans=(Span(material="instruction", quote="one, then two"),)),
        ),
        reference=Reference(root=All(of=(atom,)), probes={"replay": {}}),
        environment="shelf",
    )
    yield Candidate(
        task=task,
        cases=(
            shelved(CaseKind.GOLD, 1, 2),
            shelved(CaseKind.HACK, 0, 2),
            shelved(CaseKind.ALTERNATIVE, 1, 2, answer="one and two", control_of=f"{SHELF}#hack.0"),
        ),
    )


def shelved(kind, *numbers, answer=None, **changes):
    events = [{"role": "assistant", "call": {"name": "put", "arguments": {"x": x}}} for x in numbers]
    return Case(
        id=f"{SHELF}#{kind.value}.0",
        task=SHELF,
        kind=kind,
        content={"events": events, "answer": answer},
        operator=kind.value,
        grounds=(Ground(clause="both", note="both are asked for"),),
        **changes,
    )


def cases(candidate, random):
    if candidate.task.id == "handmade/glasshouse":
        nothing = next(case for case in candidate.cases if case.operator == "nothing")
        said = f"Done, number {random('private').randrange(10**6)}."
        content = {"turns": [{"calls": [], "message": said, "answer": None} for _ in nothing.content["turns"]]}
        yield msgspec.structs.replace(
            nothing, id=f"{candidate.task.id}#private.0", operator="private", content=content, seed=None
        )
