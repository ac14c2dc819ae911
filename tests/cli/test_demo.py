"""The main job, as a newcomer without a network runs it: from nothing to a scored board, killed once on the way."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from verifierbench.core import CaseDecision, Unavailable
from verifierbench.core.files import decode_lines
from verifierbench.sandbox import Tier, choose_tier
from verifierbench.suite import Suite

HEURISTIC = "runs/heuristic/ledger.sqlite"


def verifierbench(*arguments, code=0, cwd=None, **variables):
    done = subprocess.run(
        [sys.executable, "-m", "verifierbench", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **variables},
    )
    assert done.returncode == code, done.stderr
    return done


def decided(ledger):
    """Key → when it was decided; nothing while the ledger is not there or is being made."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as connection:
        return dict(connection.execute("SELECT key, finished_at FROM result"))
    return {}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(place):
    """What the demo printed, after a first try that was killed with all its processes while it scored."""
    output = place / "verifierbench-demo"
    nowhere = {"VERIFIERBENCH_HOME": str(place / "home")}
    command = [sys.executable, "-m", "verifierbench", "demo", "-o", str(output), "--offline"]
    first = subprocess.Popen(
        command,
        env={**os.environ, **nowhere},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    while first.poll() is None and len(decided(output / HEURISTIC)) < 20:
        time.sleep(0.05)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    before = decided(output / HEURISTIC)
    done = verifierbench("demo", "-o", output, "--offline", "--json", **nowhere)
    return output, before, done


@pytest.fixture(scope="module")
def report(demo):
    return {row["name"]: row for row in json.loads(demo[2].stdout)["configurations"]}


def test_without_a_network_it_says_so_and_goes_on(demo):
    assert "going on without BFCL" in demo[2].stderr
    assert "verifierbench sources install bfcl" in demo[2].stderr


def test_a_killed_demo_goes_on_and_computes_nothing_twice(demo):
    output, before, _ = demo
    after = decided(output / HEURISTIC)
    assert len(before) >= 20
    assert {key: after[key] for key in before} == before


def test_the_canary_and_the_constants(report):
    assert report["reference"]["ba_norm"] == 100.0
    assert report["accept-all"]["ba_norm"] == report["reject-all"]["ba_norm"] == 0.0
    assert (report["accept-all"]["tpr"], report["accept-all"]["tnr"], report["accept-all"]["fpr_h"]) == (100, 0, 100)
    assert (report["reject-all"]["tpr"], report["reject-all"]["tnr"], report["reject-all"]["fpr_h"]) == (0, 100, 0)


def test_the_heuristic_judges_better_than_chance(report):
    low, high = report["heuristic"]["ba_norm_ci"]
    assert 0 < low < report["heuristic"]["ba_norm"] < high


def test_the_json_contract(report):
    assert "source-checker" not in report
    for name, row in report.items():
        assert {
            "name",
            "harness",
            "model",
            "tasks",
            "ba_norm",
            "ba_norm_ci",
            "tpr",
            "tnr",
            "fpr_h",
            "invalid_share",
        } <= set(row)
        trusted = name == "reference"
        assert (row["harness"] is None) == (row["model"] is None) == trusted
        assert set(row["by_family"]) <= {"tool_call", "state", "code"}
        assert all(figures["tasks"] >= 4 for figures in row["by_family"].values())


def test_every_family_is_there_where_namespaces_are(report):
    try:
        choose_tier(Tier.NAMESPACES)
    except Unavailable as reason:
        pytest.skip(f"code tasks need namespaces: {reason}")
    assert set(report["reference"]["by_family"]) == {"tool_call", "state", "code"}


def test_report_recomputes_the_same_figures(demo):
    output, _, done = demo
    again = verifierbench("report", output / "runs", "--json", "--html", output / "again.html")
    assert json.loads(again.stdout) == json.loads(done.stdout)
    assert json.loads((output / "report/report.json").read_text()) == json.loads(done.stdout)
    for page in (output / "report/index.html", output / "again.html"):
        text = page.read_text()
        assert "heuristic" in text
        assert "<script" not in text


def test_no_page_tells_a_hidden_thing(demo):
    output = demo[0]
    suite = Suite.load(output / "suite")
    page = (output / "report/index.html").read_text()
    public = "".join(path.read_text() for path in (output / "suite/public").rglob("*.json"))
    for task in suite.tasks:
        assert task.id not in page
        assert task.id not in public
        for case in suite.cases(task):
            assert case.id not in page
            assert case.id not in public


def test_labels_are_written_before_any_checker_runs(demo):
    events = [json.loads(line)["event"] for line in (demo[0] / "suite/hidden/build.jsonl").read_text().splitlines()]
    assert events == sorted(events, key=["labelled", "reference", "source_checker"].index)
    assert events.count("labelled") == events.count("reference") > 0


def test_suite_stats(demo):
    found = json.loads(verifierbench("suite", "stats", demo[0] / "suite", "--json").stdout)
    assert found["tasks"]["candidates"] == found["tasks"]["retained"] + sum(found["tasks"]["excluded"].values())
    cases = found["cases"]
    assert cases["pass"] + cases["fail"] == cases["total"] == sum(cases["by_kind"].values())
    assert cases["pass"] >= 0.35 * cases["total"]
    for family in found["by_family"].values():
        assert family["tasks"] >= 4
        assert family["cases"]["total"] >= 20 * family["tasks"]


def test_rescoring_with_warm_evidence_decides_nothing_anew(demo):
    output = demo[0]
    before = decided(output / HEURISTIC)
    verifierbench("score", output / "suite", output / "runs/heuristic", "--json")
    assert decided(output / HEURISTIC) == before


def some_task(demo, family):
    return next(task for task in Suite.load(demo[0] / "suite").tasks if task.family == family)


def test_check_names_the_clause_behind_each_wrong_decision(demo, place):
    task = some_task(demo, "state")
    (place / "mine.py").write_text("def verify(solution, env):\n    return 'PASS'\n")
    arguments = ("check", place / "mine.py", "--task", task.id)
    told = verifierbench(*arguments, cwd=place).stdout
    found = json.loads(verifierbench(*arguments, "--suite", demo[0] / "suite", "--json").stdout)
    assert (found["tpr"], found["tnr"], found["ba_norm"]) == (100, 0, 0)
    clauses = {clause.id: clause.text for clause in task.clauses}
    for row in found["wrong"]:
        assert row["label"] == "FAIL"
        for ground in row["grounds"]:
            assert ground["text"] == clauses[ground["clause"]]
            assert ground["text"] in told


def test_check_decides_a_solution_of_ones_own(demo, place):
    task = some_task(demo, "tool_call")
    (place / "print.py").write_text("def verify(solution, env):\n    print(env.task['task'])\n    return 'FAIL'\n")
    (place / "mine.json").write_text('{"turns": [{"calls": [], "message": "hello", "answer": null}]}')
    arguments = ["check", place / "print.py", "--task", task.alias, "--suite", demo[0] / "suite", "--solution"]
    found = json.loads(verifierbench(*arguments, place / "mine.json", "--json").stdout)
    assert found["decision"]["verdict"] == "FAIL"
    assert found["output"].strip() == task.alias
    (place / "misfit.json").write_text('{"turns": 1}')
    assert "misfit.json, $.turns: does not fit" in verifierbench(*arguments, place / "misfit.json", code=2).stderr


def test_the_steps_one_by_one_and_ones_own_verifiers_on_the_board(demo, place):
    """As in the README, on the demo's suite: a built-in agent, a folder of one's own, the trusted rows, one board."""
    suite, runs = demo[0] / "suite", place / "my-runs"
    mine = place / "my-verifiers"
    mine.mkdir()
    task = some_task(demo, "state")
    (mine / "tool_call.py").write_text("def verify(solution, env):\n    return 'PASS'\n")
    (mine / f"{task.alias}.py").write_text("def verify(solution, env):\n    return 'FAIL'\n")
    verifierbench("generate", suite, "--model", "reject-all", "-o", runs / "reject-all")
    told = verifierbench("generate", suite, "--harness", "files", "--model", mine, "-o", runs / "mine").stdout
    of_tools = sum(1 for one in Suite.load(suite).tasks if one.family == "tool_call")
    assert f"{of_tools + 1} of " in told
    rows = json.loads(verifierbench("score", suite, runs, "--trusted", "--json").stdout)["configurations"]
    figures = {row["name"]: row for row in rows}
    assert set(figures) == {"reference", "reject-all", "my-verifiers"}
    assert figures["reference"]["ba_norm"] == 100
    assert figures["my-verifiers"]["harness"] == "files"
    assert figures["my-verifiers"]["by_family"]["tool_call"]["tpr"] == 100
    # One state task is all FAIL (J = 0), the others have no verifier (J = -100 each).
    others = figures["my-verifiers"]["by_family"]["state"]["tasks"] - 1
    assert figures["my-verifiers"]["by_family"]["state"]["ba_norm"] == pytest.approx(-100 * others / (others + 1))
    assert "my-verifiers" in verifierbench("report", runs).stdout


def test_another_suite_is_not_replaced_without_being_asked(demo, place):
    import shutil

    copy = place / "copy"
    shutil.copytree(demo[0] / "suite", copy)
    manifest = json.loads((copy / "suite.json").read_text())
    (copy / "suite.json").write_text(json.dumps({**manifest, "made_of": "0" * 64}))
    done = verifierbench("suite", "build", copy, "--source", "handmade", code=2)
    assert "holds another suite, which runs may rest on" in done.stderr
    assert json.loads((copy / "suite.json").read_text())["made_of"] == "0" * 64


def test_runs_of_an_earlier_suite_are_set_aside_not_mixed(tmp_path, capsys):
    from verifierbench.cli.demo import _set_aside
    from verifierbench.core import Run
    from verifierbench.scoring import RunFolder

    class Other:
        hash = "b" * 64

    old = Run(name="old", harness=None, model=None, suite="../suite", suite_hash="a" * 64, tier=None)
    RunFolder(tmp_path / "runs/old").write_run(old)
    _set_aside(Other(), tmp_path / "runs")
    assert (tmp_path / "runs-aaaaaaaa/old/run.json").exists()
    assert not (tmp_path / "runs").exists()
    assert "its runs are in" in capsys.readouterr().err


def test_the_example_of_the_readme_runs(demo, place):
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    (place / "verifier.py").write_text(readme.partition("```python\n")[2].partition("```")[0])
    command = next(line.split()[1:] for line in readme.splitlines() if line.startswith("    verifierbench check"))
    told = verifierbench(*command, cwd=place).stdout
    figures = [
        float(figure) for figure in re.findall(r"(-?[\d.]+)(?=[,\n])", told.splitlines()[-1].partition(";")[2] + "\n")
    ]
    assert len(figures) == 3
    assert 0 < figures[2] < 100
    assert abs(figures[0] + figures[1] - 100 - figures[2]) < 0.2


def test_a_verifier_that_cannot_be_parsed_has_no_decision(demo, place):
    (place / "broken.py").write_text("def verify(solution, env:\n")
    found = json.loads(
        verifierbench("check", place / "broken.py", "--task", some_task(demo, "state").id, "--json", cwd=place).stdout
    )
    assert found["ba_norm"] == -100
    assert {row["decision"]["reason"] for row in found["wrong"]} == {"import_error"}


@pytest.mark.parametrize("family", ["tool_call", "state"])
def test_explain_shows_view_checks_and_deciding_line(demo, family):
    task, run = some_task(demo, family), demo[0] / "runs/heuristic"
    rows = [row for row in decode_lines(run / "decisions.jsonl", CaseDecision) if row.task == task.id]
    listed = verifierbench("explain", run, task.id).stdout
    assert all(row.case in listed for row in rows)
    failing = next(row for row in rows if row.label == "FAIL" and row.decision.verdict == "FAIL")
    found = json.loads(verifierbench("explain", run, task.id, failing.case.partition("#")[2], "--json").stdout)
    assert found["right"] is True
    assert found["reference"] == "FAIL"
    assert found["broken"]
    source = (run / "submissions" / task.alias / "verifier.py").read_text().splitlines()
    assert source[found["decision"]["line"] - 1].strip() == found["deciding_line"]
    told = verifierbench("explain", run, task.id, failing.case).stdout
    assert found["deciding_line"] in told
    assert found["broken"][0]["name"] in told


def test_seccomp_tier_gives_the_same_decisions(demo, place):
    """The published modules, clocks and limits are the same in both tiers, so the verdicts are too."""
    import shutil

    run = place / "in-seccomp"
    (run / "submissions").mkdir(parents=True)
    shutil.copy(demo[0] / "runs/accept-all/run.json", run)
    for task in Suite.load(demo[0] / "suite").tasks[:3]:
        shutil.copytree(demo[0] / "runs/heuristic/submissions" / task.alias, run / "submissions" / task.alias)
    verifierbench("score", demo[0] / "suite", run, "--tier", "seccomp", "--json")
    theirs = {row.case: row for row in decode_lines(demo[0] / "runs/heuristic/decisions.jsonl", CaseDecision)}
    mine = [row for row in decode_lines(run / "decisions.jsonl", CaseDecision) if row.decision.reason != "missing"]
    assert mine
    assert [row.decision.verdict for row in mine] == [theirs[row.case].decision.verdict for row in mine]
    assert json.loads((run / "run.json").read_text())["tier"] == "seccomp"


def test_a_taken_place_is_not_overwritten(place):
    (place / "full").mkdir()
    (place / "full/notes.txt").write_text("mine")
    assert "not empty and not a suite" in verifierbench("suite", "build", place / "full", code=2).stderr
    assert (place / "full/notes.txt").read_text() == "mine"


def test_a_read_only_place_is_one_sentence(place):
    if os.getuid() == 0:
        target = Path("/proc/nowhere/suite")
    else:
        target = place / "locked/suite"
        target.parent.mkdir(mode=0o555)
    done = verifierbench("suite", "build", target, "--source", "handmade", code=2)
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
