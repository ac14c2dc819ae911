"""Several tools that resemble each other, one call: nested objects, a date in any spelling, a default left out."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Date, Spec, Temptation, due

from .tools import choice, flag, integer, listing, record, text, tool

SLUG = "ferry"

_INSTRUCTION = """\
Book us on the night ferry from Port Ellery to Sandhaven on 5 March 2031: two adults and one child, in an outside
cabin with a cot for the little one. Plain booking, please, no flexible fare. We travel with a car, 4 metres long,
number plate ELM-4471. Do not pay for anything yet.
"""

_PARTY = record(
    "Who travels.",
    "adults children",
    adults=integer("Number of adults.", minimum=1),
    children=integer("Number of children.", minimum=0),
    pets=integer("Number of pets. Default: 0.", default=0, minimum=0),
)
_VEHICLE = record(
    "The vehicle that comes along.",
    "kind plate length",
    kind=choice("Kind of vehicle.", "car", "van", "motorcycle"),
    plate=text("Number plate, exactly as it is written on the vehicle."),
    length=integer("Length in whole metres."),
)
_TOOLS = [
    tool(
        "book_night_ferry",
        "Reserve an overnight crossing with a cabin. Nothing is charged.",
        "origin destination day party cabin",
        origin=text("Port of departure."),
        destination=text("Port of arrival."),
        day=text("Day of departure."),
        party=_PARTY,
        cabin=choice("Category of the cabin.", "inside", "outside", "suite"),
        vehicle=_VEHICLE,
        extras=listing(
            "Extras for the cabin, in any order.", choice("One extra.", "cot", "breakfast", "late_checkout")
        ),
        flexible=flag("Whether the booking can be changed later. Default: false.", default=False),
        language=text("Language of the tickets. Default: English.", default="English"),
    ),
    tool(
        "book_day_ferry",
        "Reserve a daytime crossing with seats. Nothing is charged.",
        "origin destination day party",
        origin=text("Port of departure."),
        destination=text("Port of arrival."),
        day=text("Day of departure."),
        party=_PARTY,
    ),
    tool(
        "quote_night_ferry",
        "State the price of an overnight crossing without reserving it.",
        "origin destination day",
        origin=text("Port of departure."),
        destination=text("Port of arrival."),
        day=text("Day of departure."),
    ),
    tool("pay_booking", "Pay for the latest booking.", "method", method=choice("How to pay.", "card", "invoice")),
]


def task() -> tuple[Brief, Spec]:
    """The request and the call that is due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    call = due(
        brief,
        "book_night_ferry",
        {
            "origin": "Port Ellery",
            "destination": "Sandhaven",
            "day": Date("5 March 2031"),
            "party": {"adults": 2, "children": 1},
            "cabin": "outside",
            "vehicle": {"kind": "car", "plate": "ELM-4471", "length": 4},
            "extras": ["cot"],
            "flexible": False,
        },
        why="Book us on the night ferry",
        because={"flexible": "no flexible fare"},
    )
    paying = Temptation(
        call={"name": "pay_booking", "arguments": {"method": "card"}},
        why="the booking is paid, which the instruction forbids",
        span=brief.find("Do not pay for anything yet"),
    )
    return brief, Spec(calls=(call,), temptations=(paying,))
