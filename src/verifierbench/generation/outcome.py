"""How an attempt ended, read from what the trusted side saw: the gateway's last exchange, the desk, the clock.

Never from the harness: among these programs there is one that exits 0 on every model error and one that exits 1 after
an error it recovered from. Three ends are kept apart because they mean different things: a harness that crashed is a
property of the configuration (tried again, then scored as it stands), time that ran out is the agent's (scored as it
stands), and a provider that was down is nobody's (the task is as if it had not begun).
"""

from __future__ import annotations

from collections.abc import Mapping

from verifierbench.core import Ended, UserError
from verifierbench.sandbox.cell import CellExit

from .gateway import Exchange
from .gateway.records import TIME_USED
from .runs import Outage, Stopped

__all__ = ["ending"]

_LAST: Mapping[str | None, Ended] = {
    "answered": Ended.FINISHED,
    "truncated": Ended.FINISHED,
    "budget": Ended.BUDGET,
    "overflow": Ended.OVERFLOW,
}
"""What the last exchange says of an end that nothing else explains; every other is a crash."""

_KEY_REFUSED = (401, 403)
_REFUSED = (*_KEY_REFUSED, 404)


def ending(exited: CellExit, last: Exchange | None, *, submitted: bool, answered: int = 0) -> Ended:
    """How it ended; raises `Outage`, `Stopped`, and `UserError` where the provider refuses the key or the model.

    `answered` is how many requests the model answered: once it has, what is refused may be the request's own fault.
    """
    if submitted:
        return Ended.SUBMITTED
    if exited.ended == "stopped":
        raise Stopped
    if last is not None and last.ended == "outage":
        raise Outage(f"the provider gave no answer ({_problem(last)})")
    if last is not None and last.ended == "rejected":
        _raise_refused(last, answered)
    if last is not None and (last.refusal or "").startswith("replay:"):
        raise UserError(f"the record does not fit this run ({last.refusal})")
    if exited.ended == "timeout" or (last is not None and last.refusal == TIME_USED):
        return Ended.TIME
    return _LAST.get(last.ended if last else None, Ended.CRASHED)


def _raise_refused(last: Exchange, answered: int) -> None:
    if last.status in _REFUSED and not answered:
        raise UserError(f"the provider refuses the key or the model ({_problem(last)})")
    if last.status in _KEY_REFUSED:
        raise Outage(f"the provider no longer takes the key, or refuses a request for it ({_problem(last)})")


def _problem(exchange: Exchange) -> str:
    """What the provider said last."""
    problems = [attempt.problem for attempt in exchange.attempts if attempt.problem]
    return problems[-1] if problems else exchange.refusal or "no reason"
