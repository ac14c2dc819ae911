"""`verifierbench self-audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import DEMO, cores, json_option, print_json, progress, stage, workers_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifierbench.audit.trial import Share, Trial


@click.command("self-audit")
@click.argument("directory", type=click.Path(path_type=Path), default=DEMO / "suite")
@click.option("--check", "names", multiple=True, help="Try this check alone; may be repeated.")
@workers_option
@json_option
def command(directory: Path, names: tuple[str, ...], workers: int | None, as_json: bool) -> None:
    """Put the audit itself on trial, on the suite in DIRECTORY (handmade and bfcl).

    Defects are planted in sound tasks, and sound changes that look odd: how many does each check name, and about how
    many does it raise a false alarm? Then the upstream checker is put in the reference's place: which of its known
    defects does the audit find?
    """
    from verifierbench.audit.checks import NAMES, checks
    from verifierbench.audit.trial import trials
    from verifierbench.suite import Suite

    suite = Suite.load(directory)
    chosen = tuple(check.name for check in checks(names or NAMES))
    with progress(quiet=as_json) as say:
        tried = trials(suite, chosen, workers=workers or cores(), said=stage(say, "planting"))
    if as_json:
        print_json({"schema": 1, "suite": suite.hash, "checks": {one.check: _document(one) for one in tried}})
        return
    click.echo(_table(tried))


def _table(tried: Sequence[Trial]) -> str:
    lines = ["| check | defects named | 95 % interval | false alarms | 95 % interval |", "|---|---|---|---|---|"]
    for one in tried:
        caught, alarms = one.sensitivity, one.false_alarms
        lines.append(
            f"| {one.check} | {caught.count} of {caught.of} | {_interval(caught)} "
            f"| {alarms.count} of {alarms.of} ({one.odd} odd) | {_interval(alarms)} |"
        )
    wrong = [f"{each.name}: {each.says}" for one in tried for each in one.tried if not each.right]
    return "\n".join([*lines, "", *wrong] if wrong else lines)


def _interval(share: Share) -> str:
    bounds = share.interval
    return "–" if bounds is None else f"{bounds[0]:.1f} to {bounds[1]:.1f} %"


def _document(trial: Trial) -> dict[str, Any]:
    import msgspec

    shares = {"sensitivity": trial.sensitivity, "false_alarms": trial.false_alarms}
    return {
        **{
            name: {"count": one.count, "of": one.of, "percent": one.percent, "ci": one.interval}
            for name, one in shares.items()
        },
        "odd_controls": trial.odd,
        "wrong": [msgspec.to_builtins(one) for one in trial.tried if not one.right],
    }
