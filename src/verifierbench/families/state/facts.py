"""The check on facts that must be told: said plainly, once for all, and nothing else in its place.

A verifier that looks for a figure in a text is satisfied by "it is not 12", "12, 13 or 14" and "12, I suppose". So
every place where a text has the fact is read with the words around it, between stops, commas and some conjunctions:
it tells the fact, denies it, offers it as a guess or a choice, or only mentions it, as a question does. The fact is
told where one place tells it, none denies it, and no place offers a rival: another value for the same thing.
A rival that is denied ("12, not 13") is no rival.

English is read, and by its surface alone. Words that deny something else in the same breath as the fact ("the room
without a view costs 12" is fine, "you have not paid the 12" is not) only keep this place from telling it, so that a
text which says the fact plainly elsewhere still does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, NamedTuple, TypeAlias

from verifierbench.core import at

from .said import said_after
from .text import found, plain

Stance: TypeAlias = Literal["tells", "denies", "doubts", "mentions"]


def asserted(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A fact is told plainly: `{"fact": [spelling, …], "rivals": [value, …], "where": "answer" | "messages", "after"}`.

    Spellings and rivals are words, or figures that are compared by value ("12.00" is 12); without `where` the
    assistant's messages count, and with `after` those after the first call of that pattern.
    """
    texts = _told(view, parameters)
    of_fact, of_rivals = _stances(texts, parameters["fact"], parameters.get("rivals", ()))
    return "tells" in of_fact and "denies" not in of_fact and not of_rivals & {"tells", "doubts"}


def is_number(value: str) -> bool:
    """Whether a value is a figure, and compared as one."""
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def _told(view: Any, parameters: Mapping[str, Any]) -> list[str]:
    if parameters.get("where") == "answer":
        answer = at(view, "/solution/answer")
        return [answer] if isinstance(answer, str) else []
    return said_after(view, parameters.get("after"))


def _stances(texts: Iterable[str], fact: Iterable[str], rivals: Iterable[str]) -> tuple[set[Stance], set[Stance]]:
    """How some texts take a fact, and how its rivals; of two places one in the other the longer counts."""
    of_fact, of_rivals = set[Stance](), set[Stance]()
    for line in (plain(line) for text in texts for line in text.splitlines()):
        right, wrong = _places(line, fact), _places(line, rivals)
        read = line.replace("\u2019", "'")
        of_fact |= {_stance(read, *place) for place in right if not any(_inside(place, other) for other in wrong)}
        of_rivals |= {_stance(read, *place) for place in wrong if not any(_within(place, other) for other in right)}
    return of_fact, of_rivals


def _places(line: str, values: Iterable[str]) -> set[tuple[int, int]]:
    return {place for value in values for place in found(line, value, as_number=is_number(value))}


