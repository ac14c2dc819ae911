"""What a solver is told: the instruction and the materials, as they stand in a task's file or beside it."""

from __future__ import annotations

import posixpath
from typing import Any

import msgspec

from verifierbench.core import Material, content_bytes

from .files import Folder
from .form import MaterialEntry, TaskFile

_TAKEN = ("instruction", "conventions")
"""Names a span uses for something else."""


def instruction(folder: Folder, where: str, form: TaskFile) -> str:
    """The instruction; `where` is the task's file, and names in it are relative to its folder."""
    given = (form.instruction, form.instruction_file)
    if (given[0] is None) == (given[1] is None):
        folder.refuse(where, "$.instruction", "needs either `instruction` or `instruction_file`")
    return given[0] if given[0] is not None else folder.text(_beside(folder, where, given[1] or ""))


def materials(folder: Folder, where: str, form: TaskFile) -> tuple[Material, ...]:
    """Every material, in the order of the file."""
    return tuple(_material(folder, where, number, entry) for number, entry in enumerate(form.materials))


def _material(folder: Folder, where: str, number: int, entry: MaterialEntry) -> Material:
    place = f"$.materials[{number}]"
    if sum((entry.content is not msgspec.UNSET, entry.file is not None, entry.folder is not None)) != 1:
        folder.refuse(where, place, "needs exactly one of `content`, `file` and `folder`")
    if entry.name in _TAKEN:
        folder.refuse(where, place, f"{entry.name!r} is what a span calls something else; name the material otherwise")
    if entry.folder is not None:
        files = folder.files(_beside(folder, where, entry.folder))
        return Material(name=entry.name, kind="files", content=files, inline=bool(entry.inline))
    inline = entry.inline is not False
    if entry.file is None:
        return _written(folder, where, place, entry, inline)
    kind = entry.kind or ("json" if entry.file.endswith(".json") else "text")
    path = _beside(folder, where, entry.file)
    content: Any = folder.json(path, object) if kind == "json" else folder.text(path)
    return Material(name=entry.name, kind=kind, content=content, inline=inline)


def _written(folder: Folder, where: str, place: str, entry: MaterialEntry, inline: bool) -> Material:
    """A material that stands in the task's file itself."""
    kind = entry.kind or ("text" if isinstance(entry.content, str) else "json")
    if kind == "text" and not isinstance(entry.content, str):
        folder.refuse(where, place, "a material of kind text holds a text")
    try:
        content_bytes(entry.content)
    except (TypeError, ValueError) as error:
        folder.refuse(where, place, f"is not JSON: {error}")
    return Material(name=entry.name, kind=kind, content=entry.content, inline=inline)


def _beside(folder: Folder, where: str, name: str) -> str:
    """A path as a task writes it: relative to its folder, and inside the suite."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(where), name))
    if path.startswith(("/", "..")):
        folder.refuse(where, "", f"{name!r} leads out of the suite's directory; a path is relative and stays inside")
    return path
