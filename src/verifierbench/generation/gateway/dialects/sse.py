"""Server-sent events, as far as models use them: an optional name and one JSON text per event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

DONE = "[DONE]"


def events(text: str) -> Iterator[tuple[str, str]]:
    """The name ("" where it has none) and data of each event that is complete; comments and blank lines are passed by.

    Only CR and LF end a line: JSON texts hold U+2028 and the like as they are.
    """
    name, data = "", list[str]()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = "", []
        elif field == "data":
            data.append(value)
        elif field == "event":
            name = value


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a stream; what is none (an end mark, a damaged event) is passed by."""
    for _, data in events(text):
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def event(data: Any, name: str = "") -> str:
    """One event as it stands in a stream; text stands for itself."""
    body = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = f"event: {name}\n" if name else ""
    return head + "".join(f"data: {line}\n" for line in body.split("\n")) + "\n"
