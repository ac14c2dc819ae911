"""`verifierbench season new|check`."""

from __future__ import annotations

from pathlib import Path

import click

from ._common import json_option, print_json

_file = click.Path(path_type=Path)


@click.group("season")
def command() -> None:
    """Make a season's secret and its commitment; check a revealed season against what was published.

    \b
    verifierbench season new 2026-autumn -o seasons
    verifierbench suite build my-suite --season seasons/2026-autumn.secret.json
    verifierbench season check seasons/2026-autumn.json seasons/2026-autumn.secret.json

    To reveal a season, publish its secret file, and its plug-in where it has one.
    """


@command.command("new")
@click.argument("name")
@click.option("-o", "--output", "directory", type=_file, required=True, help="The folder to write its files to.")
@click.option("--withhold-task", "tasks", multiple=True, metavar="ID", help="A task it leaves out; may be repeated.")
@click.option(
    "--withhold-operator",
    "operators",
    multiple=True,
    metavar="NAME",
    help="An operator it leaves out; may be repeated.",
)
@click.option("--plugin", type=_file, help="A private Python file that adds tasks or cases; it is copied.")
@json_option
def new(
    name: str,
    directory: Path,
    tasks: tuple[str, ...],
    operators: tuple[str, ...],
    plugin: Path | None,
    as_json: bool,
) -> None:
    """Draw a secret: writes NAME.secret.json, to be kept, and NAME.json, to be published before it is used."""
    from verifierbench.suite import new_season

    season, secret, public = new_season(
        directory, name, withheld_tasks=tasks, withheld_operators=operators, plugin=plugin
    )
    if as_json:
        print_json(
            {
                "schema": 1,
                "name": season.name,
                "commitment": season.commitment,
                "secret": str(secret),
                "published": str(public),
                "plugin": None if season.plugin is None else str(directory / season.plugin),
            }
        )
        return
    click.echo(f"season {season.name}, commitment {season.commitment}")
    click.echo(f"  keep    {secret}")
    if season.plugin is not None:
        click.echo(f"  keep    {directory / season.plugin}")
    click.echo(f"  publish {public}")


@command.command("check")
@click.argument("published", type=_file)
@click.argument("secret", type=_file)
@json_option
@click.pass_context
def check(context: click.Context, published: Path, secret: Path, as_json: bool) -> None:
    """Prove that a revealed season is the published one: exit 0, or one sentence and exit 1."""
    from verifierbench.suite import open_plugin, read_published, read_season, why_not

    told, season = read_published(published), read_season(secret)
    reason = why_not(told, season)
    if reason is None:
        open_plugin(season, secret.parent)
    if as_json:
        print_json(
            {
                "schema": 1,
                "ok": reason is None,
                "reason": reason,
                "name": season.name,
                "published": told.commitment,
                "commitment": season.commitment,
            }
        )
    else:
        click.echo(reason or f"season {season.name} is the one that was published: commitment {season.commitment}")
    context.exit(0 if reason is None else 1)
