"""One AppWorld task's world, opened in a guarded worker and played by literal API calls.

A world is upstream's: its databases, its APIs, its frozen clock. Three things are ours. A call is made in this thread
(`inline`). Chance is started anew by what is called, so that a token or a code does not depend on the calls before it.
And what a call changed is seen in the databases (`watch`), not in its answer. No code of a solution is ever executed.
The app `admin` is upstream's own bookkeeping, which nobody can look at: it is no part of the state.
"""

from __future__ import annotations

import copy
import importlib
import json
import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

UNTOLD_APPS = ("admin", "api_docs")
"""Apps whose calls are no tools: bookkeeping, and documentation that is a material here."""
FINISH = "supervisor.complete_task"
"""Upstream's way to hand in the answer; here the answer stands in the solution."""
UNTOLD_CALLS = (FINISH, "supervisor.show_active_task")


class World:
    """The world of one task, from its first moment."""

    def __init__(self, root: str, task: str) -> None:
        """`root` is the folder that has upstream's `data`."""
        os.environ["APPWORLD_ROOT"] = os.environ["APPWORLD_CACHE"] = root
        importlib.import_module("hollow").install()
        inline = importlib.import_module("inline")
        inline.call_in_this_thread()
        self.upstream = importlib.import_module("appworld")
        utils = importlib.import_module("appworld.common.utils")
        self.apps: list[str] = importlib.import_module("appworld.apps").get_all_apps()
        with open(os.path.join(root, "data", "tasks", task, "specs.json"), "rb") as file:  # noqa: PTH118, PTH123
            self.specs: dict[str, Any] = json.load(file)
        self.models = {app: utils.import_models_module(app) for app in self.apps}
        self.homes = _homes(task)
        self.docs = dict(_docs(self.apps, root))
        self.requester = _requester(self, inline)
        self.watch = _watch(self)

    def connection(self, app: str) -> Any:
        """The database connection of an app."""
        return self.models[app].SQLModel.db.connection

    def perform(self, role: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make one call: `{"result": …}` or `{"error": text}`."""
        if role != "assistant":
            return {"error": "only the assistant can use the apps"}
        if name not in self.docs or name in UNTOLD_CALLS:
            return {"error": f"no tool is called {name!r}"}
        return self.call(name, arguments)

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make one call of any API, the one that finishes a task included."""
        known = {parameter["name"] for parameter in self.docs[name]["parameters"]}
        strange = next((argument for argument in arguments if argument not in known), None)
        if strange is not None:
            return {"error": f"{name} has no argument {strange!r}"}
        random.seed(json.dumps([name, arguments], sort_keys=True))
        app, api = name.split(".")
        try:
            response = self.requester._request(app, api, raise_on_failure=False, track=False, **arguments)
            answer = self.requester.response_to_json(response)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return {"result": answer} if response.status_code == 200 else {"error": _message(answer)}

    def play(self, events: list[dict[str, Any]]) -> dict[str, Any]:
        """Make the calls of a well-formed request, as `guest.replaying.replay` does with whole states."""
        replaying = importlib.import_module("guest.replaying")
        rows: dict[Any, Any] = {}
        results = []
        for event in events:
            if "call" not in event:
                continue
            name, arguments = event["call"]["name"], event["call"]["arguments"]
            outcome = self.perform(event["role"], name, copy.deepcopy(arguments))
            changed = self._seen(rows, replaying.same)
            results.append({"name": name, "arguments": arguments, **outcome, "changed": changed})
        before = self.watch.state({place: self.watch.first(place) for place in rows})
        return {"results": results, "changes": list(replaying.described(before, self.watch.state(rows)))}

    def _seen(self, rows: dict[Any, Any], same: Any) -> bool:
        """Read what was touched into `rows`; whether any of it is other than it was."""
        changed = False
        for place in self.watch.touched():
            before = rows[place] if place in rows else self.watch.first(place)
            rows[place] = self.watch.now(place)
            changed = changed or not same(before, rows[place])
        return changed


def _homes(task: str) -> tuple[str, str]:
    """Upstream's names of the world in memory and of the task's databases on disk."""
    home = importlib.import_module("appworld.apps.model_lib").get_db_home_path
    return home(storage_type="memory", type="task_output", task_id=task), home(
        storage_type="disk", type="task_input", task_id=task
    )


def _requester(world: World, inline: Any) -> Any:
    """Upstream's requester, calling in this thread; making one opens the databases and stops the clock."""
    datetime = importlib.import_module("datetime").datetime
    application = importlib.import_module("appworld.apps").build_main_app(tuple(world.apps))
    module = importlib.import_module("appworld.requester")
    vars(module)["_get_api_name_to_doc"] = lambda app, **_: _of_app(world.docs, app)
    ours = type("Requester", (module.Requester,), {"_get_client": lambda _: inline.Client(application)})
    memory, disk = world.homes
    return ours(
        to_db_home_path=memory,
        from_db_home_path=disk,
        date_and_time=datetime.fromisoformat(world.specs["datetime"]),
        load_apps=world.apps,
        max_num_requests=None,
    )


def _of_app(docs: Mapping[str, Any], app: str) -> dict[str, Any]:
    return {name.partition(".")[2]: doc for name, doc in docs.items() if name.startswith(f"{app}.")}


def _docs(apps: list[str], root: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """`app.api` → upstream's documentation of it, as its data have it: to derive it again takes seconds."""
    for app in apps:
        if app not in UNTOLD_APPS:
            with open(os.path.join(root, "data", "api_docs", "standard", f"{app}.json"), "rb") as file:  # noqa: PTH118, PTH123
                yield from ((f"{app}.{api}", doc) for api, doc in json.load(file).items())


def _watch(world: World) -> Any:
    watch = importlib.import_module("watch")
    watched = [app for app in world.apps if app not in UNTOLD_APPS]
    tables = [
        watch.Table(app, name, model.__tablename__)
        for app in watched
        for name, model in sorted(world.models[app].SQLModel.name_to_model().items())
        if hasattr(model, "__table__")
    ]
    return watch.Watch(tables, {app: world.connection(app) for app in watched})


def _message(answer: Any) -> str:
    said = answer.get("message", answer.get("detail")) if isinstance(answer, Mapping) else answer
    return said if isinstance(said, str) else json.dumps(said)
