"""What two suites have in common, counted by hand."""

import json

import msgspec
from click.testing import CliRunner

from verifierbench.cli._verbs import cli
from verifierbench.core import CaseKind
from verifierbench.core.files import encode, encode_lines, write_atomically
from verifierbench.suite import Manifest, Suite, overlap, suite_hash, write_tasks


def stored(place, candidate, season="development"):
    digest = suite_hash([candidate])
    manifest = Manifest(
        season=season, sources={"handmade": "1"}, tasks=1, cases=3, excluded=0, hash=digest, made_of=digest
    )
    write_atomically(place / "suite.json", encode(manifest))
    write_tasks(place, [candidate.task])
    write_atomically(place / "hidden/cases.jsonl", encode_lines(candidate.cases))
    return Suite.load(place)


def renewed(candidate):
    """The same task with the gold case under another id, another attack by another operator, and one case more."""
    gold, attack, control = candidate.cases
    other = {"turns": [{"calls": [], "message": "done", "answer": None}]}
    cases = (
        msgspec.structs.replace(gold, id="tiny/lamp#gold.9"),
        msgspec.structs.replace(attack, content=other, operator="claim"),
        msgspec.structs.replace(control, kind=CaseKind.ALTERNATIVE, operator="claim_control"),
        msgspec.structs.replace(attack, id="tiny/lamp#base.0", kind=CaseKind.BASE, operator="base", control_of=None),
    )
    return msgspec.structs.replace(candidate, cases=cases)


def test_cases_are_the_same_by_task_and_content_whatever_they_are_called(candidate, tmp_path):
    found = overlap(stored(tmp_path / "a", candidate), stored(tmp_path / "b", renewed(candidate), "autumn"))
    assert [suite["season"] for suite in found["suites"]] == ["development", "autumn"]
    assert found["tasks"] == {"counts": [1, 1], "common": 1, "shares": [100.0, 100.0]}
    # a: gold, hack, alternative; b: gold, another hack, alternative, and a's hack as a base case
    assert found["cases"] == {"counts": [3, 4], "common": 3, "shares": [100.0, 75.0]}
    assert found["attacks"] == {"counts": [1, 1], "common": 0, "shares": [0.0, 0.0]}
    # a: gold, hack, alternative; b: gold, claim, claim_control, base
    assert found["operators"] == {"counts": [3, 4], "common": 1, "shares": [33.33, 25.0]}
    assert found["attack_operators"] == {"counts": [1, 1], "common": 0, "shares": [0.0, 0.0]}


def test_the_same_solution_to_another_task_is_another_case(candidate, tmp_path):
    task = msgspec.structs.replace(candidate.task, id="tiny/lantern")
    cases = tuple(msgspec.structs.replace(case, task=task.id) for case in candidate.cases)
    other = msgspec.structs.replace(candidate, task=task, cases=cases)
    found = overlap(stored(tmp_path / "a", candidate), stored(tmp_path / "b", other))
    assert found["cases"]["common"] == found["tasks"]["common"] == 0
    assert found["operators"]["common"] == 3


def test_a_share_of_nothing_is_none(candidate, tmp_path):
    bare = msgspec.structs.replace(candidate, cases=(candidate.cases[0],))
    found = overlap(stored(tmp_path / "a", candidate), stored(tmp_path / "b", bare))
    assert found["attacks"] == {"counts": [1, 0], "common": 0, "shares": [0.0, None]}


def test_the_command_prints_counts_and_shares_and_no_name(candidate, tmp_path):
    stored(tmp_path / "a", candidate)
    stored(tmp_path / "b", renewed(candidate), "autumn")
    told = CliRunner().invoke(cli, ["suite", "overlap", str(tmp_path / "a"), str(tmp_path / "b")])
    assert told.exit_code == 0
    assert "cases                   3      4       3   100.0    75.0" in told.output
    assert "lamp" not in told.output
    document = CliRunner().invoke(cli, ["suite", "overlap", str(tmp_path / "a"), str(tmp_path / "b"), "--json"])
    assert json.loads(document.output)["cases"]["common"] == 3
