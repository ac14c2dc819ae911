"""One bench, used by whoever comes, always in the thread it lives in."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from verifierbench.core import Limits, Verdict
from verifierbench.generation.desk import Workbench
from verifierbench.scoring.check import open_bench

from .conftest import RUNS, pushes, stack_task


def test_two_desks_share_one_bench_in_turn(sit, executions):
    for _ in range(2):
        kit = sit()
        kit.write(RUNS)
        assert kit.selftest(pushes(1, 2))[1]["executions"] == {"this": 1, "used": 1, "left": 19}
        kit.desk.close()
    assert executions() == 1  # the second found the first's evidence, and was charged for it


def test_threads_that_come_and_go_find_the_sandbox_alive(tmp_path, executions):
    task = stack_task()
    with Workbench(lambda: open_bench(tmp_path / "evidence.sqlite")) as bench:

        def decide(n):
            return bench.do(lambda one: one.run(RUNS, task, pushes(1, n), Limits()).decision.verdict)

        for n in (2, 3):
            with ThreadPoolExecutor(4) as pool:
                assert set(pool.map(decide, [n] * 4)) == {Verdict.PASS if n == 2 else Verdict.FAIL}


def test_a_bench_nobody_asked_for_is_never_opened_and_closing_twice_is_closing():
    opened = []
    bench = Workbench(lambda: opened.append(1))
    bench.close()
    bench.close()
    assert opened == []


def test_what_goes_wrong_there_is_raised_here():
    threads = threading.active_count()
    bench = Workbench(lambda: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            bench.do(lambda one: one)
    bench.close()
    assert threading.active_count() == threads
