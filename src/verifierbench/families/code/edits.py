"""Changes to upstream's files said without their text: by the few words at which they begin, and by our own lines.

An edit names a file, words that occur in exactly one of its lines, how many lines go from there, and what comes in
their place. So a solution written by hand is in this repository without what it is written into.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

import msgspec

from verifierbench.core import Inconsistent


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lines of one file replaced by others."""

    file: str
    at: str
    """Words that one line of the file has; an empty text is the file's end."""
    skip: int = 0
    """Lines between that line and the first that goes."""
    lines: int = 1
    """How many lines go; none where something is put before that line."""
    by: str = ""
    """What comes in their place, indented as the line named is; empty where lines go only."""
    nth: int = 0
    """Which of the lines with these words, from 1; 0 where there is one."""


def edited(tree: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str | None]:
    """The files that edits change, whole; raises `Inconsistent` where an edit finds not its one place."""
    changed: dict[str, str | None] = {}
    for edit in edits:
        before = changed.get(edit.file, tree.get(edit.file, "" if not edit.at else None))
        if before is None:
            raise Inconsistent(f"there is no file {edit.file} to edit")
        changed[edit.file] = _edit(before, edit)
    return changed


def _edit(text: str, edit: Edit) -> str:
    lines = text.splitlines(keepends=True)
    if not edit.at:
        return "".join(lines) + edit.by
    place = _place(lines, edit)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    first = place + edit.skip
    new = textwrap.indent(textwrap.dedent(edit.by), indent)
    if new and not new.endswith("\n"):
        new += "\n"
    return "".join([*lines[:first], new, *lines[first + edit.lines :]])


def _place(lines: list[str], edit: Edit) -> int:
    found = [number for number, line in enumerate(lines) if edit.at in line]
    if not edit.nth and len(found) == 1:
        return found[0]
    if edit.nth and len(found) >= edit.nth:
        return found[edit.nth - 1]
    raise Inconsistent(f"{edit.file} has {len(found)} lines with {edit.at!r}; the edit needs its one place")
