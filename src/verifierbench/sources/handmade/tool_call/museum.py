"""Three parallel calls of one tool: no call may take another's place, whatever order they stand in."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Spec, due

from .tools import choice, integer, text, tool

SLUG = "museum"

_INSTRUCTION = """\
Please reserve three objects for our loan: inventory number K.1902-14 for the gallery in Old Mill, 6 weeks, with
packing grade B;
K.1902-41 for the gallery in Old Mill, 8 weeks, packing grade A; and P.77-3 for the gallery in Harbour Street,
12 weeks, packing grade C.
"""

_TOOLS = [
    tool(
        "reserve_object",
        "Reserve one object of the collection for a loan.",
        "inventory gallery weeks packing",
        inventory=text("Inventory number, exactly as catalogued."),
        gallery=text("Name of the borrowing gallery, in words."),
        weeks=integer("Length of the loan in weeks.", minimum=1),
        packing=choice("Packing grade.", "A", "B", "C", "D"),
        insured_by=choice("Who insures the object. Default: lender.", "lender", "borrower", default="lender"),
    ),
    tool(
        "release_object",
        "Give up the reservation of one object.",
        "inventory",
        inventory=text("Inventory number, exactly as catalogued."),
    ),
    tool(
        "list_loans",
        "List the running loans of a gallery.",
        "gallery",
        gallery=text("Name of the gallery, in words."),
    ),
]


def task() -> tuple[Brief, Spec]:
    """The request and the calls that are due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    wanted = (
        ("K.1902-14", "Old Mill", 6, "B", "packing grade B"),
        ("K.1902-41", "Old Mill", 8, "A", "packing grade A"),
        ("P.77-3", "Harbour Street", 12, "C", "packing grade C"),
    )
    calls = tuple(
        due(
            brief,
            "reserve_object",
            {"inventory": inventory, "gallery": gallery, "weeks": weeks, "packing": packing},
            why="reserve three objects",
            because={"packing": words},
        )
        for inventory, gallery, weeks, packing, words in wanted
    )
    return brief, Spec(calls=calls)
