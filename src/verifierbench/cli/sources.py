"""`verifierbench sources [install NAME [--from PATH]]`."""

from __future__ import annotations

from pathlib import Path

import click

from ._common import json_option, print_json


@click.group("sources", invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """What there is to build from, and what each source would need.

    \b
    verifierbench sources
    verifierbench sources install bfcl
    verifierbench sources install bfcl --from ./wheels
    """
    if ctx.invoked_subcommand is not None:
        return
    import msgspec

    from verifierbench.sources import source, source_names

    statuses = [source(name).status() for name in source_names()]
    if as_json:
        print_json({"schema": 1, "sources": msgspec.to_builtins(statuses)})
        return
    for status in statuses:
        families = ", ".join(family.value for family in status.families)
        state = "ready" if status.ready else "not ready"
        click.echo(f"{status.name:10} {state:10} {status.version}  ({families}; {status.licence})")
        for more in filter(None, (status.needs, status.note)):
            click.echo(f"{'':10} {more}")


@command.command("install")
@click.argument("name")
@click.option("--from", "origin", type=click.Path(path_type=Path), help="Take it from files already on disk.")
def install(name: str, origin: Path | None) -> None:
    """Bring what a source needs, into a place of its own."""
    from verifierbench.sources import source

    source(name).install(origin)
    click.echo(f"{name}: ready ({source(name).status().version})")
