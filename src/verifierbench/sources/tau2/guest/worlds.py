"""Upstream's three domains as worlds: loaded once, made anew for every replay, called as upstream calls them.

The package around the domains is not imported, for it would pull in every model client, and the few libraries of it
that do nothing here are stood in for.
"""

from __future__ import annotations

import copy
import importlib
import json
import random
import sys
import tomllib
import types
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

overlay: Any = importlib.import_module("overlay")
states: Any = importlib.import_module("states")
toolkits: Any = importlib.import_module("toolkits")
text_of = overlay.text_of


def _silent(*_said: Any, **_options: Any) -> None:
    """Log nothing."""


_STAND_INS: dict[str, dict[str, Any]] = {
    "loguru": {"logger": types.SimpleNamespace(debug=_silent, info=_silent, warning=_silent, error=_silent)},
    "deepdiff": {"DeepDiff": None},
    "dotenv": {"load_dotenv": lambda: True},
    "toml": {},
    "yaml": {},
}
_TABLES = {
    "retail": ("RetailDB", "RetailTools", ("products", "users", "orders")),
    "airline": ("FlightDB", "AirlineTools", ("flights", "users", "reservations")),
}


class World:
    """One domain's state and tools, good for one replay; `state`, one of `states`, finds what changed."""

    def __init__(self, kits: Mapping[str, Any], sync: Callable[[], None], state: Any) -> None:
        self._kits, self._sync = kits, sync
        self.state = state

    def writes(self, role: str, name: str) -> bool:
        """Whether upstream takes a tool for one that may change something."""
        kit = self._kits.get(role)
        return kit is not None and kit.has_tool(name) and kit.tool_type(name).value == "write"

    def perform(self, role: str, name: str, arguments: Any) -> dict[str, Any]:
        """One call: `{"result"}`, or `{"error"}` with a text that is the same everywhere."""
        kit = self._kits.get(role)
        tool = kit.tools.get(name) if kit is not None else None
        if tool is None:
            return {"error": f"the {role} has no tool {name!r}"}
        if why := toolkits.unfit(tool.__func__, arguments):
            return {"error": why}
        try:
            returned = tool(**copy.deepcopy(arguments))
            self._sync()
            return {"result": toolkits.plain(returned)}
        except Exception as error:
            return {"error": toolkits.said(error, name)}


class Shop:
    """Retail or airline: one state for all tasks, and tools of the assistant alone."""

    def __init__(self, domain: str, folder: Path) -> None:
        model, kit, self._names = _TABLES[domain]
        package = f"tau2.domains.{domain}"
        self._model: Any = getattr(importlib.import_module(f"{package}.data_model"), model)
        self._kit: Any = getattr(importlib.import_module(f"{package}.tools"), kit)
        if domain == "retail":
            self._kit = toolkits.with_item_details(self._kit)
        self._kit = toolkits.without_powers(self._kit)
        self._db = self._model.model_validate_json((folder / "domains" / domain / "db.json").read_bytes())
        self._tools = {"assistant": toolkits.described(self._kit(self._db))}  # now, for it imports on the way
        self._places = {name: {key: place for place, key in enumerate(getattr(self._db, name))} for name in self._names}

    def world(self, _scenario: str) -> World:
        """A world in its initial state."""
        tables = {name: overlay.Overlay(getattr(self._db, name)) for name in self._names}
        kit = self._kit(self._model.model_construct(**tables))
        return World({"assistant": kit}, lambda: None, states.Tables(tables, self._places))

    def initial(self, _scenario: str) -> Any:
        """The initial state as JSON."""
        return json.loads(text_of(self._db))

    def tools(self) -> dict[str, Any]:
        """Role → what each of its tools is and takes."""
        return self._tools


class Carrier:
    """Telecom: a state of its own for every task, the customer's device in it, and tools of both sides."""

    def __init__(self, folder: Path, scenarios: Mapping[str, Any]) -> None:
        here = folder / "domains" / "telecom"
        names = ("data_model", "user_data_model", "tools", "user_tools", "environment")
        data, device, kit, user_kit, environment = (importlib.import_module(f"tau2.domains.telecom.{n}") for n in names)
        self._upstream: Any = types.SimpleNamespace(
            kit=kit, user_kit=user_kit, environment=environment.TelecomEnvironment
        )
        self._db = data.TelecomDB.model_validate(tomllib.loads((here / "db.toml").read_text()))
        self._device = device.TelecomUserDB.model_validate(tomllib.loads((here / "user_db.toml").read_text()))
        made = self._made(text_of(self._db), text_of(self._device))
        self._tools = {"assistant": toolkits.described(made.tools), "user": toolkits.described(made.user_tools)}
        self._prepared = {name: self._prepare(actions) for name, actions in scenarios.items()}

    def world(self, scenario: str) -> World:
        """A world in its initial state."""
        made = self._made(*self._prepared[scenario])
        kits = {"assistant": made.tools, "user": made.user_tools}
        return World(kits, made.sync_tools, states.Whole(lambda: _texts(made)))

    def initial(self, scenario: str) -> Any:
        """The initial state as JSON."""
        return states.joined(self._prepared[scenario])

    def tools(self) -> dict[str, Any]:
        """Role → what each of its tools is and takes."""
        return self._tools

    def asserted(self, world: World, assertion: Mapping[str, Any]) -> bool:
        """Whether an assertion of upstream's holds in a world."""
        kit = world._kits[assertion["env_type"]]
        held = getattr(kit, assertion["func_name"])(**assertion["arguments"])
        world._sync()
        return bool(held == assertion["assert_value"])

    def _made(self, db: str, device: str) -> Any:
        """Upstream's environment with a state of its own."""
        numbers = random.Random(0)  # noqa: S311  # a new bill's number must be the same in every replay
        self._upstream.kit.uuid = types.SimpleNamespace(
            uuid4=lambda: uuid.UUID(int=numbers.getrandbits(128), version=4)
        )
        user_tools = self._upstream.user_kit.TelecomUserTools(type(self._device).model_validate_json(device))
        user_tools.default_vpn_details = user_tools.default_vpn_details.model_copy(deep=True)
        tools = self._upstream.kit.TelecomTools(type(self._db).model_validate_json(db))
        return self._upstream.environment("telecom", "", tools, user_tools)

    def _prepare(self, actions: Any) -> tuple[str, str]:
        made = self._made(text_of(self._db), text_of(self._device))
        for action in actions:
            kit = made.user_tools if action["env_type"] == "user" else made.tools
            getattr(kit, action["func_name"])(**action["arguments"])
            made.sync_tools()
        return _texts(made)


def opened(domain: str, folder: Path, scenarios: Mapping[str, Any]) -> Shop | Carrier:
    """A domain, loaded; the packages must be on the search path."""
    stand_in()
    return Carrier(folder, scenarios) if domain == "telecom" else Shop(domain, folder)


def stand_in() -> None:
    """Put empty modules in the place of what upstream imports and does not need here."""
    for name, content in _STAND_INS.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        sys.modules.setdefault(name, module)
    found = next(path for path in map(Path, sys.path) if (path / "tau2" / "domains").is_dir())
    bare = types.ModuleType("tau2")
    bare.__path__ = [str(found / "tau2")]
    sys.modules["tau2"] = bare


def _texts(made: Any) -> tuple[str, str]:
    return text_of(made.tools.db), text_of(made.user_tools.db)
