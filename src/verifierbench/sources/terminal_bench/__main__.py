"""`python -m verifierbench.sources.terminal_bench [DIR] [--json]`: look at task folders of your own.

With `--exhibits` it executes instead what our own folders show, and prints the table of the documentation.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from verifierbench.core import Unavailable, UserError

from . import NEEDS, TERMINAL_BENCH
from .folder import PYTEST
from .looking import DEFECTS, Look, looks


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the same as data.")
@click.option("--exhibits", is_flag=True, help="Execute the bundled folders' exhibits and print their table.")
def main(folder: Path | None, as_json: bool, exhibits: bool) -> None:
    """Say of each task folder in FOLDER by which paths a test would count as passed that has not passed.

    Without FOLDER, look at the copies that `verifierbench sources install terminal-bench --from DIR` keeps.
    """
    try:
        click.echo(_table() if exhibits else _told(looks(folder or TERMINAL_BENCH.folders), as_json=as_json))
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)


def _table() -> str:
    from .report import every_exhibit, table

    if not TERMINAL_BENCH.status().ready:
        raise Unavailable(NEEDS)
    return table(every_exhibit(TERMINAL_BENCH.environment)).rstrip()


def _told(found: Sequence[Look], *, as_json: bool) -> str:
    if not as_json:
        return "\n".join(_lines(found))
    return msgspec.json.encode({"schema": 1, "defects": DEFECTS, "folders": found}).decode()


def _lines(found: Sequence[Look]) -> Iterator[str]:
    for look in found:
        yield f"{look.folder}: {_verdict(look)}"
        for way in look.ways:
            yield f"  {way.file}:{way.line}: {way.by}: {DEFECTS[way.defect]}"
    counts = Counter(defect for look in found for defect in {way.defect for way in look.ways})
    clean = sum(not look.ways and look.parser == PYTEST for look in found)
    told = [f"{defect} {counts[defect]}" for defect in DEFECTS if counts[defect]]
    yield f"{len(found)} folder{'s' if len(found) > 1 else ''}; {', '.join([*told, f'no such path {clean}'])}"


def _verdict(look: Look) -> str:
    if look.wrong:
        return f"cannot be looked at: {look.wrong}"
    if look.parser != PYTEST:
        return f"is read by upstream's parser {look.parser!r}, not by its parser for pytest"
    count = len(look.ways)
    return f"{count} way{'s' if count > 1 else ''}" if count else "no such path"


if __name__ == "__main__":
    main()
