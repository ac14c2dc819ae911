"""`verifierbench report RUN…`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ._common import json_option, print_board, print_json


@click.command("report")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="Also write the board as one HTML file.")
@click.option(
    "--tasks",
    "patterns",
    metavar="PATTERN",
    multiple=True,
    help="Only tasks whose id matches, as file names do in a shell; may be repeated.",
)
@json_option
def command(runs: tuple[Path, ...], html: Path | None, patterns: tuple[str, ...], as_json: bool) -> None:
    """Figures of every run at or directly below the given folders, recomputed from their decisions.

    \b
    verifierbench report verifierbench-demo/runs
    verifierbench report RUN_A RUN_B --json
    verifierbench report my-runs --tasks 'tau2/retail_*'
    """
    from verifierbench.board import page, read_configurations, report_json
    from verifierbench.core.files import write_atomically

    configurations = read_configurations(runs, patterns)
    if html is not None:
        chosen = [word for pattern in patterns for word in ("--tasks", pattern)]
        again = shlex.join(["verifierbench", "report", *map(str, runs), *chosen])
        write_atomically(html, page(configurations, again).encode())
    if as_json:
        print_json(report_json(configurations))
        return
    print_board(configurations)
