"""One of upstream's tasks read: its public half, the calls its gold makes, and what those calls do when replayed.

Gold is a program and a solution here is a list of calls, so the program is run once where it can do nothing, and the
calls it made are what counts from then on: those that failed are left out, and the rest is replayed by us.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from verifierbench.families.state.operators import Call

from .environment import CHECKER, WORLD, Place, worlds

LOGIN = "login"
TOKEN = "access_token"  # noqa: S105  # a parameter's name


class NoTaskError(Exception):
    """A task of upstream's that is none of ours; the text says why."""


class Reading:
    """A task with its gold; raises `NoTaskError` where gold cannot be had."""

    def __init__(self, place: Place, name: str) -> None:
        self.name = name
        self._world = worlds(WORLD, place).of(name)
        self._evaluation = worlds(CHECKER, place).of(name)
        self._played: dict[str, Any] = {}
        told = self._evaluation.ask({"gold": True})
        if "why" in told:
            raise NoTaskError(told["why"])
        made = [call for call in told["calls"] if call["ok"]]
        self.answer: Any = told["answer"]
        self._made = tuple((call["name"], call["arguments"]) for call in made)

    # Public ----------------------------------------------------------------------------------------------------

    @cached_property
    def said(self) -> dict[str, Any]:
        """`{"instruction", "person", "datetime"}`."""
        return dict(self._world.ask({"material": "task"}))

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """Every call that can be made, as JSON Schema."""
        return list(self._world.ask({"material": "tools"}))

    @cached_property
    def initial_state(self) -> dict[str, Any]:
        """The rows that the person's accounts have to do with."""
        return dict(self._world.ask({"material": "initial_state"}))

    @cached_property
    def definitions(self) -> dict[str, Any]:
        """Name → definition."""
        return {tool["name"]: tool for tool in self.tools}

    # Gold ------------------------------------------------------------------------------------------------------

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Gold's calls, tagged by what each does: `login…`, `w…` where it changes something, else `r…`."""
        results = self.play(tuple(Call(name, arguments) for name, arguments in self._made))["results"]
        return tuple(
            Call(result["name"], result["arguments"], f"{_letter(result)}{number}")
            for number, result in enumerate(results)
        )

    @property
    def logins(self) -> tuple[Call, ...]:
        """Those that log in."""
        return tuple(call for call in self.calls if call.tag.startswith(LOGIN))

    @property
    def reads(self) -> tuple[Call, ...]:
        """Those that only look."""
        return tuple(call for call in self.calls if call.tag.startswith("r"))

    @property
    def writes(self) -> tuple[Call, ...]:
        """Those that change something."""
        return tuple(call for call in self.calls if call.tag.startswith("w"))

    @property
    def results(self) -> list[dict[str, Any]]:
        """What gold's calls return."""
        return list(self.play(self.calls)["results"])

    @property
    def changes(self) -> list[dict[str, Any]]:
        """What gold brings about."""
        return list(self.play(self.calls)["changes"])

    def token(self, app: str) -> str:
        """The access token gold's login to an app returns; empty where it does not log in."""
        found = (r["result"].get(TOKEN, "") for r in self.results if r["name"] == f"{app}.{LOGIN}")
        return next(found, "")

    # Playing ---------------------------------------------------------------------------------------------------

    def play(self, calls: tuple[Call, ...]) -> Mapping[str, Any]:
        """Replay calls of ours."""
        return self.execute([{"role": "assistant", "call": {"name": c.name, "arguments": c.arguments}} for c in calls])

    def execute(self, events: list[dict[str, Any]]) -> Mapping[str, Any]:
        """Replay events of ours; the same calls are replayed once."""
        made = [event for event in events if "call" in event]
        key = json.dumps(made)
        if key not in self._played:
            self._played[key] = self._world.play(self.name, {"events": made})
        found: Mapping[str, Any] = self._played[key]
        return found

    def accepted_upstream(self, answer: str | None) -> bool:
        """Whether upstream's evaluation accepts gold's calls as we replay them."""
        events = [{"role": "assistant", "call": {"name": c.name, "arguments": c.arguments}} for c in self.calls]
        told = self._evaluation.ask({"solution": {"events": events, "answer": answer}})
        return bool(told.get("valid"))


def _letter(result: Mapping[str, Any]) -> str:
    if result["name"].endswith(f".{LOGIN}"):
        return LOGIN
    return "w" if result["changed"] else "r"


def app_of(name: str) -> str:
    """`spotify.login` → `spotify`."""
    return name.partition(".")[0]
