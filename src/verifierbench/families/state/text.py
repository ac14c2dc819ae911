"""Finding words and figures in a message without finding them inside other words and figures.

"12.00" is not told by "112.00", nor "rule 1" by "rule 12", and the 501 of "F-501" is no figure. Upper and lower case,
white space, currency signs and thousands commas do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_][-.,:/])"  # neither inside a word nor the tail of F-501, 2031-05-14 or 12:30
    r"(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?!\d|[-.,:/]\d)"
)


def plain(text: str) -> str:
    """The text with its white space, compatibility forms and case made the same."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).casefold()


def has_words(text: str, words: str) -> bool:
    """Whether the words occur one after the other, bounded by something other than a letter or digit."""
    pattern = rf"(?<![^\W_]){re.escape(plain(words))}(?![^\W_])(?![.,]\d)"
    return re.search(pattern, plain(text)) is not None


def numbers(text: str) -> set[Decimal]:
    """Every figure that stands for itself, by value."""
    return {Decimal(found["value"].replace(",", "")) for found in _NUMBER.finditer(plain(text))}


def has_number(text: str, number: str) -> bool:
    """Whether a figure of that value (`"12.00"`) is told."""
    return Decimal(number) in numbers(text)
