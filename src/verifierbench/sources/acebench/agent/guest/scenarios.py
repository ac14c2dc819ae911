"""Upstream's simulators, loaded by their path and called as upstream calls them: standard library only.

The package around them is not imported, for it would pull in every model client. One call reaches every simulator that
has the tool, because each keeps a copy of its own of whether the device is online and logged in. Tools that no
simulator of the scenario has are on upstream's lists too; a call of one fails.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

CHECKER = Path("evalscope/benchmarks/acebench/checker.py")
_FOLDER = Path("evalscope/third_party/acebench/en")
_PACKAGE = "upstream_simulators"
_MODULES = {
    "BaseApi": "base_api",
    "MessageApi": "message",
    "ReminderApi": "reminder",
    "FoodPlatform": "food_services",
    "Travel": "travel",
}
GRADED = {
    "BaseApi": ("wifi", "logged_in"),
    "MessageApi": ("inbox",),
    "ReminderApi": ("reminder_list",),
    "FoodPlatform": ("users", "logged_in_users", "orders"),
    "Travel": ("users", "reservations"),
}
"""What upstream looks at when a session is over."""


def load() -> dict[str, Any]:
    """Every class of simulator by its name."""
    loaded(_PACKAGE, _FOLDER / "__init__.py")
    return {name: getattr(importlib.import_module(f"{_PACKAGE}.{module}"), name) for name, module in _MODULES.items()}


def loaded(name: str, file: Path) -> ModuleType:
    """A module of upstream's, from the first folder of the search path that has its file."""
    path = next(Path(folder) / file for folder in sys.path if (Path(folder) / file).is_file())
    inside = [str(path.parent)] if path.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:  # a .py file always has a loader
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def made(classes: Mapping[str, Any], names: Sequence[str], configuration: Mapping[str, Any]) -> dict[str, Any]:
    """The simulators of a scenario in their initial state: each one's own part of it, then the device's."""
    found = {name: classes[name]() for name in names}
    for name, instance in found.items():
        for part in (name, "BaseApi"):
            instance._load_scenario(copy.deepcopy(configuration.get(part, {})), long_context=False)
    return found


def called(instances: Mapping[str, Any], name: str, arguments: Mapping[str, Any]) -> Any:
    """What the last simulator that has a tool returns; raises what a simulator raises, and where none has it."""
    methods = [method for one in instances.values() if callable(method := getattr(one, name, None))]
    if name.startswith("_") or not methods:
        raise NotImplementedError(f"{name} is out of order")
    returned = None
    for method in methods:
        returned = method(**arguments)
    return returned


def graded(instances: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The end state as upstream's checker takes it: `{class: {attribute: value}}`, each once through JSON."""
    states = [
        {name: {key: value for key, value in vars(one).items() if key in GRADED[name]}}
        for name, one in instances.items()
    ]
    found: list[dict[str, Any]] = json.loads(json.dumps(states, default=str))
    return found
