"""Invented agent entries in ACEBench's format, and simulators and a check in the form of upstream's package.

The simulators keep upstream's names of classes and attributes, because the workers look for these; what they do is
invented, and as little as the tests need.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

STEP, TURN = "en_agent_multi_step_0", "en_agent_multi_turn_1"

_TEXT = {"type": "string"}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "turn_on_wifi",
        "description": "Go online.",
        "parameters": {"type": "dict", "properties": {}, "required": []},
    },
    {
        "name": "view_reminder_by_title",
        "description": "Read a reminder.",
        "parameters": {"type": "dict", "properties": {"title": _TEXT}, "required": ["title"]},
    },
    {
        "name": "add_reminder",
        "description": "Add a reminder.",
        "parameters": {"type": "dict", "properties": {"title": _TEXT}, "required": ["title"]},
    },
    {
        "name": "login_food_platform",
        "description": "Log in.",
        "parameters": {
            "type": "dict",
            "properties": {"username": _TEXT, "password": _TEXT},
            "required": ["username", "passwords"],
        },
    },
    {
        "name": "add_food_delivery_order",
        "description": "Order.",
        "parameters": {
            "type": "dict",
            "properties": {
                "username": _TEXT,
                "items": {
                    "type": "list",
                    "items": {
                        "type": "dict",
                        "properties": {"product": _TEXT, "quantity": {"type": "integer"}},
                        "required": ["product", "quantity"],
                    },
                },
            },
            "required": ["username", "items"],
        },
    },
    {
        "name": "search_reminders",
        "description": "Is on the list, and no simulator has it.",
        "parameters": {"type": "dict", "properties": {"keyword": _TEXT}, "required": ["keyword"]},
    },
]
_REMINDERS = {"1": {"title": "Kite day"}, "2": {"title": "Fly"}}
_USERS = {"Ida": {"password": "amber", "balance": 14}, "Ole": {"password": "teal", "balance": 20}}
_ORDER = {"user_name": "Ida", "items": [{"product": "tart", "quantity": 2}, {"product": "tea", "quantity": 1}]}
ENTRIES: dict[str, tuple[str, list[str], dict[str, Any], Any]] = {
    STEP: (
        "I am Ida (password: amber). Order two tarts and a tea, and add a reminder titled 'Fly'.\n",
        ["BaseApi", "ReminderApi", "FoodPlatform"],
        {"BaseApi": {"wifi": False, "logged_in": True}},
        [
            {"BaseApi": {"wifi": True, "logged_in": True}},
            {"ReminderApi": {"reminder_list": _REMINDERS}},
            {"FoodPlatform": {"users": _USERS, "logged_in_users": ["Ida"], "orders": [_ORDER]}},
        ],
    ),
    TURN: (
        "You are Ida. You look at the reminder titled 'Kite day' and add one titled 'Fly'.",
        ["BaseApi", "ReminderApi"],
        {"BaseApi": {"wifi": True, "logged_in": True}},
        [{"BaseApi": {"wifi": True, "logged_in": True}}, {"ReminderAPI": {"reminder_list": _REMINDERS}}],
    ),
}
"""Id → (what is wanted, classes, initial configuration, gold's end state)."""

TASKS = """
[[task]]
id = "en_agent_multi_step_0"
calls = [
    { name = "turn_on_wifi", arguments = {} },
    { name = "login_food_platform", arguments = { username = "Ida", password = "amber" } },
    { name = "add_food_delivery_order", arguments = { username = "Ida", items = [
        { product = "tart", quantity = 2 },
        { product = "tea", quantity = 1 },
    ] } },
    { name = "add_reminder", arguments = { title = "Fly" } },
]
[[task.effect]]
at = "/FoodPlatform/orders/0"
why = ["Order two tarts and a tea"]
also = [{ items = [{ product = "tea", quantity = 1 }, { product = "tart", quantity = 2 }] }]
[[task.effect]]
at = "/ReminderApi/reminder_list/2"
why = ["add a reminder titled"]
[[task.way]]
note = "the tea stands first"
but = ["/FoodPlatform/orders/0"]
calls = [
    { name = "turn_on_wifi", arguments = {} },
    { name = "login_food_platform", arguments = { username = "Ida", password = "amber" } },
    { name = "add_food_delivery_order", arguments = { username = "Ida", items = [
        { product = "tea", quantity = 1 },
        { product = "tart", quantity = 2 },
    ] } },
    { name = "add_reminder", arguments = { title = "Fly" } },
]
[[task.way]]
note = "two is written 2.0"
calls = [
    { name = "turn_on_wifi", arguments = {} },
    { name = "login_food_platform", arguments = { username = "Ida", password = "amber" } },
    { name = "add_food_delivery_order", arguments = { username = "Ida", items = [
        { product = "tart", quantity = 2.0 },
        { product = "tea", quantity = 1 },
    ] } },
    { name = "add_reminder", arguments = { title = "Fly" } },
]

[[task]]
id = "en_agent_multi_turn_1"
first = ["view_reminder_by_title"]
calls = [
    { name = "view_reminder_by_title", arguments = { title = "Kite day" } },
    { name = "add_reminder", arguments = { title = "Fly" } },
]
[[task.effect]]
at = "/ReminderApi/reminder_list/2/title"
why = ["add one titled 'Fly'"]
[[task.lookup]]
call = "view_reminder_by_title"
why = ["look at the reminder"]
says = ["Kite day"]
"""
DEFECTS = """
[[defect]]
id = "G1"
kind = "gold"
task = "en_agent_multi_turn_1"
at = ["/ReminderAPI"]
what = "the class is misspelt"
evidence = "no simulator has this name"

[[defect]]
id = "G2"
kind = "tool"
what = "an argument that is required goes by another name"
evidence = "the definition"
tool = { name = "login_food_platform", requires = ["username", "password"] }
"""

_SIMULATORS = {
    "__init__": "",
    "base_api": """
class BaseApi:
    def __init__(self):
        self.wifi, self.logged_in = False, True

    def _load_scenario(self, scenario, long_context=False):
        self.wifi, self.logged_in = scenario.get("wifi", False), scenario.get("logged_in", True)

    def turn_on_wifi(self):
        self.wifi = True
        return {"status": True}
""",
    "reminder": """
from .base_api import BaseApi


class ReminderApi(BaseApi):
    def __init__(self):
        super().__init__()
        self.reminder_list = {1: {"title": "Kite day"}}

    def add_reminder(self, title):
        self.reminder_list[len(self.reminder_list) + 1] = {"title": title}
        return {"status": True}

    def view_reminder_by_title(self, title):
        found = [one for one in self.reminder_list.values() if one["title"] == title]
        return {"status": True, "reminder": found[0]} if found else {"status": False, "message": "none of this title"}
""",
    "food_services": """
from .base_api import BaseApi


class FoodPlatform(BaseApi):
    def __init__(self):
        super().__init__()
        self.users = {"Ida": {"password": "amber", "balance": 20}, "Ole": {"password": "teal", "balance": 20}}
        self.logged_in_users, self.orders = [], []

    def login_food_platform(self, username, password):
        if not self.wifi:
            return {"status": False, "message": "offline"}
        if self.users[username]["password"] != password or username in self.logged_in_users:
            return {"status": "error", "message": "no"}
        self.logged_in_users.append(username)
        return {"status": True}

    def add_food_delivery_order(self, username, items):
        count = sum(item["quantity"] for item in items)
        if username not in self.logged_in_users or not isinstance(count, int):
            return {"status": False}
        self.users[username]["balance"] -= 2 * count
        self.orders.append({"user_name": username, "items": items})
        return {"status": True}
""",
    "message": "class MessageApi:\n    pass\n",
    "travel": "class Travel:\n    pass\n",
}
_CHECK = """
def check_agent_end_state(states, gold):
    states = {name: state for part in states for name, state in part.items()}
    wrong = [
        f"class({name}) attribute({key}{end}) wrong, [expected: 1, real: 2]"
        for part in gold
        for name, wanted in part.items()
        for key, value in (wanted.items() if name in states else ())
        for end in _ends(value, states[name][key])
    ]
    return {"valid": not wrong, "error": [wrong] if wrong else [], "error_type": "class attributes wrong"}


def _ends(value, found):
    if isinstance(value, dict):
        return [f".{key}" for key, part in value.items() if found.get(key) != part]
    return [""] if value != found else []


def check_normal_answer(functions, calls, gold, category):
    return {"valid": True}


def check_special_answer(text, gold, category):
    return {"valid": True}
"""


def write(folder: Path) -> dict[str, str]:
    """Upstream's folder with the entries; returns the pins of its files."""
    rows: dict[str, list[str]] = {}
    for identifier, (question, classes, configuration, end) in ENTRIES.items():
        upstream = identifier.removeprefix("en_")
        name = f"data_{upstream.rstrip('0123456789_')}.json"
        row = {"question": question, "initial_config": configuration, "involved_classes": classes, "function": TOOLS}
        rows.setdefault(f"data_all/data_en/{name}", []).append(json.dumps({"id": upstream, **row}))
        answer = {"id": upstream, "ground_truth": end, "mile_stone": []}
        rows.setdefault(f"data_all/data_en/possible_answer/{name}", []).append(json.dumps(answer))
    for name, lines in rows.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(lines) + "\n")
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in rows}


def write_package(folder: Path) -> None:
    """The simulators and the check, at upstream's places."""
    simulators = folder / "evalscope/third_party/acebench/en"
    checker = folder / "evalscope/benchmarks/acebench/checker.py"
    for place in (simulators, checker.parent):
        place.mkdir(parents=True)
    for name, code in _SIMULATORS.items():
        (simulators / f"{name}.py").write_text(code)
    checker.write_text(_CHECK)
