"""Figures against arithmetic done by hand, and the algebra that must hold for any decisions."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import CaseDecision, CaseKind, Decision, Family, Inconsistent, Reason, Verdict
from verifierbench.measures import by_family, exact_interval, per_task, summary, t_interval

ANSWERS = {
    "P": Decision(verdict=Verdict.PASS),
    "F": Decision(verdict=Verdict.FAIL),
    ".": Decision(reason=Reason.TIMEOUT),
}
KINDS = {"+": CaseKind.GOLD, "a": CaseKind.ALTERNATIVE, "-": CaseKind.BASE, "h": CaseKind.HACK}


def rows(task: str, kinds: str, answers: str, family: Family = Family.STATE) -> list[CaseDecision]:
    """`kinds` and `answers` side by side: one character each per case."""
    return [
        CaseDecision(
            case=f"{task}#{number}", task=task, source="s", family=family, kind=KINDS[kind], decision=ANSWERS[answer]
        )
        for number, (kind, answer) in enumerate(zip(kinds, answers, strict=True))
    ]


#  kinds     answers    TPR    TNR     J      FPR_h  invalid
TASKS = [
    ("+-", "PF", 100, 100, 100, None, 0),  # perfect
    ("+-", "FP", 0, 0, -100, None, 0),  # always wrong
    ("+a--", "PPPP", 100, 0, 0, None, 0),  # accepts everything: 100 + 0 - 100
    ("+a--", "FFFF", 0, 100, 0, None, 0),  # rejects everything: 0 + 100 - 100
    ("+a--", "....", 0, 0, -100, None, 100),  # no usable verifier: 0 + 0 - 100
    ("+a-h", "PFFP", 50, 50, 0, 100, 0),  # 1/2, 1/2; one of one attack accepted
    ("+aaa--hh", "PPP.F.FP", 75, 50, 25, 50, 25),  # 3/4, 2/4; 1/2 attacks; 2/8 without verdict
    ("+-hhh", "P.F..", 100, 25, 25, 0, 60),  # an attack without verdict is not accepted, and not rejected
]


@pytest.mark.parametrize(("kinds", "answers", "tpr", "tnr", "j", "fpr_h", "invalid"), TASKS)
def test_one_task(kinds, answers, tpr, tnr, j, fpr_h, invalid):
    (task,) = per_task(rows("t", kinds, answers))
    assert (task.tpr, task.tnr, task.j, task.fpr_h, task.invalid_share) == (tpr, tnr, j, fpr_h, invalid)
    assert (task.positives, task.negatives) == (sum(k in "+a" for k in kinds), sum(k in "-h" for k in kinds))


def test_tasks_weigh_the_same_whatever_their_case_counts():
    # a: 2 cases, perfect: J = 100.   b: 10 cases, TPR 1/5 = 20, TNR 4/5 = 80: J = 0.
    # Task-averaged: BA_norm 50, TPR (100+20)/2 = 60, TNR (100+80)/2 = 90.
    # Pooled over cases it would be TPR 2/6 and TNR 5/6, J = 16.7: wrong.
    both = rows("a", "+-", "PF") + rows("b", "+++++-----", "PFFFFFFFFP")
    figures = summary(both)
    assert (figures.tasks, figures.ba_norm, figures.tpr, figures.tnr) == (2, 50, 60, 90)


def test_a_task_without_attacks_is_left_out_of_fpr_h():
    # a: no attack. b: 1 of 2 accepted = 50. c: 0 of 1 = 0. Mean over b and c = 25, over two tasks.
    figures = summary(rows("a", "+-", "PF") + rows("b", "+hh", "PPF") + rows("c", "+h", "PF"))
    assert (figures.fpr_h, figures.fpr_h_tasks, figures.tasks) == (25, 2, 3)


def test_without_any_attack_there_is_no_fpr_h():
    figures = summary(rows("a", "+-", "PF"))
    assert figures.fpr_h is None
    assert figures.fpr_h_tasks == 0


def test_a_task_without_verifier_pulls_the_mean_down_by_minus_100():
    # (100 + 100 - 100) / 3 = 33.3…; invalid: (0 + 0 + 100) / 3
    figures = summary(rows("a", "+-", "PF") + rows("b", "+-", "PF") + rows("c", "+---", "...."))
    assert figures.ba_norm == pytest.approx(100 / 3)
    assert figures.invalid_share == pytest.approx(100 / 3)


def test_worked_interval():
    # J = 0, 50, 100, 50: mean 50; deviations -50, 0, 50, 0; variance 5000/3 = 1666.67; SE = √(1666.67/4) = 20.4124.
    # Printed t table, 3 degrees of freedom, 0.975: 3.182. 50 ± 3.182 · 20.4124 = 50 ± 64.95: leaves nothing clipped.
    data = (
        rows("a", "+-", "PP")
        + rows("b", "++--", "PFFF")  # 50 + 100 - 100
        + rows("c", "+-", "PF")
        + rows("d", "+--", "PFP")  # 100 + 50 - 100
    )
    low, high = summary(data).ba_norm_ci
    assert low == pytest.approx(50 - 64.95, abs=0.02)
    assert high == pytest.approx(50 + 64.95, abs=0.02)
    assert high > 100


def test_quantiles_of_the_printed_table():
    # Two values ±1: mean 0, sd √2, SE 1, so the interval's reach is the quantile for 1 degree of freedom: 12.706.
    assert t_interval([-1, 1]) == pytest.approx((-12.706, 12.706), abs=5e-4)
    # Nine values: -3..3 spread so that variance = 9 and SE = 1; table for 8 degrees: 2.306.
    values = [-3.0] * 4 + [0.0] + [3.0] * 4
    assert t_interval(values) == pytest.approx((-2.306, 2.306), abs=5e-4)
    assert t_interval([7]) is None
    assert t_interval([]) is None
    assert t_interval([5, 5, 5]) == (5, 5)


def test_by_family():
    data = rows("a", "+-", "PF", Family.CODE) + rows("b", "+-", "FF", Family.TOOL_CALL)
    figures = by_family(data)
    assert list(figures) == [Family.TOOL_CALL, Family.CODE]
    assert (figures[Family.CODE].ba_norm, figures[Family.TOOL_CALL].ba_norm) == (100, 0)
    assert figures[Family.CODE].ba_norm_ci is None


@pytest.mark.parametrize("kinds", ["++", "-h", "+", "-"])
def test_a_task_without_both_labels_is_refused_never_skipped(kinds):
    with pytest.raises(Inconsistent, match="needs both"):
        summary(rows("good", "+-", "PF") + rows("t", kinds, "P" * len(kinds)))


def test_no_rows_and_double_rows_are_refused():
    with pytest.raises(Inconsistent, match="no decisions"):
        summary([])
    with pytest.raises(Inconsistent, match="two rows"):
        summary(rows("t", "+-", "PF") * 2)


def test_nothing_heavy_is_imported_with_the_package():
    import subprocess
    import sys

    code = "import sys, verifierbench.measures; sys.exit(any(m.startswith(('scipy', 'numpy')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@st.composite
def decisions(draw: st.DrawFn, answers: str = "PF.") -> list[CaseDecision]:
    out: list[CaseDecision] = []
    for number in range(draw(st.integers(1, 5))):
        kinds = "+-" + draw(st.text("+a-h", max_size=8))
        out += rows(f"t{number}", kinds, draw(st.text(answers, min_size=len(kinds), max_size=len(kinds))))
    return out


def figures_of(data: Sequence[CaseDecision]) -> dict[str, object]:
    return msgspec.to_builtins(summary(data))


@given(decisions())
def test_bounds_and_identity(data):
    figures = summary(data)
    assert -100 <= figures.ba_norm <= 100
    assert figures.ba_norm == pytest.approx(figures.tpr + figures.tnr - 100)
    assert all(0 <= x <= 100 for x in (figures.tpr, figures.tnr, figures.invalid_share, figures.fpr_h or 0))
    if figures.ba_norm_ci is not None:
        assert figures.ba_norm_ci[0] <= figures.ba_norm <= figures.ba_norm_ci[1]


@given(decisions(), st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing_at_all(data, rng: random.Random):
    shuffled = data.copy()
    rng.shuffle(shuffled)
    assert figures_of(shuffled) == figures_of(data)


def test_order_of_task_names_changes_nothing_at_all():
    # A plain sum of J = 100/3, -100/7, 20/11, … depends on its order in the last bit; the reported figure may not.
    patterns = [("+++-", "PFFF"), ("+------", "FFPPPPP"), ("+++++++---", "PFFFFFFFFP"), ("++++++-----", "PPPPPFFFFPP")]
    forward = [r for n, (k, a) in enumerate(patterns) for r in rows(f"t{n}", k, a)]
    backward = [r for n, (k, a) in enumerate(reversed(patterns)) for r in rows(f"t{n}", k, a)]
    assert figures_of(forward) == figures_of(backward)


@given(decisions("PF"))
def test_swapping_labels_and_verdicts_swaps_tpr_and_tnr(data):
    verdicts = {"PASS": ANSWERS["F"], "FAIL": ANSWERS["P"]}
    swapped = [
        msgspec.structs.replace(
            row,
            kind=CaseKind.BASE if row.label is Verdict.PASS else CaseKind.GOLD,
            decision=verdicts[row.decision.verdict],
        )
        for row in data
    ]
    before, after = summary(data), summary(swapped)
    assert (after.tpr, after.tnr) == (before.tnr, before.tpr)
    assert after.ba_norm == pytest.approx(before.ba_norm)


@given(decisions("PF"))
def test_swapping_only_the_labels_turns_the_score_round(data):
    swapped = [
        msgspec.structs.replace(row, kind=CaseKind.BASE if row.label is Verdict.PASS else CaseKind.GOLD) for row in data
    ]
    assert summary(swapped).ba_norm == pytest.approx(-summary(data).ba_norm)


@given(decisions(), st.data())
def test_doubling_all_cases_of_one_task_changes_nothing(data, choice):
    task = choice.draw(st.sampled_from(sorted({row.task for row in data})))
    again = [msgspec.structs.replace(row, case=f"{row.case}'") for row in data if row.task == task]
    assert figures_of([*data, *again]) == figures_of(data)


@given(decisions(), st.sampled_from("PF"))
def test_a_constant_verdict_scores_exactly_nothing(data, answer):
    constant = [msgspec.structs.replace(row, decision=ANSWERS[answer]) for row in data]
    figures = summary(constant)
    assert figures.ba_norm == 0
    assert figures.ba_norm_ci is None or figures.ba_norm_ci == (0, 0)


@given(decisions(), st.data())
def test_losing_a_verdict_never_helps(data, choice):
    lost = choice.draw(st.integers(0, len(data) - 1))
    less = [
        msgspec.structs.replace(row, decision=ANSWERS["."]) if number == lost else row
        for number, row in enumerate(data)
    ]
    assert summary(less).ba_norm <= summary(data).ba_norm
    assert math.isfinite(summary(less).invalid_share)


#  successes, trials, low, high: the zero rows are 1 - .025^(1/n); the others stand in printed tables
EXACT = [
    (0, 20, 0.0, 0.1684),
    (20, 20, 0.8316, 1.0),
    (0, 47, 0.0, 0.0755),
    (5, 10, 0.1871, 0.8129),
    (1, 10, 0.0025, 0.4450),
]


@pytest.mark.parametrize(("successes", "trials", "low", "high"), EXACT)
def test_exact_interval(successes, trials, low, high):
    assert exact_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_exact_interval_without_trials():
    assert exact_interval(0, 0) is None


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_exact_interval_holds_the_share_and_mirrors(trial):
    successes, trials = trial
    low, high = exact_interval(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert exact_interval(trials - successes, trials) == pytest.approx((1 - high, 1 - low))
