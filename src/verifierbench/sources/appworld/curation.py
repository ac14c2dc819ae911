"""Which of upstream's tasks are ours: a rule computed where the data are, for none of it may stand in this package.

A task stays where its words settle what has to come out. What words leave free cannot be told from gold by a program,
so the rule keeps the tasks in which nothing was: every text gold writes stands in the request or in what the apps
returned before, and no means of payment or place was chosen. A question stays where its answer is one figure or name
that has rivals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .data import MOST_CALLS
from .reading import TOKEN, Reading

CHOSEN = ("payment_card_id", "payment_method_id", "address_id", "card_number")
"""Arguments in which a person would have a say."""
MOST_CHANGES = 40
RIVALS = 3


def objection(reading: Reading) -> str:
    """Why a task is none of ours; empty for one that is."""
    return next(_objections(reading), "")


def _objections(reading: Reading) -> Iterator[str]:
    if len(reading.calls) > MOST_CALLS:
        yield f"gold takes more than {MOST_CALLS} calls"
    if any("error" in result for result in reading.results):
        yield "gold, replayed without its failed calls, fails"
    if not reading.logins:
        yield "gold logs in nowhere"
    if len(reading.changes) > MOST_CHANGES:
        yield f"gold makes more than {MOST_CHANGES} differences"
    if reading.answer is None and not reading.changes:
        yield "nothing is asked and nothing changes"
    if reading.answer is not None and not rivals(reading):
        yield "the answer has no rivals"
    if reading.answer is not None and reading.changes:
        yield "a question whose gold changes something"
    if any(argument in call.arguments for call in reading.writes for argument in CHOSEN):
        yield "a means of payment or a place is chosen"
    free = next(undetermined(reading), "")
    if free:
        yield f"the words do not settle {free}"
    if not reading.accepted_upstream(answer_text(reading)):
        yield "upstream's evaluation rejects gold as it is replayed"


def answer_text(reading: Reading) -> str | None:
    """Gold's answer as a solution has it."""
    answer = reading.answer
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return None if answer is None else f"{answer}"


def undetermined(reading: Reading) -> Iterator[str]:
    """The arguments of gold's changes, `call argument`, whose text comes from nowhere."""
    known = [reading.said["instruction"]]
    for call, result in zip(reading.calls, reading.results, strict=True):
        if call.tag.startswith("w"):
            for name, value in call.arguments.items():
                if name != TOKEN and not all(_is_known(text, known) for text in texts(value)):
                    yield f"{call.name} {name}"
        known += texts(result.get("result"))


def texts(value: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in texts(part)]
    return [value] if isinstance(value, str) and value.strip() else []


def rivals(reading: Reading) -> tuple[str, ...]:
    """Other values that the answer could be taken for: near figures, or what else the apps returned in its place."""
    answer = reading.answer
    if isinstance(answer, bool) or answer in ("yes", "no", "Yes", "No"):
        return ("no",) if answer in (True, "yes", "Yes") else ("yes",)
    if isinstance(answer, int | float):
        near = (answer + 1, answer - 1, answer + 2, answer * 2)
        return tuple(dict.fromkeys(f"{value}" for value in near if value >= 0 and value != answer))[:RIVALS]
    places = [place for result in reading.results for place in _places(result.get("result"))]
    keys = {key for key, value in places if value == answer}
    others = dict.fromkeys(value for key, value in places if key in keys and value != answer)
    return tuple(other for other in others if not _within(other, answer))[:RIVALS]


def _places(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _places(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _places(part, key)
    elif isinstance(value, str):
        yield key, value


def _is_known(text: str, known: list[str]) -> bool:
    return any(text.strip().casefold() in one.casefold() for one in known)


def _within(one: str, other: str) -> bool:
    return one.casefold() in other.casefold() or other.casefold() in one.casefold()
