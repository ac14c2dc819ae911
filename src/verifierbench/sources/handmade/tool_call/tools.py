"""A short way to write a tool's definition."""

from __future__ import annotations

from typing import Any


def tool(name: str, description: str, required: str = "", **properties: dict[str, Any]) -> dict[str, Any]:
    """A definition; `required` names arguments, separated by spaces."""
    parameters = {"type": "object", "properties": properties, "required": required.split()}
    return {"name": name, "description": description, "parameters": parameters}


def text(description: str, **more: Any) -> dict[str, Any]:
    """A text argument."""
    return {"type": "string", "description": description, **more}


def integer(description: str, **more: Any) -> dict[str, Any]:
    """An integer argument."""
    return {"type": "integer", "description": description, **more}


def number(description: str, **more: Any) -> dict[str, Any]:
    """A number argument."""
    return {"type": "number", "description": description, **more}


def flag(description: str, **more: Any) -> dict[str, Any]:
    """A boolean argument."""
    return {"type": "boolean", "description": description, **more}


def choice(description: str, *values: str, **more: Any) -> dict[str, Any]:
    """A text argument with an enumeration."""
    return {"type": "string", "enum": list(values), "description": description, **more}


def listing(description: str, items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A list argument."""
    return {"type": "array", "items": items, "description": description, **more}


def record(description: str, required: str = "", **properties: dict[str, Any]) -> dict[str, Any]:
    """An object argument."""
    return {"type": "object", "description": description, "properties": properties, "required": required.split()}
