"""The cases of a brought task: one JSON Lines file, each row held against the task's schema and clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from verifierbench.core import Case, CaseKind, Task, Verdict

from .files import Folder
from .form import CaseRow

Complain: TypeAlias = Callable[[Any], str]
"""What is wrong with a solution, with its JSON path; empty where it fits."""


def validator(schema: Mapping[str, Any]) -> Complain:
    """A check of solutions against a JSON Schema (2020-12); raises `ValueError` for what is no schema.

    Nothing is fetched: a reference to another document is an error.
    """
    import jsonschema
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(f"not a JSON Schema at {error.json_path}: {error.message[:160]}") from error
    checker = jsonschema.Draft202012Validator(schema, registry=Registry())

    def complain(solution: Any) -> str:
        try:
            error = next(iter(checker.iter_errors(solution)), None)
        except (Unresolvable, RecursionError) as unresolved:
            return f"cannot be held against the schema: {unresolved}"
        return "" if error is None else f"does not fit the schema at {error.json_path}: {error.message[:160]}"

    return complain


def read_cases(folder: Folder, where: str, task: Task, complain: Complain) -> tuple[Case, ...]:
    """Every case, in the order of the file; raises `MalformedInput` for the first thing that is wrong."""
    rows = list(folder.lines(where, CaseRow))
    kinds: dict[str, CaseKind] = {}
    for place, row in rows:
        if row.id in kinds:
            folder.refuse(where, place, f"a second case is called {row.id!r}")
        kinds[row.id] = row.kind
    for place, row in rows:
        cause = _wrong(row, task, kinds) or complain(row.solution)
        if cause:
            folder.refuse(where, place, f"case {row.id!r} {cause}")
    if missing := _missing(list(kinds.values())):
        folder.refuse(where, "", missing)
    return tuple(_case(row, task) for _, row in rows)


def _wrong(row: CaseRow, task: Task, kinds: Mapping[str, CaseKind]) -> str:
    """What is wrong with a row, as the rest of a sentence."""
    if row.label is not None and row.label is not row.kind.label:
        return f"is labelled {row.label}, but its kind {row.kind.value!r} is labelled {row.kind.label}"
    clauses = {clause.id for clause in task.clauses}
    for ground in row.grounds:
        if ground.clause not in clauses:
            return f"is grounded in a clause that does not exist: {ground.clause!r}"
    if row.control_of is None:
        return ""
    attack = kinds.get(row.control_of)
    if attack is None or not attack.is_attack:
        return f"is no control of an attack: no attack is called {row.control_of!r}"
    return "" if row.kind.label is Verdict.PASS else "is the control of an attack, so it must be a valid solution"


def _missing(kinds: list[CaseKind]) -> str:
    if CaseKind.GOLD not in kinds:
        return "holds no case of kind gold"
    if all(kind.label is Verdict.PASS for kind in kinds):
        return "holds no case that is labelled FAIL"
    return ""


def _case(row: CaseRow, task: Task) -> Case:
    return Case(
        id=f"{task.id}#{row.id}",
        task=task.id,
        kind=row.kind,
        content=row.solution,
        operator=row.operator or row.kind.value,
        grounds=row.grounds,
        control_of=None if row.control_of is None else f"{task.id}#{row.control_of}",
    )
