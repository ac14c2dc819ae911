"""Equivalence: does a mutant that no case tells from the reference decide anything differently at all.

Two kinds of evidence say no. A *proof by construction* reads the two trees: simplified they are the same, or what the
mutation took away is still said by an atom beside it. Otherwise the two decide at least a thousand *generated views*
alike (`generated`), among them views on which the atom and what took its place come apart and the rest of the tree
decides; where the generator hardly ever got there it has shown nothing, and nothing is known of the mutant. One view
that is decided differently settles that it is another judge.

That no difference was found is worth as much as the generator, so its power is measured as well: how many of the
mutants that a case did kill it tells apart, when it may start from nothing but the views of valid cases.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from verifierbench.core import (
    Absent,
    All,
    AnyOf,
    Atom,
    Check,
    FamilyDefinition,
    Inconsistent,
    Node,
    OneToOne,
    Verdict,
    at,
    atoms,
    canonical_hash,
    evaluate,
)

from .edits import Edit, Path
from .generated import Focus, Generator, Made, Material, Sites
from .judges import TreeJudge
from .subject import Judge, Mutant, Subject

VIEWS = 1_000
"""Generated views that have to be decided alike before two judges count as equivalent."""
_PARTED, _POWER_VIEWS = 20, 400
"""Views on which the mutated part must have come apart; views for each mutant when the generator is measured."""
_SHAPES: dict[str, Any] = {}


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What was found about a mutant that no case kills."""

    verdict: Literal["equivalent", "different", "unknown"]
    proof: str = ""
    """Why the two can never differ, where the trees show it."""
    views: int = 0
    """Generated views that both decided alike."""
    parted: int = 0
    """Those among them on which the atom and what took its place came apart, and the rest decided."""
    difference: Made | None = None
    """A view that the two decide differently."""


class Contrast:
    """An original and a mutant of it, compared view by view.

    Only one part of the trees differs: an atom, or the slot of a matching that it stands in. On a view where both forms
    of the part hold alike the decisions are alike, so the whole trees are evaluated where they do not.
    """

    def __init__(self, original: Judge, mutant: Mutant, library: Mapping[str, Check]) -> None:
        self.mutant = mutant
        self.before, self.after = tree(original), tree(mutant.judge)
        self._checks = library
        self._parts = tuple(_apart(self.before, self.after, ""))
        self.parted = False
        """Whether the two forms of the part came apart on the last view."""

    @property
    def parameters(self) -> list[Any]:
        """Of the atoms that differ."""
        before, after = ({atom.name: atom for atom in atoms(root)} for root in (self.before, self.after))
        names = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
        return [table[name].parameters for name in sorted(names) for table in (before, after) if name in table]

    @property
    def scopes(self) -> list[str]:
        """The lists over whose elements the atom is asked."""
        return [over for *_, over in self._parts if over]

    def differs(self, view: Any) -> bool:
        """Whether the two decide a view differently."""
        self.parted = any(
            self._ok(before, item) is not self._ok(after, item)
            for before, after, over in self._parts
            for _, item in _items(view, over)
        )
        return self.parted and self._ok(self.before, view) is not self._ok(self.after, view)

    def sites(self, views: Sequence[tuple[str, Any]]) -> Sites:
        """The elements of lists that satisfy the part."""
        return frozenset(
            (number, path)
            for number, (_, view) in enumerate(views)
            for before, _, over in self._parts
            for path, item in _items(view, over)
            if path and self._ok(before, item)
        )

    def _ok(self, node: Node, view: Any) -> bool:
        return evaluate(node, view, self._checks).ok


class Views:
    """The views of a task's cases, made ready for generation once."""

    def __init__(self, subject: Subject) -> None:
        shown = [(case, subject.views[case.id]) for case in subject.cases if case.id in subject.views]
        self._valid = [(case.id, view) for case, view in shown if case.label is Verdict.PASS]
        self._all = [(case.id, view) for case, view in shown]
        self._task, self._family = subject.task.id, subject.family
        self._material: dict[str, Material] = {}
        self._shapes: dict[Hashable, bool] = {}

    def generated(self, contrast: Contrast, number: int, *, valid_only: bool) -> Iterator[Made]:
        """Changed views: of valid cases alone, or of all, with what was seen in them."""
        near = self._made_of(self._valid, "valid")
        far = near if valid_only else self._made_of(self._all, "all")
        focus = Focus(contrast.parameters, contrast.scopes, contrast.sites(self._valid))
        seed = canonical_hash([self._task, contrast.mutant.name, msgspec.to_builtins(contrast.after), valid_only])
        for made in Generator(near, far, focus, seed).views(number):
            if all(self._keeps_shape(made, edit) for edit in made.edits):
                yield made

    def is_solution(self, made: Made) -> bool:
        """Whether the solution of a view is one that a verifier may be given."""
        view = made.view
        return isinstance(view, dict) and "solution" in view and bool(_shape(self._family).is_valid(view["solution"]))

    def _made_of(self, views: list[tuple[str, Any]], name: str) -> Material:
        if name not in self._material:
            self._material[name] = Material(views, near=name == "valid")
        return self._material[name]

    def _keeps_shape(self, made: Made, edit: Edit) -> bool:
        """Whether a change of this kind leaves a solution one; found out once for each kind."""
        if edit.path[0] != "solution":
            return True
        keys = tuple(edit.now) if isinstance(edit.now, dict) else ()
        change = (tuple(map(str, edit.path)), edit.how, type(edit.now), keys)
        if change not in self._shapes:
            self._shapes[change] = self.is_solution(made)
        return self._shapes[change]


