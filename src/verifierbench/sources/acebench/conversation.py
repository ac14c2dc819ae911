"""What a solver is told, of one upstream entry: an instruction, the tools, and the day or the profile as further texts.

One message is the instruction itself. A longer conversation stands whole under a sentence of our own that says what is
due now; who said what is upstream's text.
"""

from __future__ import annotations

from verifierbench.families.tool_call import Brief

from . import dialect
from .data import Entry

DUE = "Only what the user's last message asks for, or completes, is due now, in one turn."
FRAME = f"A conversation so far. Lines such as `system: [...]` are calls that have been made already. {DUE}"
_USER, _SYSTEM = "user:", "system:"


def brief(entry: Entry) -> Brief:
    """The instruction, the tools and the further texts of an entry."""
    instruction = f"{FRAME}\n\n{entry.question}" if is_conversation(entry) else _message(entry.question)
    texts = {name: text for name, text in (("time", entry.time), ("profile", entry.profile)) if text}
    return Brief(instruction=instruction, tools=[dialect.tool(each) for each in entry.tools], texts=texts)


def is_conversation(entry: Entry) -> bool:
    """Whether somebody else spoke between the user's messages."""
    return any(line.startswith(_SYSTEM) for line in entry.question.splitlines())


def _message(question: str) -> str:
    return question.removeprefix(_USER).strip()
