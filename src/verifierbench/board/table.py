"""The board in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifierbench.core import Family

from .configurations import Configuration

WIDE = 115
"""Columns of text that the whole board needs."""

if TYPE_CHECKING:
    from rich.table import Table

    from verifierbench.measures import Figures


def table(configurations: Sequence[Configuration], width: int = WIDE) -> Table:
    """Configuration × BA_norm with its interval, TPR, TNR, FPR_h, invalid share, and BA_norm by family; in percent.

    In fewer than `WIDE` columns of text the families are left out.
    """
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    lines = (
        {"box": box.HEAVY_HEAD}
        if width >= WIDE
        else {"box": box.SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}
    )
    board = Table(
        title="VerifierBench: BA_norm = TPR + TNR − 100",
        caption=_CAPTION + _mixed(configurations),
        caption_justify="left",
        **lines,
    )
    board.add_column("configuration", no_wrap=True)
    for heading in ("tasks", "BA_norm", "95 % interval", "TPR", "TNR", "FPR_h", "invalid"):
        board.add_column(heading, justify="right", no_wrap=True)
    families = [one for one in Family if width >= WIDE and any(one in row.families for row in configurations)]
    for family in families:
        board.add_column(family.value.replace("_", "-"), justify="right")
    for one in configurations:
        by_family = [_number(one.families[family].ba_norm) if family in one.families else "–" for family in families]
        board.add_row(escape(one.run.name), *cells(one.figures), *by_family)
    return board


def _mixed(configurations: Sequence[Configuration]) -> str:
    """A warning where the rows are of different suites."""
    several = len({one.run.suite_hash for one in configurations}) > 1
    return " These runs are of DIFFERENT SUITES and must not be compared." if several else ""


def cells(figures: Figures) -> tuple[str, ...]:
    """One row's figures as they are printed everywhere."""
    interval = "–" if figures.ba_norm_ci is None else "[{:.1f}, {:.1f}]".format(*figures.ba_norm_ci)
    numbers = (figures.tpr, figures.tnr, figures.fpr_h, figures.invalid_share)
    return (str(figures.tasks), _number(figures.ba_norm), interval, *map(_number, numbers))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


_CAPTION = (
    "percent, each task weighing the same; interval: t over tasks. `reference` and `source-checker` are decided on the "
    "trusted side; `source-checker` covers only tasks whose upstream has a checker."
)
