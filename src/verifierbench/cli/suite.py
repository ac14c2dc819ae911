"""`verifierbench suite build|stats|show`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import cores, json_option, print_json, progress, workers_option

if TYPE_CHECKING:
    from verifierbench.core import Task
    from verifierbench.suite import Suite

_directory = click.argument("directory", type=click.Path(path_type=Path))


@click.group("suite")
def command() -> None:
    """Build a suite, count it, look into it.

    \b
    verifierbench suite build my-suite --source handmade --source bfcl
    verifierbench suite stats my-suite
    verifierbench suite show my-suite
    verifierbench suite show my-suite TASK
    """


@command.command("build")
@_directory
@click.option(
    "--source", "sources", multiple=True, help="A source to build from; may be repeated. Default: all that are ready."
)
@click.option(
    "--season", "season_file", type=click.Path(path_type=Path), help="JSON file with a season's name and secret."
)
@click.option("--replace", is_flag=True, help="Put it in the place of another suite in DIRECTORY.")
@workers_option
@json_option
def build_(
    directory: Path,
    sources: tuple[str, ...],
    season_file: Path | None,
    replace: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Build a suite in DIRECTORY, whole or not at all."""
    from verifierbench.core import DEVELOPMENT, Season
    from verifierbench.core.files import decode
    from verifierbench.suite import build

    season = decode(season_file, Season) if season_file else DEVELOPMENT
    with progress(quiet=as_json) as say:
        suite = build(directory, sources or _ready(), season, workers=workers or cores(), progress=say, replace=replace)
    _print_stats(suite, as_json)


@command.command("stats")
@_directory
@json_option
def stats_(directory: Path, as_json: bool) -> None:
    """Count tasks and cases by kind, source and family."""
    from verifierbench.suite import Suite

    _print_stats(Suite.load(directory), as_json)


@command.command("show")
@_directory
@click.argument("task", required=False)
@click.option("--hidden", is_flag=True, help="Also the clauses, the reference and the labelled cases.")
@json_option
def show(directory: Path, task: str | None, hidden: bool, as_json: bool) -> None:
    """List the tasks, or show one as an agent sees it."""
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    if task is None:
        _list(suite, as_json)
        return
    shown = _shown(suite, suite.task(task), hidden)
    if as_json:
        print_json(shown)
    else:
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))


def _ready() -> tuple[str, ...]:
    from verifierbench.sources import source, source_names

    return tuple(name for name in source_names() if source(name).status().ready)


def _list(suite: Suite, as_json: bool) -> None:
    rows = [
        {"task": task.id, "alias": task.alias, "family": task.family.value, "cases": len(suite.cases(task))}
        for task in suite.tasks
    ]
    if as_json:
        print_json({"schema": 1, "tasks": rows})
        return
    for row in rows:
        click.echo(f"{row['task']:40} {row['alias']:12} {row['family']:10} {row['cases']:4} cases")


def _shown(suite: Suite, task: Task, hidden: bool) -> dict[str, Any]:
    import msgspec

    apart = {material.name: material.content for material in task.materials if not material.inline}
    shown: dict[str, Any] = {"public": task.public, "readable": apart}
    if hidden:
        shown |= {
            "id": task.id,
            "clauses": msgspec.to_builtins(task.clauses),
            "reference": msgspec.to_builtins(task.reference),
            "cases": [{**msgspec.to_builtins(case), "label": case.label.value} for case in suite.cases(task)],
        }
    return shown


def _print_stats(suite: Suite, as_json: bool) -> None:
    from verifierbench.suite import stats

    found = stats(suite)
    if as_json:
        print_json(found)
        return
    tasks, cases = found["tasks"], found["cases"]
    click.echo(f"{suite.path}: {tasks['retained']} of {tasks['candidates']} candidate tasks, {cases['total']} cases")
    for reason, count in tasks["excluded"].items():
        click.echo(f"  excluded, {reason}: {count}")
    share = 100 * cases["pass"] / cases["total"] if cases["total"] else 0.0
    click.echo(f"  PASS {cases['pass']} ({share:.1f} %), FAIL {cases['fail']}, of which attacks {cases['attacks']}")
    click.echo("  " + ", ".join(f"{kind} {count}" for kind, count in cases["by_kind"].items()))
    for name, group in found["by_source"].items():
        click.echo(f"  {name}: {group['tasks']} tasks, {group['cases']['total']} cases")
