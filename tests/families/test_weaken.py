"""Weakenings: each is as lax as it says and never stricter than the atom, and every check has been thought of."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.equivalence import Contrast, Views
from verifierbench.core import DEVELOPMENT, Absent, Atom, Candidate, Family, Node, at, atoms, canonical_hash, evaluate
from verifierbench.families import family, view
from verifierbench.families.code.driver import MARK
from verifierbench.sources.handmade import HANDMADE
from verifierbench.sources.handmade.state.environment import replay

DROPPED_ONLY = {
    Family.TOOL_CALL: {"tool", "before", "gone_after_turn", "replied"},
    Family.STATE: {
        *("well_formed", "replayed", "unchanged", "never_after", "told_only_after", "not_stated"),
        *("told_only_returned", "last_word", "answer_is", "all_changed_to", "always_among"),
    },
    Family.CODE: {"contains"},
}
"""Checks that have no laxer sibling in their library which a case could tell apart."""


@cache
def candidates() -> dict[str, Candidate]:
    return {found.task.id: found for found in HANDMADE.candidates(DEVELOPMENT)}


EACH = pytest.mark.parametrize("name", sorted(candidates()))


def shown(reference: Any) -> dict[str, Any]:
    """A run in which a code reference sees all that it asks for, written from its parameters."""
    stdout, stderr, files, status = "", "", {}, 0
    for atom in atoms(reference.root):
        for case, text in atom.parameters.get("expected", {}).items():
            stdout += MARK + msgspec.json.encode([case, text]).decode() + "\n"
        for test, outcome in atom.parameters.get("outcomes", {}).items():
            stderr += f"{test.rpartition('.')[2]} ({test}) ... {outcome}\n"
        status = atom.parameters.get("exit", status)
        if atom.check == "contains":
            files = {atom.parameters["path"]: "## Unreleased\n- compares pre-releases by number\n"}
    command = {"ended": "exit", "stdout": stdout, "stderr": stderr}
    commands = [{**command, "exit": 0, "stderr": ""}, {**command, "exit": status, "stdout": ""}]
    return {"copy": {"applied": True, "error": "", "commands": commands, "files": files}}


@cache
def subject(name: str) -> Subject:
    """The task with its views; a code task's are written, not executed."""
    task, cases = candidates()[name].task, candidates()[name].cases
    definition = family(task.family)
    if task.family is Family.CODE:
        views = {case.id: {"solution": case.content, "runs": shown(task.reference)} for case in cases}
    else:
        views = {
            case.id: view(definition, task.reference, case.content, lambda request: replay(request["events"]))
            for case in cases
        }
    judge = TreeJudge.of(task.reference, definition)
    return Subject(task=task, cases=cases, family=definition, judge=judge, views=views)


def ok(node: Node, item: Any, name: str) -> bool:
    return evaluate(node, item, subject(name).family.checks).ok


def items(seen: Any, name: str) -> Iterator[Any]:
    """A view, and the calls in it that an atom inside a matching is asked of."""
    yield seen
    if subject(name).task.family is Family.TOOL_CALL:
        try:
            yield from at(seen, "/solution/turns/0/calls")
        except Absent:
            return


@EACH
def test_a_weakening_accepts_all_that_its_atom_accepts_on_every_case(name: str) -> None:
    seen = [item for each in subject(name).views.values() for item in items(each, name)]
    unlike = list({canonical_hash(item): item for item in seen}.values())
    held = 0
    for atom in atoms(subject(name).task.reference.root):
        satisfied = [item for item in unlike if ok(atom, item, name)]
        held += len(satisfied)
        for weak in subject(name).family.weaken(atom):
            assert all(ok(weak.node, item, name) for item in satisfied), (atom.name, weak.operator, weak.part)
    assert held


