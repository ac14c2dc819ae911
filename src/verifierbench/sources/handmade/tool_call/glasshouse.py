"""One tool, one call: numbers, an enumeration, a flag, an identifier, and defaults left open."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Spec, due

from .tools import choice, flag, integer, number, text, tool

SLUG = "glasshouse"

_INSTRUCTION = """\
The fern house is getting muggy. In bay F-07b, please open the vents on the leeward side to 35 percent and
hold them there for 90 minutes. Close them by themselves if it drops below 14.5 degrees. Don't sound the chime.
"""

_TOOLS = [
    tool(
        "set_vents",
        "Open the roof vents of one glasshouse bay to a given width for a given time.",
        "bay side opening minutes chime",
        bay=text("Identifier of the bay, exactly as on its plate."),
        side=choice("Which row of vents to move.", "leeward", "windward", "both"),
        opening=integer("Opening in percent of the full width.", minimum=0, maximum=100),
        minutes=integer("How long the opening is held, in minutes.", minimum=1),
        close_below=number("Close early when the air is colder than this, in degrees Celsius."),
        chime=flag("Whether a chime sounds before the vents move."),
        ramp=choice("How fast the vents move. Default: gentle.", "gentle", "fast", default="gentle"),
        retries=integer("How often a stuck vent is tried again. Default: 1.", default=1, minimum=0),
    )
]


def task() -> tuple[Brief, Spec]:
    """The request and the call that is due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    call = due(
        brief,
        "set_vents",
        {"bay": "F-07b", "side": "leeward", "opening": 35, "minutes": 90, "close_below": 14.5, "chime": False},
        why="open the vents",
        because={"chime": "Don't sound the chime"},
    )
    return brief, Spec(calls=(call,))
