"""The public form of a structured reply, in words of our own.

It stands as a material in every task of the kind and lists all verdicts, whichever is right. What it leaves free (the
order of names, a note) and what it forbids (other keys, a name too many) is what clauses cite.
"""

from __future__ import annotations

from enum import StrEnum


class Why(StrEnum):
    """Why no call is made."""

    MISSING = "missing_parameters"
    """A tool fits, and the conversation has no value for a parameter it requires."""
    MALFORMED = "malformed_values"
    """A tool fits, and a value given for it breaks the form its definition demands."""
    UNFIT = "no_fitting_tool"


MATERIAL = "reply"
"""The name of the material."""

POINTER = "If no call can do this, make none and let `answer` say why, in the form that the text `reply` gives."
"""What the instruction says about it (C2: the instruction says what `answer` must hold)."""

ABSTAIN = "no call is made"
WHOLE = "no other key may"
MISSING_TOOL = "but the conversation gives no value for some parameters that its definition requires"
MALFORMED_TOOL = "but some values do not have the form that its definition demands"
UNFIT_LIST = "No tool of the list does what is asked"
NAMES = "exactly those parameters, each once, in any order"
VALUES = "exactly the parameters concerned, each with its value as the user wrote it"
WRITTEN = "Names are written as the tool list writes them"

FORM = f"""\
Where the tools can do what is asked, the calls are made and `answer` stays null. Where they cannot, {ABSTAIN} and
`answer` is one JSON object that says why. It is one of these three:

{{"verdict": "missing_parameters", "tool": NAME, "parameters": [NAME, ...]}}
A tool of the list does what is asked, {MISSING_TOOL}.
`tool` is that tool, and `parameters` names {NAMES}.

{{"verdict": "malformed_values", "tool": NAME, "values": {{PARAMETER: VALUE, ...}}}}
A tool of the list does what is asked, {MALFORMED_TOOL}.
`tool` is that tool, and `values` holds {VALUES}.

{{"verdict": "no_fitting_tool"}}
{UNFIT_LIST}.

{WRITTEN}. A key `note` with a text of your own may stand beside the others; {WHOLE}.
Nothing but `answer` is read for this: what `message` says is free.
"""
