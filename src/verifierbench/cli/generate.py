"""`verifierbench generate DIR --harness H --model M -o RUN`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._common import progress

if TYPE_CHECKING:
    from verifierbench.core import Submission


@click.command("generate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--harness",
    type=click.Choice(["builtin", "files"]),
    default="builtin",
    show_default=True,
    help="What runs the agent: a built-in one, or a folder of verifiers you wrote.",
)
@click.option(
    "--model",
    required=True,
    help="builtin: accept-all, reject-all or heuristic. files: the folder, with <alias>.py or <family>.py in it.",
)
@click.option("-o", "--output", "run", required=True, type=click.Path(path_type=Path), help="The run's folder.")
@click.option("--name", help="What the run is called in tables; default: the model.")
@click.option("--seed", default="0", show_default=True, help="What each verifier's case order is drawn from.")
def command(directory: Path, harness: str, model: str, run: Path, name: str | None, seed: str) -> None:
    """Have an agent write a verifier for every task of the suite in DIRECTORY; resumes where it stopped.

    \b
    verifierbench generate my-suite --model heuristic -o my-runs/heuristic
    verifierbench generate my-suite --harness files --model my-verifiers -o my-runs/mine
    """
    from verifierbench.generation import Handwritten, agent, generate
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    writer = Handwritten(Path(model)) if harness == "files" else agent(model)
    outcomes: list[str] = []
    with progress() as say:

        def done(submission: Submission) -> None:
            outcomes.append(submission.outcome)
            say(f"{writer.name} writes", len(outcomes), len(suite.tasks))

        generate(suite, writer, run, name=name, seed=seed, done=done)
    click.echo(f"{run}: {outcomes.count('submitted')} of {len(suite.tasks)} verifiers written")
