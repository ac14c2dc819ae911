"""Runs are scored by the real sandbox, in real worker processes, against a suite on disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from verifierbench.core import InfrastructureError, Limits, MalformedInput, Reason, UserError, Verdict
from verifierbench.core.files import write_atomically
from verifierbench.execution import Job, Ledger, LocalExecutor
from verifierbench.measures import summary
from verifierbench.sandbox import Tier
from verifierbench.scoring import RunFolder, score
from verifierbench.scoring.plan import plan, unit_key

from .small_suite import CASES, CRASHES, LOOKS_ONLY, PLUGIN, RUNS_IT, make_candidate, submit, write_suite

PASS, FAIL = Verdict.PASS, Verdict.FAIL


def said(folder: RunFolder, task: str) -> list[Verdict | Reason | None]:
    return [row.decision.verdict or row.decision.reason for row in folder.rows() if row.task == task]


def test_every_case_of_every_task_has_one_row(suite, make_run, executions):
    folder = make_run(RUNS_IT, LOOKS_ONLY, RUNS_IT)
    heard = []
    score(suite, folder.path, workers=2, progress=lambda *report: heard.append(report))
    assert [row.case for row in folder.rows()] == [case.id for case in suite.all_cases]
    assert [row.kind for row in folder.rows()] == [kind for kind, _ in CASES] * 3
    assert said(folder, "counting/1") == [PASS, FAIL, FAIL, FAIL]
    assert said(folder, "counting/2") == [PASS, FAIL, PASS, PASS]
    assert said(folder, "counting/3") == [Reason.EXCEPTION] * 4  # it runs what that task does not have
    assert executions() == 4
    assert heard[-1][:2] == (12, 12)
    # Task 1 perfect: J 100. Task 2: TPR 1/1, TNR 1/3, J 33.3, its attack accepted. Task 3 without verdicts: J -100.
    figures = summary(folder.rows())
    assert figures.ba_norm == pytest.approx((100 + 100 / 3 - 100) / 3)
    assert figures.fpr_h == pytest.approx(100 / 3)
    assert figures.invalid_share == pytest.approx(100 / 3)


def test_what_was_not_handed_in_is_missing_whatever_way_it_is_not_there(suite, here, make_run):
    folder = make_run(None, LOOKS_ONLY)  # the third task has no submission at all
    score(suite, folder.path, executor=here)
    assert said(folder, "counting/1") == said(folder, "counting/3") == [Reason.MISSING] * 4
    assert said(folder, "counting/2") == [PASS, FAIL, PASS, PASS]


def test_a_crash_is_a_decision_and_is_not_retried(suite, here, make_run):
    folder = make_run(None, None, CRASHES)
    score(suite, folder.path, executor=here)
    row = folder.rows()[-1]
    assert row.decision.reason is Reason.EXCEPTION
    assert "KeyError" in row.decision.detail
    assert row.decision.line == 3


def test_rescoring_with_warm_evidence_runs_no_environment(suite, here, make_run, executions):
    score(suite, make_run(RUNS_IT, RUNS_IT, None).path, executor=here)
    # Both tasks push the same four stacks in environments of one version: four answers serve eight cases.
    assert executions() == 4
    again = make_run(RUNS_IT + b"# another verifier\n", RUNS_IT, None, name="again")
    score(suite, again.path, executor=here)
    assert executions() == 4
    assert said(again, "counting/1") == [PASS, FAIL, FAIL, FAIL]
    assert {row.decision.environment_calls for row in again.rows()[:4]} == {1}  # a cached call counts


def test_a_scored_run_is_not_decided_again(suite, here, make_run):
    folder = make_run(RUNS_IT, LOOKS_ONLY, None)
    score(suite, folder.path, executor=here)
    first = folder.decisions.read_bytes()

    class Refuses:
        def run(self, job, units, ledger, progress):
            with Ledger(ledger) as opened:
                assert opened.finished([unit.key for unit in units]) == {unit.key for unit in units}

    folder.decisions.unlink()
    score(suite, folder.path, executor=Refuses())
    assert folder.decisions.read_bytes() == first


def test_a_changed_verifier_is_decided_again(suite, here, make_run):
    folder = make_run(RUNS_IT, None, None)
    score(suite, folder.path, executor=here)
    submit(folder.path, suite.tasks[0], LOOKS_ONLY)
    score(suite, folder.path, executor=here)
    assert said(folder, "counting/1") == [PASS, FAIL, PASS, PASS]


def test_the_limits_of_the_run_are_the_limits_of_its_verifiers(suite, here, make_run):
    folder = make_run(RUNS_IT, LOOKS_ONLY, None, limits=Limits(environment_calls=0))
    score(suite, folder.path, executor=here)
    assert said(folder, "counting/1") == [Reason.ENVIRONMENT_BUDGET] * 4
    assert said(folder, "counting/2") == [PASS, FAIL, PASS, PASS]


@pytest.mark.parametrize("tier", list(Tier))
def test_the_tier_is_recorded_with_the_run(suite, here, make_run, tier):
    folder = make_run(LOOKS_ONLY, None, None, tier="namespaces")
    score(suite, folder.path, executor=here, tier=tier)
    assert folder.run().tier == tier.value
    assert said(folder, "counting/1") == [PASS, FAIL, PASS, PASS]


def test_a_failure_of_ours_is_never_a_row_and_the_rest_is_kept(suite, make_run, executions, tmp_path):
    folder = make_run(RUNS_IT, LOOKS_ONLY, None)
    flaw = tmp_path / "executions.log.flaw"
    flaw.touch()
    with pytest.raises(InfrastructureError, match=r"1 units of work failed 3 times.*the stack went away"):
        score(suite, folder.path, workers=1)
    assert not folder.decisions.exists()
    with pytest.raises(MalformedInput, match="not scored yet"):
        folder.rows()
    with Ledger(folder.ledger) as ledger:
        assert len(ledger) == 7  # all the others
    flaw.unlink()
    score(suite, folder.path, workers=1)
    assert said(folder, "counting/1") == [PASS, FAIL, FAIL, FAIL]


def test_a_run_of_another_suite_is_refused(suite, make_run, tmp_path):
    other = write_suite(tmp_path / "other", [make_candidate(1)])
    with pytest.raises(UserError, match="made for another suite"):
        score(other, make_run(RUNS_IT, None, None).path, workers=1)


def spoil_verifier(folder, task):
    (folder.path / "submissions" / task.alias / "verifier.py").write_bytes(b"def verify(s, e): return 'PASS'")


def remove_verifier(folder, task):
    (folder.path / "submissions" / task.alias / "verifier.py").unlink()


def misfile(folder, task):
    place = folder.path / "submissions"
    (place / task.alias).rename(place / "t0000000000")


def rename_in_file(folder, task):
    file = folder.path / "submissions" / task.alias / "submission.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "task": "tsomething"}))


def newer(folder, task):
    write_atomically(folder.path / "run.json", msgspec.json.encode(msgspec.structs.replace(folder.run(), schema=99)))


def no_run(folder, task):
    (folder.path / "run.json").unlink()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_verifier, r"verifier\.py: not what was handed in: its SHA-256 is"),
        (remove_verifier, r"verifier\.py: No such file"),
        (misfile, r"t0000000000/submission\.json: the suite has no task t0000000000"),
        (rename_in_file, r"submission\.json, \$\.task: it is filed under .* but says tsomething"),
        (newer, r"run\.json, \$\.schema: version 99 is newer"),
        (no_run, r"no run here"),
    ],
)
def test_a_run_that_cannot_be_trusted_is_refused(suite, make_run, spoil, sentence):
    folder = make_run(RUNS_IT, None, None)
    spoil(folder, suite.tasks[0])
    with pytest.raises(MalformedInput, match=sentence):
        score(suite, folder.path, workers=1)
    assert not folder.decisions.exists()


def test_case_order_is_each_verifiers_own_and_repeatable(suite, make_run):
    def order(folder: RunFolder) -> list[str]:
        planned = plan(suite, folder, folder.run(), "namespaces")
        return [one.case.id for one in planned if one.unit is not None]

    variants = [RUNS_IT + b"#" * n for n in range(8)]
    orders = {tuple(order(make_run(variant, None, None, name=f"v{n}"))) for n, variant in enumerate(variants)}
    assert len(orders) > 2
    assert order(make_run(RUNS_IT, None, None)) == order(make_run(RUNS_IT, None, None, name="same"))
    seeds = {tuple(order(make_run(RUNS_IT, None, None, name=f"s{n}", seed=str(n)))) for n in range(8)}
    assert len(seeds) > 2


def test_who_does_not_know_the_hidden_cases_cannot_compute_their_order(suite, make_run):
    """A verifier that learns its place (commands see a real clock) could otherwise answer by it."""
    from verifierbench.scoring.plan import _shuffled

    cases = list(suite.cases(suite.tasks[0]))
    assert _shuffled(cases, "0 v") == _shuffled(cases[::-1], "0 v")
    changed = [msgspec.structs.replace(cases[0], content={**cases[0].content, "answer": str(n)}) for n in range(12)]
    rest = {tuple(case.id for case in _shuffled([one, *cases[1:]], "0 v") if case.id != one.id) for one in changed}
    assert len(rest) > 1


def test_a_run_decided_on_the_trusted_side_is_not_scored_over(suite, make_run):
    folder = make_run(harness=None, model=None)
    with pytest.raises(UserError, match="decided on the trusted side"):
        score(suite, folder.path)


def test_everything_a_decision_depends_on_is_in_its_key():
    base = {"verifier": "v", "case": "c", "task": "t", "environment": "e", "limits": Limits(), "tier": "namespaces"}
    other = {
        "verifier": "w",
        "case": "d",
        "task": "u",
        "environment": None,
        "limits": Limits(seconds=1),
        "tier": "seccomp",
    }
    keys = {unit_key(**base), *(unit_key(**{**base, name: value}) for name, value in other.items())}
    assert len(keys) == 7


def test_no_label_is_in_what_workers_are_sent_or_keep(suite, make_run):
    folder, sent = make_run(RUNS_IT, LOOKS_ONLY, None), []

    class Overheard:
        def run(self, job: Job, units, ledger, progress):
            sent.append(msgspec.json.encode([job, [unit.payload | {"case": ""} for unit in units]]))
            LocalExecutor(1).run(job, units, ledger, progress)

    score(suite, folder.path, executor=Overheard())
    planned = plan(suite, folder, folder.run(), folder.run().tier)
    with Ledger(folder.ledger) as ledger:
        kept = ledger.results([one.unit.key for one in planned if one.unit])
    assert len(kept) == 8
    for word in (b"near_miss", b"hack", b"gold", b"SECRET_CLAUSE"):
        assert all(word not in text for text in [*sent, *kept.values()])


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from verifierbench.scoring import score
from verifierbench.suite import Suite
score(Suite.load(Path(sys.argv[1])), Path(sys.argv[2]), workers=2)
"""
SLOW = b"""
def verify(solution, env):
    n = sum(range(2_000_000))
    return "PASS" if len(solution["events"]) == 2 else "FAIL"
"""


def test_a_killed_scoring_is_resumed_by_the_same_command(tmp_path, executions, make_run, suite):
    folder = make_run(SLOW, SLOW + b"#", SLOW + b"##")
    command = [sys.executable, "-c", RUN, str(suite.path), str(folder.path), str(PLUGIN)]
    killed = subprocess.Popen(command)
    deadline = time.monotonic() + 20
    before = 0
    while not before and time.monotonic() < deadline:
        time.sleep(0.02)
        if folder.ledger.exists():
            with Ledger(folder.ledger) as ledger:
                before = len(ledger)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert 0 < before < 12
    assert not folder.decisions.exists()
    assert subprocess.run(command, check=False).returncode == 0
    assert said(folder, "counting/3") == [PASS, FAIL, PASS, PASS]
