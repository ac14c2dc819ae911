"""The comparison of texts that several upstream checkers share: some characters and the letter case are not seen."""

from __future__ import annotations

from typing import Any

DELETED = " ,./-_*^"
"""The characters that are not seen."""


def squashed(value: Any) -> Any:
    """A value as they compare it: texts without the deleted characters and without letter case, at any depth."""
    if isinstance(value, str):
        kept = "".join(letter for letter in value if letter not in DELETED)
        return kept.lower().replace("'", '"')
    if isinstance(value, list):
        return [squashed(part) for part in value]
    if isinstance(value, dict):
        return {key: squashed(part) for key, part in value.items()}
    return value
