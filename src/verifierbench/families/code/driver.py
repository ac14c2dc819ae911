"""Runs inside the patched copy, beside a file of cases, and prints what the solution does.

Usage: `python driver.py CASES`. CASES is a Python file; each of its functions `case_…` is called twice, the second
time in reverse order, so that a result that depends on what was called before shows; and all of this happens twice,
the first time in a process that looks like `python -c`, so that a result that depends on how the program was started
shows as well. One line is printed per case, `=> ["name", "text"]`, where the text is written by `show`.

What *should* come out is never in this process: whoever wants to forge a line has to compute it. Values are shown by
their exact type, and an object of any other type, a subclass included, by its class alone: an object cannot
talk its way through. Standard library only, everything imported before the repository can be.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import json
import os
import sys

TYPE_CHECKING = False  # `typing` is dear to import, and its names are for readers alone
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType
    from typing import Any

MARK = "=> "

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))
_EXACT = (
    *_PLAIN,
    decimal.Decimal,
    fractions.Fraction,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    range,
)
_listening: list[set[str]] = []


def show(value: Any) -> str:
    """A value's text: like `repr`, but by exact type, sets and mappings' order aside, and never by its own methods."""
    kind = type(value)
    if kind in _EXACT:
        return repr(value)
    if kind is list:
        return "[" + ", ".join(show(item) for item in list.__iter__(value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(show(item) for item in tuple.__iter__(value)) + ("," if len(value) == 1 else "") + ")"
    if kind is dict:
        return "{" + ", ".join(sorted(f"{show(k)}: {show(v)}" for k, v in dict.items(value))) + "}"
    if kind in (set, frozenset):
        return f"{kind.__name__}({{" + ", ".join(sorted(show(item) for item in kind.__iter__(value))) + "})"
    return f"<{kind.__module__}.{kind.__qualname__}>"


def audited(events: tuple[str, ...], call: Callable[[], Any]) -> list[str]:
    """Which of the interpreter's audit events (`sys.addaudithook`) occur while something is called, sorted."""
    heard: set[str] = set()
    _listening.append(heard)
    try:
        call()
    finally:
        _listening.remove(heard)
    return sorted(heard.intersection(events))


def outcome(call: Callable[[], Any]) -> str:
    """What a call returned or raised, as text."""
    try:
        return show(call())
    except Exception as error:
        return f"raises {type(error).__name__}"


def observe(cases: dict[str, Callable[[], Any]]) -> Iterator[tuple[str, str]]:
    """Name and text of every case, both rounds agreeing or both shown."""
    first = {name: outcome(call) for name, call in cases.items()}
    second = {name: outcome(call) for name, call in reversed(cases.items())}
    for name in cases:
        same = first[name] == second[name]
        yield name, first[name] if same else f"unstable: {first[name]}, then {second[name]}"


def as_command(look: Callable[[], dict[str, str]]) -> dict[str, str]:
    """What is seen in a process whose main program has no file, as under `python -c`; empty if it ends early."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            sys.argv[0] = "-c"
            vars(sys.modules["__main__"]).pop("__file__", None)
            os.write(writing, json.dumps(look()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    os.wait()
    return dict(json.loads(text or "{}"))


def agreed(before: dict[str, str], now: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Name and text of every case seen now, where it was seen so before; both where it was not."""
    for name, text in now.items():
        seen = before.get(name)
        yield name, text if seen == text else f"unstable: {seen} as a command, {text} as a script"


def compiled(path: str) -> CodeType:
    """A file of cases, to be loaded in each process."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123  # pathlib is a dear import
        return compile(file.read(), path, "exec")


def load(source: CodeType) -> dict[str, Callable[[], Any]]:
    """The cases of a file, in the order they are written."""
    space: dict[str, Any] = {"__name__": "cases", "audited": audited, "show": show}
    exec(source, space)  # noqa: S102  # ours, written into the copy after the patch
    return {name[5:]: call for name, call in space.items() if name.startswith("case_")}


def _hear(event: str, _: tuple[Any, ...]) -> None:
    for heard in _listening:
        heard.add(event)


def main() -> None:
    """Keep standard output for our lines alone, then call the cases on the repository in the working directory."""
    sys.addaudithook(_hear)
    lines = os.dup(1)
    os.dup2(2, 1)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    source = compiled(sys.argv[1])
    before = as_command(lambda: dict(observe(load(source))))
    for line in agreed(before, dict(observe(load(source)))):
        os.write(lines, (MARK + json.dumps(line) + "\n").encode())


if __name__ == "__main__":
    main()
