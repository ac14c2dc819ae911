"""`verifierbench demo`: the whole pipeline on what needs no key."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._common import DEMO, Say, cores, json_option, print_board, print_json, progress, stage, workers_option

if TYPE_CHECKING:
    from verifierbench.core import Season
    from verifierbench.suite import Suite


@click.command("demo")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=DEMO, show_default=True, help="Where to write."
)
@click.option("--offline", is_flag=True, help="Do not try to install BFCL; use it if it is there already.")
@workers_option
@json_option
def command(output: Path, offline: bool, workers: int | None, as_json: bool) -> None:
    """Build a suite, have the built-in agents write verifiers, score them on hidden cases, print the board.

    To stay short it holds back BFCL's tasks of several turns or of four calls and more; `suite build` has them. Writes
    OUTPUT/suite, OUTPUT/runs and OUTPUT/report. Run it again and it goes on where it stopped.
    """
    from verifierbench.board import page, read_configurations, report_json
    from verifierbench.core.files import encode, write_atomically
    from verifierbench.scoring import score_trusted
    from verifierbench.suite import build

    runs = output / "runs"
    with progress(quiet=as_json) as say:
        sources = _sources(offline)
        suite = build(
            output / "suite", sources, _season(sources), workers=workers or cores(), progress=say, replace=True
        )
        _set_aside(suite, runs)
        _score_built_in(suite, runs, workers, say)
        score_trusted(suite, runs)
    configurations = read_configurations([runs])
    found = report_json(configurations)
    write_atomically(output / "report/report.json", encode(found))
    write_atomically(output / "report/index.html", page(configurations, f"verifierbench report {runs}").encode())
    if as_json:
        print_json(found)
        return
    print_board(configurations)
    click.echo(f"suite {output / 'suite'}, runs {runs}, report {output / 'report/index.html'}")


def _sources(offline: bool) -> tuple[str, ...]:
    """Handmade, and BFCL where it is or can be installed; says so where it cannot."""
    from verifierbench.core import Unavailable
    from verifierbench.sources import source

    bfcl = source("bfcl")
    if not bfcl.status().ready and not offline:
        try:
            bfcl.install(None)
        except Unavailable as reason:
            click.echo(f"going on without BFCL: {reason}", err=True)
    if not bfcl.status().ready:
        if offline:
            click.echo(f"going on without BFCL: {bfcl.status().needs}", err=True)
        return ("handmade",)
    return ("handmade", "bfcl")


def _season(sources: tuple[str, ...]) -> Season:
    """The public season without what takes long: tasks played in upstream's simulators, and those with most cases."""
    import msgspec

    from verifierbench.core import DEVELOPMENT
    from verifierbench.sources.bfcl import BFCL

    held_back = (*BFCL.executed, *BFCL.lengthy) if BFCL.name in sources else ()
    return msgspec.structs.replace(DEVELOPMENT, name="demo", withheld_tasks=held_back)


def _set_aside(suite: Suite, runs: Path) -> None:
    """Move runs that were made on another suite out of the way: they stay, and are not mixed with these."""
    from verifierbench.scoring import RunFolder

    made_on = {RunFolder(place.parent).run().suite_hash for place in runs.glob("*/run.json")}
    if made_on - {suite.hash}:
        aside = runs.with_name(f"runs-{min(made_on - {suite.hash})[:8]}")
        shutil.rmtree(aside, ignore_errors=True)
        runs.rename(aside)
        click.echo(f"the suite has changed since the last demo; its runs are in {aside}", err=True)


def _score_built_in(suite: Suite, runs: Path, workers: int | None, say: Say) -> None:
    from verifierbench.generation import agent, agent_names, generate
    from verifierbench.scoring import score

    for name in agent_names():
        generate(suite, agent(name), runs / name)
        score(suite, runs / name, workers=workers, progress=stage(say, f"scoring {name}"))
