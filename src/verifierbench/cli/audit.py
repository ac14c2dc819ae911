"""`verifierbench audit DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._common import cores, json_option, progress, workers_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verifierbench.audit.report import Finding, Report


@click.command("audit")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--check", "names", multiple=True, help="Run this check alone; may be repeated. `explain-check` lists them."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "sarif", "junit"]),
    default="text",
    show_default=True,
    help="How to tell it.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write there instead of to standard output. HTML is always a file, by default audit.html beside the papers.",
)
@click.option("--exclude", is_flag=True, help="Move tasks with flaws out of the suite, each with its reason.")
@click.option("--freeze", is_flag=True, help="Of your own files, once no flaw is found: records.jsonl.")
@click.option("--reproduce", metavar="ID", help="Write the script that shows one flaw, and nothing else.")
@workers_option
@json_option
def command(
    directory: Path,
    names: tuple[str, ...],
    form: str,
    output: Path | None,
    exclude: bool,
    freeze: bool,
    reproduce: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Is the suite in DIRECTORY itself right? Nine checks of its tasks, cases and references.

    Every task is retained, or has flaws; each flaw has a reason, evidence, and a script that shows it. The findings
    hold hidden cases, so they are kept beside them (DIRECTORY/hidden/audit.json, or
    DIRECTORY/.audit/ for a suite of your own files), and a report should not be published.

    \b
    verifierbench audit my-suite
    verifierbench audit my-suite --check replay --check mutation
    verifierbench audit my-suite --format html
    verifierbench audit my-suite --format sarif -o audit.sarif
    verifierbench audit my-suite --reproduce ID -o flaw.py

    \b
    Exit codes: 0 no flaw (with --exclude: in what remains), or the script is written;
    1 flaws were found; 2 a mistake in what was asked.
    """
    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json and --format {form} ask for two things; leave one out")
    if exclude and reproduce is not None:
        raise click.UsageError("--reproduce changes nothing; leave out --exclude")
    if reproduce is not None:
        _reproduce(directory, names, reproduce, output, workers)
        return
    report = _audit(directory, names, workers, quiet=as_json)
    if exclude:
        report = _exclude(directory, report, workers, quiet=as_json)
    _write(report, "json" if as_json else form, output)
    if not report.ok:
        raise click.exceptions.Exit(1)
    if freeze:
        _freeze(directory)


def _audit(directory: Path, names: tuple[str, ...], workers: int | None, *, quiet: bool = False) -> Report:
    from verifierbench.audit.checks import NAMES
    from verifierbench.audit.run import audit

    with progress(quiet=quiet) as say:
        return audit(directory, names or NAMES, workers=workers or cores(), progress=say)


def _exclude(directory: Path, report: Report, workers: int | None, *, quiet: bool) -> Report:
    from verifierbench.audit.run import exclude

    with progress(quiet=quiet) as say:
        return exclude(directory, report, workers=workers or cores(), progress=say)


def _freeze(directory: Path) -> None:
    from verifierbench.audit import bring
    from verifierbench.core import UserError

    if not bring.is_own(directory):
        raise UserError(f"{directory} was built, so its decisions are recorded; `suite lock` freezes it")
    click.echo(f"{directory / 'records.jsonl'}: {bring.freeze(directory)} decisions", err=True)


def _write(report: Report, form: str, output: Path | None) -> None:
    from verifierbench.audit.formats import render, to_bytes
    from verifierbench.core.files import write_atomically

    if form == "html" and output is None:
        output = report.suite.papers / "audit.html"
    if output is None:
        _print(report, form)
        return
    write_atomically(output, to_bytes(render(report, form)))
    from verifierbench.audit.formats.text import verdict

    click.echo(verdict(report), err=True)
    click.echo(f"{output}: holds hidden cases, do not publish it", err=True)


def _print(report: Report, form: str) -> None:
    from rich.console import Console

    from verifierbench.audit.formats import render
    from verifierbench.audit.formats.terminal import show

    console = Console()
    if form == "text" and console.is_terminal:
        show(report, console)
        return
    click.echo(render(report, form), nl=False)


def _reproduce(directory: Path, names: tuple[str, ...], name: str, output: Path | None, workers: int | None) -> None:
    from verifierbench.audit.formats import to_bytes
    from verifierbench.core import UnknownName, UserError
    from verifierbench.core.files import write_atomically

    findings = _findings(directory, names, workers)
    if name not in findings:
        raise UnknownName("flaw", name, tuple(findings))
    script = findings[name].reproduction
    if not script:
        raise UserError(f"{name} has no script of its own: {findings[name].says}")
    if output is None:
        click.echo(script, nl=False)
        return
    write_atomically(output, to_bytes(script))
    click.echo(f"{output}: exits 1 while the flaw stands", err=True)


def _findings(directory: Path, names: tuple[str, ...], workers: int | None) -> Mapping[str, Finding]:
    """From the whole audit that lies beside this very suite, else, or where checks are named, from a new one."""
    from verifierbench.audit.formats.document import stored_findings
    from verifierbench.audit.run import open_desk

    facts = open_desk(directory).facts
    stored = None if names else stored_findings(facts.papers, facts.hash)
    if stored is not None and not names:
        return stored
    return {finding.id: finding for finding in _audit(directory, names, workers).findings}
