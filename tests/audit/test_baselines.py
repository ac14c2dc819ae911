"""Baselines: a task whose cases let a verifier get away with knowing nothing is named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from verifierbench.audit import Subject
from verifierbench.audit.checks import check
from verifierbench.core import Case, CaseKind, Verdict, content_bytes

from .subjects import CALLS, DESK, PATCH, changed, edited, flaws, reproduces, subject, the_case, told

HEALTHY = ("gold", "comments", "empty", "unappliable")


def only(of: Subject, *kinds: CaseKind) -> Subject:
    return changed(of, cases=tuple(case for case in of.cases if case.kind in kinds))


@pytest.mark.parametrize(
    ("name", "operators", "passed"), [(CALLS, (), 4), (DESK, (), 4), (PATCH, ("gold", "comments", "empty"), 2)]
)
def test_what_holds_of_a_healthy_task(name: str, operators: tuple[str, ...], passed: int):
    found = check("baselines").examine(subject(name, operators))
    # Of the patch, three cases are too few for a threshold, and the only wrong one is the task left undone.
    assert [flaw.reason for flaw in found.flaws] == (["always_accept"] if operators else [])
    assert found.passed == passed


@pytest.mark.parametrize("kinds", [(), (CaseKind.BASE,)])
def test_accepting_everything_needs_more_than_the_task_left_undone(tmp_path: Path, kinds: tuple[CaseKind, ...]):
    found = flaws("baselines", only(subject(CALLS), CaseKind.GOLD, CaseKind.COSMETIC, CaseKind.ALTERNATIVE, *kinds))
    assert ("always_accept", "", "always_accept") in told(found)
    reproduces(found[0], tmp_path)


def test_rejecting_everything_and_exact_match_need_a_valid_case_beside_gold(tmp_path: Path):
    found = flaws("baselines", only(subject(DESK), *(kind for kind in CaseKind if kind.label is Verdict.FAIL), "gold"))
    assert [flaw.reason for flaw in found] == ["always_reject", "exact_match"]
    for flaw in found:
        reproduces(flaw, tmp_path)


def test_gold_with_its_keys_in_another_order_does_not_expose_exact_match():
    whole = only(subject(CALLS), *(kind for kind in CaseKind if kind.label is Verdict.FAIL), CaseKind.GOLD)
    gold = the_case(whole, "gold")
    turn = gold.content["turns"][0]
    turned = {"turns": [dict(reversed([*turn.items()]))]}
    twin = msgspec.structs.replace(gold, id="twin", kind=CaseKind.COSMETIC, content=turned)
    found = flaws("baselines", changed(whole, cases=(*whole.cases, twin)))
    assert [flaw.reason for flaw in found] == ["exact_match"]


def test_without_gold_there_is_nothing_to_match(tmp_path: Path):
    whole = subject(CALLS)
    found = flaws("baselines", edited(whole, the_case(whole, "gold"), kind=CaseKind.ALTERNATIVE))
    assert [flaw.reason for flaw in found] == ["exact_match"]
    assert "no gold" in found[0].says
    reproduces(found[0], tmp_path)


@pytest.mark.parametrize(
    ("task", "nothing"),
    [
        ("handmade/museum", {"turns": [{"calls": [], "message": "Done!", "answer": None}]}),
        (DESK, {"events": [{"role": "assistant", "message": "Done!"}], "answer": None}),
    ],
)
def test_doing_nothing_under_another_name_punishes_no_acceptance(task, nothing, tmp_path: Path):
    whole = only(subject(task), CaseKind.GOLD, CaseKind.ALTERNATIVE)
    idle = msgspec.structs.replace(the_case(whole, "gold"), id="idle", kind=CaseKind.HACK, content=nothing)
    found = flaws("baselines", changed(whole, cases=(*whole.cases, idle)))
    assert [flaw.reason for flaw in found] == ["always_accept"]
    reproduces(found[0], tmp_path)


def with_lengths(valid: list[int], wrong: list[int]) -> Subject:
    """The task with cases of these lengths, in bytes of JSON."""
    whole = subject(CALLS)
    gold, base = the_case(whole, "gold"), next(case for case in whole.cases if case.kind is CaseKind.BASE)
    bare = len(content_bytes({"m": ""}))

    def case(name: str, kind: CaseKind, length: int) -> Case:
        # Told apart by their letter, so that no two are one solution.
        content = {"m": name[-1] * (length - bare)}
        return msgspec.structs.replace(gold, id=name, kind=kind, content=content)

    made = [case(f"v{n}", CaseKind.ALTERNATIVE, length) for n, length in enumerate(valid)]
    made += [case(f"w{n}", CaseKind.NEAR_MISS, length) for n, length in enumerate(wrong)]
    return changed(whole, cases=(*made, base), views={base.id: whole.views[base.id]})


def length_of(whole: Subject) -> tuple[list[str], float]:
    found = check("baselines").examine(whole)
    return [flaw.reason for flaw in found.flaws if flaw.reason == "length"], found.facts["length_j"]


def test_a_threshold_on_the_length_is_found_on_either_side(tmp_path: Path):
    base = len(content_bytes(next(c for c in subject(CALLS).cases if c.kind is CaseKind.BASE).content))
    longer = with_lengths([base + n for n in range(10, 20)], [base - n for n in range(10)])
    assert length_of(longer) == (["length"], 1.0)
    shorter = with_lengths([base - n for n in range(20, 30)], [base - n for n in range(10)])
    assert length_of(shorter) == (["length"], 1.0)
    for whole in (longer, shorter):
        flaw = next(flaw for flaw in flaws("baselines", whole) if flaw.reason == "length")
        reproduces(flaw, tmp_path)
    assert "longer" in next(f.says for f in flaws("baselines", longer) if f.reason == "length")
    assert "shorter" in next(f.says for f in flaws("baselines", shorter) if f.reason == "length")


def test_the_best_threshold_computed_by_hand():
    # Valid: 200 four times and 400; wrong: the base case, shorter than 200, and 300 four times.
    # Accepting up to the base: 0 - 1/5. Up to 200: 4/5 - 1/5 = 0.6. Up to 300: 4/5 - 1. Up to 400: 1 - 1.
    base = next(c for c in subject(CALLS).cases if c.kind is CaseKind.BASE)
    assert len(content_bytes(base.content)) < 200
    assert length_of(with_lengths([200] * 4 + [400], [300] * 4)) == ([], pytest.approx(0.6))


def test_one_solution_that_breaks_the_pattern_in_ten_is_enough():
    # Nine of ten valid ones are short and all ten wrong ones long: J = 0.9 reaches the limit; eight of ten do not.
    base = len(content_bytes(next(c for c in subject(CALLS).cases if c.kind is CaseKind.BASE).content))
    at = with_lengths([base - 5] * 9 + [base + 50], [base + 10] * 9)
    below = with_lengths([base - 5] * 8 + [base + 50] * 2, [base + 10] * 9)
    assert length_of(at) == (["length"], pytest.approx(0.9))
    assert length_of(below) == ([], pytest.approx(0.8))


def test_four_cases_of_a_label_are_too_few_for_a_threshold():
    found = check("baselines").examine(with_lengths([100] * 4, [200] * 9))
    assert found.facts == {"length_thresholds": 0, "length_j": 0.0}
