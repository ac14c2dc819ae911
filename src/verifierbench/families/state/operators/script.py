"""A conversation as operators edit it: events with tags, and messages that quote what calls will return.

A message may hold `<tag:pointer>`: the value at that pointer in the result of the call with that tag. It is filled in
by executing the calls, so a label never rests on what we believe a call returns. Where the call is gone or failed the
caller says what stands there instead: an invented value is what makes a false claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from verifierbench.core import Absent, Inconsistent, at


class Say(msgspec.Struct, frozen=True):
    """A message."""

    role: str
    text: str
    tag: str = ""


class Call(msgspec.Struct, frozen=True):
    """A tool call."""

    name: str
    arguments: dict[str, Any]
    tag: str = ""
    role: str = "assistant"


Event: TypeAlias = Say | Call
Script: TypeAlias = tuple[Event, ...]
Execute: TypeAlias = Callable[[list[dict[str, Any]]], Mapping[str, Any]]
"""Replays events: `{"results": […], "changes": […]}`."""

_QUOTE = re.compile(r"<(\w+):([\w/]+)>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def without(script: Script, *tags: str) -> Script:
    """The script without the tagged events."""
    return tuple(event for event in script if event.tag not in tags)


def replaced(script: Script, tag: str, *events: Event) -> Script:
    """The script with other events in the place of a tagged one."""
    here = _place(script, tag)
    return (*script[:here], *events, *script[here + 1 :])


def before(script: Script, tag: str, *events: Event) -> Script:
    """The script with events put in before a tagged one."""
    here = _place(script, tag)
    return (*script[:here], *events, *script[here:])


def after(script: Script, tag: str, *events: Event) -> Script:
    """The script with events put in after a tagged one."""
    here = _place(script, tag)
    return (*script[: here + 1], *events, *script[here + 1 :])


def moved(script: Script, tags: tuple[str, ...], *, before_tag: str) -> Script:
    """The script with tagged events, in their order, moved to just before another."""
    return before(without(script, *tags), before_tag, *(event for event in script if event.tag in tags))


def with_text(script: Script, tag: str, text: str) -> Script:
    """The script with other words in a tagged message."""
    return replaced(script, tag, msgspec.structs.replace(tagged(script, tag), text=text))


def with_arguments(script: Script, tag: str, **arguments: Any) -> Script:
    """The script with some arguments of a tagged call replaced."""
    old = tagged(script, tag)
    assert isinstance(old, Call)
    return replaced(script, tag, msgspec.structs.replace(old, arguments={**old.arguments, **arguments}))


def tagged(script: Script, tag: str) -> Event:
    """The event of a tag; raises `Inconsistent` where there is none."""
    return script[_place(script, tag)]


def call_of(script: Script, tag: str) -> Call:
    """The tagged call."""
    event = tagged(script, tag)
    assert isinstance(event, Call)
    return event


def copies(script: Script, *tags: str) -> tuple[Event, ...]:
    """The tagged events once more, to be put in elsewhere: without their tags, for a tag names one event."""
    return tuple(msgspec.structs.replace(tagged(script, tag), tag="") for tag in tags)


def text_of(script: Script, tag: str) -> str:
    """The words of the tagged message."""
    event = tagged(script, tag)
    assert isinstance(event, Say)
    return event.text


def honest(script: Script, succeeded: set[str]) -> Script:
    """The script without the sentences that quote a call which did not succeed."""
    return tuple(event for event in (_honest(event, succeeded) for event in script) if event is not None)


def unquoted(text: str) -> list[str]:
    """The sentences of a message that quote no result."""
    return [sentence for sentence in _SENTENCE.split(text) if not _QUOTE.search(sentence)]


def plain_events(script: Script) -> list[dict[str, Any]]:
    """The events as a solution holds them, quotes unfilled."""
    return [
        {"role": event.role, "message": event.text}
        if isinstance(event, Say)
        else {"role": event.role, "call": {"name": event.name, "arguments": event.arguments}}
        for event in script
    ]


def render(script: Script, execute: Execute, invent: Callable[[], str] | None = None) -> list[dict[str, Any]]:
    """The events with every quote filled in from an execution.

    Raises `Inconsistent` for a quote that nothing answers when the script is not meant to invent.
    """
    results = execute(plain_events(script))["results"]
    calls = [event for event in script if isinstance(event, Call)]
    known = {call.tag: result.get("result") for call, result in zip(calls, results, strict=True) if call.tag}
    return plain_events(tuple(_filled(event, known, invent) for event in script))


def _place(script: Script, tag: str) -> int:
    for place, event in enumerate(script):
        if event.tag == tag:
            return place
    raise Inconsistent(f"the script has no event tagged {tag!r}")


def _filled(event: Event, known: Mapping[str, Any], invent: Callable[[], str] | None) -> Event:
    if isinstance(event, Call):
        return event

    def value(quote: re.Match[str]) -> str:
        try:
            return str(at(known.get(quote[1]), f"/{quote[2]}"))
        except Absent:
            if invent is None:
                raise Inconsistent(f"nothing returned {quote[0]}") from None
            return invent()

    return msgspec.structs.replace(event, text=_QUOTE.sub(value, event.text))


def _honest(event: Event, succeeded: set[str]) -> Event | None:
    if isinstance(event, Call):
        return event
    sentences = _SENTENCE.split(event.text)
    kept = [sentence for sentence in sentences if {found[1] for found in _QUOTE.finditer(sentence)} <= succeeded]
    return msgspec.structs.replace(event, text=" ".join(kept)) if kept else None
