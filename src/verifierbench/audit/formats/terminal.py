"""The report in a terminal: the verdict, a line per check, what became of the candidates, then the flaws by task."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..report import CheckSummary, Finding, Report
from .document import counts
from .text import by_task, count, kinds, verdict, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

SHOWN = 20
"""Flaws that are told in full; a file holds them all."""

_WIDE = 115


def render(report: Report) -> str:
    """Plain text, for a file or a pipe."""
    from rich.console import Console

    out = io.StringIO()
    show(report, Console(file=out, width=_WIDE, color_system=None, force_terminal=False))
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def show(report: Report, console: Console) -> None:
    """Print it."""
    for part in _parts(report):
        console.print(part, soft_wrap=False)


def _parts(report: Report) -> Iterator[RenderableType]:
    from rich.text import Text

    style = "bold green" if report.ok and report.exercised else "bold red" if not report.ok else "bold yellow"
    yield Text(verdict(report), style=style)
    yield _checks(report)
    for line in _counts(report):
        yield Text(line)
    yield from _flaws(report)


def _checks(report: Report) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    table.add_column("check", no_wrap=True)
    table.add_column("held", justify="right", no_wrap=True)
    table.add_column("flaws", justify="right", no_wrap=True)
    table.add_column("question", overflow="fold")
    for check in report.checks:
        mark, style = _mark(check)
        held, flaws = f"{check.passed:,}", f"{len(check.findings):,}"
        table.add_row(Text(mark, style=style), check.name, held, Text(flaws, style=style), check.question)
    return table


def _mark(check: CheckSummary) -> tuple[str, str]:
    if not check.ok:
        return "✗", "red"
    return ("✓", "green") if check.exercised else ("–", "yellow")


def _counts(report: Report) -> Iterator[str]:
    found = counts(report)
    for kind in kinds(report):
        where = f"in {count(kind.tasks, 'task')}" if kind.tasks else "of the suite as a whole"
        yield f"{count(kind.flaws, 'flaw')} {where}: {kind.rule}, {kind.meaning}"
    yield f"tasks: {found['candidates']:,} candidates, {found['retained']:,} retained"
    for reason, number in found["excluded"].items():
        yield f"  excluded, {visible(reason)}: {number:,}"
    mutants = report.mutants
    if mutants.total:
        yield (
            f"mutants: {mutants.total:,}, {mutants.killed:,} killed, {mutants.equivalent:,} equivalent, "
            f"{mutants.survived:,} survived; {mutants.configurations_per_task:.1f} per task"
        )
    for source, one in report.source_agreement.items():
        score = "–" if one.ba_norm is None else f"{one.ba_norm:.1f}"
        yield (
            f"{visible(source)}'s own checker: agrees on {one.agree:,} of {one.cases:,} cases, {one.explained:,} "
            f"differences explained, {one.unexplained:,} not; BA_norm {score}"
        )


def _flaws(report: Report) -> Iterator[RenderableType]:
    from rich.text import Text

    left = SHOWN
    for task, findings in by_task(report).items():
        if left > 0:
            yield Text(f"\n{visible(task) or 'the suite as a whole'}", style="bold")
        for finding in findings[: max(left, 0)]:
            yield from _flaw(finding)
        left -= len(findings)
    if left < 0:
        yield Text(f"\nand {count(-left, 'more flaw')}: --format html", style="bold")
    if not report.ok:
        shown = next((one.id for one in report.findings if one.reproduction), "ID")
        yield Text(f"\n--reproduce {shown} writes a script that shows it; explain-check NAME says how to mend.")


def _flaw(finding: Finding) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    line = Text("  ✗ ", style="red")
    line.append(f"{finding.rule}  ", style="bold default")
    line.append(finding.id, style="dim default")
    yield line
    yield Padding(Text(visible(finding.says)), (0, 0, 0, 4))
