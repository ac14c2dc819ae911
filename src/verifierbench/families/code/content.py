"""What a solution of a code task is: one unified diff, applied by git to the task's repository.

A repository is a tree of text files, `{path: text}`. `make_patch` turns two trees into a diff that `git apply` takes
whole or not at all; `touched` says which paths any diff names. A diff is only ever read here, never trusted: whether
it applies, and what it does, is for the environment to say.
"""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Tree: TypeAlias = Mapping[str, str]
"""Relative path → text."""

SOLUTION_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A code solution",
    "type": "object",
    "properties": {"patch": {"type": "string", "description": "unified diff against the repository; may be empty"}},
    "required": ["patch"],
    "additionalProperties": False,
}

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = dict(zip(b'abfnrtv"\\', b'\a\b\f\n\r\t\v"\\', strict=True))
_EMPTY_BLOB = "index 0000000..e69de29"


def make_patch(before: Tree, after: Tree, *, context: int = 3, order: Iterable[str] = ()) -> str:
    """A diff from one tree to another, "" when they are equal.

    `context` is the number of unchanged lines around a change; the paths in `order` come first, the rest sorted.
    """
    first = tuple(order)
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    ranked = sorted(changed, key=lambda path: (first.index(path) if path in first else len(first), path))
    return "".join(_file_diff(path, before.get(path), after.get(path), context) for path in ranked)


def patched(tree: Tree, changes: Mapping[str, str | None]) -> dict[str, str]:
    """The tree with some files replaced, added or (None) removed."""
    kept = {path: text for path, text in tree.items() if path not in changes}
    return kept | {path: text for path, text in changes.items() if text is not None}


def touched(patch: str) -> tuple[str, ...]:
    """Every path a diff changes, makes, removes or renames: normalised, in order of first mention."""
    named = [path for path in _named(patch) if path != "/dev/null"]
    return tuple(dict.fromkeys(posixpath.normpath(path.partition("/")[2]) for path in named))


def _file_diff(path: str, old: str | None, new: str | None, context: int) -> str:
    head = f"diff --git a/{path} b/{path}\n"
    if old is None:
        head += "new file mode 100644\n"
    if new is None:
        head += "deleted file mode 100644\n"
    if not (old or new):
        return head + (_EMPTY_BLOB if old is None else "index e69de29..0000000") + "\n"
    # Git ends a name that holds a space with a tab, and reads it back the same way.
    end = "\t" if " " in path else ""
    from_name = "/dev/null" if old is None else f"a/{path}{end}"
    to_name = "/dev/null" if new is None else f"b/{path}{end}"
    lines = difflib.unified_diff(_lines(old or ""), _lines(new or ""), from_name, to_name, n=context)
    return head + "".join(_ended(line) for line in lines)


def _lines(text: str) -> list[str]:
    """Split at line feeds alone: `str.splitlines` also splits where git does not."""
    return _LINE.findall(text)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _named(patch: str) -> Iterator[str]:
    """The names in a diff's headers; what stands inside hunks only looks like one."""
    old = new = 0
    for line in patch.split("\n"):
        if old > 0 or new > 0:
            old -= line[:1] in ("-", " ", "")
            new -= line[:1] in ("+", " ", "")
        elif found := _HUNK.match(line):
            old, new = int(found[1] or 1), int(found[2] or 1)
        else:
            yield from _header_names(line)


def _header_names(line: str) -> Iterator[str]:
    if line.startswith(("--- ", "+++ ")):
        yield _unquoted(line[4:].partition("\t")[0])
    elif line.startswith("diff --git "):
        yield from _git_names(line[11:])
    elif line.startswith(("rename from ", "rename to ", "copy to ")):
        # These carry no a/ or b/ of their own.
        yield "x/" + _unquoted(line.split(" ", 2)[2])


def _git_names(both: str) -> Iterator[str]:
    """The two names of a `diff --git` line; where nothing was renamed they are one name twice."""
    middle = len(both) // 2
    if both[middle : middle + 1] == " " and both[:middle].partition("/")[2] == both[middle + 1 :].partition("/")[2]:
        yield _unquoted(both[:middle])
        return
    yield from (_unquoted(name) for name in re.findall(r'"(?:[^"\\]|\\.)*"|\S+', both))


def _unquoted(name: str) -> str:
    """A name as git writes it when it needs C escapes."""
    if not (len(name) > 1 and name.startswith('"') and name.endswith('"')):
        return name
    raw = _ESCAPE.sub(_byte, name[1:-1].encode())
    return raw.decode("utf-8", "replace")


def _byte(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 0xFF if len(code) == 3 else _ESCAPED[code[0]]])
