"""What an operator works on: gold and how it plays, and proposals that an execution has to confirm.

An operator says what it does and what that makes of the solution; whether a repeated call or a further one changes
anything is never assumed. Every proposal is played, and `confirmed` compares what it brought about with what gold did.
Proposals are played many at a time, because starting a process costs more than a session.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec

from verifierbench.core import CaseKind, Finding, Ground, Inconsistent, Reference, evaluate

from ...guest.diffs import changes, matches
from ..checks import CHECKS as VALUE_CHECKS
from .checks import CHECKS
from .protocol import NOTHING, PROBES, SESSION, START, request
from .spec import Spec, gold_solution, undecided

Turns: TypeAlias = list[dict[str, Any]]
Play: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]
"""Plays requests, each from the initial state, and returns their answers."""

_LIBRARY = {**VALUE_CHECKS, **CHECKS}


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A case before it was played."""

    turns: Turns
    note: str
    effect: Literal["same", "wrong"]
    """What playing it must show: all that gold brings about and no more, or that something asked for is not so."""
    clauses: tuple[str, ...] = ()
    """The clauses it is about, where they are known beforehand."""
    but: tuple[str, ...] = ()
    """Where the state may differ from gold's without harm: another of several right values."""
    same_results: bool = False
    """Whether every call has to return what it returns in gold, as where calls only change places."""
    firm: bool = False
    """Whether it must be confirmed; otherwise it is left out where playing it shows otherwise."""
    kind: CaseKind | None = None
    """Where it is not its operator's."""
    control: Proposal | None = None


class Scene:
    """A task as operators see it."""

    def __init__(self, spec: Spec, tools: list[dict[str, Any]], reference: Reference, play: Play) -> None:
        self.spec, self.tools, self._reference, self._play = spec, tools, reference, play
        self._parameters = {tool["name"]: tool["parameters"] for tool in tools}

    @property
    def gold(self) -> Turns:
        """Gold's turns, a fresh copy each time."""
        turns: Turns = copy.deepcopy(gold_solution(self.spec)["turns"])
        return turns

    @cached_property
    def start(self) -> Any:
        """The answer to a session in which nothing is called."""
        return self._play([NOTHING])[0]

    @cached_property
    def run(self) -> Any:
        """How gold plays."""
        return self._play([request({"turns": self.gold}, PROBES[SESSION])])[0]

    def schema(self, tool: str, argument: str) -> dict[str, Any]:
        """The definition of an argument."""
        found: dict[str, Any] = self._parameters[tool].get("properties", {}).get(argument, {})
        return found

    def parameters(self, tool: str) -> dict[str, Any]:
        """The definition of a tool's arguments."""
        found: dict[str, Any] = self._parameters[tool]
        return found

    def places(self) -> Iterator[tuple[int, int, dict[str, Any], dict[str, Any]]]:
        """Every call of gold with its turn, its place, and what it returned."""
        for number, turn in enumerate(self.spec.turns):
            for place, call in enumerate(turn.calls):
                yield number, place, call, self.run["turns"][number]["results"][place]

    def there(self, tool: str, turn: int) -> bool:
        """Whether a tool is available in a turn."""
        return self.spec.tools.get(tool, turn + 1) <= turn

    def confirmed(self, proposals: Sequence[Proposal]) -> list[tuple[Proposal, tuple[Ground, ...]] | None]:
        """Grounds for each proposal that plays as it says; None for one that does not and is not firm."""
        answers = self._play([request({"turns": one.turns}, PROBES[SESSION]) for one in proposals])
        return [self._confirm(one, answer) for one, answer in zip(proposals, answers, strict=True)]

    def _confirm(self, one: Proposal, run: Any) -> tuple[Proposal, tuple[Ground, ...]] | None:
        alike = self._alike(run, one.but) and not (one.same_results and _returned(run) != _returned(self.run))
        found = self._finding(one, run)
        broken = tuple(dict.fromkeys(atom.clause for atom in found.failed))
        if one.effect == "same" and alike and found.ok:
            return one, tuple(Ground(clause=clause, note=one.note) for clause in one.clauses)
        if one.effect == "wrong" and broken and set(one.clauses) <= set(broken):
            # What an execution shows comes first: who reads the case sees what went wrong.
            return one, tuple(Ground(clause=clause, note=one.note) for clause in (one.clauses or broken))
        if one.effect == "wrong" and found.ok and not self._alike(run, (*one.but, *undecided(self.spec))):
            raise Inconsistent(f"{one.note}: ends elsewhere than gold, and no requirement is broken")
        if one.firm:
            raise Inconsistent(f"{one.note}: was to be {one.effect}; broken: {broken}, ends as gold does: {alike}")
        return None

    def _finding(self, one: Proposal, run: Any) -> Finding:
        view = {"solution": {"turns": one.turns}, "runs": {SESSION: run, START: self.start}}
        return evaluate(self._reference.root, view, _LIBRARY)

    def _alike(self, run: Any, but: tuple[str, ...]) -> bool:
        """Whether every turn ends in gold's state, up to what is free."""
        if len(run["turns"]) != len(self.spec.turns):
            return False
        free = (*self.spec.free, *but)
        for mine, golds in zip(run["turns"], self.run["turns"], strict=True):
            for change in changes(golds["state"], mine["state"]):
                if not any(matches(change.path, pattern) or change.path.startswith(pattern + "/") for pattern in free):
                    return False
        return True


def _returned(run: Any) -> list[list[str]]:
    return [sorted(repr(result) for result in turn["results"]) for turn in run["turns"]]


def put(turns: Turns, number: int, place: int, *calls: dict[str, Any]) -> Turns:
    """The turns with calls put in before a place of one turn."""
    made = copy.deepcopy(turns)
    made[number]["calls"][place:place] = copy.deepcopy(list(calls))
    return made


def with_calls(turns: Turns, number: int, calls: Sequence[dict[str, Any]]) -> Turns:
    """The turns with other calls in one of them."""
    made = copy.deepcopy(turns)
    made[number]["calls"] = copy.deepcopy(list(calls))
    return made


def with_argument(turns: Turns, number: int, place: int, name: str, value: Any) -> Turns:
    """The turns with another value of one argument."""
    made = copy.deepcopy(turns)
    made[number]["calls"][place]["arguments"][name] = copy.deepcopy(value)
    return made


def saying(turns: Turns, number: int, message: str | None, answer: Any = None) -> Turns:
    """The turns with something said in one of them."""
    made = copy.deepcopy(turns)
    made[number] |= {"message": message, "answer": answer}
    return made
