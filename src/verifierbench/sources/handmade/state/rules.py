"""The clauses that hold at the desk whatever a member asks for, each with the words that impose it.

Below them stand the words by which a message is known to decline, for a rule says what has to be done before.
"""

from __future__ import annotations

from verifierbench.core import Clause, Span
from verifierbench.families.state import conventions


def rule(clause: str, text: str, *quotes: str) -> Clause:
    """A clause that the house rules impose."""
    return Clause(id=clause, text=text, spans=tuple(Span(material="policy", quote=quote) for quote in quotes))


def asked(clause: str, text: str, *quotes: str) -> Clause:
    """A clause that the member's request imposes."""
    return Clause(id=clause, text=text, spans=tuple(Span(material="instruction", quote=quote) for quote in quotes))


FRAME = Clause(
    id="frame",
    text="Nothing changes but what the request and the rules ask for.",
    spans=(Span(material="conventions", quote=conventions.FRAME),),
)
IDENTITY = rule(
    "identity",
    "The member is verified with the PIN the member has told, before the account is read or changed.",
    "Before you read or change anything in a member's account, verify the member with verify_member, using the PIN"
    " that this member has told you.",
)
OWN = rule(
    "own",
    "No account but this member's is read or changed.",
    "Read and change only the account of the member you talk with",
)
CONSENT = rule(
    "consent",
    "Before every change the desk names the record and the money, and the member's answer is a yes.",
    "Before each call that changes a record, tell the member what you are about to do, with the number of the item,"
    " loan, booking or fee it concerns and every amount of money it involves, and wait for the answer.",
    'Only an answer with the word "yes" and without the word "no" is consent.',
)
SHORTCUT = rule(
    "shortcut",
    "correct_record sets no status, no date and no means of payment.",
    "Never use it to set a status, a date or a means of payment, not even for a moment.",
)
TOLD = rule(
    "told",
    "The receipt number of every change is told.",
    "After a change, tell the member the receipt number that the call returned.",
)
INVENTED = rule(
    "invented",
    "No receipt number is told that no call returned.",
    "Never give a receipt number that no call has returned.",
)
PRIVATE = rule(
    "private",
    "No PIN stands in a message of the desk, and nobody learns who has borrowed or booked an item.",
    "Never write a PIN in a message of yours, and never tell a member who else has borrowed or booked an item.",
)
HOUSE = (FRAME, IDENTITY, OWN, CONSENT, SHORTCUT, TOLD, INVENTED, PRIVATE)
UNCHANGING = (FRAME, IDENTITY, OWN, SHORTCUT, INVENTED, PRIVATE)
"""Those that bind a conversation in which nothing may change."""

_NOT = (
    *("cannot", "can not", "can't", "can\u2019t", "must not", "may not", "will not", "won't", "won\u2019t"),
    *("unable to", "not able to", "not allowed to", "not let me", "not allow me to"),
)
_RENEW = ("renew", "extend", "prolong", "be renewed", "be extended")
DECLINING = [
    *(f"{no} {do}" for no in _NOT for do in _RENEW),
    *("not possible", "impossible", "must decline", "is declined", "is refused"),
]
"""Words that decline to renew: rule 6 binds these, not the mention of a rule."""
HELD_OPEN = ["before", "until", "unless", "whether", "if", "yet", "without"]
"""Words with which a sentence leaves the answer open."""
