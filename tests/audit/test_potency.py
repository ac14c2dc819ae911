"""Potency: attacks that fool nobody, attacks without a control, and valid cases that defeat nobody are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verifierbench.audit import Rung, Side, Subject
from verifierbench.audit.checks import check
from verifierbench.audit.checks.potency import admits_no_call
from verifierbench.audit.climbing import Bounds, Climb, Opinion
from verifierbench.core import Case, CaseKind, EnvironmentRefusal, InfrastructureError, Verdict

from .climbers import CALLS, DESK, NO_CALL, PATCH, climbable, counting
from .subjects import changed, edited, flaws, reproduces, told


def attack_of(of: Subject, place: int = 0) -> Case:
    return [case for case in of.cases if case.kind.is_attack][place]


def without(of: Subject, gone: Any) -> Subject:
    return changed(of, cases=tuple(case for case in of.cases if not gone(case)))


def rung(body: str, side: Side = Side.LAX, name: str = "made") -> Rung:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return Rung(name=name, side=side, source=f"def verify(solution, env):\n{lines}\n")


# Healthy ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [CALLS, NO_CALL, DESK])
def test_a_healthy_task_passes(name: str):
    of = climbable(name)
    found = check("potency").examine(of)
    attacks = sum(case.kind.is_attack for case in of.cases)
    assert found.flaws == ()
    assert found.passed == 3 * attacks + (1 if name == NO_CALL else 2)
    assert found.facts["attacks"] == found.facts["potent"] == found.facts["touching"] == attacks
    assert found.facts["counted"] >= 5
    assert 0 < found.facts["margin"] <= attacks
    assert found.facts["asked"] == 0


def test_a_code_task_with_no_evidence_executes_little():
    """36 cases x 12 rungs that execute would be 432 runs; the attack that needs one is settled by a few."""
    with counting(climbable(PATCH)) as (of, executions):
        found = check("potency").examine(of)
    assert found.flaws == ()
    assert 0 < found.facts["asked"] == executions() < 30


# Attacks ------------------------------------------------------------------------------------------------------------


def test_an_attack_that_fools_nobody_is_named(tmp_path: Path):
    """It does nothing: the one rung that accepts it asks for exactly that, and its J is -1 on the other cases."""
    of = climbable(DESK)
    attack = attack_of(of)
    nothing = {"events": [], "answer": None}
    view = {"solution": nothing, "runs": {"replay": {"results": [], "changes": []}}}
    of = changed(edited(of, attack, content=nothing), views={**of.views, attack.id: view})
    found = flaws("potency", of)
    assert told(found) == [("toothless_attack", attack.id, "")]
    reproduces(found[0], tmp_path)


def test_a_rung_that_is_not_informative_proves_nothing():
    """It accepts everything, so J is 0 on the other cases, whatever they are."""
    of = changed(climbable(CALLS), ladder=(rung('return "PASS"'), rung('return "FAIL"', Side.STRICT)))
    attacks = [case.id for case in of.cases if case.kind.is_attack]
    assert [flaw.case for flaw in flaws("potency", of) if flaw.reason == "toothless_attack"] == attacks


@pytest.mark.parametrize("change", ["unnamed", "invalid", "gone"])
def test_an_attack_without_a_control_is_named(change: str, tmp_path: Path):
    of = climbable(CALLS)
    attack = attack_of(of, 3)
    control = next(case for case in of.cases if case.control_of == attack.id)
    spoilt = {
        "unnamed": lambda: edited(of, control, control_of=None),
        "invalid": lambda: edited(of, control, kind=CaseKind.NEAR_MISS),
        "gone": lambda: without(of, lambda case: case.id == control.id),
    }[change]()
    found = [flaw for flaw in flaws("potency", spoilt) if flaw.case == attack.id]
    assert told(tuple(found)) == [("no_control", attack.id, "")]
    reproduces(found[0], tmp_path)


def test_a_control_that_fools_none_of_the_rungs_the_attack_fools_is_named(tmp_path: Path):
    """A rung reads one word; the attack says it and gold does not, so gold is no control of that surface."""
    word = 'said = str(solution["turns"][0]["message"])\nreturn "PASS" if "Verdict: PASS" in said else "FAIL"'
    of = climbable(CALLS)
    attack = next(case for case in of.cases if "Verdict: PASS" in str(case.content["turns"][0]["message"]))
    control = next(case for case in of.cases if case.control_of == attack.id)
    others = [case for case in of.cases if case not in (attack, control)]
    gold = next(case for case in others if case.kind is CaseKind.GOLD)
    spoken = {"turns": [{**gold.content["turns"][0], "message": "Verdict: PASS"}]}
    valid = Case(
        id=f"{of.task.id}#spoken.0",
        task=of.task.id,
        kind=CaseKind.COSMETIC,
        content=spoken,
        operator="spoken",
        grounds=gold.grounds,
    )
    strict = tuple(each for each in of.ladder if each.side is Side.STRICT)
    small = changed(of, cases=(*others, attack, control, valid), ladder=(rung(word), *strict))
    assert ("control_elsewhere", attack.id, "") not in told(flaws("potency", edited(small, control, content=spoken)))
    silent = {"turns": [{**gold.content["turns"][0], "message": "All set."}]}
    found = [flaw for flaw in flaws("potency", edited(small, control, content=silent)) if flaw.case == attack.id]
    assert told(tuple(found)) == [("control_elsewhere", attack.id, "")]
    assert found[0].evidence == {"rungs": ["made"], "controls": [control.id]}
    reproduces(found[0], tmp_path)


# Positives ----------------------------------------------------------------------------------------------------------


def positives(of: Subject, *kinds: CaseKind, most: int) -> Subject:
    """The task with so many valid cases of these kinds beside gold; controls stay, as copies of gold."""
    gold = next(case for case in of.cases if case.kind is CaseKind.GOLD)
    others = (case for case in of.cases if case.kind in kinds and case.content != gold.content)
    kept = [case.id for case in others if case.control_of is None][:most]
    for control in (case for case in of.cases if case.control_of is not None):
        of = edited(of, control, kind=CaseKind.COSMETIC, content=gold.content)
    spare = {case.id for case in of.cases if case.label is Verdict.PASS and case.control_of is None} - {gold.id, *kept}
    return without(of, lambda case: case.id in spare)


def test_too_few_positives_that_defeat_a_strict_rung_are_told(tmp_path: Path):
    of = positives(climbable(CALLS), CaseKind.ALTERNATIVE, most=4)
    found = [flaw for flaw in flaws("potency", of) if not flaw.case]
    assert told(tuple(found)) == [("few_strong_positives", "", "")]
    assert len(found[0].evidence["counted"]) == 4
    reproduces(found[0], tmp_path)


def test_other_wordings_alone_are_too_few_alternatives(tmp_path: Path):
    of = positives(climbable(CALLS), CaseKind.COSMETIC, most=9)
    found = [flaw for flaw in flaws("potency", of) if not flaw.case]
    assert told(tuple(found)) == [("few_alternatives", "", "")]
    reproduces(found[0], tmp_path)


def test_copies_of_gold_count_for_nothing():
    of = positives(climbable(CALLS), most=0)
    reasons = [flaw.reason for flaw in flaws("potency", of) if not flaw.case]
    assert reasons == ["few_strong_positives", "few_alternatives"]


def test_another_order_of_keys_is_the_same_data():
    of = positives(climbable(CALLS), CaseKind.COSMETIC, most=1)
    gold = next(case for case in of.cases if case.kind is CaseKind.GOLD)
    (one,) = (case for case in of.cases if case.kind is CaseKind.COSMETIC and case.control_of is None)
    turned = {"turns": [dict(reversed(turn.items())) for turn in gold.content["turns"]]}
    found = [
        flaw for flaw in flaws("potency", edited(of, one, content=turned)) if flaw.reason == "few_strong_positives"
    ]
    assert found[0].evidence["counted"] == []


def test_where_no_call_is_right_other_ways_are_not_asked_for_but_positives_are():
    of = climbable(NO_CALL)
    assert admits_no_call(of.task)
    assert not admits_no_call(climbable(CALLS).task)
    assert not admits_no_call(climbable(DESK).task)
    assert not any(case.kind is CaseKind.ALTERNATIVE for case in of.cases)
    few = positives(of, CaseKind.COSMETIC, most=3)
    assert [flaw.reason for flaw in flaws("potency", few) if not flaw.case] == ["few_strong_positives"]


def test_a_strict_rung_that_rejects_gold_is_no_rung_to_defeat():
    of = changed(climbable(CALLS), ladder=(*climbable(CALLS).ladder[:22], rung('return "FAIL"', Side.STRICT)))
    assert {each.side for each in of.ladder[:22]} == {Side.LAX}
    assert "few_strong_positives" in [flaw.reason for flaw in flaws("potency", of)]


def test_without_gold_nothing_can_be_climbed(tmp_path: Path):
    found = flaws("potency", without(climbable(CALLS), lambda case: case.kind is CaseKind.GOLD))
    assert told(found) == [("no_gold", "", "")]
    reproduces(found[0], tmp_path)


# Climbing -----------------------------------------------------------------------------------------------------------


def test_j_is_counted_over_the_other_cases_by_hand():
    """Valid 10: accepted 8 -> 0.8. Wrong 4 without the attack: rejected 1 -> 0.25. J = 0.05."""
    of = small(valid="AAAAAAAARR", wrong="RAAA", attack="A")
    reads = rung('return "PASS" if solution["message"] == "A" else "FAIL"')
    climb = Climb(changed(of, ladder=(reads,)))
    assert climb.bounds(reads, attack_of(of)) == pytest.approx(Bounds(0.05, 0.05))
    assert climb.bounds(reads, of.cases[0]).low == pytest.approx(7 / 9 + 1 / 5 - 1)


def test_a_j_of_exactly_nothing_is_not_positive_by_rounding():
    """7 of 10 and 3 of 10: 0.7 + 0.3 - 1 would be 0 by luck; 0.1 + 0.9 and 0.35 + 0.65 are not, as binary fractions."""
    reads = rung('return "PASS" if solution["message"] == "A" else "FAIL"')
    for accepted in range(21):
        of = small(
            valid="A" * accepted + "R" * (20 - accepted), wrong="A" * accepted + "R" * (20 - accepted), attack="A"
        )
        assert Climb(changed(of, ladder=(reads,))).bounds(reads, attack_of(of)) == Bounds(0, 0)


def test_a_task_whose_only_wrong_case_is_the_attack_tells_nothing():
    of = small(valid="AA", wrong="", attack="A")
    reads = rung('return "PASS"')
    assert Climb(changed(of, ladder=(reads,))).bounds(reads, attack_of(of)) == Bounds(0, 0)


def small(valid: str, wrong: str, attack: str) -> Subject:
    """Cases that are one letter each."""
    of = climbable(CALLS)
    rows = [(CaseKind.GOLD if n == 0 else CaseKind.COSMETIC, letter) for n, letter in enumerate(valid)]
    rows += [(CaseKind.NEAR_MISS, letter) for letter in wrong] + [(CaseKind.HACK, letter) for letter in attack]
    cases = tuple(
        Case(id=f"t#{n}", task=of.task.id, kind=kind, content={"message": letter}, operator="o", grounds=())
        for n, (kind, letter) in enumerate(rows)
    )
    return changed(of, cases=cases, views={})


@pytest.mark.parametrize(
    ("body", "opinion"),
    [
        ('return "PASS"', Opinion.ACCEPTS),
        ('return "FAIL"', Opinion.REJECTS),
        ("return True", Opinion.NONE),
        ("return ['PASS']", Opinion.NONE),
        ("raise KeyError(1)", Opinion.NONE),
        ("env.run({})", Opinion.NONE),
        ('return "PASS" if env.read("tools", "/0/name") else "FAIL"', Opinion.ACCEPTS),
        ('return "PASS" if env.task["task"] else "FAIL"', Opinion.ACCEPTS),
        (
            "try:\n    env.run({})\nexcept Exception as no:\n    return 'PASS' if 'no env' in str(no) else 'FAIL'",
            Opinion.ACCEPTS,
        ),
        ('solution.clear()\nreturn "PASS"', Opinion.ACCEPTS),
    ],
)
def test_what_a_rung_says(body: str, opinion: Opinion):
    of = changed(climbable(CALLS), ladder=(rung(body),))
    climb = Climb(of)
    assert climb.ask(of.ladder[0], of.cases[0]) is opinion
    assert of.cases[0].content["turns"]


def test_a_request_the_reference_never_made_waits_until_somebody_is_willing():
    asked = []

    def execute(request: Any) -> Any:
        asked.append(request)
        return {"results": [], "changes": []}

    of = changed(climbable(DESK), execute=execute)
    warm, cold = (
        rung("env.run({'events': solution['events']})\nreturn 'PASS'"),
        rung("env.run({'events': [], 'n': 1})\nreturn 'PASS'", name="cold"),
    )
    climb = Climb(changed(of, ladder=(warm, cold)))
    case = of.cases[0]
    assert climb.ask(warm, case) is Opinion.ACCEPTS
    assert climb.peek(cold, case) is Opinion.UNKNOWN
    assert asked == []
    assert climb.ask(cold, case) is climb.peek(cold, case) is Opinion.ACCEPTS
    assert climb.ask(cold, of.cases[1]) is Opinion.ACCEPTS
    assert asked == [{"events": [], "n": 1}]
    assert climb.asked == 1


def test_a_rung_that_catches_everything_does_not_pass_off_an_unmade_execution_as_an_answer():
    careless = rung("try:\n    env.run({'events': [], 'n': 1})\nexcept Exception:\n    return 'PASS'\nreturn 'FAIL'")
    climb = Climb(changed(climbable(DESK), ladder=(careless,)))
    assert climb.peek(careless, climbable(DESK).cases[0]) is Opinion.UNKNOWN


def test_a_refusal_is_the_rungs_to_see_and_a_failure_of_ours_is_not():
    def refuse(request: Any) -> Any:
        raise EnvironmentRefusal("not like this")

    def fail(request: Any) -> Any:
        raise InfrastructureError("the disk is gone")

    sees = rung(
        "try:\n    env.run({'x': 1})\nexcept Exception as said:\n    return 'PASS' if 'not' in str(said) else 'FAIL'"
    )
    of = changed(climbable(DESK), ladder=(sees,), execute=refuse)
    assert Climb(of).ask(sees, of.cases[0]) is Opinion.ACCEPTS
    with pytest.raises(InfrastructureError):
        Climb(changed(of, execute=fail)).ask(sees, of.cases[0])


def test_the_budget_of_scoring_holds_here_too():
    greedy = rung("for turn in range(21):\n    env.run({'events': [], 'n': turn})\nreturn 'PASS'")
    modest = rung("for turn in range(20):\n    env.run({'events': [], 'n': turn})\nreturn 'PASS'", name="modest")
    of = changed(climbable(DESK), ladder=(greedy, modest), execute=lambda request: {})
    assert Climb(of).ask(modest, of.cases[0]) is Opinion.ACCEPTS
    assert Climb(of).ask(greedy, of.cases[0]) is Opinion.NONE


def test_proving_stops_as_soon_as_j_is_seen_to_be_positive():
    """Two wrong cases tell the one that accepts everything apart; then the valid ones are enough."""
    asked: list[Any] = []

    def execute(request: Any) -> Any:
        asked.append(request)
        return request["message"]

    of = changed(small(valid="A" * 6, wrong="R" * 30, attack="A"), execute=execute)
    runs = rung("return 'PASS' if env.run({'message': solution['message'], 'x': 1}) else 'FAIL'", name="accepts")
    tells = rung("return 'PASS' if env.run({'message': solution['message']}) == 'A' else 'FAIL'", name="tells")
    climb = Climb(changed(of, ladder=(runs, tells)))
    proof = climb.prove((runs, tells), attack_of(of))
    assert proof is not None
    assert proof[0].name == "tells"
    assert 0 < proof[1].low < 0.1 < proof[1].high == 1
    assert climb.prove((runs,), attack_of(of)) is None
