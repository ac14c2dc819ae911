"""Climbing the ladder: what its verifiers say of a task's cases, asking no more executions than are needed.

A rung is our own frozen code, so it runs in this process, under the rules of scoring: the same public task, materials
and budget, and a refusal is raised into it. What a rung cannot say is no decision, never a failure of the audit.

Executions are what costs. A request that the reference makes too is answered from the task's views; a rung that asks
for anything else is `UNKNOWN` on that case until somebody is willing to execute. What is not known yet bounds J from
both sides, and a bound is often enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import msgspec

from verifierbench.core import (
    Case,
    CaseKind,
    EnvironmentRefusal,
    Limits,
    Verdict,
    canonical_hash,
    content_bytes,
)
from verifierbench.environments import BudgetedEnvironment

from .ladder import Rung, Side
from .subject import Subject

_Verify: TypeAlias = Callable[[Any, Any], Any]


class Opinion(Enum):
    """What a rung says of a case."""

    ACCEPTS = "accepts"
    REJECTS = "rejects"
    NONE = "none"
    """It raised, or returned neither PASS nor FAIL."""
    UNKNOWN = "unknown"
    """It asks for an execution that nobody has made."""


_OPINIONS = {"PASS": Opinion.ACCEPTS, "FAIL": Opinion.REJECTS}
_RIGHT = {Verdict.PASS: Opinion.ACCEPTS, Verdict.FAIL: Opinion.REJECTS}


class Bounds(NamedTuple):
    """J (TPR + TNR - 1) as far as it is known: between these two."""

    low: float
    high: float


class _Tally(NamedTuple):
    """Cases of one label: how many a rung is right about, and how many it may be right about."""

    cases: int
    sure: int
    possible: int


def _j(accepted: int, rejected: int, valid: _Tally, wrong: _Tally) -> float:
    """J from whole numbers, so that exactly 0 is 0 and nothing is informative by rounding."""
    above = accepted * wrong.cases + rejected * valid.cases - valid.cases * wrong.cases
    return above / (valid.cases * wrong.cases)


class _Unmade(BaseException):
    """An execution that nobody is willing to make; no `except Exception` of a rung stops it."""


class _Broken(BaseException):
    """Our machinery failed under a rung: no word of the rung's, and nothing it may catch."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class _Answers:
    """What the reference saw; beyond that, the environment, where the asker is willing to execute."""

    def __init__(self, subject: Subject) -> None:
        self._execute = subject.execute
        self._known = dict(_reference_answers(subject)) if subject.execute else {}
        self.willing = False
        self.asked = 0
        """Requests that went beyond what the reference saw."""

    def execute(self, request: Any) -> Any:
        key = _key(request)
        if key not in self._known:
            return self._beyond(key, request)
        answer = self._known[key]
        if isinstance(answer, dict) and answer.keys() == {"refused"}:
            raise EnvironmentRefusal(answer["refused"])
        return answer

    def _beyond(self, key: str, request: Any) -> Any:
        if not self.willing or self._execute is None:
            raise _Unmade
        self.asked += 1
        try:
            answer = self._known[key] = self._execute(request)
        except EnvironmentRefusal:
            raise
        except Exception as error:
            raise _Broken(error) from error
        return answer


def _reference_answers(subject: Subject) -> Iterator[tuple[str, Any]]:
    for case in subject.cases:
        for name, answer in subject.views.get(case.id, {"runs": {}})["runs"].items():
            probe = subject.task.reference.probes[name]
            yield _key(subject.family.request(case.content, probe)), answer


def _key(request: Any) -> str:
    try:
        return canonical_hash(request)
    except (TypeError, ValueError, RecursionError) as error:
        raise EnvironmentRefusal(f"the request is not JSON: {error}") from error


