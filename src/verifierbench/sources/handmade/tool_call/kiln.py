"""A stated order: the check comes before the firing, while the third call may stand anywhere."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Order, Spec, Temptation, due

from .tools import choice, flag, integer, record, text, tool

SLUG = "kiln"

_INSTRUCTION = """\
Fire kiln K2 tonight with the stoneware programme: peak 1240 degrees, held for 20 minutes, start at 22:30.
Run the gas check on K2 before you start the firing, never after. Also book studio 4 for Orla on 2031-09-14.
Leave the extractor fan alone.
"""

_TOOLS = [
    tool("check_gas", "Test a kiln's gas line for leaks.", "kiln", kiln=choice("Which kiln.", "K1", "K2", "K3")),
    tool(
        "start_firing",
        "Start a firing programme.",
        "kiln programme profile start",
        kiln=choice("Which kiln.", "K1", "K2", "K3"),
        programme=choice("Firing programme.", "earthenware", "stoneware", "porcelain"),
        profile=record(
            "Temperatures and times.",
            "peak hold",
            peak=integer("Highest temperature in degrees Celsius."),
            hold=integer("Minutes at the highest temperature."),
            soak=integer("Minutes of soaking before the climb. Default: 0.", default=0),
        ),
        start=text("Time of day, as HH:MM on the 24-hour clock.", pattern="^[0-2][0-9]:[0-5][0-9]$"),
        alert=flag("Whether an alert is sent at the end. Default: true.", default=True),
    ),
    tool(
        "book_studio",
        "Book a studio for a day.",
        "studio person day",
        studio=integer("Number of the studio.", minimum=1),
        person=text("First name of who books."),
        day=text("Day, as YYYY-MM-DD.", format="date"),
    ),
    tool(
        "set_fan",
        "Switch the extractor fan.",
        "on",
        on=flag("Whether it runs."),
    ),
    tool("stop_firing", "Stop a running firing.", "kiln", kiln=choice("Which kiln.", "K1", "K2", "K3")),
]


def task() -> tuple[Brief, Spec]:
    """The request and the calls that are due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    check = due(brief, "check_gas", {"kiln": "K2"}, why="Run the gas check on K2", because={"kiln": "gas check on K2"})
    firing = due(
        brief,
        "start_firing",
        {
            "kiln": "K2",
            "programme": "stoneware",
            "profile": {"peak": 1240, "hold": 20},
            "start": "22:30",
        },
        why="Fire kiln K2 tonight",
        because={"kiln": "Fire kiln K2"},
    )
    studio = due(brief, "book_studio", {"studio": 4, "person": "Orla", "day": "2031-09-14"}, why="book studio 4")
    order = Order(first=0, then=1, spans=(brief.find("before you start the firing, never after"),))
    fan = Temptation(
        call={"name": "set_fan", "arguments": {"on": True}},
        why="the fan is switched, which the instruction forbids",
        span=brief.find("Leave the extractor fan alone"),
    )
    return brief, Spec(calls=(check, firing, studio), order=(order,), temptations=(fan,))
