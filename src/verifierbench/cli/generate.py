"""`verifierbench generate DIR --harness H --model M -o RUN`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ._asked import Asked, writing_options
from ._writing import write


@click.command("generate")
@click.argument("directory", type=click.Path(path_type=Path))
@writing_options
def command(directory: Path, **options: Any) -> None:
    """Have an agent write a verifier for every task of the suite in DIRECTORY; resumes where it stopped.

    \b
    verifierbench generate my-suite --model heuristic -o my-runs/heuristic
    verifierbench generate my-suite --harness files --model my-verifiers -o my-runs/mine
    verifierbench generate my-suite --harness pi --model openai/MODEL -k 3 -o my-runs/pi
    """
    from verifierbench.suite import Suite

    write(Suite.load(directory), Asked(**options))
