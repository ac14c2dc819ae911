"""What is public of a world: its calls as JSON Schema, the rows a person's accounts have to do with, and who asks.

Of the databases a solver could look at nearly everything, call by call; the material is the part that belongs to the
person, found by following foreign keys: the person's own rows in every app, whatever refers to them, and whatever
those rows refer to. Everything else can still be looked at by calls. Passwords of the person's accounts are there, for
an API shows them; everybody's secrets in the apps themselves are not.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

SECRETS = (
    "password",
    "verification_code",
    "verification_code_expiry",
    "password_reset_code",
    "password_reset_code_expiry",
)
OWN_APP = "supervisor"
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "dict": "object"}
_KINDS = ("string", "integer", "number", "boolean", "object", "array", "null")

Graph = Mapping[str, list[tuple[str, str]]]
"""Table → the columns that refer to a table, and which."""


def tools(world: Any) -> list[dict[str, Any]]:
    """Every call that can be made, as a JSON Schema definition."""
    untold = importlib.import_module("world").UNTOLD_CALLS
    return [_tool(name, doc) for name, doc in world.docs.items() if name not in untold]


def initial_state(world: Any) -> dict[str, Any]:
    """`{app.model: {id: row}}` of what the person's accounts have to do with."""
    untold = importlib.import_module("world").UNTOLD_APPS
    tables: dict[str, Any] = {}
    for app in (app for app in world.apps if app not in untold):
        tables |= {f"{app}.{model}": rows for model, rows in _rows(world, app).items()}
    return tables


def task(world: Any) -> dict[str, Any]:
    """The request, who makes it, and when."""
    person = world.specs.get("supervisor") or world.specs["main_user"]
    return {"instruction": world.specs["instruction"], "person": dict(person), "datetime": world.specs["datetime"]}


MADE: Mapping[str, Callable[[Any], Any]] = {"tools": tools, "initial_state": initial_state, "task": task}


def _tool(name: str, doc: Mapping[str, Any]) -> dict[str, Any]:
    properties = {parameter["name"]: _property(parameter) for parameter in doc["parameters"]}
    required = [parameter["name"] for parameter in doc["parameters"] if parameter["required"]]
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    returns = doc["response_schemas"]["success"]
    return {"name": name, "description": doc["description"], "parameters": parameters, "returns": returns}


def _property(parameter: Mapping[str, Any]) -> dict[str, Any]:
    constraints = "; ".join(parameter["constraints"])
    said = f"{parameter['description']} ({constraints})" if constraints else parameter["description"]
    default = {} if parameter["required"] else {"default": parameter["default"]}
    return {**_kind(parameter["type"]), **_choice(parameter["constraints"]), "description": said, **default}


def _choice(constraints: Iterable[str]) -> dict[str, Any]:
    """The values upstream's documentation lists, where it lists some."""
    listed = next((told.partition("value in ")[2] for told in constraints if told.startswith("value in [")), None)
    return {} if listed is None else {"enum": ast.literal_eval(listed)}


def _kind(told: str) -> dict[str, Any]:
    """`string`, `list[integer]` or `integer | string`, as upstream writes types, as JSON Schema; {} for any other."""
    if told.startswith("list[") and told.endswith("]"):
        return {"type": "array", "items": _kind(told[5:-1])}
    parts = [_TYPES.get(part, part) for part in told.split(" | ")]
    if not set(parts) <= set(_KINDS):
        return {}
    return {"type": parts[0] if len(parts) == 1 else parts}


def _rows(world: Any, app: str) -> dict[str, Any]:
    connection, models = world.connection(app), _models(world, app)
    graph = {table: _referring(connection, table) for table in models.values()}
    chosen = _everything(connection, graph) if app == OWN_APP else _reached(world, connection, graph)
    shown = {}
    for model, table in models.items():
        places = chosen[table]
        if app == OWN_APP and model == "Task":
            continue  # what upstream keeps of the request and its answer
        shown[model] = {str(place): _row(connection, table, place, app) for place in sorted(places)}
    return shown


def _models(world: Any, app: str) -> dict[str, str]:
    found = world.models[app].SQLModel.name_to_model().items()
    return {name: model.__tablename__ for name, model in sorted(found) if hasattr(model, "__table__")}


def _referring(connection: Any, table: str) -> list[tuple[str, str]]:
    return [(row[3], row[2]) for row in connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()]


def _everything(connection: Any, graph: Graph) -> dict[str, set[int]]:
    return {table: {row for (row,) in connection.execute(f'SELECT rowid FROM "{table}"')} for table in graph}  # noqa: S608


def _reached(world: Any, connection: Any, graph: Graph) -> dict[str, set[int]]:
    """Row ids by table: the person's, those that refer to them, and those that all of these refer to."""
    rows: dict[str, dict[int, tuple[Any, ...]]] = {
        table: _references(connection, table, [name for name, _ in links]) for table, links in graph.items()
    }
    own = defaultdict(set, {"users": _person(world, connection)} if "users" in graph else {})
    _grow(own, graph, rows, downwards=True)
    _grow(own, graph, rows, downwards=False)
    return own


def _person(world: Any, connection: Any) -> set[int]:
    person, columns = world.specs.get("supervisor") or world.specs["main_user"], _columns(connection, "users")
    name = next((name for name in ("email", "phone_number") if name in columns), None)
    if name is None:
        return set()
    return {row for (row,) in connection.execute(f"SELECT rowid FROM users WHERE {name} = ?", (person[name],))}  # noqa: S608


def _references(connection: Any, table: str, names: Iterable[str]) -> dict[int, tuple[Any, ...]]:
    listed = "".join(f', "{name}"' for name in names)
    return {place: tuple(rest) for place, *rest in connection.execute(f'SELECT rowid{listed} FROM "{table}"')}  # noqa: S608


def _grow(
    own: defaultdict[str, set[int]], graph: Graph, rows: Mapping[str, Mapping[int, tuple[Any, ...]]], *, downwards: bool
) -> None:
    """Add what refers to the rows that are there (downwards), or what they refer to, until nothing is new."""
    growing = True
    while growing:
        growing = False
        for table, links in graph.items():
            for place, row in rows[table].items():
                for (_, other), reference in zip(links, row, strict=True):
                    here, there = (table, place), (other, reference)
                    new, there_already = (here, there) if downwards else (there, here)
                    if there_already[1] in own[there_already[0]] and new[1] is not None and new[1] not in own[new[0]]:
                        own[new[0]].add(new[1])
                        growing = True


def _row(connection: Any, table: str, place: int, app: str) -> dict[str, Any]:
    watch = importlib.import_module("watch")
    kinds = {
        name: kind for name, kind in watch.columns(connection, table).items() if app == OWN_APP or name not in SECRETS
    }
    names = ", ".join(f'"{name}"' for name in kinds)
    found = connection.execute(f'SELECT {names} FROM "{table}" WHERE rowid = ?', (place,)).fetchone()  # noqa: S608
    row = {name: watch.value(cell, kind) for (name, kind), cell in zip(kinds.items(), found, strict=True)}
    return json.loads(json.dumps(row))  # type: ignore[no-any-return]


def _columns(connection: Any, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f'PRAGMA table_info("{table}")').fetchall()}
