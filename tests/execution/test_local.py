"""Real worker processes that finish, fail, die and hang."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from verifierbench.core import Inconsistent, InfrastructureError, Unavailable, UserError
from verifierbench.execution import Job, Ledger, LocalExecutor, Unit


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids: list[int], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(alive, pids))


def pids(side: Path) -> list[int]:
    with closing(sqlite3.connect(side, timeout=60)) as table:
        return [pid for (pid,) in table.execute("SELECT DISTINCT pid FROM started")]


def values(path: Path, units: list[Unit]) -> list[int]:
    with Ledger(path) as ledger:
        found = ledger.results([unit.key for unit in units])
    return [int(found[unit.key]) for unit in units]


def test_every_unit_once_on_both_workers(tmp_path, job, units, side, started):
    heard = []
    LocalExecutor(2).run(job(seconds=0.01), units(60), tmp_path / "l.sqlite", lambda *report: heard.append(report))
    assert values(tmp_path / "l.sqlite", units(60)) == [2 * n for n in range(60)]
    assert set(started().values()) == {1}
    assert len(pids(side)) == 2
    assert [done for done, _, _ in heard] == list(range(61))
    assert all(total == 60 for _, total, _ in heard)
    assert gone(pids(side))
    assert len(list(tmp_path.glob("side.sqlite.closed.*"))) == 2  # both were given the time to close


def test_a_finished_run_starts_no_worker(tmp_path, job, units, started):
    LocalExecutor(1).run(job(), units(3), tmp_path / "l.sqlite")
    heard = []
    broken = Job(entry="no.such:module", settings={})
    LocalExecutor(1).run(broken, units(3), tmp_path / "l.sqlite", lambda *report: heard.append(report))
    assert heard == [(3, 3, "3 finished earlier")]
    assert set(started().values()) == {1}


def test_equal_keys_are_one_unit(tmp_path, job, units, started):
    LocalExecutor(2).run(job(), units(3) * 4, tmp_path / "l.sqlite")
    assert started() == {"0": 1, "1": 1, "2": 1}


@pytest.mark.parametrize("what", ["die", "break"])
def test_trouble_that_passes_is_retried(tmp_path, job, units, started, what):
    trouble = {"5": {"what": what, "until": 2}}
    heard = []
    LocalExecutor(1).run(
        job(trouble=trouble), units(20), tmp_path / "l.sqlite", lambda *report: heard.append(report[2])
    )
    assert values(tmp_path / "l.sqlite", units(20))[5] == 10
    assert started()["5"] == 3
    assert all(count == 1 for key, count in started().items() if key != "5")  # the others were never charged
    words = {"die": "signal 9", "break": "process went away"}[what]
    assert sum(words in note for note in heard) == 2


@pytest.mark.parametrize("what", ["die", "break"])
def test_trouble_that_stays_is_our_error_and_never_a_result(tmp_path, job, units, started, what):
    trouble = {"5": {"what": what, "until": None}}
    with pytest.raises(InfrastructureError, match=r"1 units of work failed 3 times by our fault.*The first, k5"):
        LocalExecutor(2).run(job(trouble=trouble), units(20), tmp_path / "l.sqlite")
    assert started()["5"] == 3
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert ledger.result("k5") is None
        assert len(ledger) == 19  # all others were done
    LocalExecutor(2).run(job(), units(20), tmp_path / "l.sqlite")
    assert values(tmp_path / "l.sqlite", units(20))[5] == 10
    assert started()["5"] == 4


def test_a_machine_at_fault_stops_the_run_early(tmp_path, job, units, started):
    trouble = {str(n): {"what": "break", "until": None} for n in range(40)}
    with pytest.raises(InfrastructureError, match=r"10 units of work in a row.*process went away"):
        LocalExecutor(2).run(job(trouble=trouble), units(40), tmp_path / "l.sqlite")
    assert sum(started().values()) < 15


def test_a_hung_worker_is_replaced(tmp_path, job, units, started):
    trouble = {"1": {"what": "hang", "until": 1}}
    LocalExecutor(1, stall_seconds=1.0).run(job(trouble=trouble), units(3), tmp_path / "l.sqlite")
    assert started() == {"0": 1, "1": 2, "2": 1}


def test_workers_that_never_get_ready_stop_the_run(tmp_path, units, side):
    job = Job(entry="execution_workers:never_ready", settings=None)
    with pytest.raises(InfrastructureError, match="before they are ready: the worker ended by signal 9"):
        LocalExecutor(1).run(job, units(3), tmp_path / "l.sqlite")


def test_what_the_user_can_mend_stops_the_run_with_its_sentence(tmp_path, job, units, started):
    trouble = {"1": {"what": "lack", "until": None}}
    with pytest.raises(Unavailable, match=r"^the frobnicator is missing; install it with `make frobnicator`$"):
        LocalExecutor(1).run(job(trouble=trouble), units(3), tmp_path / "l.sqlite")
    assert started()["1"] == 1


def test_a_bug_stops_the_run_with_its_traceback(tmp_path, job, units, started):
    trouble = {"1": {"what": "bug", "until": None}}
    with pytest.raises(Inconsistent, match=r"(?s)Traceback.*execution_workers\.py.*ZeroDivisionError: a defect"):
        LocalExecutor(1).run(job(trouble=trouble), units(3), tmp_path / "l.sqlite")
    assert started()["1"] == 1


def test_no_workers_is_the_users_mistake():
    with pytest.raises(UserError, match="0 workers"):
        LocalExecutor(0)


def test_what_a_dead_worker_leaves_behind_is_ended(tmp_path, job, units, monkeypatch):
    monkeypatch.setenv("CHILD_PID_FILE", str(tmp_path / "child"))
    trouble = {"0": {"what": "die_with_child", "until": 1}}
    LocalExecutor(1).run(job(trouble=trouble), units(1), tmp_path / "l.sqlite")
    assert gone([int((tmp_path / "child").read_text())])


RUN = """
import sys, json
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from verifierbench.execution import Job, LocalExecutor, Unit
job = Job(entry="execution_workers:Doubler", settings={"side": sys.argv[2], "seconds": float(sys.argv[4])})
units = [Unit(key=f"k{n}", payload={"n": n}) for n in range(90)]
LocalExecutor(2).run(job, units, Path(sys.argv[3]))
"""


def command(tmp_path: Path, seconds: float) -> list[str]:
    workers = str(Path(__file__).parent / "workers")
    ledger = str(tmp_path / "l.sqlite")
    return [sys.executable, "-c", RUN, workers, str(tmp_path / "side.sqlite"), ledger, str(seconds)]


def progressed(path: Path, more_than: int) -> int:
    """Wait until the ledger has grown; how many results it holds."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if path.exists():
            with Ledger(path) as ledger:
                if len(ledger) > more_than:
                    return len(ledger)
        time.sleep(0.01)
    raise AssertionError("the run makes no progress")


