"""`verifierbench harness`: programs that drive a model."""

from __future__ import annotations

import click

from ._common import json_option, print_json


@click.group("harness", invoke_without_command=True)
@click.pass_context
@json_option
def command(context: click.Context, as_json: bool) -> None:
    """Which programs drive a model here, and what each would need.

    \b
    verifierbench harness
    verifierbench harness install pi codex
    verifierbench generate my-suite --harness pi --model openai/MODEL -o my-runs/pi
    """
    if context.invoked_subcommand is None:
        _tell(as_json)


@command.command("install")
@click.argument("names", nargs=-1, required=True)
def install_(names: tuple[str, ...]) -> None:
    """Bring harnesses by NAME, or `all` of them, from the npm registry; Node.js comes from the Python package index."""
    from verifierbench.generation import harness, harness_names
    from verifierbench.generation.harnesses.install import install

    for name in harness_names() if names == ("all",) else names:
        install(harness(name), lambda step: click.echo(f"bringing {step}", err=True))
        click.echo(f"{name}: ready")


@command.command("doctor")
@json_option
def doctor(as_json: bool) -> None:
    """What is missing for each harness, and how to get it."""
    _tell(as_json)


def _tell(as_json: bool) -> None:
    import msgspec

    from verifierbench.generation import harness, harness_names
    from verifierbench.generation.harnesses.install import status

    found = [(harness(name), status(harness(name))) for name in harness_names()]
    if as_json:
        rows = [{**msgspec.to_builtins(state), "dialects": list(one.dialects)} for one, state in found]
        print_json({"harnesses": rows})
        return
    for one, state in found:
        speaks = ", ".join(one.dialects)
        click.echo(f"{state.name} {state.version} ({speaks}): " + (state.needs or f"ready, {state.megabytes:,.0f} MB"))
