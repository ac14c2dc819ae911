"""Upstream's data as `appworld download data` leaves them: which tasks there are, and whether one can be looked at.

Nothing of upstream is in this package, not even a task's id: its data may be passed on in an encrypted form only. They
are read where they lie, and what can be told of a task without opening its world decides first, for opening one takes
seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifierbench.core import MalformedInput
from verifierbench.core.files import read_bytes

VERSION = "0.1.3.post1"
DATA_VERSION = "0.1.0"
SOURCE_VERSION = f"appworld {VERSION}, data {DATA_VERSION}"
COMMAND = "verifierbench sources install appworld"
SPLITS = ("train", "dev")
"""The splits that come with gold solutions."""
MOST_CALLS = 80


def has_data(root: Path) -> bool:
    """Whether a folder has upstream's `data` in the version this package speaks to."""
    try:
        return read_bytes(root / "data" / "version.txt").decode().strip() == DATA_VERSION
    except (MalformedInput, UnicodeDecodeError):
        return False


def task_ids(root: Path) -> list[str]:
    """One task of every generator, the first, in the order of the splits: its siblings differ in names and numbers."""
    firsts: dict[str, str] = {}
    for split in SPLITS:
        for name in read_bytes(root / "data" / "datasets" / f"{split}.txt").decode().split():
            firsts.setdefault(name.partition("_")[0], name)
    return list(firsts.values())


def unfit(root: Path, task: str) -> str:
    """Why a task is none of ours, as far as its files tell; empty for one that may be."""
    truth = root / "data" / "tasks" / task / "ground_truth"
    return next((why for why in _complaints(truth) if why), "")


def _complaints(truth: Path) -> Iterator[str]:
    if not (truth / "compiled_solution.py").is_file():
        yield "there is no gold solution"
    elif not isinstance(_json(truth / "answer.json"), str | int | float | None):
        yield "the answer is more than one value"
    elif (truth / "api_calls.json").is_file() and len(_json(truth / "api_calls.json") or ()) > MOST_CALLS:
        yield f"gold takes more than {MOST_CALLS} calls"


def _json(path: Path) -> Any:
    try:
        return json.loads(read_bytes(path))
    except ValueError as error:
        raise MalformedInput(path, "", str(error)) from error
