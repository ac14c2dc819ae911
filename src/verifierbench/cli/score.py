"""`verifierbench score DIR RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from ._common import json_option, print_board, print_json, progress, stage, workers_option


@click.command("score")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--tier",
    type=click.Choice(["namespaces", "seccomp"]),
    help="Insist on one sandbox tier; default: the best whose self-test passes. Ranked results need `namespaces`.",
)
@workers_option
@json_option
def command(directory: Path, run: Path, tier: str | None, workers: int | None, as_json: bool) -> None:
    """Run the verifiers in RUN on the hidden cases of the suite in DIRECTORY.

    May be killed at any moment: the same command goes on where it stopped. RUN is a run's folder, or one that holds
    several. The names `reference` and `source-checker` are decided on the trusted side: see `verifierbench demo`.

    \b
    verifierbench score my-suite runs/heuristic
    """
    from verifierbench.board import read_configurations, report_json, run_folders
    from verifierbench.sandbox import Tier
    from verifierbench.scoring import score
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    with progress(quiet=as_json) as say:
        for place in run_folders(run):
            score(
                suite,
                place,
                workers=workers,
                tier=Tier(tier) if tier else None,
                progress=stage(say, f"scoring {place.name}"),
            )
    configurations = read_configurations([run])
    if as_json:
        print_json(report_json(configurations))
        return
    print_board(configurations)