@EACH
def test_no_weakening_is_stricter_on_generated_views_either(name: str) -> None:
    views = Views(subject(name))
    mutants = [mutant for mutant in subject(name).judge.mutants() if mutant.operator != "drop"]
    accepted = 0
    for mutant in mutants[:: max(1, len(mutants) // 4)]:
        contrast = Contrast(subject(name).judge, mutant, subject(name).family.checks)
        for made in views.generated(contrast, 30, valid_only=False):
            try:
                original = ok(contrast.before, made.view, name)
            except (LookupError, TypeError, ValueError, AttributeError):
                continue  # no environment answers like this
            accepted += original
            assert not original or ok(contrast.after, made.view, name), (mutant.name, made.edits)
    assert accepted or not mutants


@EACH
def test_no_two_mutants_of_a_task_are_the_same_tree_or_share_a_name(name: str) -> None:
    mutants = list(subject(name).judge.mutants())
    trees = [canonical_hash(mutant.judge.spec(None)["tree"]) for mutant in mutants]
    assert len(set(trees)) == len(mutants)
    assert canonical_hash(subject(name).judge.spec(None)["tree"]) not in trees
    assert len({mutant.name for mutant in mutants}) == len(mutants)


@EACH
def test_the_names_of_atoms_stay_unique_in_every_mutant(name: str) -> None:
    for mutant in subject(name).judge.mutants():
        names = [atom.name for atom in atoms(mutant.judge.root)]  # type: ignore[attr-defined]
        assert len(set(names)) == len(names), mutant.name


@pytest.mark.parametrize("name", list(DROPPED_ONLY))
def test_every_check_of_every_library_is_in_its_table_or_said_to_be_dropped_only(name: Family) -> None:
    parts = [name.value, "tool_call.session"] if name is Family.TOOL_CALL else [name.value]
    weakened_as: set[str] = set()
    for part in parts:
        module = importlib.import_module(f"verifierbench.families.{part}.weaken")
        weakened_as |= {check for check, found in module._CHECKS.items() if found is not module._none}
        weakened_as |= set(getattr(module, "_POLICIES", {}))
    assert not weakened_as & DROPPED_ONLY[name]
    assert set(family(name).checks) == weakened_as | DROPPED_ONLY[name]


def weakened(check: str, parameters: dict[str, Any], name: Family = Family.TOOL_CALL) -> dict[str, Node]:
    atom = Atom(name="a", clause="c", check=check, parameters=parameters)
    return {f"{weak.operator}:{weak.part}": weak.node for weak in family(name).weaken(atom)}


def takes(node: Node, value: Any) -> bool:
    return evaluate(node, {"arguments": {"x": value}}, family(Family.TOOL_CALL).checks).ok


def value(policy: dict[str, Any], **more: Any) -> dict[str, Node]:
    return weakened(policy["policy"], {"at": "/arguments/x", "right": policy, "may_omit": False, **more})


def test_a_number_is_loosened_by_a_tenth_but_at_least_by_one() -> None:
    about = value({"policy": "number", "value": 35})["loosen:about"]
    assert [number for number in (31, 31.5, 35, 38.5, 39) if takes(about, number)] == [31.5, 35, 38.5]
    assert [n for n in (0, 1, 2, 3) if takes(value({"policy": "number", "value": 1})["loosen:about"], n)] == [0, 1, 2]
    assert takes(value({"policy": "number", "value": 35})["loosen:type"], -7)
    assert not takes(value({"policy": "number", "value": 35})["loosen:type"], "35")


def test_wording_is_loosened_to_a_text_that_has_it() -> None:
    contains = value({"policy": "wording", "text": "Old Mill"})["loosen:contains"]
    taken = [text for text in ("old  mill", "the Old Mill, east", "Old Windmill", "") if takes(contains, text)]
    assert taken == ["old  mill", "the Old Mill, east"]


def test_a_list_forgets_its_order_its_length_or_one_element() -> None:
    items = [{"policy": "number", "value": each} for each in (1, 2)]
    found = value({"policy": "list", "items": items})
    tried = ([1, 2], [2, 1], [1, 2, 3], [1], [1, 9], [9, 9, 9])
    assert {part: [each for each in tried if takes(node, each)] for part, node in found.items()} == {
        "loosen:omitted": [[1, 2]],
        "loosen:order": [[1, 2], [2, 1]],
        "loosen:more elements": [[1, 2], [2, 1], [1, 2, 3]],
        "loosen:fewer elements": [[1, 2], [2, 1], [1]],
        "per_argument:0": [[1, 2]],
        "per_argument:1": [[1, 2], [1, 9]],
        "loosen:type": list(tried),
    }


def test_an_object_frees_one_key_lets_one_go_or_takes_another() -> None:
    found = value({"policy": "object", "keys": {"a": {"policy": "number", "value": 1}}, "defaults": {}})
    tried: tuple[Any, ...] = ({"a": 1}, {"a": 2}, {}, {"a": 1, "b": 1}, [])
    assert {part: [each for each in tried if takes(node, each)] for part, node in found.items()} == {
        "loosen:omitted": [{"a": 1}],
        "loosen:more keys": [{"a": 1}, {"a": 1, "b": 1}],
        "per_argument:a": [{"a": 1}, {"a": 2}],
        "per_argument:a omitted": [{"a": 1}, {}],
        "loosen:type": [{"a": 1}, {"a": 2}, {}, {"a": 1, "b": 1}],
    }


def test_an_argument_that_may_be_left_out_is_not_let_go_once_more() -> None:
    assert "loosen:omitted" not in value({"policy": "number", "value": 1}, may_omit=True)
    assert "loosen:omitted" in value({"policy": "number", "value": 1})


def test_a_test_alone_and_the_exit_status_with_or_without_the_reports() -> None:
    parameters = {"probe": "copy", "command": 0, "outcomes": {"m.A.b": "ok", "m.A.c": "FAIL"}, "exit": 1}
    found = weakened("tests", parameters, Family.CODE)
    assert set(found) == {"loosen:no exit status", "loosen:exit status alone"}
    alike = weakened("tests", {**parameters, "outcomes": {"m.A.b": "ok", "m.A.c": "ok"}}, Family.CODE)
    assert {part for part in alike if part.startswith("per_test")} == {"per_test:only m.A.b", "per_test:only m.A.c"}


def test_a_single_part_is_not_weakened_where_that_would_be_dropping_it() -> None:
    assert weakened("untouched", {"probe": "copy", "paths": ["vendor"]}, Family.CODE) == {}
    assert weakened("values", {"probe": "copy", "command": 0, "expected": {"a": "1"}}, Family.CODE) == {}
    assert weakened("preceded", {"call": {"name": "a"}, "by": [{"name": "b"}]}, Family.STATE) == {}
    assert weakened("not_told", {"words": ["a"]}, Family.STATE) == {}
    for check in ("told_before", "user_told_before"):
        assert weakened(check, {"call": {"name": "a"}, "words": ["b"]}, Family.STATE) == {}
    reminder = {"call": {"name": "a"}, "words": ["b"], "numbers": ["3"]}
    assert set(weakened("told_before", reminder, Family.STATE)) == {"per_path:b", "per_path:3"}


def test_one_record_is_overlooked_and_none_still_accepted() -> None:
    """The first table put `count: 1` in the place of a count of 0, which refuses the states that have none."""
    parameters = {"under": "/t", "fields": {"a": 1}, "count": 0}
    (node,) = weakened("record_added", parameters, Family.STATE).values()
    checks = family(Family.STATE).checks

    def accepts(rows: list[Any]) -> bool:
        added = [{"path": f"/t/{place}", "how": "added", "new": row} for place, row in enumerate(rows)]
        return evaluate(node, {"runs": {"replay": {"changes": added}}}, checks).ok

    assert [accepts([]), accepts([{"a": 1}]), accepts([{"a": 1}, {"a": 1}])] == [True, True, False]


@pytest.mark.parametrize("spellings", [["12"], ["12", "a dozen"], ["a dozen", "12"], ["a dozen", "twelve"]])
def test_regression_a_fact_that_is_only_looked_for_is_found_in_every_spelling(spellings: list[str]) -> None:
    """The first table looked for the first spelling alone where that was a figure."""
    found = weakened("asserted", {"fact": spellings, "rivals": ["13"]}, Family.STATE)
    assert set(found) == {"loosen:rivals overlooked", "loosen:only looked for"}
    checks = family(Family.STATE).checks

    def accepts(text: str) -> bool:
        events = [{"role": "assistant", "message": text}]
        seen = {"solution": {"events": events}, "runs": {"replay": {"results": [], "changes": []}}}
        return evaluate(found["loosen:only looked for"], seen, checks).ok

    assert all(accepts(f"It is not {spelled}.") for spelled in spellings)
    assert not accepts("It is 13.")
