"""Which calls look a thing up: a tool with its arguments, each as the conventions compare it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from ..checks import same
from .values import infer


def way_of(
    parameters: Mapping[str, Any], name: str, arguments: Mapping[str, Any], free: Collection[str] = ()
) -> dict[str, Any]:
    """A selector of `checks.looked_up`: these arguments, others at their documented defaults, `free` ones at will."""
    required = parameters.get("required", ())
    known = {}
    for argument, schema in parameters.get("properties", {}).items():
        default = schema.get("default")
        if argument in free:
            known[argument] = {"right": {"policy": "fits", "schema": {}}, "may_omit": argument not in required}
        elif argument in arguments:
            value = arguments[argument]
            may_omit = argument not in required and "default" in schema and same(default, value)
            known[argument] = {"right": msgspec.to_builtins(infer(value)), "may_omit": may_omit}
        elif argument not in required and "default" in schema:
            known[argument] = {"right": msgspec.to_builtins(infer(default)), "may_omit": True}
    return {"name": name, "arguments": known, "result": {}}
