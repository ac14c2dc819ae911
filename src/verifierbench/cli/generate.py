"""`verifierbench generate DIR --harness H --model M -o RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from ._common import progress


@click.command("generate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--harness", type=click.Choice(["builtin"]), default="builtin", show_default=True, help="What runs the agent."
)
@click.option(
    "--model", required=True, help="The model; with the built-in harness: accept-all, reject-all or heuristic."
)
@click.option("-o", "--output", "run", required=True, type=click.Path(path_type=Path), help="The run's folder.")
@click.option("--name", help="What the run is called in tables; default: the model.")
@click.option("--seed", default="0", show_default=True, help="What each verifier's case order is drawn from.")
def command(directory: Path, model: str, run: Path, name: str | None, seed: str) -> None:
    """Have an agent write a verifier for every task of the suite in DIRECTORY; resumes where it stopped.

    \b
    verifierbench generate my-suite --model heuristic -o runs/heuristic
    verifierbench score my-suite runs/heuristic
    """
    from verifierbench.generation import agent, generate
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    finished: list[str] = []
    with progress() as say:

        def done(submission: object) -> None:
            finished.append(getattr(submission, "outcome", ""))
            say(f"{model} writes", len(finished), len(suite.tasks))

        generate(suite, agent(model), run, name=name, seed=seed, done=done)
    click.echo(f"{run}: {finished.count('submitted')} of {len(suite.tasks)} verifiers written")
