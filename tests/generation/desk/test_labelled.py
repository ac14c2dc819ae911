from __future__ import annotations

import random

import pytest

from verifierbench.core import Case, CaseKind, Ground, Verdict
from verifierbench.generation.desk import pick, shown

K = CaseKind
KINDS = [K.GOLD, K.COSMETIC, K.ALTERNATIVE, K.COSMETIC, K.ALTERNATIVE, K.NEAR_MISS, K.PARTIAL, K.BASE, K.NEAR_MISS]


def cases():
    made = [case(n, kind) for n, kind in enumerate(KINDS)]
    attack = case(90, K.HACK)
    return [*made, attack, case(91, K.COSMETIC, attack.id)]


def case(n, kind, control_of=None):
    return Case(
        id=f"t/x#SECRET.{n}",
        task="t/x",
        kind=kind,
        content={"n": n},
        operator="SECRET",
        grounds=(Ground(clause="SECRET", note="SECRET"),),
        control_of=control_of,
    )


def test_labels_take_turns_and_half_of_each_stays():
    picked = pick(cases(), 20, "s")
    assert [one.label for one in picked] == [Verdict.PASS, Verdict.FAIL, Verdict.PASS, Verdict.FAIL]  # 5 // 2, 4 // 2
    assert pick(cases(), 3, "s") == picked[:3]
    assert pick(cases(), 0, "s") == ()


@pytest.mark.parametrize("seed", "abcdef")
def test_attacks_and_controls_are_never_shown(seed):
    assert all(not one.kind.is_attack and one.control_of is None for one in pick(cases(), 20, seed))


def test_the_choice_is_the_seeds_alone():
    mixed = cases()
    random.Random(1).shuffle(mixed)
    assert pick(mixed, 4, "s") == pick(cases(), 4, "s")
    assert len({tuple(one.id for one in pick(cases(), 4, str(seed))) for seed in range(20)}) > 5


def test_what_is_shown_is_solution_and_label_alone():
    import msgspec

    (first, _) = shown(pick(cases(), 2, "s"))
    assert set(msgspec.to_builtins(first)) == {"solution", "label"}
    assert "SECRET" not in str(first)
