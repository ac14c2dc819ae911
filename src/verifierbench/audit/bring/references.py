"""A task's reference as it stands in its file: a tree of atoms, or a program with guards."""

from __future__ import annotations

from collections.abc import Mapping

from verifierbench.core import All, Family, FamilyDefinition, Node, Reference, Task, atoms, sha256

from .files import Folder
from .guards import BadProgram, guards
from .mutants import mutants


def program_reference(folder: Folder, where: str, program: str, task: Task) -> Reference:
    """A program's guards as a tree nobody evaluates: the names of its parts, and the clauses they enforce."""
    clauses = {clause.id for clause in task.clauses}
    try:
        found = guards(program)
        for _ in mutants(program):  # they are made of the text alone: what cannot be made shows now
            pass
    except BadProgram as error:
        folder.refuse(where, f"line {error.line}", error.cause)
    except RecursionError:
        folder.refuse(where, "", "is nested too deeply to be changed part by part")
    for guard in found:
        if guard.clause and guard.clause not in clauses:
            folder.refuse(where, f"line {guard.first}", f"enforces a clause that does not exist: {guard.clause!r}")
    named = {guard.first: guard.atom for guard in reversed(found)}
    return Reference(root=All(of=tuple(named[line] for line in sorted(named))), library=sha256(program.encode()))


def tree_reference(
    folder: Folder, where: str, task: Task, base: FamilyDefinition, own: Mapping[str, int], evidence: bool
) -> Reference:
    """A tree, checked against the task's clauses and the checks there are (`own`: those of `checks.py`)."""
    given = folder.json(where, dict)
    if "root" in given:
        reference = folder.convert(where, "", given, Reference)
    else:
        reference = Reference(root=folder.convert(where, "", given, Node))  # type: ignore[arg-type]  # a union
    _probes(folder, where, reference, base, evidence)
    clashing = [name for name in own if name in base.checks]
    if clashing:
        folder.refuse("checks.py", f"line {own[clashing[0]]}", f"the family has a check {clashing[0]!r} already")
    clauses, checks = {clause.id for clause in task.clauses}, {*base.checks, *own}
    seen: set[str] = set()
    for atom in atoms(reference.root):
        if atom.clause not in clauses:
            folder.refuse(where, f"atom {atom.name}", f"enforces a clause that does not exist: {atom.clause!r}")
        if atom.check not in checks:
            known = ", ".join(sorted(checks))
            folder.refuse(where, f"atom {atom.name}", f"no check is called {atom.check!r}; there is {known}")
        if atom.name in seen:
            folder.refuse(where, f"atom {atom.name}", "a second atom of this name")
        seen.add(atom.name)
    return reference


def _probes(folder: Folder, where: str, reference: Reference, base: FamilyDefinition, evidence: bool) -> None:
    if not reference.probes:
        return
    if base.family is Family.TOOL_CALL:
        folder.refuse(where, "$.probes", "tool_call tasks execute nothing")
    if not evidence:
        folder.refuse(where, "$.probes", "asks for what env.run answers, but there is no evidence.jsonl")
