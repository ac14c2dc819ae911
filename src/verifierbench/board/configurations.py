"""One row per configuration, recomputed from its decisions each time it is shown.

A row is never typed in and never cached: who has the run folders can recompute the board. A run that was generated
but not scored is refused with the command that scores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import SCHEMA_VERSION, Family, MalformedInput, Run, UserError
from verifierbench.measures import Figures, by_family, summary
from verifierbench.scoring import RunFolder


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A run with its figures."""

    run: Run
    path: Path
    figures: Figures
    families: dict[Family, Figures]


def read_configurations(folders: Sequence[Path], tasks: Sequence[str] = ()) -> tuple[Configuration, ...]:
    """Read every run at or below the folders, best first; raises `MalformedInput`.

    With patterns of task ids (`fnmatch`), figures are of the tasks that match one, and runs without any are left out;
    raises `UserError` where no run has one.
    """
    places = [place for folder in folders for place in run_folders(folder)]
    found = [one for place in places if (one := _configuration(place, tasks)) is not None]
    if not found:
        some = next((row.task for place in places for row in RunFolder(place).rows()), "none")
        raise UserError(f"no task's id matches {' or '.join(map(repr, tasks))}; an id is written like {some!r}")
    return tuple(sorted(found, key=lambda one: (-one.figures.ba_norm, one.run.name)))


def run_folders(folder: Path) -> tuple[Path, ...]:
    """The folders that hold a `run.json`, at or directly below a folder; raises `MalformedInput` if none does."""
    places = [folder] if (folder / "run.json").exists() else sorted(path.parent for path in folder.glob("*/run.json"))
    if not places:
        raise MalformedInput(folder, "", "no run here (no run.json); `verifierbench generate` makes one")
    return tuple(places)


def report_json(configurations: Iterable[Configuration]) -> dict[str, Any]:
    """The machine contract of `report --json`: figures in percent, a CI as [low, high] or null."""
    return {"schema": SCHEMA_VERSION, "configurations": [_row(one) for one in configurations]}


def _configuration(place: Path, tasks: Sequence[str]) -> Configuration | None:
    """A run's row; None where none of its tasks is asked for."""
    folder = RunFolder(place)
    run, rows = folder.run(), folder.rows()
    if tasks:
        rows = tuple(row for row in rows if any(fnmatchcase(row.task, pattern) for pattern in tasks))
        if not rows:
            return None
    return Configuration(run=run, path=place, figures=summary(rows), families=by_family(rows))


def _row(one: Configuration) -> dict[str, Any]:
    families = {family.value: msgspec.to_builtins(figures) for family, figures in one.families.items()}
    about = {"name": one.run.name, "harness": one.run.harness, "model": one.run.model}
    context = {"tier": one.run.tier, "suite_hash": one.run.suite_hash, "by_family": families}
    return {**about, **msgspec.to_builtins(one.figures), **context}
