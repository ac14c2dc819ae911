"""Upstream's schema dialect, translated to JSON Schema.

Upstream names some types after Python's (`dict`, `list`, `float`, `bool`) and gives the arguments of some tools under
another key; everything else is JSON Schema already and is kept word for word: the public words are what clauses cite.
What a definition says beside its name, its description and its arguments (tags, results) is left out.
"""

from __future__ import annotations

from typing import Any

_TYPES = {"dict": "object", "float": "number", "bool": "boolean", "list": "array"}
_ARGUMENTS = ("parameters", "arguments", "_arguments")


def tool(definition: dict[str, Any]) -> dict[str, Any]:
    """One tool definition: `{name, description, parameters: JSON Schema of an object}`."""
    given: dict[str, Any] = next((definition[key] for key in _ARGUMENTS if definition.get(key)), {})
    return {
        "name": definition["name"],
        "description": definition["description"],
        "parameters": {"type": "object", "properties": {}, **schema(given)},
    }


def schema(node: dict[str, Any]) -> dict[str, Any]:
    """One schema, with those inside it."""
    translated = dict(node)
    if isinstance(kind := node.get("type"), str):
        translated["type"] = _TYPES.get(kind, kind)
    if isinstance(node.get("properties"), dict):
        translated["properties"] = {name: schema(part) for name, part in node["properties"].items()}
    if isinstance(node.get("items"), dict):
        translated["items"] = schema(node["items"])
    return translated