def equivalence(subject: Subject, mutant: Mutant, views: Views, number: int = 2 * VIEWS) -> Evidence:
    """Compare a mutant with the reference: by their trees, then on generated views."""
    contrast = Contrast(subject.judge, mutant, subject.family.checks)
    if proof := prove(contrast.before, contrast.after, mutant.atom, subject.family):
        return Evidence(verdict="equivalent", proof=proof)
    return _compare(contrast, views, number, valid_only=False)


def generator_power(subject: Subject, killed: Sequence[Mutant], views: Views) -> int:
    """How many of these mutants the generator tells apart, starting from the views of valid cases alone."""
    found = 0
    for mutant in killed:
        contrast = Contrast(subject.judge, mutant, subject.family.checks)
        found += _compare(contrast, views, _POWER_VIEWS, valid_only=True).verdict == "different"
    return found


def tree(judge: Judge) -> Node:
    """The tree of a judge that has mutants; raises `Inconsistent` for one that is no tree."""
    if not isinstance(judge, TreeJudge):
        raise Inconsistent(f"{type(judge).__name__} has mutants but no tree to compare them by")
    return judge.root


def _compare(contrast: Contrast, views: Views, number: int, *, valid_only: bool) -> Evidence:
    alike = parted = 0
    for each in views.generated(contrast, 2 * number, valid_only=valid_only):
        try:
            differs = contrast.differs(each.view)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            continue  # No environment answers like this: checks may rely on an answer's form.
        if differs and views.is_solution(each):
            return Evidence(verdict="different", views=alike, parted=parted, difference=each)
        alike += not differs
        parted += contrast.parted
        if alike >= (number if parted else number // 2):
            break  # Where the two never came apart, more views of the kind would show no more.
    enough = alike >= number and parted >= _PARTED
    return Evidence(verdict="equivalent" if enough else "unknown", views=alike, parted=parted)


def _apart(before: Node, after: Node, over: str) -> Iterator[tuple[Node, Node, str]]:
    """Where two trees of one shape differ, and the list over whose elements that part is asked."""
    if before == after:
        return
    if isinstance(before, OneToOne) and isinstance(after, OneToOne) and not over and before.over == after.over:
        slots = zip(before.slots, after.slots, strict=True)
        yield from ((one, other, before.over) for one, other in slots if one != other)
    elif isinstance(before, All | AnyOf) and type(before) is type(after) and len(before.of) == len(after.of):
        for one, other in zip(before.of, after.of, strict=True):
            yield from _apart(one, other, over)
    else:
        yield before, after, over


def _items(view: Any, over: str) -> Iterator[tuple[Path, Any]]:
    """The view itself, or the elements of a list in it."""
    if not over:
        yield (), view
        return
    try:
        items = at(view, over)
    except Absent:
        return
    way = tuple(int(step) if step.isdecimal() else step for step in over.split("/")[1:])
    yield from (((*way, place), item) for place, item in enumerate(items if isinstance(items, list) else ()))


def _shape(definition: FamilyDefinition) -> Any:
    schema = dict(definition.solution_schema)
    key = canonical_hash(schema)  # tasks of one family may have schemas of their own
    if key not in _SHAPES:
        import jsonschema  # heavy, and needed only where a mutant survives
        from referencing import Registry

        # A registry of its own: a schema that points elsewhere must not make us fetch it.
        _SHAPES[key] = jsonschema.Draft202012Validator(schema, registry=Registry())
    return _SHAPES[key]


# Proofs ---------------------------------------------------------------------------------------------------------------


def prove(before: Node, after: Node, atom: str, definition: FamilyDefinition) -> str:
    """Why two trees can never decide differently; empty where that cannot be read from them."""
    if _simple(before) == _simple(after):
        return "simplified, the two trees are the same"
    mutated = next(each for each in atoms(before) if each.name == atom)
    for other in _beside(before, atom):
        if _implies(other, mutated, definition):
            return f"{mutated.name!r} holds wherever {other.name!r} does, which stands beside it and was not touched"
    return ""


def _simple(node: Node) -> Any:
    """A normal form: nested and single parts dissolved, repeated ones dropped, order, names and clauses forgotten."""
    if isinstance(node, Atom):
        return ("atom", canonical_hash([node.check, node.parameters]))
    if isinstance(node, OneToOne):
        return ("one_to_one", node.over, tuple(sorted(map(_simple, node.slots), key=repr)))
    kind = "all" if isinstance(node, All) else "any"
    parts = set()
    for part in map(_simple, node.of):
        parts |= set(part[1]) if part[0] == kind else {part}
    if kind == "any" and ("all", ()) in parts:
        return ("all", ())
    return parts.pop() if len(parts) == 1 else (kind, tuple(sorted(parts, key=repr)))


def _beside(node: Node, atom: str) -> list[Atom]:
    """The untouched atoms that must hold, of the same view, wherever this one is asked."""
    beside: list[Atom] = []
    while not isinstance(node, Atom):
        if isinstance(node, OneToOne):
            beside = []  # What stands outside is asked of another view.
        parts = node.slots if isinstance(node, OneToOne) else node.of
        if isinstance(node, All):
            beside += [part for part in parts if isinstance(part, Atom) and part.name != atom]
        node = next(part for part in parts if any(each.name == atom for each in atoms(part)))
    return beside


def _implies(one: Atom, other: Atom, definition: FamilyDefinition) -> bool:
    """Whether an atom says what another one says, or is known to say more."""
    goal = _simple(other)
    return _simple(one) == goal or any(_simple(weak.node) == goal for weak in definition.weaken(one))
