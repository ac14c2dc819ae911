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
@click.option("--trusted", is_flag=True, help="Also write the rows decided on the trusted side, beside RUN.")
@workers_option
@json_option
def command(directory: Path, run: Path, tier: str | None, trusted: bool, workers: int | None, as_json: bool) -> None:
    """Run the verifiers in RUN on the hidden cases of the suite in DIRECTORY.

    May be killed at any moment: the same command goes on where it stopped. RUN is a run's folder, or one that holds
    several. With --trusted, `reference` (the canary, must be 100) and `source-checker` (upstream's own checkers) are
    written beside it as runs of their own.

    \b
    verifierbench score my-suite my-runs/heuristic --trusted
    verifierbench report my-runs
    """
    from verifierbench.board import read_configurations, report_json, run_folders
    from verifierbench.sandbox import Tier
    from verifierbench.scoring import RunFolder, score, score_trusted
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    with progress(quiet=as_json) as say:
        for place in run_folders(run):
            if RunFolder(place).run().harness is None:
                continue
            score(
                suite,
                place,
                workers=workers,
                tier=Tier(tier) if tier else None,
                progress=stage(say, f"scoring {place.name}"),
            )
        if trusted:
            score_trusted(suite, run if run_folders(run) != (run,) else run.parent)
    configurations = read_configurations([run])
    if as_json:
        print_json(report_json(configurations))
        return
    print_board(configurations)
