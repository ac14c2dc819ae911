"""Two calls among tools with nearly the same names: dates in any spelling, several names accepted, defaults."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Date, OneOf, Spec, Wording, due

from .tools import choice, flag, integer, listing, number, text, tool

SLUG = "rehearsal"

_INSTRUCTION = """\
For the choir: move the rehearsal of 12 May 2031 to 14 May 2031, still in Saint Brannoc's hall (any of its names will
do: Saint Brannoc's hall, Saint Brannoc's, St. Brannoc's hall, St. Brannoc's), and let altos and basses know. And raise
the chairs order for the concert by 40 to 120, at 1.75 each.
"""

_NAMES = ("Saint Brannoc's hall", "Saint Brannoc's", "St. Brannoc's hall", "St. Brannoc's")
_SECTIONS = choice("One section.", "sopranos", "altos", "tenors", "basses")
_TOOLS = [
    tool(
        "move_rehearsal",
        "Move a rehearsal to another day.",
        "from_day to_day hall notify",
        from_day=text("Day it was planned for."),
        to_day=text("Day it moves to."),
        hall=text("Name of the hall."),
        notify=listing("Sections to be told, in any order.", _SECTIONS),
        keep_time=flag("Whether the time of day stays. Default: true.", default=True),
    ),
    tool(
        "move_concert",
        "Move a concert to another day.",
        "from_day to_day hall",
        from_day=text("Day it was planned for."),
        to_day=text("Day it moves to."),
        hall=text("Name of the hall."),
    ),
    tool("cancel_rehearsal", "Cancel a rehearsal.", "day", day=text("Day it was planned for.")),
    tool(
        "order_chairs",
        "Set the number of hired chairs for an event; the new number replaces the old one.",
        "event count price",
        event=choice("Which event.", "rehearsal", "concert"),
        count=integer("New number of chairs.", minimum=0),
        price=number("Price of one chair."),
        currency=text(
            "Currency of the price, as a code of three letters. Default: EUR.", default="EUR", pattern="^[A-Z]{3}$"
        ),
    ),
]


def task() -> tuple[Brief, Spec]:
    """The request and the calls that are due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    moving = due(
        brief,
        "move_rehearsal",
        {
            "from_day": Date("12 May 2031"),
            "to_day": Date("14 May 2031"),
            "hall": OneOf(tuple(map(Wording, _NAMES))),
            "notify": ["altos", "basses"],
        },
        why="move the rehearsal",
        because={"hall": ("Saint Brannoc's hall", "any of its names will do")},
    )
    chairs = due(
        brief,
        "order_chairs",
        {"event": "concert", "count": 120, "price": 1.75},
        why="raise the chairs order",
        because={"count": "by 40 to 120"},
    )
    return brief, Spec(calls=(moving, chairs))
