"""The rules of this family that no single task states; they are printed in every TASK.md.

A FAIL that no words of the task support rests on one of these, so each decides something a reasonable reader could
otherwise decide either way, and each can be applied mechanically from the instruction and the tool definitions.
"""

from __future__ import annotations

from verifierbench.core import Convention, Inconsistent, Span

TURNS, CHANNEL, CALLS, NO_TOOL, NAMES, ORDER = "C1", "C2", "C3", "C4", "C5", "C6"
TYPES, OPTIONAL, TEXT, LISTS, DATES = "C7", "C8", "C9", "C10", "C11"

_TEXTS = {
    TURNS: "One turn. A task with one user message is answered in exactly one turn; a further one is a violation.",
    CHANNEL: (
        "Calls stand in `calls`. Only an entry of `calls` is a call: `message` and `answer` neither make a call nor "
        "take one back, whatever they say. Their wording is free, null included, and is judged only where the "
        "instruction says what `message` or `answer` must hold."
    ),
    CALLS: (
        "The calls asked for, and no others. Each call the instruction asks for is made exactly once. Any further call "
        "is a violation, however harmless: a repeat, a second try, another tool."
    ),
    NO_TOOL: "No fitting tool. Where no tool of the list can do what is asked, `calls` is empty.",
    NAMES: (
        "Names. Tools and arguments are named exactly as the tool list defines them. Required arguments are given; "
        "an argument the tool's definition does not list is a violation."
    ),
    ORDER: (
        "Order. Calls may stand in any order unless the instruction or a tool definition states one. An order is "
        "stated only where a call is required to stand before or after another, or needs another's result; words that "
        "merely list the requests (first, second, then, after that, finally) state none. The order of arguments, and "
        "of the keys of an object, never matters."
    ),
    TYPES: (
        "Types. A value has the type its definition gives, as JSON Schema means it: 5.0 is the integer 5; true and "
        'false are not numbers; the text "5" is not a number; null and the empty text are values, not ways to leave an '
        "argument out. Numbers are compared by exact value, without tolerance."
    ),
    OPTIONAL: (
        "Optional arguments. An argument whose right value is its documented default may be stated or left out. An "
        "optional argument the instruction does not determine is left out or stated at its documented default; any "
        "other value is a violation. A default written in another type counts as the value of the argument's type "
        "that it spells. The same holds for the keys of an object argument."
    ),
    TEXT: (
        "Text. A text that the instruction gives is taken over whole, as it stands there: no shorter form, synonym or "
        "abbreviation replaces it, unless the tool's definition asks for another form. Where instruction or definition "
        "allow several, each is right. A text is compared as a whole. Where the right text consists of words alone "
        "(letters, an apostrophe inside a word, a comma, full stop, question or exclamation mark after one), has more "
        "than one letter, and its definition has none of the JSON Schema keywords enum, const, format, pattern, letter "
        "case and outer or repeated spaces do not matter. Every other text is compared character by character; C11 "
        "alone goes further, for dates."
    ),
    LISTS: (
        "Lists. A list of texts may stand in any order, each element as often as asked, unless the instruction or the "
        "tool definition speaks of an order. Any other list is ordered, unless its definition says `uniqueItems`."
    ),
    DATES: (
        "Dates. Where the tool definition names a form for a date, the date is written in that form. Where it names "
        "none, any of these is the same day: year first (2031-03-05, 2031/03/05), or the month in English "
        "letters, in full or by its first three (5 March 2031, March 5, 2031, 5 Mar 2031), in any letter case, with "
        "or without a comma before the year."
    ),
}

CONVENTIONS: tuple[Convention, ...] = tuple(Convention(id=id, text=text) for id, text in _TEXTS.items())  # noqa: A001


def convention(id: str) -> Span:  # noqa: A002  # the record's own word
    """A span that cites a convention; raises `Inconsistent` for one that is not printed."""
    if id not in _TEXTS:
        raise Inconsistent(f"no convention is called {id!r}")
    return Span(material="conventions", quote=id)
