"""What must hold of every candidate before a checker sees it.

A source is code, and may be a third party's: a case that does not fit its family's schema, a span that does not
occur or a label without a ground is refused here, by the first thing that is wrong, before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.core import Candidate, Case, Clause, MalformedInput, Span, Task, Verdict, atoms, content_bytes
from verifierbench.families import family


def validate(candidate: Candidate) -> None:
    """Raise `MalformedInput` naming the task, the place in it and the first thing that is wrong."""
    for place, cause in _complaints(candidate):
        raise MalformedInput(candidate.task.id, place, cause)


def _complaints(candidate: Candidate) -> Iterator[tuple[str, str]]:
    task = candidate.task
    for clause in task.clauses:
        yield from _clause(task, clause)
    yield from _reference(task)
    yield from _set(candidate.cases)
    yield from _cases(candidate)


def _clause(task: Task, clause: Clause) -> Iterator[tuple[str, str]]:
    if not clause.spans:
        yield f"clause {clause.id}", "cites nothing"
    for span in clause.spans:
        if not span_occurs(task, span):
            yield f"clause {clause.id}", f"cites words that do not occur in {span.material!r}: {span.quote[:80]!r}"


def span_occurs(task: Task, span: Span) -> bool:
    """Whether the public material a span names holds its words."""
    if span.material == "conventions":
        return any(convention.id == span.quote for convention in task.conventions)
    if span.material == "instruction":
        return span.quote in task.instruction
    material = task.material(span.material)
    if material is None:
        return False
    if material.kind == "text":
        return span.quote in material.content
    if material.kind == "files":
        return any(span.quote in text for text in material.content.values())
    return content_bytes(span.quote)[1:-1] in material.encoded


def _reference(task: Task) -> Iterator[tuple[str, str]]:
    library = family(task.family).checks
    clauses = {clause.id for clause in task.clauses}
    found = atoms(task.reference.root)
    for atom in found:
        if atom.clause not in clauses:
            yield f"atom {atom.name}", f"enforces a clause that does not exist: {atom.clause!r}"
        if atom.check not in library:
            yield f"atom {atom.name}", f"names a check its family lacks: {atom.check!r}"
    names = [atom.name for atom in found]
    if len(set(names)) < len(names):
        yield "reference", "two atoms have the same name"


def _set(cases: tuple[Case, ...]) -> Iterator[tuple[str, str]]:
    labels = {case.label for case in cases}
    if labels != set(Verdict):
        yield "cases", "a task needs cases of both labels"
    ids = [case.id for case in cases]
    if len(set(ids)) < len(ids):
        yield "cases", "two cases have the same id"
    hashes: dict[str, str] = {}
    for case in cases:
        twin = hashes.setdefault(case.content_hash, case.id)
        if twin != case.id:
            yield f"case {case.id}", f"is the same solution as {twin}"


def _cases(candidate: Candidate) -> Iterator[tuple[str, str]]:
    import jsonschema

    task = candidate.task
    schema = jsonschema.Draft202012Validator(family(task.family).solution_schema)
    clauses = {clause.id for clause in task.clauses}
    attacks = {case.id for case in candidate.cases if case.kind.is_attack}
    for case in candidate.cases:
        place = f"case {case.id}"
        if case.task != task.id:
            yield place, f"belongs to another task: {case.task}"
        for error in schema.iter_errors(case.content):
            yield place, f"does not fit the solution schema at {error.json_path}: {error.message[:120]}"
        if not case.grounds:
            yield place, "has a label without a ground"
        for ground in case.grounds:
            if ground.clause not in clauses:
                yield place, f"is grounded in a clause that does not exist: {ground.clause!r}"
        if case.control_of is not None and (case.control_of not in attacks or case.label is Verdict.FAIL):
            yield place, f"is no valid control of an attack: {case.control_of}"
