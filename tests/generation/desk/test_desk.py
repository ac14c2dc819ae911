"""Budgets, answers and the record of one attempt."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from verifierbench.core import Family, Inconsistent, InfrastructureError, Limits, Verdict, content_hash, sha256
from verifierbench.generation.desk import desk as desk_module
from verifierbench.generation.desk import read_desk, read_versions

from .conftest import CATCHES, LOOKS, RUNS, pushes, stack_task


def test_a_self_test_is_what_scoring_would_say(sit):
    kit = sit()
    kit.write(RUNS)
    exit_, answer = kit.selftest(pushes(1, 2))
    assert (exit_, answer["verdict"], answer["printed"]) == (0, "PASS", "")
    assert answer["executions"] == {"this": 1, "used": 1, "left": 19}
    assert kit.selftest(pushes(2, 1))[1]["verdict"] == "FAIL"


def test_an_entry_ties_verifier_solution_and_decision(sit):
    kit = sit()
    kit.write(RUNS)
    kit.selftest(pushes(1, 2))
    (entry,) = read_desk(kit.record)
    assert (entry.n, entry.tool, entry.outcome) == (1, "selftest", "answered")
    assert (entry.verifier, entry.solution) == (sha256(RUNS), content_hash(pushes(1, 2)))
    assert entry.decision is not None
    assert (entry.decision.verdict, entry.decision.environment_calls) == (Verdict.PASS, 1)
    assert (entry.executions, entry.used, entry.left, entry.blocked) == (1, 1, 19, 0)
    assert kit.desk.close().entries == (entry,)


def test_a_cached_repeat_is_charged(sit, executions):
    kit = sit(executions=3)
    kit.write(RUNS)
    for left in (2, 1, 0):
        assert kit.selftest(pushes(1, 2))[1]["executions"]["left"] == left
    assert executions() == 1


def test_past_the_budget_nothing_is_evidence(sit):
    kit = sit(executions=1)
    kit.write(RUNS)
    assert kit.runpublic(pushes(1))[0] == 0
    exit_, answer = kit.runpublic(pushes(1))
    assert exit_ == 3
    assert answer["blocked"] == (
        "budget exhausted: all 1 executions are used up; this is not evidence about the solution"
    )
    exit_, answer = kit.selftest(pushes(1, 2))
    assert (exit_, answer["verdict"], answer["reason"]) == (3, None, "environment_budget")
    assert "not evidence" in answer["warning"]
    assert [entry.outcome for entry in read_desk(kit.record)] == ["answered", "blocked", "blocked"]
    assert [entry.blocked for entry in read_desk(kit.record)] == [0, 1, 1]
    log = kit.desk.close()
    assert (log.used, log.allowed, log.blocked) == (1, 1, 2)


def test_a_verdict_after_a_caught_refusal_is_called_no_evidence(sit):
    kit = sit(executions=0)
    kit.write(CATCHES)
    exit_, answer = kit.selftest(pushes(1, 2))
    assert (exit_, answer["verdict"]) == (3, "PASS")
    assert answer["warning"].startswith("the verdict came after a blocked execution: budget exhausted")
    assert "not evidence about the solution" in answer["printed"]  # what the verifier was told
    (entry,) = read_desk(kit.record)
    assert (entry.outcome, entry.blocked, entry.executions) == ("blocked", 1, 0)
    assert entry.decision.verdict is Verdict.PASS


def test_a_verifier_that_executes_nothing_can_be_tested_past_the_budget(sit):
    kit = sit(executions=0)
    kit.write(LOOKS)
    assert kit.selftest(pushes(1, 2))[:1] == (0,)


def test_the_limits_of_a_case_hold_beside_the_budget(sit):
    kit = sit(limits=Limits(environment_calls=2), executions=10)
    kit.write(b"def verify(s, env):\n    for n in range(5):\n        env.run({'events': []})\n    return 'PASS'\n")
    exit_, answer = kit.selftest(pushes())
    assert (exit_, answer["reason"]) == (1, "environment_budget")
    assert "warning" not in answer  # scoring would say the same, so it is evidence
    assert answer["executions"] == {"this": 2, "used": 2, "left": 8}


def test_parallel_requests_are_counted_exactly(sit, executions):
    kit = sit(executions=7)
    kit.write(RUNS)
    solutions = [pushes(n) for n in range(20)]
    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(kit.selftest if n % 2 else kit.runpublic, one) for n, one in enumerate(solutions)]
    assert sorted(each.result()[0] for each in asked) == [0] * 7 + [3] * 13
    assert executions() == 7
    entries = read_desk(kit.record)
    assert [entry.n for entry in entries] == list(range(1, 21))
    assert [entry.used for entry in entries] == [min(n, 7) for n in range(1, 21)]
    assert kit.desk.close().blocked == 13


def test_reserved_executions_are_for_self_tests(sit):
    kit = sit(executions=3, reserved=2)
    kit.write(RUNS)
    assert kit.runpublic(pushes(1))[0] == 0
    exit_, answer = kit.runpublic(pushes(1))
    assert exit_ == 3
    assert answer["blocked"].startswith("budget exhausted: the 2 executions that are left are reserved for `selftest`")
    assert [kit.selftest(pushes(1, 2))[0] for _ in range(3)] == [0, 0, 3]


def test_a_solution_is_a_request_too(sit):
    kit = sit()
    bare, whole = {"events": pushes(1)["events"]}, pushes(1, answer="done")
    assert kit.runpublic(bare)[1]["answer"] == kit.runpublic(whole)[1]["answer"]
    assert kit.runpublic(bare)[1]["answer"]["changes"] == [{"path": "/stack", "how": "added", "new": [1]}]


def test_what_the_environment_refuses_is_an_answer_and_counts(sit):
    kit = sit()
    exit_, answer = kit.runpublic({"event": []})
    assert (exit_, answer) == (
        0,
        {"refused": "a request needs events", "executions": {"this": 1, "used": 1, "left": 19}},
    )
    (entry,) = read_desk(kit.record)
    assert (entry.outcome, entry.says) == ("refused", "a request needs events")


def test_our_failure_is_tried_again_and_never_charged(sit, flaw, executions):
    kit = sit()
    kit.write(RUNS)
    flaw.touch()
    for answered in (kit.runpublic(pushes()), kit.selftest(pushes())):
        assert answered[0] == 4
        assert answered[1]["error"] == "our side failed, try again; nothing was counted"
        assert answered[1]["executions"] == {"this": 0, "used": 0, "left": 20}
    assert executions() == 4
    assert [(entry.outcome, entry.says) for entry in read_desk(kit.record)] == [("failed", "the stack went away")] * 2
    flaw.unlink()
    assert kit.runpublic(pushes())[0] == 0
    assert kit.desk.close().used == 1


def test_a_failure_in_a_self_test_gives_back_what_it_executed_before(sit, flaw):
    kit = sit()
    kit.write(
        b"def verify(s, env):\n    env.run({'events': s['events']})\n    env.run({'events': []})\n    return 'PASS'\n"
    )
    flaw.touch()
    assert kit.selftest(pushes(1))[1]["executions"] == {"this": 0, "used": 0, "left": 20}


def test_a_bug_is_told_as_our_failure_and_raised_at_the_end(sit):
    elsewhere = {"source": "handmade", "family": Family.TOOL_CALL}
    kit = sit(msgspec.structs.replace(stack_task(), **elsewhere))
    assert kit.runpublic({"turns": []})[0] == 4
    with pytest.raises(InfrastructureError, match="which its source does not offer") as raised:
        kit.desk.close()  # what an agent may have brought about costs its task and not the run
    assert isinstance(raised.value.__cause__, Inconsistent)


def test_every_reason_is_told(sit):
    kit = sit()
    sources = {
        b"def verify(s, e): return 1 / 0": ("exception", 1),
        b"def verify(s, e): return 'pass'": ("bad_output", None),
        b"def verify(s e): return 1": ("import_error", 1),
        b"x = 1": ("missing", None),
    }
    for source, (reason, line) in sources.items():
        kit.write(source)
        exit_, answer = kit.selftest(pushes())
        assert (exit_, answer["verdict"], answer["reason"], answer.get("line")) == (1, None, reason, line), source
    assert [entry.outcome for entry in read_desk(kit.record)] == ["undecided"] * 4


def test_what_a_verifier_prints_is_passed_on_capped(sit):
    kit = sit()
    kit.write(b"def verify(s, e):\n    print('x' * 5000)\n    return 'PASS'\n")
    answer = kit.selftest(pushes())[1]
    assert answer["printed"] == "x" * 4_000
    assert "more" in answer


def test_unusable_input_costs_nothing_and_names_its_place(sit):
    kit = sit()
    kit.write(RUNS)
    complaints = {
        '{"events": [], "answer": }': "SOLUTION is not JSON: Expecting value, line 1 column 26",
        '{"events": []}': "SOLUTION does not fit solution.schema.json: $: 'answer' is a required property",
        '{"events": 3, "answer": null}': "SOLUTION does not fit solution.schema.json: $.events: 3 is not of type",
        '{"events": [NaN], "answer": null}': "SOLUTION is not JSON: NaN is not a JSON number",
        "[" * 100_000: "SOLUTION is nested too deeply: at most 200 lists and objects may lie within one another",
        "[" * 201
        + "]" * 201: "SOLUTION is nested too deeply: at most 200 lists and objects may lie within one another",
        '"\\ud800"': "SOLUTION holds a lone surrogate, which has no UTF-8 form",
        "1" * 10_000: "SOLUTION is not JSON: Exceeds the limit",
    }
    for text, complaint in complaints.items():
        exit_, answer = kit.ask("selftest", solution=text)
        assert exit_ == 2
        assert answer["error"].startswith(complaint), answer
    for body in (b"", b"[]", b'{"solution": 1}', b'{"solution": "1", "label": "PASS"}', b"\xff", b"[" * 100_000):
        exit_, answer = kit.desk.answer("selftest", body)
        assert (exit_, answer["error"].split(":")[0]) == (2, "this is not what the tools send"), body
    assert kit.desk.answer("score", b"{}")[0] == 2
    assert kit.desk.budget.used == 0
    assert {entry.outcome for entry in read_desk(kit.record)} == {"malformed"}
    assert {version.why for version in read_versions(kit.record)} <= {"changed"}


def test_no_verifier_is_a_sentence(sit):
    kit = sit()
    assert kit.selftest(pushes()) == (
        2,
        {"error": "the workspace has no verifier.py", "executions": {"this": 0, "used": 0, "left": 20}},
    )
    assert kit.ask("submit")[1]["error"] == "the workspace has no verifier.py: there is nothing to hand in"
    assert not kit.desk.submitted.is_set()


def test_varying_an_open_property_compares_two_verdicts(sit):
    kit = sit(necessity=True)
    kit.write(RUNS)
    exit_, answer = kit.selftest(pushes(1, 2, answer="a"), vary=("/answer", "b"))
    assert (exit_, answer["same"]) == (0, True)
    assert answer["says"] == (
        "the verdicts are the same; where the task leaves '/answer' open, a right verifier says the same of both"
    )
    assert answer["executions"]["this"] == 2
    exit_, answer = kit.selftest(pushes(1, 2), vary=("/events/1/call/arguments/x", 3))
    assert (answer["solution"]["verdict"], answer["varied"]["verdict"], answer["same"]) == ("PASS", "FAIL", False)
    entry = read_desk(kit.record)[-1]
    assert (entry.vary, entry.varied) == ("/events/1/call/arguments/x", content_hash(pushes(1, 3)))
    assert (entry.decision.verdict, entry.varied_decision.verdict) == (Verdict.PASS, Verdict.FAIL)


def test_varying_says_nothing_where_an_execution_was_blocked(sit):
    kit = sit(necessity=True, executions=1)
    kit.write(CATCHES)
    exit_, answer = kit.selftest(pushes(1, 2), vary=("/answer", "b"))
    assert (exit_, answer["same"]) == (3, None)
    assert "warning" not in answer["solution"]
    assert "not evidence" in answer["varied"]["warning"]


@pytest.mark.parametrize(
    ("pointer", "value", "complaint"),
    [
        ("/nothing/here", 1, "SOLUTION has no place '/nothing/here'"),
        ("answer", 1, "SOLUTION has no place 'answer'"),
        ("/answer", 7, "SOLUTION with VALUE at '/answer' does not fit solution.schema.json: $.answer"),
        ("/answer", None, "VALUE is what stands at '/answer' already"),
    ],
)
def test_a_variation_that_cannot_be(sit, pointer, value, complaint):
    kit = sit(necessity=True)
    kit.write(RUNS)
    exit_, answer = kit.selftest(pushes(1), vary=(pointer, value))
    assert (exit_, kit.desk.budget.used) == (2, 0)
    assert answer["error"].startswith(complaint), answer


def test_variation_is_offered_only_where_the_protocol_has_it(sit):
    kit = sit()
    kit.write(RUNS)
    assert kit.selftest(pushes(1), vary=("/answer", "b"))[1]["error"] == "--vary is not offered for this task"


def test_handing_in_freezes_the_bytes(sit):
    kit = sit()
    kit.write(RUNS)
    exit_, answer = kit.ask("submit")
    assert (exit_, answer["submitted"]) == (0, sha256(RUNS))
    assert "warning" not in answer
    assert kit.desk.submitted.is_set()
    kit.write(LOOKS)
    for late in (kit.ask("submit"), kit.selftest(pushes()), kit.runpublic(pushes())):
        assert (late[0], late[1]["error"]) == (
            2,
            "verifier.py is handed in already: it is final, and nothing more counts",
        )
    assert kit.desk.frozen == RUNS
    assert kit.desk.close().submitted == sha256(RUNS)
    assert (kit.record / "versions" / f"{sha256(RUNS)}.py").read_bytes() == RUNS
    assert [version.why for version in read_versions(kit.record)][-1] == "end"


@pytest.mark.parametrize(
    ("source", "warning"),
    [
        (b"def verify(:\n", "verifier.py cannot be parsed: invalid syntax, line 1"),
        (b"\0", "verifier.py cannot be parsed: source code string cannot contain null bytes"),
        (b"def verif(s, e): pass\n", "verifier.py does not define verify"),
        (b"(" * 1_000_000, "verifier.py cannot be parsed"),
        (b"from json import loads as verify\n", ""),
        (b"if True:\n    verify = max\n", ""),
    ],
)
def test_whatever_stands_there_is_taken_with_a_warning(sit, source, warning):
    kit = sit()
    kit.write(source)
    exit_, answer = kit.ask("submit")
    assert (exit_, kit.desk.frozen) == (0, source)
    assert answer.get("warning", "").startswith(warning)
    assert bool(answer.get("warning")) == bool(warning)


def test_a_loop_of_self_tests_is_counted_outside_itself(sit):
    kit = sit(executions=5)
    kit.write(RUNS)
    exits = [kit.selftest(pushes(1, 2))[0] for _ in range(200)]
    assert exits == [0] * 5 + [3] * 195
    log = kit.desk.close()
    assert (len(log.entries), log.used, log.blocked) == (200, 5, 195)
    assert len(read_desk(kit.record)) == 200


def test_requests_have_an_end(sit, monkeypatch):
    monkeypatch.setattr(desk_module, "MOST_REQUESTS", 3)
    kit = sit()
    assert [kit.runpublic(pushes())[0] for _ in range(5)] == [0, 0, 0, 2, 2]
    log = kit.desk.close()
    assert (len(log.entries), log.used, log.uncounted) == (3, 3, 2)


def test_the_end_of_an_attempt_ends_what_it_executes(sit):
    kit = sit(executions=1_000_000, limits=Limits(environment_calls=10_000))
    kit.write(b"def verify(s, env):\n    while True:\n        env.run({'events': []})\n")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(kit.selftest(pushes())))
    thread.start()
    while not kit.desk._lock.locked():
        pass
    log = kit.desk.close()
    thread.join(10)
    assert answers == [] or answers[0][0] == 4
    assert log.used == 0
    assert kit.runpublic(pushes()) == (4, {"error": "the attempt is over"})


def test_a_record_is_of_one_attempt(sit, tmp_path):
    kit = sit()
    with pytest.raises(Inconsistent, match="earlier attempt"):
        desk_module.Desk(kit.task, kit.bench, None, Limits(), kit.record, kit.workspace)


def test_nothing_hidden_is_in_any_answer(sit):
    kit = sit(executions=4, necessity=True)
    prints = b"def verify(s, env):\n    print(s, env.task, env.read('goal', ''), dir(env))\n    return 'PASS'\n"
    told = []
    for source in (prints, RUNS, CATCHES, b"def verify(s, e): return e.read('clauses', '')", b"raise SystemExit"):
        kit.write(source)
        told += [kit.selftest(pushes(1, 2)), kit.selftest(pushes(1), vary=("/answer", "b"))]
    told += [kit.runpublic(pushes(1)), kit.runpublic({}), kit.ask("runpublic"), kit.ask("submit"), kit.ask("cases")]
    everything = json.dumps(told) + (kit.record / "desk.jsonl").read_text()
    assert "Push one, then two." in everything  # the search finds what is there
    for word in ("SECRET", "counting", "clause", "reference", "hidden"):
        assert word not in everything.replace("has no material 'clauses'", "").replace("e.read('clauses", ""), word
