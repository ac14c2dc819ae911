"""Upstream's schema dialect, translated to JSON Schema.

Upstream names types after Python's (`dict`, `float`, `tuple`, `any`); everything else, descriptions, enumerations,
defaults and the required list, is already JSON Schema and is kept word for word, because the public words are what
clauses cite. A default whose type is not the argument's (there are some) is kept too: it is what a solver would read.
"""

from __future__ import annotations

from typing import Any

_TYPES = {
    "dict": "object",
    "float": "number",
    "tuple": "array",
    "string": "string",
    "integer": "integer",
    "boolean": "boolean",
    "array": "array",
}


def tool(definition: dict[str, Any]) -> dict[str, Any]:
    """One tool definition: `{name, description, parameters: JSON Schema of an object}`."""
    return {
        "name": definition["name"],
        "description": definition["description"],
        "parameters": schema(definition["parameters"]),
    }


def schema(node: dict[str, Any]) -> dict[str, Any]:
    """One schema, with those inside it; `any` becomes a schema without a type, an unknown type raises KeyError."""
    translated = dict(node)
    kind = translated.pop("type", "any")
    if kind != "any":
        translated = {"type": _TYPES[kind], **translated}
    if "properties" in node:
        translated["properties"] = {name: schema(part) for name, part in node["properties"].items()}
    if "items" in node:
        translated["items"] = schema(node["items"])
    return translated
