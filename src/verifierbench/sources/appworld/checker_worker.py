"""Upstream's evaluation of one task in a guarded worker, and the calls its gold solution makes.

The only process that opens a task's ground truth. A solution's calls are made in upstream's world, its answer is handed
in as upstream has it handed in, and upstream's own requirements are counted. What a requirement says is protected, so
only how many were met leaves this process.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from typing import Any

_opened: dict[str, Any] = {}

worlds: Any = importlib.import_module("world")


class NoGoldError(Exception):
    """The task's gold solution is not here, or fails."""


def load(arguments: Any) -> None:
    """Open the world of `{"root", "task"}`, its first state once more, and its ground truth."""
    world = worlds.World(arguments["root"], arguments["task"])
    upstream, models = importlib.import_module("appworld.task"), importlib.import_module("appworld.collections.models")
    evaluator = importlib.import_module("appworld.evaluator")
    vars(evaluator)["build_fail_trace"] = _no_trace
    task = upstream.Task.load(arguments["task"])
    start = task.model_collection
    memory, disk = world.homes
    end = models.ModelCollection.load(to_db_home_path=memory, from_db_home_path=disk, load_apps=task.allowed_apps)
    _opened.update(
        world=world,
        task=task,
        pair=models.ModelCollectionPair(
            start_db_home_path=start.from_db_home_path,
            start_model_collection=start,
            end_db_home_path=memory,
            end_model_collection=end,
        ),
        evaluation=task.ground_truth.evaluation_module(),
        tracker=evaluator.TestTracker,
        gold=_solution(arguments["root"], arguments["task"]),
    )
    end.reset_db_home_path()


def handle(order: Any) -> Any:
    """Decide `{"solution"}`: `{"valid", "why"}` or `{"exception"}`; or run gold, `{"gold": true}`."""
    if "gold" in order:
        return _gold()
    try:
        return _decided(order["solution"])
    except Exception as error:
        return {"exception": type(error).__name__}


def _decided(solution: Any) -> dict[str, Any]:
    world = _opened["world"]
    for event in solution["events"]:
        if "call" in event:
            world.perform(event["role"], event["call"]["name"], event["call"]["arguments"])
    answer = solution["answer"]
    world.call(worlds.FINISH, {} if answer is None else {"answer": answer})
    return _counted()


def _counted() -> dict[str, Any]:
    """Upstream's evaluation, without its reading files: the end state is in memory."""
    task, pair = _opened["task"], _opened["pair"]
    truth = task.ground_truth
    tracker = _opened["tracker"](test_data=truth.test_data, difficulty=truth.metadata["difficulty"])
    _opened["evaluation"].evaluate(
        test=tracker,
        public_data=truth.public_data,
        private_data=truth.private_data,
        main_user=pair.start.admin.MainUser.find_one(**task.supervisor),
        models=pair,
        ground_truth_answer=truth.answer,
    )
    valid = bool(tracker.success)
    return {"valid": valid, "why": "" if valid else f"{tracker.pass_count} of {tracker.num_tests} requirements met"}


def _no_trace(error: Exception) -> str:  # noqa: ARG001  # upstream's signature
    """Nothing: upstream would read its evaluation's source here."""
    return ""


# Gold ---------------------------------------------------------------------------------------------------------------


def _solution(root: str, task: str) -> Callable[..., Any] | None:
    """The gold solution as a function, in the names upstream gives to solutions; None where a split has none."""
    path = os.path.join(root, "data", "tasks", task, "ground_truth", "compiled_solution.py")  # noqa: PTH118
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    names: dict[str, Any] = {}
    exec(importlib.import_module("appworld.environment").TRUE_AVAILABLE_IMPORTS, names)  # noqa: S102  # upstream's own
    with open(path, "rb") as file:  # noqa: PTH123
        exec(compile(file.read(), "gold", "exec"), names)  # noqa: S102  # upstream's gold, loaded before the lockdown
    return names.get("solution")


def _gold() -> dict[str, Any]:
    made: list[dict[str, Any]] = []
    finished: list[Any] = []

    def called(app: str, api: str, arguments: dict[str, Any]) -> Any:
        told = arguments.pop("raise_on_failure", True)
        plain = json.loads(json.dumps(importlib.import_module("fastapi.encoders").jsonable_encoder(arguments)))
        outcome = _opened["world"].call(f"{app}.{api}", plain)
        if f"{app}.{api}" == worlds.FINISH:
            finished.append(plain.get("answer"))
        else:
            made.append({"name": f"{app}.{api}", "arguments": plain, "ok": "error" not in outcome})
        if "error" in outcome and told:
            raise NoGoldError(f"{app}.{api} fails")
        return outcome.get("result", {"message": outcome.get("error")})

    if _opened["gold"] is None:
        return {"why": "there is no gold solution"}
    try:
        _opened["gold"](_Apps(called), None)
    except Exception as error:
        return {"why": f"gold ends in {type(error).__name__}"}
    return {"calls": made, "answer": finished[-1]} if finished else {"why": "gold never finishes"}


class _Apps:
    """`apis.app.api(…)`, as upstream's solutions write a call."""

    def __init__(self, called: Callable[[str, str, dict[str, Any]], Any], app: str = "") -> None:
        self._called, self._app = called, app

    def __getattr__(self, name: str) -> Any:
        if not self._app:
            return _Apps(self._called, name)
        return lambda **arguments: self._called(self._app, name, arguments)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
