"""Judges: a reference tree with its mutants, and decisions that were merely recorded; each as JSON and back.

The tree's mutants are made by dropping each atom and by every weakening its family knows; re-deciding one costs no
execution, because a view holds all that was ever seen of a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from verifierbench.core import (
    All,
    Atom,
    Family,
    FamilyDefinition,
    Finding,
    Node,
    Reference,
    Verdict,
    atoms,
    canonical_hash,
    content_hash,
    evaluate,
    substitute,
)
from verifierbench.families import family

from .subject import Judge, Mutant

_NOTHING = All(of=())
"""What is left of an atom that is dropped: it is always satisfied."""


class TreeJudge:
    """A declarative reference; meets `Judge`."""

    def __init__(self, root: Node, family: FamilyDefinition, version: str, *, remember: bool = False) -> None:
        """`remember` keeps each decision with its view: several checks ask the reference about the same views."""
        self.root, self.version = root, version
        self._family = family
        self._remembered: dict[int, tuple[Any, Finding]] | None = {} if remember else None

    @classmethod
    def of(cls, reference: Reference, family: FamilyDefinition) -> TreeJudge:
        """The judge of a task's own reference."""
        return cls(reference.root, family, reference.hash, remember=True)

    def decide(self, view: Any) -> Finding:
        """Evaluate the tree."""
        if self._remembered is None:
            return evaluate(self.root, view, self._family.checks)
        if id(view) not in self._remembered:  # the view is kept, so that its identity cannot become another's
            self._remembered[id(view)] = view, evaluate(self.root, view, self._family.checks)
        return self._remembered[id(view)][1]

    def spec(self, view: Any) -> dict[str, Any]:  # noqa: ARG002  # the protocol's own
        """The tree and the family whose checks it names."""
        return {"tree": msgspec.to_builtins(self.root), "family": self._family.family.value}

    def mutants(self) -> Iterator[Mutant]:
        """Each atom dropped, then each of its weakenings; none that says the same as the atom or as another one."""
        for atom in atoms(self.root):
            yield self._mutant("drop", atom, "", _NOTHING)
            said = {_hash(atom), _hash(_NOTHING)}
            for weak in self._family.weaken(atom):
                if _hash(weak.node) not in said:
                    said.add(_hash(weak.node))
                    yield self._mutant(weak.operator, atom, weak.part, weak.node)

    def _mutant(self, operator: str, atom: Atom, part: str, by: Node) -> Mutant:
        name = ":".join(filter(None, (operator, atom.name, part)))
        judge = TreeJudge(substitute(self.root, atom.name, by), self._family, f"{self.version}~{name}")
        return Mutant(name=name, operator=operator, atom=atom.name, clause=atom.clause, judge=judge)


def _hash(node: Node) -> str:
    return canonical_hash(msgspec.to_builtins(node))


class RecordedJudge:
    """Decisions somebody else made: an upstream checker in the reference's place. It has no parts to mutate."""

    def __init__(self, verdicts: Mapping[str, Verdict | None], version: str) -> None:
        """`verdicts` maps a solution's content hash to a decision; no decision counts as FAIL."""
        self._verdicts, self.version = verdicts, version

    def decide(self, view: Any) -> Finding:
        """Look the decision up."""
        return Finding(self._verdicts[content_hash(view["solution"])] is Verdict.PASS)

    def spec(self, view: Any) -> dict[str, Any]:
        """The one decision that was recorded for a view."""
        digest = content_hash(view["solution"])
        return {"recorded": {digest: self._verdicts[digest]}}

    def mutants(self) -> Iterator[Mutant]:
        """None."""
        return iter(())


def judge_from(spec: Mapping[str, Any]) -> Judge:
    """The judge a `spec` describes."""
    if "program" in spec or "library" in spec:
        from .bring import judge_from as brought  # it needs this module, and is seldom wanted

        return brought(spec)
    if "tree" in spec:
        return TreeJudge(msgspec.convert(spec["tree"], Node), family(Family(spec["family"])), "")
    verdicts = {digest: verdict and Verdict(verdict) for digest, verdict in spec["recorded"].items()}
    return RecordedJudge(verdicts, "")