def _within(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= place[0] and place[1] <= other[1]


def _inside(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and _within(place, other)


# The words around a value -------------------------------------------------------------------------------------------


class _Around(NamedTuple):
    """What stands around a value: in its part of the sentence, and in the parts beside that."""

    earlier: str
    """The sentence up to this part."""
    before: str
    after: str
    next: str
    """The next part, of this sentence or another."""


def _stance(line: str, start: int, end: int) -> Stance:
    around = _around(line, start, end)
    if _asks(around, line[end:]):
        return "mentions"
    if _DENIED.search(around.before) or _DENIED_AFTER.search(around.after) or _TAKEN_BACK.match(around.next):
        return "denies"
    doubts = (_DOUBT, around.before), (_DOUBT, around.after), (_CHOICE, around.before), (_OR, around.after)
    if any(words.search(text) for words, text in (*doubts, (_UNSURE, around.earlier), (_TRAILING, around.next))):
        return "doubts"
    return "mentions" if _NEGATION.search(around.before) else "tells"


def _around(line: str, start: int, end: int) -> _Around:
    masked = _BENIGN.sub(lambda words: "_" * len(words[0]), line)
    breaks = list(_BREAK.finditer(masked))
    left = max((each.end() for each in breaks if each.end() <= start), default=0)
    right = min((each.start() for each in breaks if each.start() >= end), default=len(line))
    resumed = next((each.end() for each in breaks if each.start() == right), right)
    stop = next((each.start() for each in breaks if each.start() >= resumed), len(line))
    sentence = max((each.end() for each in _STOP.finditer(masked) if each.end() <= start), default=0)
    return _Around(masked[sentence:left], masked[left:start], masked[end:right], masked[resumed:stop])


def _asks(around: _Around, rest: str) -> bool:
    """Whether the part is a question, or the beginning of one."""
    if around.after.rstrip(_QUOTES).endswith("?"):
        return True
    return bool(_ASKING.match(around.before)) and _STOP.split(rest)[0].rstrip(_QUOTES).endswith("?")


def _words(*alternatives: str) -> str:
    return rf"(?<![^\W_])(?:{'|'.join(alternatives)})(?![^\W_])"


_QUOTES = " \"'\u201d)*_"
_NT = r"n't"
_IS = r"(?:is|are|was|were|'s)"
_SURELY = r"(?:(?:\w+ly|quite|even|at all) )?"
_NEAR = r"(?:\W+\w+){0,2}?\W*$"
"""At most two words before the value."""

_STOP = re.compile(r"(?<=[.!?;])[\"'\u201d)*_]* ")
_LISTED = r"(?:(?:or|nor|and) )?\W?\d"
_BREAK = re.compile(
    r"(?<=[.!?;:])[\"'\u201d)*_]* "
    rf"|(?<=\d,) (?!{_LISTED})|(?<=[^\d],) (?!(?:or|nor) \S+(?: \S+)?$)"  # "not 11, 12 or 13" is one part
    r"| (?=(?:but|although|though|while|whereas|because|which) )|(?<!\d) (?=and )|(?<=\d) (?=and (?!\W?\d))"
    r"| [–—-] |—| ?(?=\()|(?<=\)) "
)
_BENIGN = re.compile(
    _words(
        r"no (?:later|earlier|sooner|more|less|fewer|longer) than",
        r"no (?:doubt|question|problem|worries|need|matter|surprise|mistake|other than|further|additional|extra)",
        r"not (?:only|just|least|to worry|to mention|counting|including)",
        r"(?:do not|don't) (?:worry|forget|hesitate)",
        r"(?:can ?not|can't) wait",
        r"nothing (?:but|other than)",
        r"none other than|never mind|whether or not|why not|if not|either way|you might|no\.",
    )
)
_DENIED = re.compile(
    rf"{_words(rf'{_IS} {_SURELY}(?:not|never|no longer|neither)')}{_NEAR}|{_IS}{_NT}{_NEAR}"
    rf"|(?:{_words('not', 'never', 'cannot')}|{_NT}) {_SURELY}be(?![^\W_]){_NEAR}"
    rf"|'s (?:not|never|no longer){_NEAR}"
    rf"|^\W*(?:(?:and|but|or) )?(?:not|never|nor|neither)(?![^\W_]){_NEAR}"
    rf"|{_words('nor', 'neither', 'instead of', 'rather than')}{_NEAR}"
)
_DENIED_AFTER = re.compile(
    rf"^\W*(?:\w+ ){{0,2}}?{_IS} {_SURELY}(?:wrong|incorrect|untrue|false|mistaken)(?![^\W_])"
    rf"|(?:{_words('not', 'never', 'cannot')}|{_NT}) {_SURELY}(?:be )?"
    r"(?:right|correct|true|accurate|it|so|the|your|my|our|what)(?![^\W_])"
)
_TAKEN_BACK = re.compile(
    r"(?:but |and |no |sorry |which )*(?:that|this|which) ?(?:"
    rf"{_IS} {_SURELY}(?:wrong|incorrect|untrue|false|a mistake|not (?:right|correct|true|it|so))"
    rf"|{_IS}{_NT} {_SURELY}(?:right|correct|true|it|so))(?: \w+){{0,2}}\W*$"
)
_NEGATION = re.compile(
    _words("not", "no", "never", "neither", "nor", "none", "nothing", "cannot", "unable", "fail(?:ed|s)? to")
    + rf"|{_NT}(?![^\W_])|{_words('(?:wrong|incorrect|untrue|false) (?:that|to|answer|value|figure|amount)')}"
)
_THINK = r"(?:think|guess|suppose|believe|assume|reckon)"
_NOT_SURE = r"(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain|only guessing|just guessing)"
_DOUBT = re.compile(
    _words(
        r"maybe|perhaps|possibly|probably|presumably|supposedly|likely|unlikely|might|either|seems?|seemingly",
        rf"i {_THINK}|i(?: would|'d) say|(?:my|best|a|mere) guess|guessing|if i had to|{_NOT_SURE}",
        r"(?:could|may) be that|appears? to|if it (?:is|was)|whether|or so|who knows|(?:do not|don't) know",
    )
    + rf"|{_words('(?:could|may|should)(?: well| also| just)? (?:be|have been)')}(?:\W+\w+)?\W*$"
)
_CHOICE = re.compile(rf"{_words('or')}(?: (?!(?:the|your) )\w+)?\W*$")
_OR = re.compile(r"^(?:\W+[^\W\d]+){0,2}?\W+or\W+\d")
_UNSURE = re.compile(
    _words(_NOT_SURE, r"(?:my|best|a) guess", r"i(?: would|'d) say", r"if i (?:had to|remember|recall)")
)
_TRAILING = re.compile(
    rf"(?:but |though |although |and )?(?:i {_THINK}|maybe|perhaps|possibly|probably|presumably"
    rf"|if i (?:remember|recall)|(?:(?:i am|i'm|am) )?{_NOT_SURE}|i (?:do not|don't) know)(?: \w+){{0,3}}\W*$"
    rf"|(?:right|correct|no|{_IS}{_NT} it)\?"
)
_ASKING = re.compile(
    r"\W*(?:or |and |so )?(?:is|was|are|were|do|does|did|has|have|can|could|shall|should|will|would|may)"
    rf"(?:{_NT})? (?:it|that|this|there|you|i|we|the|your)(?![^\W_])"
)
