"""`verifierbench explain-check [NAME]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ._common import json_option, print_json

if TYPE_CHECKING:
    from verifierbench.audit import Check


@click.command("explain-check")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """What a check of the audit asks, what a flaw means and how to mend it; without NAME, list the checks.

    \b
    verifierbench explain-check
    verifierbench explain-check replay
    """
    from verifierbench.audit.checks import NAMES, check

    found = [check(one) for one in ((name,) if name else NAMES)]
    if as_json:
        print_json({"schema": 1, "checks": [_built(one) for one in found]})
    elif name:
        _tell(found[0])
    else:
        for one in found:
            click.echo(f"{one.name:14} {one.question}")


def _built(one: Check) -> dict[str, Any]:
    return {"name": one.name, "question": one.question, "prose": one.prose.strip(), "reasons": one.reasons}


def _tell(one: Check) -> None:
    click.echo(f"{one.name}: {one.question}\n\n{one.prose.strip()}\n\nreasons it may give:")
    for reason, meaning in one.reasons.items():
        click.echo(f"  {one.name}.{reason}: {meaning}")
