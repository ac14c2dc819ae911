"""`verifierbench doctor`."""

from __future__ import annotations

from typing import Any

import click

from ._common import json_option, print_json


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """What this machine can and cannot do: sandbox tiers, by self-test of real attacks, and sources."""
    import msgspec

    from verifierbench.sandbox import probe
    from verifierbench.sources import source, source_names

    found = probe()
    tiers = _tiers()
    statuses = [source(name).status() for name in source_names()]
    if as_json:
        built = {"machine": msgspec.to_builtins(found), "tiers": tiers, "sources": msgspec.to_builtins(statuses)}
        print_json({"schema": 1, **built})
        return
    click.echo(f"kernel {found.kernel}, {found.arch}, Python {found.python}")
    for tier, obstacle in tiers.items():
        click.echo(f"{tier:12} {'self-test passed' if obstacle is None else obstacle}")
    for name, remark in found.remarks.items():
        click.echo(f"{name:12} not here: {remark}")
    for status in statuses:
        ready = f"ready, {status.note}" if status.note else "ready"
        click.echo(f"{status.name:12} {ready if status.ready else status.needs}")


def _tiers() -> dict[str, Any]:
    """Tier → None where its self-test passed, else why it cannot be used."""
    from verifierbench.core import Unavailable
    from verifierbench.sandbox import Tier, choose_tier

    found: dict[str, str | None] = {}
    for tier in Tier:
        try:
            choose_tier(tier)
            found[tier.value] = None
        except Unavailable as obstacle:
            found[tier.value] = str(obstacle)
    return found
