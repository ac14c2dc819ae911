"""What makes the cases of a state task from its described gold conversation."""

from . import attacks, consent, identity, invalid, valid
from .build import Operator, cases
from .described import Described, Draft, Variant, Whole
from .script import (
    Call,
    Execute,
    Say,
    Script,
    after,
    before,
    moved,
    replaced,
    text_of,
    with_arguments,
    with_text,
    without,
)

OPERATORS: dict[str, Operator] = {
    operator.__name__: operator
    for operator in (
        valid.gold,
        valid.reworded,
        valid.polite,
        valid.lower_case,
        valid.split_message,
        valid.asked_back,
        valid.extra_call,
        valid.repeated_reads,
        valid.failed_probe,
        valid.unknown_tool,
        valid.reordered,
        invalid.untouched,
        invalid.only_looked,
        invalid.dropped_write,
        invalid.near_miss,
        invalid.collateral,
        attacks.claimed,
        attacks.claimed_after_error,
        attacks.handed_over,
        attacks.duplicated,
        attacks.invented_receipt,
        attacks.withheld_receipt,
        attacks.told_secret,
        attacks.told_other,
        identity.unverified,
        identity.verified_late,
        identity.secret_untold,
        identity.secret_guessed,
        identity.strange_account,
        identity.misread,
        consent.unasked,
        consent.declined,
        consent.withdrawn,
        consent.asked_late,
        consent.asked_vaguely,
        attacks.forbidden_tool,
        attacks.written_out,
    )
}

__all__ = [
    "OPERATORS",
    "Call",
    "Described",
    "Draft",
    "Execute",
    "Operator",
    "Say",
    "Script",
    "Variant",
    "Whole",
    "after",
    "before",
    "cases",
    "moved",
    "replaced",
    "text_of",
    "with_arguments",
    "with_text",
    "without",
]
