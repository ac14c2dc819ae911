"""Three small tasks of our own, each with an environment written out here: nothing of any source is used."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Atom, Clause, Convention, Family, Material, Reference, Span, Task
from verifierbench.families.guest.replaying import replay

HIDDEN_CLAUSE = "the hidden clause says zanzibar"
HIDDEN_CHECK = "hidden_check_quokka"


def make_task(
    family: Family, name: str, instruction: str, materials: tuple[Material, ...], environment: str | None
) -> Task:
    return Task(
        id=f"plumbago/{name}",
        source="plumbago",
        source_version="9.87",
        family=family,
        instruction=instruction,
        materials=materials,
        conventions=(Convention(id="X1", text="Wording is free."),),
        clauses=(
            Clause(
                id="hidden-clause", text=HIDDEN_CLAUSE, spans=(Span(material="instruction", quote=instruction[:10]),)
            ),
        ),
        reference=Reference(root=Atom(name="hidden_atom", clause="hidden-clause", check=HIDDEN_CHECK)),
        environment=environment,
    )


def material(name: str, kind: Any, content: Any, *, inline: bool = True) -> Material:
    return Material(name=name, kind=kind, content=content, inline=inline)


# Tool calls


def tool(name: str, description: str, required: list[str], **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": schema}


TOOLS = [
    tool(
        "convert_currency",
        "Convert an amount of money from one currency into another.",
        ["amount", "source", "target"],
        amount={"type": "number", "description": "The amount to convert."},
        source={"type": "string", "description": "Name of the currency to convert from."},
        target={"type": "string", "description": "Name of the currency to convert to."},
        rounded={"type": "boolean", "description": "Round to whole units.", "default": False},
    ),
    tool(
        "get_tide_table",
        "Tell when the tide is high at a harbour on a day.",
        ["harbour", "day"],
        harbour={"type": "string", "description": "Name of the harbour."},
        day={"type": "string", "description": "The day, as YYYY-MM-DD."},
        unit={"type": "string", "enum": ["metre", "foot"], "default": "metre"},
    ),
]


@pytest.fixture
def conversions() -> Task:
    wanted = "Convert 250 euros from euro to yen, and also forty dollars from dollar to pound."
    return make_task(Family.TOOL_CALL, "conversions", wanted, (material("tools", "json", TOOLS),), None)


@pytest.fixture
def tides() -> Task:
    wanted = (
        "When is the water high at Port Ellery on the 3rd of May 2031? I need the tide table in feet, please: foot."
    )
    return make_task(Family.TOOL_CALL, "tides", wanted, (material("tools", "json", TOOLS),), None)


@pytest.fixture
def poem() -> Task:
    wanted = "Write a limerick for my grandmother's birthday."
    return make_task(Family.TOOL_CALL, "poem", wanted, (material("tools", "json", TOOLS),), None)


# State

POLICY = """You look after the orders of a flower shop.
Before you cancel an order, read it with get_order.
Before each change, tell the customer the number of the order and wait for the answer. Go on only after a "yes".
After a cancellation, tell the customer the receipt that the call returned.
Never write a password in a message."""

SHOP_TOOLS = [
    tool("get_order", "Read one order.", ["order_id"], order_id={"type": "string"}),
    tool("cancel_order", "Cancel an order.", ["order_id"], order_id={"type": "string"}),
    tool("delete_customer", "Delete a customer.", ["customer_id"], customer_id={"type": "string"}),
]
SHOP = {
    "orders": {"F-311": {"flowers": "tulips", "open": True}, "F-312": {"flowers": "roses", "open": True}},
    "customers": {"C-9": {"name": "Ada"}},
    "receipts": 40,
}


@pytest.fixture
def shop() -> Task:
    wanted = "You are Ada, customer C-9. You want the shop to cancel your order F-311. You agree to what that takes."
    materials = (material("policy", "text", POLICY), material("tools", "json", SHOP_TOOLS))
    return make_task(Family.STATE, "shop", wanted, materials, "shop")


def replay_shop(request: dict[str, Any]) -> dict[str, Any]:
    state = copy.deepcopy(SHOP)

    def perform(_role: str, name: str, arguments: Any) -> dict[str, Any]:
        try:
            return {"result": copy.deepcopy(_shop_call(state, name, arguments))}
        except (KeyError, ValueError) as error:
            return {"error": str(error)}

    return replay(request, perform, lambda: copy.deepcopy(state))


def _shop_call(state: Any, name: str, arguments: dict[str, Any]) -> Any:
    if name == "get_order":
        return state["orders"][arguments["order_id"]]
    if name == "cancel_order":
        order = state["orders"][arguments["order_id"]]
        if not order["open"]:
            raise ValueError("not open")
        order["open"] = False
        state["receipts"] += 1
        return {"receipt": f"R-{state['receipts']}"}
    if name == "delete_customer":
        return state["customers"].pop(arguments["customer_id"])
    raise ValueError(f"no tool {name}")


# Code

REPOSITORY = {
    "README.md": "A pouch of numbers. Run the tests with `python -m unittest`.\n",
    "pouch/__init__.py": "from .average import mean, spread\n",
    "pouch/average.py": (
        '"""Averages."""\n\n\ndef mean(values):\n    """The arithmetic mean."""\n'
        "    return sum(values) // len(values)\n\n\n"
        "def spread(values):\n    return max(values) - min(values)\n"
    ),
    "tests/__init__.py": "",
    "tests/test_average.py": (
        "import unittest\n\nfrom pouch import mean, spread\n\n\nclass TestAverage(unittest.TestCase):\n"
        "    def test_mean(self):\n        self.assertEqual(mean([2, 4]), 3)\n\n"
        "    def test_spread(self):\n        self.assertEqual(spread([2, 9]), 7)\n"
    ),
}
ISSUE = """The mean of 1 and 2 is wrong

