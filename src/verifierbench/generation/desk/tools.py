"""Puts the agent's three tools into a folder: one file of the standard library alone, under three names."""

from __future__ import annotations

from pathlib import Path

from verifierbench.core import UserError
from verifierbench.core.files import read_bytes, write_atomically

__all__ = ["NAMES", "place"]

NAMES = ("runpublic", "selftest", "submit")
_SWITCH = b"\nNECESSITY = False\n"
_LONGEST = 120
"""Bytes of a first line that every kernel reads whole."""


def place(folder: Path, python: str, *, necessity: bool = False) -> None:
    """Write the tools, executable by everybody; `python` is the interpreter's path where they will run.

    `necessity` offers `selftest --vary`. Raises `UserError` for a path that no script can name as its interpreter.
    """
    # -I and -S: what an agent leaves in its folder or its environment never changes what a tool does.
    first = f"#!{python} -ISB\n".encode()
    if len(first) > _LONGEST or len(python.split()) != 1 or not python.startswith("/"):
        raise UserError(f"{python!r} cannot be a script's interpreter: an absolute path, short and without spaces")
    source = read_bytes(Path(__file__).with_name("client.py"))
    assert source.count(_SWITCH) == 1
    if necessity:
        source = source.replace(_SWITCH, b"\nNECESSITY = True\n")
    for name in NAMES:
        write_atomically(folder / name, first + source)
        (folder / name).chmod(0o755)
