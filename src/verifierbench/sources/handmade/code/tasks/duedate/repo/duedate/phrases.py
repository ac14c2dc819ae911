"""Rules as people say them."""

from .rule import UNITS, Rule

__all__ = ["parse", "phrase"]


def parse(text, first):
    """A rule from "every month", "every 3 weeks"; first is its first date."""
    words = text.lower().split()
    if len(words) not in (2, 3) or words[0] != "every":
        raise ValueError(f"not a rule: {text!r}")
    every = 1
    if len(words) == 3:
        if not words[1].isdigit():
            raise ValueError(f"not a number: {words[1]!r}")
        every = int(words[1])
    unit = words[-1] if words[-1].endswith("s") else words[-1] + "s"
    if unit not in UNITS:
        raise ValueError(f"no such unit: {words[-1]!r}")
    return Rule(first, every, unit)


def phrase(rule):
    """What `parse` would have been given."""
    if rule.every == 1:
        return f"every {rule.unit[:-1]}"
    return f"every {rule.every} {rule.unit}"
