"""A worker that compares what upstream's worlds report with whole states, request by request."""

import importlib
import json
from pathlib import Path

known = {}


def load(arguments):
    worlds = importlib.import_module("worlds")
    known["domain"] = worlds.opened(arguments["domain"], Path(arguments["folder"]), {})
    known["worlds"], known["first"] = worlds, worlds.text_of(known["domain"]._db)


def handle(order):
    """`{"requests", "every"}`: numbers of requests whose report is not the whole difference, and whether base moved."""
    replaying = importlib.import_module("guest.replaying")
    initial, wrong = json.loads(known["first"]), []
    for number, request in enumerate(order["requests"]):
        world = known["domain"].world("")
        for event in request["events"]:
            world.perform(event["role"], event["call"]["name"], event["call"]["arguments"])
            world.state.moved()
        reported = world.state.changes()
        if number % order["every"] == 0 and reported != list(replaying.described(initial, _whole(world))):
            wrong.append(number)
    return {"wrong": wrong, "base_moved": known["worlds"].text_of(known["domain"]._db) != known["first"]}


def _whole(world):
    return {
        name: {key: json.loads(known["worlds"].text_of(record)) for key, record in table.items()}
        for name, table in world.state._tables.items()
    }
