"""The rules of this family that no single task states; they are printed in every TASK.md.

A FAIL that no words of the task support rests on one of these, so each decides something a reasonable reader could
otherwise decide either way, and each can be applied mechanically from the instruction and the tool definitions.
"""

from __future__ import annotations

from verifierbench.core import Convention, Inconsistent, Span

TURNS, CHANNEL, CALLS, NO_TOOL, NAMES, ORDER = "C1", "C2", "C3", "C4", "C5", "C6"
TYPES, OPTIONAL, TEXT, LISTS, DATES = "C7", "C8", "C9", "C10", "C11"

SESSION_TURNS, SESSION_CHANNEL, BROUGHT_ABOUT, NOTHING_ELSE, HARMLESS = "E1", "E2", "E3", "E4", "E5"
LOOKED_UP, AVAILABLE, WAITS, SESSION_VALUES = "E6", "E7", "E8", "E9"

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
        "other value is a violation. A default of null may be stated as null, whatever the argument's type; any other "
        "default written in another type counts as the value of the argument's type that it spells. The same holds for "
        "the keys of an object argument."
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

_SESSION_TEXTS = {
    SESSION_TURNS: (
        "One turn for each turn of the user. The instruction numbers what the user says; a solution has exactly as "
        "many turns, and its n-th answers the user's n-th."
    ),
    SESSION_CHANNEL: (
        "Calls stand in `calls` and are made in the order in which they stand there. Only an entry of `calls` is a "
        "call: `message` and `answer` neither make a call nor take one back, whatever they say, and their wording is "
        "free, null included, where no other convention speaks of them."
    ),
    BROUGHT_ABOUT: (
        "Judged by what is brought about. What the user asks for in a turn is brought about in that turn: it shows in "
        "the state after it. By which calls, by how many and in which order is free."
    ),
    NOTHING_ELSE: (
        "Nothing else changes. The state after a turn differs from the state before it only by what the user asked for "
        "in that turn, by what the tools write along with that (counters, identifiers), and by the steps without which "
        "a tool refuses what is asked (logging in as the user, locking the doors, pressing the pedal). Where the "
        "assistant stands in a file system (`current_directory`) is free."
    ),
    HARMLESS: (
        "Further calls are free where they change nothing: looking something up, asking again, and calls that fail and "
        "leave the state as it was."
    ),
    LOOKED_UP: (
        "What the user asks to be shown, checked, compared or computed is looked up: by a call in that turn that "
        "succeeds and selects what was asked about. Another tool that returns the same information is as good; saying "
        "it in `message` instead is not, and what was looked up in an earlier turn is looked up again."
    ),
    AVAILABLE: (
        "Each call names a tool that is available in its turn, as the tool list writes it; `session` says which tools "
        "come only later. A call of any other tool is a violation, although it does nothing."
    ),
    WAITS: (
        "What has to wait. Where a turn asks for what no tool available in it can do, or leaves out what only the user "
        "can say, this is not begun: nothing is changed for it, and `message` says something to the user, so it is "
        "neither null nor blank. What else the turn asks for may be done."
    ),
    SESSION_VALUES: (
        "Values. A call whose arguments do not fit the tool's definition fails. As JSON Schema means it, 5.0 is the "
        "integer 5; numbers are compared by exact value. A text the user gives is taken over character by character, "
        "without the quotation marks around it. A list of texts may stand in any order. An optional argument the user "
        "does not determine is left out or stated at its documented default."
    ),
}
"""For tasks that are executed; a task prints the one table or the other."""

CONVENTIONS: tuple[Convention, ...] = tuple(Convention(id=id, text=text) for id, text in _TEXTS.items())  # noqa: A001
SESSION_CONVENTIONS: tuple[Convention, ...] = tuple(
    Convention(id=id, text=text)
    for id, text in _SESSION_TEXTS.items()  # noqa: A001
)


def convention(id: str) -> Span:  # noqa: A002  # the record's own word
    """A span that cites a convention; raises `Inconsistent` for one that is not printed."""
    if id not in _TEXTS and id not in _SESSION_TEXTS:
        raise Inconsistent(f"no convention is called {id!r}")
    return Span(material="conventions", quote=id)