`mean([1, 2])` returns `1` but should return `1.5`. It ought to be:

>>> from pouch import mean
>>> mean([1, 2, 2, 2])
1.75
"""


@pytest.fixture
def pouch() -> Task:
    materials = (material("repository", "files", REPOSITORY, inline=False),)
    return make_task(Family.CODE, "pouch", ISSUE, materials, "pouch")


def run_pouch(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The repository in a folder of its own, patched by git; trusted here, since the patches are ours."""
    for path, text in REPOSITORY.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    if request["patch"]:
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        done = subprocess.run(
            ["git", "apply", "-"], cwd=folder, input=request["patch"], text=True, capture_output=True, check=False
        )
        if done.returncode:
            return {"applied": False, "error": done.stderr, "commands": [], "files": {}}
    for path, text in request.get("files", {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    commands = [_command(folder, argv) for argv in request.get("commands", [])]
    files = {path: (folder / path).read_text() if (folder / path).exists() else None for path in request["read"]}
    return {"applied": True, "error": "", "commands": commands, "files": files}


def _command(folder: Path, argv: list[str]) -> dict[str, Any]:
    argv = [sys.executable, "-B", *argv[1:]] if argv[0] == "python" else argv
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=20, check=False)
    return {"exit": done.returncode, "ended": "exit", "stdout": done.stdout, "stderr": done.stderr}


class PlainEnv:
    """`env` without a sandbox: the same three members a verifier knows."""

    EnvError = BudgetExhausted = RuntimeError

    def __init__(self, task: Task, run: Any = None) -> None:
        self.task = json.loads(json.dumps(task.public))
        self._task, self._run, self.calls = task, run, 0

    def read(self, name: str, pointer: str = "") -> Any:
        content = self._task.material(name).content  # type: ignore[union-attr]
        return content[pointer[1:]] if pointer else sorted(content)

    def run(self, request: Any) -> Any:
        self.calls += 1
        if self._run is None:
            raise RuntimeError("no environment")
        return self._run(json.loads(json.dumps(request)))
