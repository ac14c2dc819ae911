"""Operators on facts that must be told, on a counter whose count is asked for; the check tells apart what they make."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest

import verifierbench
from verifierbench.core import DEVELOPMENT, CaseKind, Verdict
from verifierbench.families.guest.replaying import replay
from verifierbench.families.state import FAMILY
from verifierbench.families.state.operators import OPERATORS, Call, Described, Fact, Say, answers, cases

COUNT = 12
ANSWER = "I have looked. The count is 12, as of today. It is kept in Lisbon."
OPERATORS_ON_FACTS = {name: operator for name, operator in OPERATORS.items() if operator.__module__ == answers.__name__}


def execute(events: list[dict[str, Any]]) -> dict[str, Any]:
    """`look` tells the count."""
    return replay({"events": events}, lambda *_: {"result": COUNT}, dict)


def facts(where: Literal["answer", "messages"]) -> tuple[Fact, ...]:
    return (
        Fact(
            clause="count",
            value="12",
            about="the count",
            wrong=("13", "120", "21"),
            spellings=("12.00", "12.0 (in figures)"),
            where=where,
        ),
        Fact(clause="place", value="Lisbon", about="the place", wrong=("Porto",), where=where),
    )


def described(where: Literal["answer", "messages"]) -> Described:
    return Described(
        task="t/count",
        gold=(
            Say("user", "What is the count, and where is it kept?", "open"),
            Call("look", {}, "look"),
            Say("assistant", ANSWER if where == "messages" else "The answer is below.", "final"),
        ),
        execute=execute,
        answer=ANSWER if where == "answer" else None,
        reads=("look",),
        facts=facts(where),
    )


def made(where: Literal["answer", "messages"]) -> dict[str, Any]:
    found = cases(described(where), DEVELOPMENT, {"gold": OPERATORS["gold"], **OPERATORS_ON_FACTS})
    return {case.id.partition("#")[2]: case for case in found}


def told(case: Any) -> list[str]:
    """The clauses of the facts that a reference finds told."""
    where = "messages" if case.content["answer"] is None else "answer"
    answer = execute(case.content["events"])
    view = {"solution": case.content, "runs": {"replay": answer}}
    return [
        fact.clause
        for fact in facts(where)
        if FAMILY.checks["asserted"](view, {"fact": [fact.value], "rivals": list(fact.wrong), "where": where})
    ]


BOTH = pytest.mark.parametrize("where", ["answer", "messages"])


@BOTH
def test_what_passes_tells_every_fact_and_what_fails_tells_all_but_the_one_it_cites(where):
    for name, case in made(where).items():
        right = ["count", "place"]
        if case.label is Verdict.FAIL:
            right.remove(case.grounds[0].clause)
        assert told(case) == right, (name, case.content)


@BOTH
def test_every_operator_makes_cases_of_its_kind_and_attacks_have_controls(where):
    found = made(where).values()
    kinds = {case.operator: case.kind for case in found}
    short = {"only_facts": CaseKind.COSMETIC} if where == "answer" else {}
    assert kinds == short | {
        "gold": CaseKind.GOLD,
        "respelled": CaseKind.COSMETIC,
        "wrong_fact": CaseKind.NEAR_MISS,
        "omitted_fact": CaseKind.PARTIAL,
        **dict.fromkeys(("denied_fact", "doubted_fact", "one_of_several", "taken_back"), CaseKind.HACK),
        **dict.fromkeys(
            ("denied_fact_control", "doubted_fact_control", "one_of_several_control", "taken_back_control"),
            CaseKind.ALTERNATIVE,
        ),
    }
    assert {case.id for case in found if case.kind.is_attack} == {case.control_of for case in found if case.control_of}
    assert all(case.label is Verdict.PASS for case in found if case.control_of)
    # Two spellings of one fact; two of the three wrong counts, and the one wrong place; everything else once a fact.
    count = Counter(case.operator for case in found)
    assert (count["respelled"], count["wrong_fact"], count["omitted_fact"], count["denied_fact"]) == (2, 3, 2, 2)


@BOTH
def test_only_the_text_that_tells_the_fact_is_edited(where):
    gold = made(where)["gold.0"].content
    for name, case in made(where).items():
        if where == "answer":
            assert case.content["events"] == gold["events"], name
        else:
            assert case.content["events"][:-1] == gold["events"][:-1], name
            assert case.content["answer"] is None, name


def test_the_words_of_each_case():
    found = made("answer")
    said = {name: case.content["answer"] for name, case in found.items()}
    assert said["respelled.0"] == ANSWER.replace("12", "12.00")
    assert said["only_facts.0"] == "The count is 12. The place is Lisbon."
    assert said["wrong_fact.0"] == ANSWER.replace("12", "13")
    assert said["omitted_fact.0"] == "I have looked. It is kept in Lisbon."
    assert said["denied_fact.0"] == "I have looked. It is kept in Lisbon. The count is not 12."
    assert said["one_of_several.0"] == "I have looked. It is kept in Lisbon. The count is 13 or 12 or 120."
    assert said["one_of_several_control.0"] == f"{ANSWER} I have compared: it is not 13, and it is not 120."
    assert said["taken_back.1"] == f"{ANSWER} Correction: the place is Porto."


def test_regression_a_figure_within_another_is_neither_replaced_nor_a_reason_to_leave_a_sentence_out():
    text = "Order 1123 holds 12 items. It was placed at 12:30 on 2031-05-12. Nothing else is known."
    fact = Fact(clause="count", value="12", about="the count", wrong=("13",), where="answer")
    gold = (Say("user", "How many?", "open"), Say("assistant", "See below.", "final"))
    d = Described(task="t/count", gold=gold, execute=execute, answer=text, facts=(fact,))
    (wrong,) = answers.wrong_fact(d)
    assert wrong.answer == text.replace("12 items", "13 items")
    (omitted,) = answers.omitted_fact(d)
    assert omitted.answer == "It was placed at 12:30 on 2031-05-12. Nothing else is known."


def test_a_task_without_facts_makes_no_such_case():
    gold = (Say("user", "Hello", "open"), Say("assistant", "Hello", "final"))
    assert cases(Described(task="t/none", gold=gold, execute=execute), DEVELOPMENT, OPERATORS_ON_FACTS) == ()


# The ladder ---------------------------------------------------------------------------------------------------------

LADDER = Path(verifierbench.__file__).parent / "audit" / "ladder" / "state"


class Env:
    """The public contract over the counter."""

    def run(self, request: Any) -> Any:
        return execute(request["events"])


def accepted(rung: str, where: Literal["answer", "messages"]) -> dict[str, bool]:
    space: dict[str, Any] = {"GOLD": made(where)["gold.0"].content}
    exec(compile((LADDER / f"{rung}.py").read_text(), rung, "exec"), space)
    return {name: space["verify"](case.content, Env()) == "PASS" for name, case in made(where).items()}


def youden(rung: str, where: Literal["answer", "messages"]) -> float:
    """TPR + TNR - 1."""
    passing = [name for name, case in made(where).items() if case.label is Verdict.PASS]
    seen = accepted(rung, where)
    failing = [name for name in seen if name not in passing]
    return sum(seen[n] for n in passing) / len(passing) - sum(seen[n] for n in failing) / len(failing)


@BOTH
def test_a_search_for_what_gold_tells_is_informative_and_falls_for_every_deception(where):
    seen = accepted("lax/answer_mentions", where)
    assert youden("lax/answer_mentions", where) > 0
    assert all(seen[name] for name, case in made(where).items() if case.kind is CaseKind.HACK)
    assert not any(seen[name] for name in seen if name.startswith(("omitted_fact.", "wrong_fact.")))


def test_golds_own_words_are_too_much_to_ask_of_an_answer():
    seen = accepted("strict/exact_answer", "answer")
    assert seen.pop("gold.0")
    assert not any(seen.values())
    assert all(accepted("strict/exact_answer", "messages").values()), "where there is no answer it asks for none"