@pytest.mark.parametrize("whom", ["supervisor", "everyone"])
def test_kill_9_at_random_moments_loses_nothing_and_repeats_nothing(tmp_path, side, units, started, whom):
    rng = random.Random(whom)
    path, keys = tmp_path / "l.sqlite", [unit.key for unit in units(90)]
    reached, settled = 0, {}
    for _ in range(3):
        run = subprocess.Popen(command(tmp_path, 0.02))
        reached = progressed(path, reached)
        time.sleep(rng.uniform(0, 0.15))
        victims = [run.pid, *(pid for pid in pids(side) if alive(pid))] if whom == "everyone" else [run.pid]
        rng.shuffle(victims)
        for victim in victims:
            with suppress(ProcessLookupError):  # a worker whose supervisor went first is gone already
                os.kill(victim, signal.SIGKILL)
        run.wait()
        assert gone(pids(side)), "workers outlive the command that started them"
        with Ledger(path) as ledger:
            finished = ledger.finished(keys)
        counts = started()
        assert settled.items() <= counts.items(), "a unit that was finished was computed again"
        assert settled.keys() <= {key.removeprefix("k") for key in finished}, "a finished unit was lost"
        settled = {key.removeprefix("k"): counts[key.removeprefix("k")] for key in finished}
    assert subprocess.run(command(tmp_path, 0), check=False).returncode == 0
    assert values(path, units(90)) == [2 * n for n in range(90)]
    assert settled.items() <= started().items()
    assert len(settled) < 90, "the run was over before it was killed: nothing was tested"


def test_interrupt_ends_all_workers_and_keeps_what_is_finished(tmp_path, side, units):
    run = subprocess.Popen(command(tmp_path, 0.05), stderr=subprocess.PIPE, text=True)
    reached = progressed(tmp_path / "l.sqlite", 3)
    run.send_signal(signal.SIGINT)
    _, stderr = run.communicate(timeout=20)
    assert run.returncode == -signal.SIGINT
    assert stderr.count("Traceback") == 1  # the interpreter's own; no worker adds one
    assert gone(pids(side), 0.5)
    assert len(list(tmp_path.glob("side.sqlite.closed.*"))) == 2  # workers closed what they had open
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert reached <= len(ledger) < 90
