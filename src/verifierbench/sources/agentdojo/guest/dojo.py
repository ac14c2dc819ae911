"""Upstream's suites in a worker, without the clients of models that its packages import beside them.

A `Scenario` is one task's environment with orders planted in one of its texts. `Shown` reads the state
of an environment as JSON: what upstream keeps twice (the initial records beside the present ones, mails sorted into
boxes) is left out, lists that mean a set are sorted, times are written as the tools want them (YYYY-MM-DD HH:MM), and
a box that nothing was put in is an empty list.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import types
from typing import Any

BENCHMARK = "v1.2.2"
_PIPELINE = "agentdojo.agent_pipeline"
_MIRRORS = {
    "inbox": {"initial_emails", "received", "sent", "drafts"},
    "calendar": {"initial_events"},
    "cloud_drive": {"initial_files"},
}
_SETS = {"participants", "recipients", "cc", "bcc"}
_TIMES = {"start_time", "end_time", "timestamp", "last_modified"}
_upstream: dict[str, Any] = {}


def load() -> None:
    """Import the suites; what runs models is replaced by empty modules of the same names."""
    found = importlib.util.find_spec("agentdojo")
    assert found is not None
    assert found.submodule_search_locations
    package, truth = types.ModuleType(_PIPELINE), types.ModuleType(f"{_PIPELINE}.ground_truth_pipeline")
    package.__path__ = [f"{place}/agent_pipeline" for place in found.submodule_search_locations]
    truth.GroundTruthPipeline = object  # type: ignore[attr-defined]
    sys.modules |= {package.__name__: package, truth.__name__: truth}
    yaml: Any = importlib.import_module("yaml")
    yaml.SafeLoader = yaml.CSafeLoader  # every environment is read from YAML, and this one is ten times as fast
    _upstream["suites"] = importlib.import_module("agentdojo.task_suite.load_suites").get_suites(BENCHMARK)
    _upstream["runtime"] = importlib.import_module("agentdojo.functions_runtime")
    _upstream["model"] = importlib.import_module("pydantic").BaseModel


class Scenario:
    """One task of a suite with its orders planted: `{"suite", "task", "orders", "vector", "opens", "ends"}`."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.suite = _upstream["suites"][order["suite"]]
        self.task = self.suite.get_user_task_by_id(order["task"])
        self.orders = self.suite.get_injection_task_by_id(order["orders"])
        self.planted = " ".join((order["opens"], self.orders.GOAL.strip(), order["ends"]))
        default = self.suite.get_injection_vector_defaults()[order["vector"]]
        text = f"{default} {_quoted(self.planted)}".strip()
        self.initial = self.task.init_environment(
            self.suite.load_and_inject_default_environment({order["vector"]: text})
        )
        """The environment in its initial state; whoever changes it needs a process of its own."""
        self._first = Shown(self.initial)
        self.initial_state = self._first.look()

    def environment(self) -> Any:
        """A fresh environment in its initial state."""
        return self.initial.model_copy(deep=True)

    def shown(self) -> Shown:
        """What the environment shows, beginning with what is known of its initial state."""
        return Shown(self.initial).known_as(self._first)

    @property
    def tools(self) -> dict[str, Any]:
        """Upstream's functions by name."""
        return {tool.name: tool for tool in self.suite.tools}

    def runtime(self) -> Any:
        """What executes upstream's functions."""
        return _upstream["runtime"].FunctionsRuntime(self.suite.tools)


def call(name: str, arguments: dict[str, Any]) -> Any:
    """Upstream's form of a call."""
    return _upstream["runtime"].FunctionCall(function=name, args=arguments)


class Shown:
    """The state of an environment, again and again: what is as it was at the last look is that very object."""

    def __init__(self, environment: Any) -> None:
        self._parts = {name: getattr(environment, name) for name in type(environment).model_fields}
        self._known: dict[str, tuple[str, Any]] = {}

    def look(self) -> dict[str, Any]:
        """The state now; it is not to be changed."""
        return {name: self._part(name, part) for name, part in self._parts.items()}

    def _part(self, name: str, part: Any) -> Any:
        written = part.model_dump_json(exclude=_MIRRORS.get(name))
        known = self._known.get(name)
        if known is None or known[0] != written:
            now = _read(name, json.loads(written))
            known = self._known[name] = (written, now if known is None else _kept(known[1], now))
        return known[1]

    def known_as(self, other: Shown) -> Shown:
        """This one, beginning with what another has seen."""
        self._known = dict(other._known)
        return self


def _kept(old: Any, new: Any) -> Any:
    """The new value with every part of the old one that is equal; a field of upstream's never changes its type."""
    if old == new:
        return old
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: _kept(old[key], part) if key in old else part for key, part in new.items()}
    return new


def _read(name: str, part: Any) -> Any:
    state = _ordered(part)
    if name == "slack":
        state["user_inbox"] = {user: [] for user in state["users"]} | state["user_inbox"]
        state["channel_inbox"] = {channel: [] for channel in state["channels"]} | state["channel_inbox"]
    return state


def plain(value: Any) -> Any:
    """What a tool returned, as JSON."""
    if isinstance(value, _upstream["model"]):
        return _ordered(value.model_dump(mode="json"))
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _ordered(value: Any) -> Any:
    """The value with lists that mean a set in one order, and times in the tools' form."""
    if isinstance(value, dict):
        return {key: _member(key, part) for key, part in value.items()}
    return [_ordered(part) for part in value] if isinstance(value, list) else value


def _member(key: str, value: Any) -> Any:
    if key in _SETS:
        return sorted(value)
    if key in _TIMES and isinstance(value, str):
        return value.replace("T", " ")[:16]
    return _ordered(value)


def _quoted(text: str) -> str:
    """The text as it stands between double quotes in the YAML that upstream fills in."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
