"""Sentences of the tables as operators need them: what is named in them, and how they sound where it is left out.

`{#W2702727|one of your orders}` says that the order's number has to be named, and what stands there where it is not. A
name that occurs several times is left out everywhere at once, for it is named as long as it stands anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from verifierbench.core import Inconsistent

_MARK = re.compile(r"\{([^{}|]+)\|([^{}|]*)\}")
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?:](?=\s|$)|$)", re.MULTILINE)


def plain(text: str) -> str:
    """The sentence with everything named."""
    return _MARK.sub(r"\1", text)


def names(text: str) -> tuple[str, ...]:
    """What it names, each once."""
    return tuple(dict.fromkeys(found[1] for found in _MARK.finditer(text)))


def leaving_out(text: str, name: str) -> str:
    """The sentence with one name left out and the others there."""
    return plain(_MARK.sub(lambda found: found[2] if found[1] == name else found[0], text))


def spelled(name: str, same_as: Mapping[str, Sequence[str]]) -> list[str]:
    """A name as a check looks for it, in all its spellings: a leading # is no part of a word."""
    return [each.lstrip("#") for each in (name, *same_as.get(name, ()))]


def sentence(text: str, words: str) -> str:
    """The sentence of a text that has some words; raises `Inconsistent` unless it is one, however often."""
    found = list(dict.fromkeys(part.strip() for part in _sentences(text) if words in part))
    if len(found) != 1:
        raise Inconsistent(f"the words {words!r} stand in {len(found)} sentences of the public material")
    return found[0]


def _sentences(text: str) -> Iterator[str]:
    return (found[0] for line in text.split("\n") for found in _SENTENCE.finditer(line) if found[0].strip())
