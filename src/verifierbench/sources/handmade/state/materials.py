"""What every task at the desk makes public: the house rules, the tools and the database."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from verifierbench.core import Material
from verifierbench.core.files import read_bytes

FOLDER = Path(__file__).parent
WORLD = FOLDER / "world.py"


@cache
def database() -> Any:
    """The initial state."""
    return json.loads(read_bytes(FOLDER / "database.json"))


@cache
def materials() -> tuple[Material, ...]:
    """`policy` and `tools` stand in the task; `initial_state` is read in parts."""
    return (
        Material(name="policy", kind="text", content=read_bytes(FOLDER / "policy.md").decode()),
        Material(name="tools", kind="json", content=json.loads(read_bytes(FOLDER / "tools.json"))),
        Material(name="initial_state", kind="json", content=database(), inline=False),
    )
