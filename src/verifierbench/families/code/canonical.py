"""The view without what carries no information: equal for views that no verifier should tell apart.

Of the diff there stays what it does: which files it makes, removes, renames or gives another mode, and in each file
which lines are replaced by which, with the line before and after, in which order and how far apart. What goes:

* `index` and `similarity` lines, what follows a name after a tab (time stamps), what follows `@@ … @@`, and text
  outside any file's part (a letter's head, a signature): git reads past all of these;
* how many unchanged lines stand around a change, and so how changes are gathered into hunks: they are a copy of the
  repository, which a verifier has, or else the diff does not apply, which the run says. The nearest on each side
  stays, because it says where the change is;
* the line number at which a file's changes begin: git finds the place by its unchanged lines. Where two places read
  alike, what was run tells them apart; where nothing stands around a change, the number stays;
* whether `diff --git` stands there, the modes it says of a file that is made or removed and that are git's own
  anyway, and the order of files each of which is named once.

A diff that cannot be read in this way (hunks of another length than they say, binary parts) stays as it is. Of what
commands printed there goes what the environment itself takes out: durations, memory addresses, names of temporary
files, numbers of threads. Nothing else: exit codes, every other line, and why a diff did not apply can decide.
The order of keys means nothing in JSON, and whoever compares views ignores it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from verifierbench.core import canonical_bytes

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SAID = ("new file mode ", "deleted file mode ", "old mode ", "new mode ", "rename ", "copy ")
"""What a file's part says beside its names and lines."""
_BINARY = ("GIT binary patch", "Binary files ")
_NO_NEWLINE = "\\"
"""Begins the remark that the line above it ends without a line feed."""


class _Change(msgspec.Struct):
    """One run of replaced lines."""

    at: int
    """Number in the old file of the first line that goes, or of the line before which others come."""
    before: str | None
    after: str | None = None
    out: list[str] = []
    into: list[str] = []


class _Part(msgspec.Struct):
    """What a diff does to one file."""

    names: list[str] = []
    said: list[str] = []
    changes: list[_Change] = []


class _Unreadable(ValueError):
    """A diff whose lines do not say one clear thing."""


def canonical(view: Any) -> Any:
    """The view with the diff as data, runs without noise; total, idempotent, and never in place."""
    runs = {name: _run(run) for name, run in view["runs"].items()}
    match view["solution"]:
        case {"patch": str(patch)} as solution:
            return {**view, "solution": {**solution, "patch": _diff(patch)}, "runs": runs}
    return {**view, "runs": runs}


def _run(run: Any) -> Any:
    if not isinstance(run, dict) or "commands" not in run:
        return run
    return {**run, "commands": [_command(command) for command in run["commands"]]}


def _command(command: Any) -> Any:
    from .environment import normalised  # brings the sandbox, which few who import a family need

    return {**command, **{stream: normalised(command[stream]) for stream in ("stdout", "stderr") if stream in command}}


def _diff(patch: str) -> Any:
    try:
        parts = [_plain(part) for part in _parts(patch.split("\n"))]
    except _Unreadable:
        return {"text": patch}
    names = [name for part in parts for name in {*part["names"]} - {"/dev/null"}]
    if len(set(names)) == len(names):
        parts.sort(key=canonical_bytes)
    return {"files": parts}


def _plain(part: _Part) -> dict[str, Any]:
    said = sorted(line for line in part.said if not _told_by_names(line, part.names))
    changes, last = [], None
    for change in part.changes:
        alone = change.before is None and change.after is None
        place = change.at if alone else 0 if last is None else change.at - last
        changes.append([place, change.before, change.out, change.into, change.after])
        last = change.at
    return {"names": part.names, "said": said, "changes": changes}


def _told_by_names(line: str, names: list[str]) -> bool:
    """Whether the names alone make git do what a line says."""
    made, removed = names[:1] == ["/dev/null"], names[1:] == ["/dev/null"]
    return (made and line == "new file mode 100644") or (removed and line.startswith("deleted file mode "))


def _parts(lines: list[str]) -> Iterator[_Part]:
    """Every file's part; raises `_Unreadable`."""
    part: _Part | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith(_BINARY):
            raise _Unreadable(line)
        if _begins_part(line, part):
            if part is not None:
                yield part
            part = _Part(names=_git_names(line))
        if part is not None and (found := _HUNK.match(line)):
            number = _hunk(lines, number + 1, found, part)
            continue
        if part is not None:
            _header(line, part)
        elif line.startswith("@@ "):
            raise _Unreadable(line)
        number += 1
    if part is not None:
        yield part


def _begins_part(line: str, part: _Part | None) -> bool:
    return line.startswith("diff --git ") or (line.startswith("--- ") and (part is None or bool(part.changes)))


def _git_names(line: str) -> list[str]:
    """The two names of a `diff --git` line where they are one name twice; else the headers below have to say them."""
    if not line.startswith("diff --git "):
        return []
    both = line[11:]
    middle = len(both) // 2
    old, new = both[:middle], both[middle + 1 :]
    return [_bare(old), _bare(new)] if both[middle : middle + 1] == " " and _bare(old) == _bare(new) else [both]


def _header(line: str, part: _Part) -> None:
    if line.startswith("--- "):
        part.names = [_bare(line[4:].partition("\t")[0])]
    elif line.startswith("+++ "):
        part.names = [*part.names[:1], _bare(line[4:].partition("\t")[0])]
    elif line.startswith(_SAID) and not part.changes:
        part.said.append(line)
    elif line.startswith("@@ "):
        raise _Unreadable(line)


def _bare(name: str) -> str:
    """A name without the one folder that git strips."""
    return name if name == "/dev/null" else name.partition("/")[2]


def _hunk(lines: list[str], number: int, head: re.Match[str], part: _Part) -> int:
    """Add a hunk's changes to its file's part; returns the number of the line after it."""
    old, new = int(head[2] or 1), int(head[4] or 1)
    # An empty range names the line before it.
    at = int(head[1]) + (old == 0)
    before: str | None = None
    change: _Change | None = None
    while old > 0 or new > 0:
        sign, text, number = _line(lines, number)
        if sign == " ":
            if change is not None:
                change.after, change = text, None
            before = text
        else:
            if change is None:
                part.changes.append(change := _Change(at=at, before=before))
            (change.out if sign == "-" else change.into).append(text)
        old, new, at = old - (sign != "+"), new - (sign != "-"), at + (sign != "+")
    if old or new:
        raise _Unreadable("a hunk of another length than it says")
    return number


def _line(lines: list[str], number: int) -> tuple[str, str, int]:
    """Sign, text (with the remark on its end, if there is one) and the number of the line that follows."""
    if number >= len(lines) - 1:
        raise _Unreadable("a hunk ends early, or its last line does")
    # An empty line is an unchanged empty one whose space got lost.
    sign, text = (lines[number] or " ")[0], lines[number][1:]
    if sign not in " +-":
        raise _Unreadable(lines[number])
    number += 1
    if number < len(lines) and lines[number].startswith(_NO_NEWLINE):
        return sign, text + "\n\\", number + 1
    return sign, text, number
