"""An agent's commands, run as an agent runs them, over a socket, against tasks of every family."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from verifierbench.core import Family, UserError, sha256
from verifierbench.generation.desk import NAMES, place, read_desk
from verifierbench.generation.desk import client as client_module

from .conftest import RUNS, handmade, pushes

ACCEPTS = b"def verify(solution, env):\n    return 'PASS'\n"


def test_a_state_task_from_first_look_to_hand_in(sit):
    kit = sit(necessity=True)
    (kit.workspace / "s.json").write_text(json.dumps(pushes(1, 2)))
    status, answer, _ = kit.tool("runpublic", "s.json")
    assert (status, answer["answer"]["changes"][0]["new"]) == (0, [1, 2])
    kit.write(RUNS)
    assert kit.tool("selftest", "s.json")[1]["verdict"] == "PASS"
    assert kit.tool("selftest", "-", stdin=pushes(2))[1]["verdict"] == "FAIL"
    status, answer, _ = kit.tool("selftest", "s.json", "--vary", "/events/0/call/arguments/x", "-1")
    assert (status, answer["same"], answer["executions"]["used"]) == (0, False, 5)
    status, answer, _ = kit.tool("submit")
    assert (status, answer["submitted"]) == (0, sha256(RUNS))
    assert kit.desk.submitted.is_set()
    assert [entry.tool for entry in read_desk(kit.record)] == ["runpublic", *["selftest"] * 3, "submit"]


def test_a_real_state_task(sit):
    candidate = handmade(Family.STATE)
    gold = candidate.cases[0].content
    kit = sit(candidate.task)
    status, answer, _ = kit.tool("runpublic", "-", stdin=gold)
    assert status == 0
    calls = [event["call"]["name"] for event in gold["events"] if "call" in event]
    assert [result["name"] for result in answer["answer"]["results"]] == calls
    kit.write(b"def verify(s, env):\n    return 'PASS' if env.run({'events': s['events']})['changes'] else 'FAIL'\n")
    assert kit.tool("selftest", "-", stdin=gold)[1]["verdict"] == "PASS"
    assert kit.tool("selftest", "-", stdin={"events": [], "answer": None})[1]["verdict"] == "FAIL"


def test_a_code_task(sit):
    candidate = handmade(Family.CODE)
    gold = candidate.cases[0].content
    kit = sit(candidate.task)
    assert kit.tool("runpublic", "-", stdin=gold)[1]["answer"] == {
        "applied": True,
        "error": "",
        "commands": [],
        "files": {},
    }
    request = {**gold, "files": {"mine.py": "print(6 * 7)\n"}, "commands": [["python", "mine.py"]], "read": ["mine.py"]}
    answer = kit.tool("runpublic", "-", stdin=request)[1]
    assert answer["answer"]["commands"][0]["stdout"] == "42\n"
    assert answer["executions"] == {"this": 1, "used": 2, "left": 18}
    kit.write(b"def verify(s, env):\n    return 'PASS' if env.run({'patch': s['patch']})['applied'] else 'FAIL'\n")
    assert kit.tool("selftest", "-", stdin=gold)[1]["verdict"] == "PASS"
    assert kit.tool("selftest", "-", stdin={"patch": "no diff"})[1]["verdict"] == "FAIL"


def test_a_tool_call_task_has_self_tests_and_nothing_to_run(sit):
    candidate = handmade(Family.TOOL_CALL)
    kit = sit(candidate.task)
    kit.write(ACCEPTS)
    status, answer, _ = kit.tool("selftest", "-", stdin=candidate.cases[0].content)
    assert (status, answer["verdict"]) == (0, "PASS")
    assert "executions" not in answer
    assert kit.tool("runpublic", "-", stdin=candidate.cases[0].content)[:2] == (
        2,
        {"error": "this task has no environment to run; this cost nothing"},
    )
    kit.write(b"def verify(s, env):\n    return env.run({'turns': []})\n")
    status, answer, _ = kit.tool("selftest", "-", stdin=candidate.cases[0].content)
    assert (status, answer["reason"]) == (1, "exception")
    assert "no environment" in answer["detail"]
    assert kit.desk.close().used == 0


@pytest.mark.parametrize("family", [Family.TOOL_CALL, Family.STATE, Family.CODE])
def test_no_answer_holds_what_is_hidden_of_a_task(sit, family):
    candidate = handmade(family)
    kit = sit(candidate.task, necessity=True)
    kit.write(b"def verify(s, env):\n    print(env.task, dir(env))\n    return env.read('cases', '')\n")
    gold = candidate.cases[0].content
    told = json.dumps(
        [kit.tool("runpublic", "-", stdin=gold), kit.tool("selftest", "-", stdin=gold), kit.tool("submit")]
    )
    told += (kit.record / "desk.jsonl").read_text()
    public = json.dumps(candidate.task.public) + json.dumps([m.content for m in candidate.task.materials])
    hidden = {candidate.task.id, *(clause.text for clause in candidate.task.clauses)}
    hidden |= {case.id for case in candidate.cases} | {f"#{case.operator}" for case in candidate.cases}
    hidden |= {ground.note for case in candidate.cases for ground in case.grounds}
    assert len(hidden) > 20
    assert candidate.task.alias in told  # the search finds what is there
    assert [word for word in hidden if word in told and word not in public] == []


def test_bad_input_is_a_sentence_and_status_2(sit):
    kit = sit()
    assert kit.tool("selftest", "nowhere.json")[0] == 2
    assert "nowhere.json" in kit.tool("selftest", "nowhere.json")[2]
    assert kit.tool("selftest", ".")[0] == 2
    status, _, said = kit.tool("runpublic", "-", stdin=b"\xff")
    assert (status, "not UTF-8: invalid start byte at byte 0" in said) == (2, True)
    status, _, said = kit.tool("runpublic", "-", stdin=b"[" + b"1," * (3 << 20) + b"1]")
    assert (status, "too large" in said) == (2, True)
    status, answer, _ = kit.tool("runpublic", "-", stdin=b"{\n 'x': 1}")
    assert status == 2
    assert answer["error"].startswith("REQUEST is not JSON: Expecting property name enclosed in double quotes, line 2")
    for argv in (["selftest"], ["submit", "now"], ["selftest", "-", "--vary", "/a", "1"]):
        assert kit.tool(*argv)[0] == 2
    assert read_desk(kit.record)[0].tool == "runpublic"
    assert kit.desk.budget.used == 0


def test_statuses_tell_verdicts_from_none_and_from_the_budget(sit):
    kit = sit(executions=1)
    kit.write(b"def verify(s, env):\n    return 1\n")
    assert kit.tool("selftest", "-", stdin=pushes())[0] == 1
    assert [kit.tool("runpublic", "-", stdin=pushes())[0] for _ in range(2)] == [0, 3]


def test_a_closed_desk_is_status_4(sit):
    kit = sit()
    kit.desk.close()
    status, _, said = kit.tool("submit")
    assert status == 4
    assert "submit: the desk cannot be reached" in said


def test_help_says_what_each_is_for(sit):
    plain, varying = sit(), sit(necessity=True)
    for name in NAMES:
        done = subprocess.run([plain.bin / name, "--help"], capture_output=True, text=True, check=True, env={})
        assert done.stdout.startswith(f"usage: {name}")
        assert "exit status:" in done.stdout
        assert "--vary" not in done.stdout
    done = subprocess.run([varying.bin / "selftest", "--help"], capture_output=True, text=True, check=True, env={})
    assert "--vary POINTER VALUE" in done.stdout


def test_what_lies_in_the_workspace_changes_no_tool(sit):
    kit = sit()
    for module in ("json", "argparse", "http", "sitecustomize"):
        (kit.workspace / f"{module}.py").write_text("raise SystemExit('hijacked')\n")
    kit.write(RUNS)
    assert kit.tool("selftest", "-", stdin=pushes(1, 2))[1]["verdict"] == "PASS"


def test_tools_at_once_are_served_one_by_one(sit):
    kit = sit(executions=3)
    kit.write(RUNS)
    running = [kit.start("selftest", "-") for _ in range(6)]
    for process in running:
        process.stdin.write(json.dumps(pushes(1, 2)).encode())
        process.stdin.close()
    statuses = []
    for process in running:
        process.stdout.read(), process.stderr.read()
        statuses.append(process.wait(60))
        process.stdout.close(), process.stderr.close()
    assert sorted(statuses) == [0, 0, 0, 3, 3, 3]
    assert kit.desk.close().used == 3


def test_the_client_needs_the_standard_library_alone():
    tree = ast.parse(Path(client_module.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name for node in imports for name in ([node.module] if hasattr(node, "module") else _names(node))}
    assert {"argparse", "http.client", "json"} <= names
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def _names(node):
    return [alias.name for alias in node.names]


def test_under_another_name_it_says_which_it_has(tmp_path):
    place(tmp_path, sys.executable)
    (tmp_path / "score").symlink_to("submit")
    done = subprocess.run([tmp_path / "score"], capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stderr) == (2, "score is none of runpublic, selftest, submit\n")


@pytest.mark.parametrize("python", ["python3", "/usr/bin/env python3", "/" + "x" * 200, ""])
def test_an_interpreter_no_script_can_name(tmp_path, python):
    with pytest.raises(UserError, match="interpreter"):
        place(tmp_path, python)
