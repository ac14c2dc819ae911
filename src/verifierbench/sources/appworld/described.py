"""A reading as the family's operators need it: which calls play which part, what is free and what is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from verifierbench.families.state.operators import Described, Fact, Say, Script, Variant

from . import around, variants
from .curation import answer_text, rivals
from .reading import Reading

PAIRS, REPEATED = 2, 6
"""Pairs of calls that change places, and looks that are made again, at most."""
_DONE = "That is done. Everything else is as it was."
_FOUND = "I have looked it up. You find it in the answer."


def describe(reading: Reading, task: str) -> Described:
    """The task with the parts its events play."""
    return Described(
        task=task,
        gold=gold(reading),
        execute=reading.execute,
        answer=answer_text(reading),
        writes=tuple(call.tag for call in reading.writes),
        reads=tuple(call.tag for call in reading.reads[:REPEATED]),
        goals={call.tag: "asked" for call in reading.writes},
        outcome="answer" if reading.answer is not None else "asked",
        facts=tuple(_facts(reading)),
        words=tuple(_words(reading)),
        extra_calls=around.looks(reading),
        probes=tuple(_probes(reading)),
        near=variants.near(reading),
        collateral=tuple(_collateral(reading)),
        independent=tuple(itertools.islice(_independent(reading), PAIRS)),
        broken=variants.broken(reading),
    )


def gold(reading: Reading) -> Script:
    """The request, gold's calls, and a report."""
    report = _FOUND if reading.answer is not None else _DONE
    request = Say("user", reading.said["instruction"], "open")
    return (request, *reading.calls, Say("assistant", report, "final"))


def _facts(reading: Reading) -> Iterator[Fact]:
    value = answer_text(reading)
    if value is not None:
        yield Fact(
            clause="answer",
            value=value,
            about="the answer",
            wrong=rivals(reading),
            spellings=spellings(reading.answer, value),
            where="answer",
        )


def spellings(answer: Any, value: str) -> tuple[str, ...]:
    """Other ways to write an answer."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        return (f"{value}.0", f"{value}.00")
    return tuple(dict.fromkeys(other for other in (value.upper(), value.lower()) if other != value))


def _words(reading: Reading) -> Iterator[Variant]:
    found = reading.answer is not None
    texts = ("It stands in the answer.", "All looked up.") if found else ("Done as you asked.", "Finished, all of it.")
    for text in texts:
        yield Variant("final", text, "told", "another wording")


def _probes(reading: Reading) -> Iterator[Variant]:
    """Calls without a token, each before the right one."""
    for call in (*reading.writes[:2], *reading.reads[-1:]):
        wrong = around.without_token(reading, call)
        if wrong is not None:
            clause = "asked" if call.tag.startswith("w") else "frame"
            yield Variant(call.tag, wrong, clause, "a call that failed, and then the right one")


def _collateral(reading: Reading) -> Iterator[Variant]:
    for call in (*variants.besides(reading)[:2], *around.intrusions(reading)):
        yield Variant("final", call, "frame", f"{call.name} was made as well, and nobody asked for it")


def _independent(reading: Reading) -> Iterator[tuple[str, str]]:
    """Neighbouring changes first, then neighbouring looks, that return and end the same the other way round."""
    pairs = [pair for pair in itertools.pairwise(reading.calls) if pair[0].tag[0] == pair[1].tag[0] != "l"]
    for one, other in sorted(pairs, key=lambda pair: pair[0].tag[0] == "r"):
        swap = {one.tag: other, other.tag: one}
        turned = reading.play(tuple(swap.get(call.tag, call) for call in reading.calls))
        if turned["changes"] == reading.changes and _same_results(reading, turned["results"]):
            yield one.tag, other.tag


def _same_results(reading: Reading, turned: list[dict[str, Any]]) -> bool:
    def told(results: list[dict[str, Any]]) -> list[str]:
        return sorted(f"{result}" for result in results)

    return told(turned) == told(reading.results)
