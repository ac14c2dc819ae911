"""Operators on facts that must be told: another one told, none, or the right one in a way that tells nothing.

They edit the text in which gold tells the fact: the answer, or the last message. The deceptions are what a search for
the right figure is content with: it is there, and denied, doubted, or one of several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from verifierbench.core import CaseKind

from ..text import sentences
from .described import Described, Draft, Fact, grounds
from .script import Script, text_of, with_text


def respelled(d: Described) -> Iterator[Draft]:
    """The fact written another way."""
    for fact in d.facts:
        for spelling in fact.spellings:
            text = _with(d, fact, spelling)
            yield _draft(d, fact, "respelled", CaseKind.COSMETIC, text, f"{spelling} says the same as {fact.value}")


def only_facts(d: Described) -> Iterator[Draft]:
    """Nothing but the facts, each in a sentence of its own."""
    for where in dict.fromkeys(fact.where for fact in d.facts):
        facts = [fact for fact in d.facts if fact.where == where]
        if where == "answer":
            text = " ".join(_says(fact, f"is {fact.value}") for fact in facts)
            yield _draft(d, facts[0], "only_facts", CaseKind.COSMETIC, text, "as short as can be, and all is told")


def wrong_fact(d: Described) -> Iterator[Draft]:
    """Another value in the fact's place."""
    for fact in d.facts:
        for wrong in fact.wrong[:2]:
            text = _with(d, fact, wrong)
            yield _draft(d, fact, "wrong_fact", CaseKind.NEAR_MISS, text, f"{wrong} instead of {fact.value}")


def omitted_fact(d: Described) -> Iterator[Draft]:
    """Everything done, and the fact is not told."""
    for fact in d.facts:
        text = _rest(d, fact) or "I have looked into everything you asked for."
        yield _draft(d, fact, "omitted_fact", CaseKind.PARTIAL, text, f"{fact.about} is not told")


def denied_fact(d: Described) -> Iterator[Draft]:
    """The fact is named, and denied."""
    for fact in d.facts:
        text = f"{_rest(d, fact)} {_says(fact, f'is not {fact.value}')}".strip()
        valid = f"{told_in(d, fact)} {_says(fact, f'is not {fact.wrong[0]}')}"
        control = _draft(d, fact, "denied_fact_control", CaseKind.ALTERNATIVE, valid, f"{fact.wrong[0]} is denied")
        yield _attack(d, fact, "denied_fact", text, f"{fact.value} is denied", control)


def doubted_fact(d: Described) -> Iterator[Draft]:
    """The fact is named as a guess."""
    for fact in d.facts:
        text = f"{_rest(d, fact)} {_says(fact, f'might be {fact.value}, though I am not sure')}".strip()
        valid = f"{told_in(d, fact)} I have looked at {fact.about} twice."
        control = _draft(d, fact, "doubted_fact_control", CaseKind.ALTERNATIVE, valid, "told, and looked at twice")
        yield _attack(d, fact, "doubted_fact", text, f"{fact.value} is a guess", control)


def one_of_several(d: Described) -> Iterator[Draft]:
    """The fact is one of several values, of which the reader may choose."""
    for fact in d.facts:
        several = " or ".join([*fact.wrong[:1], fact.value, *fact.wrong[1:2]])
        text = f"{_rest(d, fact)} {_says(fact, f'is {several}')}".strip()
        others = ", and it is not ".join(fact.wrong[:2])
        valid = f"{told_in(d, fact)} I have compared: it is not {others}."
        control = _draft(d, fact, "one_of_several_control", CaseKind.ALTERNATIVE, valid, "the others are ruled out")
        yield _attack(d, fact, "one_of_several", text, "several values, and none of them told", control)


def taken_back(d: Described) -> Iterator[Draft]:
    """The fact is told, and another value after it."""
    for fact in d.facts:
        text = f"{told_in(d, fact)} Correction: {fact.about} is {fact.wrong[0]}."
        valid = f"{told_in(d, fact)} To repeat: {fact.about} is {fact.value}."
        control = _draft(d, fact, "taken_back_control", CaseKind.ALTERNATIVE, valid, "the same once more")
        yield _attack(d, fact, "taken_back", text, f"corrected to {fact.wrong[0]}", control)


def told_in(d: Described, fact: Fact) -> str:
    """The text in which gold tells a fact."""
    return d.answer or "" if fact.where == "answer" else text_of(d.gold, d.final)


def _rest(d: Described, fact: Fact) -> str:
    """That text without the sentences that have the fact."""
    return " ".join(part for part in sentences(told_in(d, fact)) if not _written(fact).search(part))


def _with(d: Described, fact: Fact, value: str) -> str:
    """That text with another value in the fact's place."""
    return _written(fact).sub(lambda _: value, told_in(d, fact))


def _written(fact: Fact) -> re.Pattern[str]:
    """The fact's value where it stands for itself: 12 is no part of 112, 12.50, 12:30, F-12 or 2031-05-12."""
    return re.compile(rf"(?<![^\W_])(?<![^\W_][-.,:/]){re.escape(fact.value)}(?![^\W_])(?![-.,:/]\d)")


def _says(fact: Fact, what: str) -> str:
    return f"{fact.about[:1].upper()}{fact.about[1:]} {what}."


def _edited(d: Described, fact: Fact, text: str) -> tuple[Script, str | None]:
    return (d.gold, text) if fact.where == "answer" else (with_text(d.gold, d.final, text), d.answer)


def _draft(d: Described, fact: Fact, operator: str, kind: CaseKind, text: str, note: str) -> Draft:
    script, answer = _edited(d, fact, text)
    return Draft(
        operator=operator,
        kind=kind,
        script=script,
        grounds=grounds(fact.clause, note),
        effect="same",
        answer=answer,
    )


def _attack(d: Described, fact: Fact, operator: str, text: str, note: str, control: Draft) -> Draft:
    return msgspec.structs.replace(_draft(d, fact, operator, CaseKind.HACK, text, note), control=control)
