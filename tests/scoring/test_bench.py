"""What goes through the door to a verifier, and nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from verifierbench.core import CaseKind, EnvironmentRefusal, Inconsistent, Limits, Reason, Verdict, content_bytes
from verifierbench.measures import summary
from verifierbench.sandbox import VerifierBox, choose_tier
from verifierbench.scoring import Bench, RunFolder, check, score_reference, score_source_checker, write_trusted_run
from verifierbench.scoring.public import PublicEnvironments

from .small_suite import LOOKS_ONLY, RUNS_IT, make_candidate, write_suite

FORBIDDEN = ("SECRET", "PASS", "FAIL", "counting/", *(kind.value for kind in CaseKind))
"""Clauses, operators, atoms, notes and task ids; labels; kinds."""

TELLS_ALL = b"""
def verify(solution, env):
    import json
    seen = [solution, env.task]
    for name in list(env.task["materials"]) + list(env.task["readable"]):
        seen.append(env.read(name, ""))
    try:
        env.read("clauses", "")
    except Exception as refusal:
        seen.append(str(refusal))
    seen.append(env.run({"events": solution["events"]}))
    seen.append(sorted(name for name in dir(env) if not name.startswith("_")))
    print(json.dumps(seen))
    return "PASS"
"""


class Recording:
    """The real box, and every byte that was given to it."""

    def __init__(self) -> None:
        self._box = VerifierBox(choose_tier())
        self.given: list[bytes] = []
        self.environments: list[Any] = []

    def run(self, verifier, solution, task, environment, limits, *, explain=False):
        self.given += [solution, task]
        self.environments.append(environment)
        return self._box.run(verifier, solution, task, environment, limits, explain=explain)

    def close(self) -> None:
        self._box.close()


def test_labels_kinds_and_clauses_never_enter_the_sandbox(suite):
    box, told = Recording(), []
    with Bench(box, PublicEnvironments(suite.evidence)) as bench:
        for task in suite.tasks[:2]:
            for case in suite.cases(task):
                seen = bench.run(TELLS_ALL, task, case.content, Limits())
                assert seen.decision.verdict is Verdict.PASS, seen
                told.append(seen.output)
    assert len(told) == 8
    everything = b"\n".join(box.given).decode() + "\n".join(told)
    assert "Push one, then two" in everything  # the search does find what is there
    assert [word for word in FORBIDDEN if word in everything] == []
    for environment in box.environments:
        for name in ("clauses", "reference", "cases", "id", "source", "hidden"):
            with pytest.raises(EnvironmentRefusal):
                environment.read(name, "")


def test_solutions_of_different_kinds_arrive_the_same_way(suite):
    box = Recording()
    task = suite.tasks[0]
    with Bench(box, PublicEnvironments(suite.evidence)) as bench:
        for case in suite.cases(task):
            bench.run(LOOKS_ONLY, task, case.content, Limits())
    solutions, tasks = box.given[::2], box.given[1::2]
    assert solutions == [content_bytes(case.content) for case in suite.cases(task)]
    assert set(tasks) == {content_bytes(task.public)}
    assert json.loads(tasks[0])["task"] == task.alias


def test_check_explains_each_case(suite):
    task = suite.tasks[0]
    checked = list(check(RUNS_IT, task, suite.cases(task), evidence=suite.evidence, explain=True))
    assert [one.row.decision.verdict for one in checked] == [case.label for case in suite.cases(task)]
    assert [one.case for one in checked] == list(suite.cases(task))
    assert all(one.row.decision.line == 5 and one.trail[-1] == 5 for one in checked)


def test_check_says_what_was_printed_and_what_went_wrong(suite):
    task = suite.tasks[0]
    (one,) = check(b"print('loaded')\nx = 3\n", task, suite.cases(task)[:1], evidence=suite.evidence)
    assert one.row.decision.reason is Reason.MISSING
    assert one.output == "loaded\n"


def test_the_reference_is_right_and_needs_each_execution_once(suite, executions, tmp_path):
    rows = score_reference(suite)
    assert [row.case for row in rows] == [case.id for case in suite.all_cases]
    assert summary(rows).ba_norm == 100
    assert rows[1].decision.detail == "not satisfied: SECRET_ATOM"
    assert executions() == 4
    assert score_reference(suite) == rows
    assert executions() == 4


def test_a_source_checker_is_measured_like_any_verifier(suite, executions, tmp_path):
    rows = score_source_checker(suite)
    # It looks at the last push alone: right on gold (.. 2), base () and near miss (.. 3), wrong on the hack (0, 2).
    assert [row.decision.verdict for row in rows] == [Verdict.PASS, Verdict.FAIL, Verdict.FAIL, Verdict.PASS] * 3
    assert summary(rows).fpr_h == 100
    assert (tmp_path / "executions.log").read_text() == "checker closed\n"


def test_only_tasks_whose_source_has_a_checker(tmp_path, suite, monkeypatch):
    import counting_source

    monkeypatch.setattr(counting_source.Counting, "checker", lambda self: None)
    assert score_source_checker(suite) == ()


def test_trusted_rows_are_a_run_like_any_other(suite, tmp_path):
    rows = score_reference(suite)
    write_trusted_run(tmp_path / "runs/reference", suite, "reference", rows)
    folder = RunFolder(tmp_path / "runs/reference")
    run = folder.run()
    assert (run.name, run.harness, run.model, run.tier) == ("reference", None, None, None)
    assert (run.suite, run.suite_hash) == ("../../suite", suite.hash)
    assert folder.rows() == rows


def test_a_reference_that_runs_what_its_task_lacks_is_a_bug(tmp_path, executions):
    import msgspec

    one = make_candidate(1)
    bare = msgspec.structs.replace(one.task, environment=None)
    suite = write_suite(tmp_path / "odd", [msgspec.structs.replace(one, task=bare)])
    with pytest.raises(Inconsistent, match="its task has no environment"):
        score_reference(suite)


def test_environments_are_opened_on_a_miss_and_few_are_kept_open(suite, executions, monkeypatch):
    import counting_source

    closed = []
    monkeypatch.setattr(counting_source.Stack, "close", lambda stack: closed.append(stack.version))
    tasks = [make_candidate(n).task for n in range(4)]
    with PublicEnvironments(suite.evidence) as environments:
        environments.of(tasks[0], "stack 1").execute({"events": []})
        for task in tasks[1:]:
            environments.of(task, "stack 1").execute({"events": []})  # hits: nothing is opened
        assert closed == ["stack 1"]  # the first made room; the others had nothing to close
        environments.of(tasks[3]).execute({"events": [], "more": 1})  # its version is asked of the source
        assert closed == ["stack 1"]
        assert environments.of(suite.tasks[2]) is None
    assert closed == ["stack 1", "stack 1"]
    assert executions() == 2
