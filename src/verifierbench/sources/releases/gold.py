"""Gold: those differences between two releases that repair one bug.

Between the two texts of a file the changed runs of lines are numbered from 0, in order (`difflib`, no line is junk).
A release often repairs several bugs and always changes its version; a task names the runs that are its repair, and
everything else stays as it was in the older release.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from verifierbench.core import Inconsistent


def runs(old: str, new: str) -> list[tuple[list[str], list[str]]]:
    """The changed runs of lines, in order: what goes and what comes."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    return [(before[a:b], after[c:d]) for _, a, b, c, d in _changes(before, after)]


def merged(old: str, new: str, chosen: Iterable[int] | None) -> str:
    """The older text with the chosen runs of the newer one; all of them for None."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    changes = _changes(before, after)
    wanted = set(range(len(changes))) if chosen is None else set(chosen)
    if wanted - set(range(len(changes))):
        raise Inconsistent(f"there are {len(changes)} changed runs, and number {max(wanted)} was asked for")
    text, at = [], 0
    for number, (_, a, b, c, d) in enumerate(changes):
        text += before[at:a] + (after[c:d] if number in wanted else before[a:b])
        at = b
    return "".join(text + before[at:])


def repaired(old: Mapping[str, str], new: Mapping[str, str], chosen: Mapping[str, list[int]]) -> dict[str, str | None]:
    """The files of gold: path → text; an empty list of runs takes the newer file whole, removed where it is gone."""
    return {
        path: merged(old[path], new[path], numbers) if numbers else new.get(path) for path, numbers in chosen.items()
    }


def _changes(before: list[str], after: list[str]) -> list[tuple[str, int, int, int, int]]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [opcode for opcode in matcher.get_opcodes() if opcode[0] != "equal"]