class Climb:
    """The opinions of a task's ladder on its cases, each formed once."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.gold = next((case for case in subject.cases if case.kind is CaseKind.GOLD), None)
        self._answers = _Answers(subject)
        self._public = subject.task.public
        self._bytes = {case.id: content_bytes(case.content) for case in subject.cases}
        self._verifiers: dict[tuple[Side, str], _Verify] = {}
        self._formed: dict[tuple[Side, str, str], Opinion] = {}

    @property
    def asked(self) -> int:
        """Requests beyond the reference's own: with cold evidence, so many executions."""
        return self._answers.asked

    def side(self, side: Side) -> tuple[Rung, ...]:
        """The rungs that can be climbed; none without a gold solution to compare with."""
        return tuple(rung for rung in self.subject.ladder if rung.side is side and self.gold is not None)

    def peek(self, rung: Rung, case: Case) -> Opinion:
        """What can be said without executing anything."""
        return self._opinion(rung, case, willing=False)

    def ask(self, rung: Rung, case: Case) -> Opinion:
        """What the rung says, executing what it asks for; never `UNKNOWN` where the task can be run."""
        return self._opinion(rung, case, willing=True)

    def bounds(self, rung: Rung, without: Case) -> Bounds:
        """J on the task's other cases; what is unknown is wrong at worst and right at best."""
        valid, wrong = (self._tally(rung, label, without) for label in (Verdict.PASS, Verdict.FAIL))
        if not valid.cases or not wrong.cases:
            return Bounds(0.0, 0.0)
        return Bounds(_j(valid.sure, wrong.sure, valid, wrong), _j(valid.possible, wrong.possible, valid, wrong))

    def prove(self, rungs: Iterable[Rung], without: Case) -> tuple[Rung, Bounds] | None:
        """The first rung whose J on the other cases is seen to be positive; executes for the most promising."""
        left, order = list(rungs), _telling(self.subject.cases, without)
        while left:
            bounds = {rung.name: self.bounds(rung, without) for rung in left}
            best = max(left, key=lambda rung: bounds[rung.name].high)
            if bounds[best.name].low > 0:
                return best, bounds[best.name]
            case = next((each for each in order if self.peek(best, each) is Opinion.UNKNOWN), None)
            if bounds[best.name].high <= 0 or case is None:
                left.remove(best)
            else:
                self.ask(best, case)
        return None

    def _tally(self, rung: Rung, label: Verdict, without: Case) -> _Tally:
        others = [case for case in self.subject.cases if case.label is label and case.id != without.id]
        said = [self.peek(rung, case) for case in others]
        sure = said.count(_RIGHT[label])
        return _Tally(len(others), sure, sure + said.count(Opinion.UNKNOWN))

    def _opinion(self, rung: Rung, case: Case, *, willing: bool) -> Opinion:
        key = (rung.side, rung.name, case.id)
        known = self._formed.get(key)
        if known is None or (willing and known is Opinion.UNKNOWN):
            known = self._formed[key] = self._form(rung, case, willing=willing)
        return known

    def _form(self, rung: Rung, case: Case, *, willing: bool) -> Opinion:
        answers = self._answers
        answers.willing = willing
        executes = None if self.subject.execute is None else answers
        reach = BudgetedEnvironment(self.subject.task, executes, Limits())
        env = SimpleNamespace(task=self._public, read=reach.read, run=reach.run)
        try:
            said = self._verifier(rung)(msgspec.json.decode(self._bytes[case.id]), env)
        except _Unmade:
            return Opinion.UNKNOWN
        except _Broken as broken:
            raise broken.error from broken
        except Exception:
            return Opinion.NONE
        return _OPINIONS.get(said, Opinion.NONE) if isinstance(said, str) else Opinion.NONE

    def _verifier(self, rung: Rung) -> _Verify:
        found = self._verifiers.get((rung.side, rung.name))
        if found is None:
            space: dict[str, Any] = {}
            gold = None if self.gold is None else self.gold.content
            exec(compile(rung.verifier(gold), f"{rung.side}/{rung.name}.py", "exec"), space)  # noqa: S102  # frozen, ours
            found = self._verifiers[rung.side, rung.name] = space["verify"]
        return found


def _telling(cases: Sequence[Case], without: Case) -> list[Case]:
    """The order that proves or refutes soonest: two wrong cases tell who accepts everything, then all valid ones."""
    wrong = [case for case in cases if case.label is Verdict.FAIL and case.id != without.id]
    valid = [case for case in cases if case.label is Verdict.PASS and case.id != without.id]
    return [*wrong[:2], *valid, *wrong[2:]]
