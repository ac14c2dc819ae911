"""Different tools in parallel: a list that is a set, a list that is ordered, and a message given word for word."""

from __future__ import annotations

from verifierbench.families.tool_call import Brief, Spec, due

from .tools import choice, flag, integer, listing, number, text, tool

SLUG = "seedbank"

_INSTRUCTION = """\
Two things for the seed bank. First, withdraw 25 grams of each of these accessions for the exchange: marrow, lovage
and sea kale; they go out refrigerated. Second, plan the drying room for lot LV_2030/8: 18.5, then 16, then 12.5
degrees, one day each, and put the note "Turn the trays at noon" on the door.
"""

_TOOLS = [
    tool(
        "withdraw_seed",
        "Take the same weight of seed from several accessions.",
        "accessions grams shipping",
        accessions=listing("Accessions to take from, in any order.", text("Common name of one accession.")),
        grams=number("Weight per accession, in grams."),
        shipping=choice("How the seed travels.", "ambient", "refrigerated", "frozen"),
        germination_test=flag("Whether a sample is tested first. Default: false.", default=False),
    ),
    tool(
        "plan_drying",
        "Plan the drying room for one lot.",
        "lot temperatures days_each",
        lot=text("Number of the lot, exactly as on its label."),
        temperatures=listing(
            "Temperatures in degrees Celsius, in the order they follow each other.", number("One step.")
        ),
        days_each=integer("Days that each step lasts.", minimum=1),
        note=text("Note for the door."),
        humidity=integer("Target humidity in percent. Default: 15.", default=15),
    ),
    tool(
        "discard_seed",
        "Throw away what is left of several accessions.",
        "accessions",
        accessions=listing("Accessions to throw away.", text("Common name of one accession.")),
    ),
    tool(
        "print_labels",
        "Print labels for one lot.",
        "lot copies",
        lot=text("Number of the lot."),
        copies=integer("Copies."),
    ),
]


def task() -> tuple[Brief, Spec]:
    """The request and the calls that are due."""
    brief = Brief(instruction=_INSTRUCTION, tools=_TOOLS)
    withdrawal = due(
        brief,
        "withdraw_seed",
        {"accessions": ["marrow", "lovage", "sea kale"], "grams": 25, "shipping": "refrigerated"},
        why="withdraw 25 grams of each",
    )
    drying = due(
        brief,
        "plan_drying",
        {"lot": "LV_2030/8", "temperatures": [18.5, 16, 12.5], "days_each": 1, "note": "Turn the trays at noon"},
        why="plan the drying room",
        because={"days_each": "one day each"},
    )
    return brief, Spec(calls=(withdrawal, drying))
