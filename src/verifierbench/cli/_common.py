"""What several verbs share: options, output, progress."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

if TYPE_CHECKING:
    from verifierbench.board import Configuration

DEMO = Path("verifierbench-demo")
"""Where `demo` writes, and where verbs look for a suite when none is named."""


class Say(Protocol):
    """Hears how far a stage is."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """A total of 0 means it is not known; a note says more, for as long as it holds."""


_QUIET_SECONDS = 30.0
"""How long progress in lines says nothing."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, and nothing else, on standard output.")
workers_option = click.option(
    "--workers", type=click.IntRange(1, 512), default=None, help="Processes to use; default: this machine's cores."
)
suite_option = click.option(
    "--suite",
    "suite_path",
    type=click.Path(path_type=Path),
    default=DEMO / "suite",
    show_default=True,
    help="The suite's folder.",
)


def stage(say: Say, name: str) -> Callable[[int, int, str], None]:
    """Progress of one stage, in the form executors report it."""
    return lambda done, total, _note: say(name, done, total)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def printable(text: str) -> str:
    """Text a verifier printed, without what could steer the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def print_json(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False))


def print_board(configurations: Sequence[Configuration]) -> None:
    """Print the board, whole where it goes to a file, without the families where a terminal is narrow."""
    from rich.console import Console

    from verifierbench.board import WIDE, table

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)
    console.print(table(configurations, console.width))


@contextmanager
def progress(quiet: bool = False) -> Iterator[Say]:
    """Progress on standard error: bars in a terminal, lines elsewhere, nothing when quiet."""
    if quiet:
        yield _silent
        return
    from rich.console import Console

    if not Console(stderr=True).is_terminal:
        yield _in_lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as display:
        bars: dict[str, Any] = {}

        def say(stage: str, done: int, total: int, note: str = "") -> None:
            if stage not in bars:
                bars[stage] = display.add_task(stage, total=total or None)
            display.update(bars[stage], completed=done, total=total or None, description=stage + note)

        yield say


def _silent(stage: str, done: int, total: int, note: str = "") -> None:
    """Say nothing."""


def _in_lines() -> Say:
    """Say a stage's end, and in between where it is, now and then."""
    said = time.monotonic()

    def say(stage: str, done: int, total: int, note: str = "") -> None:
        nonlocal said
        if total and done == total:
            click.echo(f"{stage}: {total}{note}", err=True)
        elif time.monotonic() - said > _QUIET_SECONDS:
            click.echo((f"{stage}: {done} of {total}" if total else f"{stage}: {done}") + note, err=True)
        else:
            return
        said = time.monotonic()

    return say
