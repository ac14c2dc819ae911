"""`verifierbench self-audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import DEMO, cores, json_option, print_json, progress, stage, workers_option

if TYPE_CHECKING:
    from verifierbench.suite import Suite


@click.command("self-audit")
@click.argument("directory", type=click.Path(path_type=Path), default=DEMO / "suite")
@click.option("--check", "names", multiple=True, help="Try this check alone; may be repeated.")
@click.option(
    "--page", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Write the tables into this page."
)
@workers_option
@json_option
def command(directory: Path, names: tuple[str, ...], page: Path | None, workers: int | None, as_json: bool) -> None:
    """Put the audit itself on trial, on a suite that holds the bundled tasks and BFCL's.

    Defects are planted in sound tasks, and sound changes that look odd: how many does each check name, and about how
    many does it raise a false alarm? Then BFCL's own checker is put in the reference's place: which of its known
    defects does the audit find?

    \b
    verifierbench self-audit my-suite
    verifierbench self-audit my-suite --check mutation
    """
    from verifierbench.audit.checks import NAMES, checks
    from verifierbench.audit.formats import trial
    from verifierbench.audit.trial import trials
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    chosen = tuple(check.name for check in checks(names or NAMES))
    with progress(quiet=as_json) as say:
        tried = trials(suite, chosen, workers=workers or cores(), said=stage(say, "planting"))
        recalled = None if names else _recall(suite)
    if page is not None:
        _write(page, trial.markdown(tried, recalled))
    if as_json:
        print_json(trial.document(tried, recalled, suite.hash))
        return
    click.echo(trial.markdown(tried, recalled))
    for line in trial.wrong(tried):
        click.echo(line)


def _recall(suite: Suite) -> dict[str, Any] | None:
    """None where the suite has nothing of BFCL's."""
    from verifierbench.audit.recall import SOURCE, recall
    from verifierbench.scoring import PublicEnvironments

    if not any(task.source == SOURCE for task in suite.tasks):
        return None
    with PublicEnvironments(suite.evidence) as environments:
        return recall(suite, environments)


def _write(page: Path, tables: str) -> None:
    from verifierbench.audit.formats.trial import BEGIN, END
    from verifierbench.core import MalformedInput
    from verifierbench.core.files import write_atomically

    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise MalformedInput(page, "", f"nothing stands between {BEGIN} and {END}")
    write_atomically(page, f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}".encode())
