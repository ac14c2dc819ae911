"""`verifierbench suite build|stats|show|lock|verify|overlap`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import cores, json_option, print_json, progress, workers_option

if TYPE_CHECKING:
    from verifierbench.core import Task
    from verifierbench.suite import Suite, Verified

_LONG = 20_000
"""Characters of a material that are printed without being asked for."""

_directory = click.argument("directory", type=click.Path(path_type=Path))


@click.group("suite")
def command() -> None:
    """Build a suite, count it, look into it, lock it, verify it.

    \b
    verifierbench suite build my-suite --source handmade --source bfcl
    verifierbench suite stats my-suite
    verifierbench suite show my-suite
    verifierbench suite show my-suite TASK
    verifierbench suite lock my-suite
    verifierbench suite verify my-suite
    """


@command.command("build")
@_directory
@click.option(
    "--source",
    "sources",
    multiple=True,
    help="A source to build from; may be repeated. Default: all that are ready and may be passed on.",
)
@click.option(
    "--season", "season_file", type=click.Path(path_type=Path), help="A season's secret file; `season new` makes one."
)
@click.option(
    "--tasks",
    "patterns",
    metavar="PATTERN",
    multiple=True,
    help="Only tasks whose id matches, as file names do in a shell; may be repeated.",
)
@click.option("--replace", is_flag=True, help="Put it in the place of another suite in DIRECTORY.")
@workers_option
@json_option
def build_(
    directory: Path,
    sources: tuple[str, ...],
    season_file: Path | None,
    patterns: tuple[str, ...],
    replace: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Build a suite in DIRECTORY, whole or not at all."""
    from verifierbench.core import DEVELOPMENT
    from verifierbench.suite import build, open_plugin, read_season

    season = read_season(season_file) if season_file else DEVELOPMENT
    plugin = open_plugin(season, season_file.parent) if season_file else None
    with progress(quiet=as_json) as say:
        suite = build(
            directory,
            sources or _ready(),
            season,
            workers=workers or cores(),
            progress=say,
            replace=replace,
            plugin=plugin,
            only=patterns,
        )
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
        shown["readable"] = {name: _in_brief(content) for name, content in shown["readable"].items()}
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))


@command.command("lock")
@_directory
@click.option("--unaudited", is_flag=True, help="Lock it although no audit of it has passed.")
@json_option
def lock_(directory: Path, unaudited: bool, as_json: bool) -> None:
    """Fix every byte of a suite in DIRECTORY/lock.json, which may be published: it gives nothing hidden away."""
    from verifierbench.suite import lock

    made = lock(directory, unaudited=unaudited)
    found = {
        "schema": 1,
        "suite": made.suite,
        "season": made.season,
        "commitment": made.commitment,
        "audited": made.audited,
        "tasks": len(made.tasks),
        "cases": sum(len(task.cases) for task in made.tasks),
        "files": len(made.files),
        "seal": made.seal,
    }
    if as_json:
        print_json(found)
        return
    click.echo(f"{directory} is locked: {found['files']} files, {found['tasks']} tasks, {found['cases']} cases")
    click.echo(f"  suite {made.suite}\n  season {made.season}, commitment {made.commitment}\n  seal {made.seal}")
    if not made.audited:
        click.echo("  no audit of it has passed, and the lock says so")


@command.command("verify")
@_directory
@click.option(
    "--season",
    "season_file",
    type=click.Path(path_type=Path),
    help="A revealed season's file: prove that this suite is what it makes.",
)
@json_option
@click.pass_context
def verify_(context: click.Context, directory: Path, season_file: Path | None, as_json: bool) -> None:
    """Compare a locked suite with its lock: name the first thing that moved and exit 1, or exit 0."""
    from verifierbench.suite import prove, verify
    from verifierbench.suite.verify import as_json as document

    found = verify(directory)
    if found.ok and season_file is not None:
        with progress(quiet=as_json) as say:
            moved = prove(directory, season_file, say)
        found = found.with_proof(moved)
    if as_json:
        print_json(document(found))
    else:
        _print_verified(directory, found)
    context.exit(0 if found.ok else 1)


@command.command("overlap")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@json_option
def overlap_(first: Path, second: Path, as_json: bool) -> None:
    """Count what two suites have in common."""
    from verifierbench.suite import Suite, overlap

    found = overlap(Suite.load(first), Suite.load(second))
    if as_json:
        print_json(found)
        return
    for side, suite in zip("AB", found["suites"], strict=True):
        click.echo(f"{side}: season {suite['season']}, suite {suite['hash'][:12]}")
    click.echo(f"{'':18}{'A':>7}{'B':>7}{'common':>8}{'% of A':>8}{'% of B':>8}")
    for name in ("tasks", "cases", "attacks", "operators", "attack_operators"):
        row = found[name]
        shares = "".join("       –" if share is None else f"{share:8.1f}" for share in row["shares"])
        click.echo(f"{name.replace('_', ' '):18}{row['counts'][0]:7}{row['counts'][1]:7}{row['common']:8}{shares}")


def _print_verified(directory: Path, found: Verified) -> None:
    if found.moved is not None:
        click.echo(f"{directory} does not stand: {found.moved}")
    else:
        click.echo(f"{directory} stands: " + ", ".join(f"{count} {what}" for what, count in found.checked.items()))
    for note in found.notes:
        click.echo(f"  {note}")


def _ready() -> tuple[str, ...]:
    from verifierbench.sources import source, source_names
    from verifierbench.sources.protected import PROTECTED

    return tuple(name for name in source_names() if name not in PROTECTED and source(name).status().ready)


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


def _in_brief(content: Any) -> Any:
    """A material as a terminal can bear it."""
    size = len(json.dumps(content, ensure_ascii=False))
    return content if size <= _LONG else f"{size:,} characters; --json shows it whole"


def _shown(suite: Suite, task: Task, hidden: bool) -> dict[str, Any]:
    import msgspec

    apart = {material.name: material.content for material in task.apart}
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
