"""A solution in the form upstream's checker reads: calls as data, a reply as the sentence it looks for.

Upstream asks its solver for a sentence where no call is right, and looks for fixed words and for names in it. A reply
in our form is said in those words; anything else is written down as it is, and so are the message and the calls,
because upstream reads all that was said.
"""

from __future__ import annotations

import json
from typing import Any

MISSING = "Missing necessary parameters"
MALFORMED = "There is incorrect value"
UNFIT = "the limitations of the function"
"""The words upstream looks for."""


def calls_of(solution: Any) -> list[dict[str, Any]]:
    """Upstream's form of calls, `[{tool: arguments}]`: those of all turns, in order."""
    return [{call["name"]: call["arguments"]} for turn in solution["turns"] for call in turn["calls"]]


def said(solution: Any) -> str:
    """All that a solution says: its replies, its messages and its calls, turn by turn."""
    return "\n".join(part for turn in solution["turns"] for part in _turn(turn) if part)


def _turn(turn: Any) -> tuple[str, str, str]:
    calls = turn["calls"]
    return sentence(turn["answer"]), turn["message"] or "", json.dumps(calls, ensure_ascii=False) if calls else ""


def sentence(answer: Any) -> str:
    """A structured reply in upstream's words, or as it is where it has not our form."""
    match answer:
        case None:
            return ""
        case {"verdict": "missing_parameters"}:
            return f"{MISSING}: {_names(answer.get('parameters'))} of {_text(answer.get('tool'))}"
        case {"verdict": "malformed_values"}:
            values = answer.get("values")
            given = values.values() if isinstance(values, dict) else values
            return f"{MALFORMED}: {_names(given)}, given for {_names(values)} of {_text(answer.get('tool'))}"
        case {"verdict": "no_fitting_tool"}:
            return f"Here {UNFIT} are met."
    return json.dumps(answer, ensure_ascii=False)


def _names(values: Any) -> str:
    if values is None or isinstance(values, str):
        return values or ""
    return ", ".join(map(_text, values))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
