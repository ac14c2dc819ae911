"""Invented entries in ACEBench's format: what the tests of the adapter and of the explanations stand on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from verifierbench.sources.acebench.data import split_id

KITES = {
    "name": "KiteHouse_reserve",
    "description": "Reserve kites at a beach.",
    "parameters": {
        "type": "dict",
        "properties": {
            "beach": {"type": "string", "description": "Name of the beach."},
            "count": {"type": "integer", "description": "How many kites."},
            "windy": {"type": "bool", "description": "Whether strong wind is fine."},
            "colors": {"type": "array", "items": {"type": "string"}, "description": "Colors to choose from."},
            "holder": {
                "type": "object",
                "description": "Who holds them.",
                "properties": {
                    "name": {"type": "string"},
                    "ages": {"type": "array", "items": {"type": "integer"}},
                },
            },
            "code": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "Code of three capital letters."},
            "extras": {
                "type": "array",
                "items": {"type": "string", "enum": ["tail", "reel"]},
                "description": "Extras. Defaults to a tail if not given.",
            },
        },
        "required": ["beach", "count"],
    },
}
GULLS = {
    "name": "gulls_count",
    "description": "Count gulls at a beach.",
    "arguments": {"type": "object", "properties": {"beach": {"type": "string"}}, "required": ["beach"]},
    "results": {"type": "integer"},
    "tags": ["birds"],
}
ENTRIES: dict[str, tuple[str, list[Any], Any, dict[str, str]]] = {
    "en_normal_single_turn_single_function_0": (
        "user: Reserve 3 kites at Amber Strand, strong wind is fine, in red or teal, for Ida aged 7 and 9.\n",
        [KITES, GULLS],
        {
            "KiteHouse_reserve": {
                "beach": "Amber Strand",
                "count": 3,
                "windy": True,
                "colors": ["red", "teal"],
                "holder": {"name": "Ida", "ages": [7, 9]},
                "code": "XYZ",
            }
        },
        {"time": "Today is 2031-03-05, Wednesday."},
    ),
    "en_normal_multi_turn_user_adjust_1_0": (
        """user: How many gulls are at Amber Strand?
system: [gulls_count(beach="Amber Strand")]
system: There are 12.
user: And at Grey Point and Long Bank?
""",
        [GULLS],
        {"gulls_count_1": {"beach": "Grey Point"}, "gulls_count_2": {"beach": "Long Bank"}},
        {"profile": "{'name': 'Ida'}. "},
    ),
    "zh_normal_atom_number_2": (
        "user: 请在琥珀海滩预订3个风筝。",
        [KITES],
        {"KiteHouse_reserve": {"beach": "琥珀海滩", "count": 3}},
        {},
    ),
    "en_special_incomplete_0": (
        "user: Reserve kites at Amber Strand.",
        [KITES, GULLS],
        {"KiteHouse_reserve": ["count"]},
        {},
    ),
    "en_special_error_param_0": (
        "user: Reserve 2 kites at Amber Strand under the code ab1.",
        [KITES],
        {"code": ["ab1"]},
        {},
    ),
    "en_special_irrelevant_0": ("user: Bake a cake.", [GULLS], "A sentence.", {}),
}
"""Id → (conversation, tools, gold, what else the entry tells)."""

TASKS = """
[[task]]
id = "en_normal_single_turn_single_function_0"
[[task.call]]
why = "Reserve 3 kites"
said = { windy = "strong wind is fine" }
documented = { extras = ["tail"] }

[[task]]
id = "en_normal_multi_turn_user_adjust_1_0"
[[task.call]]
why = "Grey Point"
[[task.call]]
why = "Long Bank"

[[task]]
id = "zh_normal_atom_number_2"
[[task.call]]
why = "预订3个风筝"

[[task]]
id = "en_special_incomplete_0"
tool = "KiteHouse_reserve"
asked = ["Reserve kites"]
guess = { name = "KiteHouse_reserve", arguments = { beach = "Amber Strand", count = 1 } }

[[task]]
id = "en_special_error_param_0"
tool = "KiteHouse_reserve"
asked = ["Reserve 2 kites"]

[[task]]
id = "en_special_irrelevant_0"
asked = ["Bake a cake"]
"""
DEFECTS = """
[[defect]]
id = "G1"
kind = "too_wide"
task = "en_normal_single_turn_single_function_0"
call = 0
argument = "code"
what = "nobody said it"
evidence = "the instruction"
remove = ["XYZ"]
"""


def write(folder: Path) -> dict[str, str]:
    """Upstream's folder with the entries; returns the pins of its files."""
    rows: dict[str, list[str]] = {}
    for identifier, (question, tools, gold, more) in ENTRIES.items():
        language, upstream = split_id(identifier)
        base, name = f"data_all/data_{language}", f"data_{upstream.rstrip('0123456789_')}.json"
        row = {"id": upstream, "question": question, "function": tools, **more}
        rows.setdefault(f"{base}/{name}", []).append(json.dumps(row, ensure_ascii=False))
        answer = json.dumps({"id": upstream, "ground_truth": gold}, ensure_ascii=False)
        rows.setdefault(f"{base}/possible_answer/{name}", []).append(answer)
    for name, lines in rows.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(lines) + "\n")
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in rows}
