"""`verifierbench run DIR --harness H --model M -o RUN`: generate, then score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ._asked import Asked, writing_options
from ._common import json_option, print_board, print_json, progress, stage, workers_option
from ._writing import write


@click.command("run")
@click.argument("directory", type=click.Path(path_type=Path))
@writing_options
@workers_option
@json_option
def command(directory: Path, workers: int | None, as_json: bool, **options: Any) -> None:
    """Have an agent write a verifier for every task of the suite in DIRECTORY, then score them; resumes both.

    \b
    verifierbench run my-suite --harness pi --model openai/MODEL -k 3 -o my-runs/pi
    """
    from verifierbench.board import read_configurations, report_json
    from verifierbench.scoring import score
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    places = write(suite, Asked(**options), quiet=as_json)
    with progress(quiet=as_json) as say:
        for place in places:
            score(suite, place, workers=workers, progress=stage(say, f"scoring {place.name}"))
    configurations = read_configurations(places)
    if as_json:
        print_json(report_json(configurations))
        return
    print_board(configurations)
