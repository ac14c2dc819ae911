"""How an attempt ended: every row of the table, what is raised instead, and what takes precedence."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from verifierbench.core import Ended, InfrastructureError, UserError
from verifierbench.generation.gateway import Attempt, Ending, Exchange
from verifierbench.generation.gateway.records import TIME_USED
from verifierbench.generation.outcome import ending
from verifierbench.generation.runs import Outage, Stopped
from verifierbench.sandbox.cell import CellExit


def exited(ended: Any = "exit", status: int | None = 0) -> CellExit:
    return CellExit(ended=ended, status=status, seconds=1.0)


def last(ended: Ending, **more: Any) -> Exchange:
    about: dict[str, Any] = {"started": "2026-01-01T00:00:00+00:00", "seconds": 0.1, "dialect": "chat", "path": "p"}
    return Exchange(n=7, streaming=False, request={}, ended=ended, **about, **more)


BY_ITSELF: dict[Ending | None, Ended] = {
    "answered": Ended.FINISHED,
    "truncated": Ended.FINISHED,
    "budget": Ended.BUDGET,
    "overflow": Ended.OVERFLOW,
    "tools": Ended.CRASHED,
    "refused": Ended.CRASHED,
    "rejected": Ended.CRASHED,
    "abandoned": Ended.CRASHED,
    None: Ended.CRASHED,
}
"""What a last exchange says where the harness was gone of itself."""


def test_the_table_knows_every_ending() -> None:
    assert {*get_args(Ending), None} == {*BY_ITSELF, "outage"}


@pytest.mark.parametrize("status", [0, 1, 127, None])
@pytest.mark.parametrize("ending_", BY_ITSELF)
def test_an_end_by_itself_is_told_by_the_last_exchange_and_never_by_the_exit_status(
    ending_: Ending | None, status: int | None
) -> None:
    how = exited("exit" if status is not None else "signal", status)
    assert ending(how, last(ending_) if ending_ else None, submitted=False) is BY_ITSELF[ending_]


@pytest.mark.parametrize("ending_", [*BY_ITSELF, "outage"])
@pytest.mark.parametrize("how", ["exit", "signal", "timeout", "stopped"])
def test_what_was_handed_in_was_handed_in(how: str, ending_: Ending | None) -> None:
    assert ending(exited(how), last(ending_) if ending_ else None, submitted=True) is Ended.SUBMITTED


@pytest.mark.parametrize("ending_", BY_ITSELF)
def test_time_that_ran_out_is_the_agents(ending_: Ending | None) -> None:
    assert ending(exited("timeout", None), last(ending_) if ending_ else None, submitted=False) is Ended.TIME


def test_a_harness_that_ends_because_the_gateways_clock_was_first_ran_out_of_time_too() -> None:
    assert ending(exited(), last("budget", refusal=TIME_USED), submitted=False) is Ended.TIME
    assert ending(exited(), last("budget", refusal="This run's budget of 2 USD is used up."), submitted=False) is (
        Ended.BUDGET
    )


@pytest.mark.parametrize("how", ["exit", "signal", "timeout"])
def test_an_outage_is_nobodys_verdict(how: str) -> None:
    attempts = (Attempt(status=503, seconds=1.0, problem="503: busy"), Attempt(status=500, seconds=1, problem="500: x"))
    with pytest.raises(Outage, match="500: x"):
        ending(exited(how), last("outage", attempts=attempts), submitted=False)
    assert issubclass(Outage, InfrastructureError)


@pytest.mark.parametrize("ending_", [*BY_ITSELF, "outage"])
def test_an_attempt_that_was_stopped_says_nothing(ending_: Ending | None) -> None:
    with pytest.raises(Stopped):
        ending(exited("stopped", None), last(ending_) if ending_ else None, submitted=False)


@pytest.mark.parametrize(("status", "answered"), [(401, 0), (403, 0), (404, 0)])
def test_a_key_or_a_model_that_is_refused_is_the_users_to_mend(status: int, answered: int) -> None:
    told = last("rejected", status=status, attempts=(Attempt(status=status, seconds=0.1, problem="no such key"),))
    with pytest.raises(UserError, match=r"refuses the key or the model \(no such key\)") as raised:
        ending(exited(), told, submitted=False, answered=answered)
    assert not isinstance(raised.value, InfrastructureError)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_after_answers_leaves_the_task_open_and_does_not_end_the_run(status: int) -> None:
    with pytest.raises(Outage, match="no longer takes the key"):
        ending(exited(), last("rejected", status=status), submitted=False, answered=5)


def test_a_replay_of_another_run_is_a_mistake_and_no_crash() -> None:
    with pytest.raises(UserError, match=r"does not fit this run \(replay: request 1 is not the recorded one\)"):
        ending(exited(), last("refused", refusal="replay: request 1 is not the recorded one"), submitted=False)


@pytest.mark.parametrize(("status", "answered"), [(400, 0), (404, 3), (422, 0)])
def test_any_other_request_that_is_refused_is_the_harnesss(status: int, answered: int) -> None:
    assert ending(exited(), last("rejected", status=status), submitted=False, answered=answered) is Ended.CRASHED
