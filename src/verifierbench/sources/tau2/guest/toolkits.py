"""Upstream's tools as they are called here: what each is and takes, what it returns, and what an error says.

Two things differ from upstream on purpose. An argument that a tool does not know, or one it needs and is not given, is
told in words of ours, because Python's depend on its version; so are exceptions other than upstream's own. And
`calculate` takes no powers, which its description does not offer and which never end. The published package is older
than the pinned data: what its shop lacks of 1.0.1 is the look at an item (`get_item_details`), which is added.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

text_of: Any = importlib.import_module("overlay").text_of


def described(kit: Any) -> list[dict[str, Any]]:
    """Every tool of a toolkit by name: its description and its parameters as JSON Schema."""
    tools = kit.get_tools()
    for name in tools:
        _taken(kit.tools[name].__func__)  # now, for what is known before a request need not be found in each
    return [
        {
            "name": name,
            "description": tools[name]._get_description(),
            "parameters": _untitled(tools[name].params.model_json_schema()) | {"additionalProperties": False},
        }
        for name in sorted(tools)
    ]


def plain(value: Any) -> Any:
    """What a tool returned, as JSON of its own."""
    if hasattr(value, "model_dump_json"):
        return json.loads(text_of(value))
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if value is None or isinstance(value, bool | int | float | str):
        return json.loads(json.dumps(value)) if value == value else str(value)  # noqa: PLR0124  # NaN is no JSON
    return str(value)


def with_item_details(kit: Any) -> Any:
    """The toolkit with the look at an item that 1.0.1 has."""
    toolkit = importlib.import_module("tau2.environment.toolkit")

    class Kit(kit):  # type: ignore[misc]
        @toolkit.is_tool(toolkit.ToolType.READ)  # type: ignore[untyped-decorator]
        def get_item_details(self, item_id: str) -> Any:
            """Get the inventory details of an item: its options, its price and whether it is available.

            Args:
                item_id: The item id, such as '6086499569'. It is another number than the product id.
            """
            for product in self.db.products.values():
                if item_id in product.variants:
                    return product.variants[item_id]
            raise ValueError("Item not found")

    return Kit


def without_powers(kit: Any) -> Any:
    """The toolkit, its `calculate` without powers where it has one."""
    if not hasattr(kit, "calculate"):
        return kit
    toolkit = importlib.import_module("tau2.environment.toolkit")

    class Kit(kit):  # type: ignore[misc]
        @toolkit.is_tool(toolkit.ToolType.GENERIC)  # type: ignore[untyped-decorator]
        def calculate(self, expression: str) -> Any:
            if "**" in expression:
                raise ValueError("Invalid characters in expression")
            return super().calculate(expression)

        calculate.__doc__ = kit.calculate.__doc__

    return Kit


@functools.cache
def _taken(tool: Any) -> dict[str, bool]:
    """Name → whether it has to be given, of every argument of a tool."""
    _self, *parameters = inspect.signature(tool).parameters.values()
    return {each.name: each.default is each.empty for each in parameters}


def unfit(tool: Any, arguments: Mapping[str, Any]) -> str:
    """Why a tool cannot be given some arguments; empty where it can."""
    known = _taken(tool)
    for name in arguments:
        if name not in known:
            return f"there is no argument {name!r}"
    for name, needed in known.items():
        if needed and name not in arguments:
            return f"the argument {name!r} is missing"
    return ""


def said(error: Exception, name: str) -> str:
    """An exception in words that do not depend on the version of Python or of a library."""
    if hasattr(error, "errors"):  # a record that does not fit its model
        return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    if isinstance(error, ValueError):
        return str(error)
    return f"{name} cannot be done with these arguments ({type(error).__name__})"


def _untitled(schema: Any) -> Any:
    """A schema without the titles that are made of names."""
    if isinstance(schema, dict):
        kept: Iterator[tuple[str, Any]] = (
            (key, part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))
        )
        return {key: _untitled(part) for key, part in kept}
    return [_untitled(part) for part in schema] if isinstance(schema, list) else schema
