"""Tasks answered by a structured reply: the form, what is right, and cases that bite on both sides."""

from __future__ import annotations

from typing import Any

import pytest

from verifierbench.core import DEVELOPMENT, Candidate, Inconsistent, Span, Verdict, atoms
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY, Brief
from verifierbench.families.tool_call.replies import FORM, MATERIAL, POINTER, Reply, Why, answer_of, build_reply
from verifierbench.families.tool_call.replies.build import OPERATORS
from verifierbench.suite.validate import validate

KILN = {
    "name": "kiln_fire",
    "description": "Fire a kiln.",
    "parameters": {
        "type": "object",
        "properties": {
            "glaze": {"type": "string", "pattern": "^[a-z]+$", "description": "Glaze, in small letters."},
            "hours": {"type": "integer", "description": "How long it burns."},
            "cone": {"type": "string", "description": "Cone to reach."},
            "note": {"type": "string"},
        },
        "required": ["glaze", "hours", "cone"],
    },
}
WHEEL = {
    "name": "wheel_turn",
    "description": "Turn a wheel.",
    "parameters": {"type": "object", "properties": {"speed": {"type": "integer"}}, "required": ["speed"]},
}
BRIEF = Brief(instruction="Fire the kiln with GLAZE5 for me.", tools=[KILN, WHEEL])
ASKED = (Span(material="instruction", quote="Fire the kiln"),)
REPLIES = {
    Why.MISSING: Reply(why=Why.MISSING, asked=ASKED, tool="kiln_fire", parameters=("hours", "cone")),
    Why.MALFORMED: Reply(why=Why.MALFORMED, asked=ASKED, tool="kiln_fire", values={"glaze": "GLAZE5"}),
    Why.UNFIT: Reply(why=Why.UNFIT, asked=ASKED),
}


@pytest.fixture(scope="module")
def made() -> dict[Why, Candidate]:
    return {why: _build(reply) for why, reply in REPLIES.items()}


def _build(reply: Reply) -> Candidate:
    return build_reply(
        id=f"t/{reply.why}", source="t", source_version="1", brief=BRIEF, reply=reply, season=DEVELOPMENT
    )


def _ok(candidate: Candidate, answer: Any, calls: tuple[Any, ...] = ()) -> bool:
    content = {"turns": [{"calls": list(calls), "message": "So.", "answer": answer}]}
    return decide(FAMILY, candidate.task.reference, content, lambda _: None).ok


def test_the_form_is_public_and_the_same_whatever_is_right(made: dict[Why, Candidate]) -> None:
    for candidate in made.values():
        public = candidate.task.public
        assert public["instruction"] == f"{BRIEF.instruction}\n\n{POINTER}"
        assert public["materials"][MATERIAL] == FORM
    assert all(why.value in FORM for why in Why)


@pytest.mark.parametrize("why", list(Why))
def test_gold_is_the_right_answer_and_no_other_verdict_passes(made: dict[Why, Candidate], why: Why) -> None:
    assert _ok(made[why], answer_of(REPLIES[why]))
    assert [_ok(made[why], answer_of(REPLIES[other])) for other in Why if other is not why] == [False, False]


@pytest.mark.parametrize(
    ("why", "change", "right"),
    [
        (Why.MISSING, {"parameters": ["cone", "hours"]}, True),
        (Why.MISSING, {"note": "ask again"}, True),
        (Why.MISSING, {"note": 5}, False),
        (Why.MISSING, {"remark": "ask again"}, False),
        (Why.MISSING, {"parameters": ["hours", "cone", "glaze"]}, False),
        (Why.MISSING, {"parameters": ["hours", "hours"]}, False),
        (Why.MISSING, {"parameters": ["hours"]}, False),
        (Why.MISSING, {"parameters": "hours, cone"}, False),
        (Why.MISSING, {"parameters": ["Hours", "cone"]}, False),
        (Why.MISSING, {"tool": "wheel_turn"}, False),
        (Why.MISSING, {"values": {}}, False),
        (Why.MALFORMED, {"values": {"glaze": "glaze"}}, False),
        (Why.MALFORMED, {"values": {"glaze": "GLAZE5", "cone": "GLAZE5"}}, False),
        (Why.MALFORMED, {"values": {"cone": "GLAZE5"}}, False),
        (Why.MALFORMED, {"note": "small letters, please"}, True),
        (Why.UNFIT, {"tool": "wheel_turn"}, False),
        (Why.UNFIT, {"note": ""}, True),
    ],
)
def test_what_the_form_leaves_free_and_what_it_does_not(
    made: dict[Why, Candidate], why: Why, change: dict[str, Any], right: bool
) -> None:
    assert _ok(made[why], answer_of(REPLIES[why]) | change) is right


@pytest.mark.parametrize("answer", [None, [], "missing_parameters", {}, [answer_of(REPLIES[Why.MISSING])], 3])
def test_an_answer_of_another_shape_is_wrong_and_no_error(made: dict[Why, Candidate], answer: Any) -> None:
    assert not any(_ok(candidate, answer) for candidate in made.values())


def test_a_call_beside_the_right_reply_is_wrong(made: dict[Why, Candidate]) -> None:
    call = {"name": "wheel_turn", "arguments": {"speed": 1}}
    assert not any(_ok(made[why], answer_of(REPLIES[why]), (call,)) for why in Why)


def test_every_case_is_labelled_as_the_reference_decides(made: dict[Why, Candidate]) -> None:
    for candidate in made.values():
        validate(candidate)
        assert len(candidate.cases) >= 40
        for case in candidate.cases:
            finding = decide(FAMILY, candidate.task.reference, case.content, lambda _: None)
            assert finding.ok == (case.label is Verdict.PASS), case.id
            cited, broken = {ground.clause for ground in case.grounds}, {atom.clause for atom in finding.failed}
            assert finding.ok or cited & broken, case.id


def test_every_clause_is_broken_and_used_and_has_its_atom(made: dict[Why, Candidate]) -> None:
    for candidate in made.values():
        clauses = {clause.id for clause in candidate.task.clauses}
        assert {atom.clause for atom in atoms(candidate.task.reference.root)} == clauses
        for label in Verdict:
            cited = {ground.clause for case in candidate.cases if case.label is label for ground in case.grounds}
            assert cited == clauses


def test_every_operator_makes_a_case_of_some_task(made: dict[Why, Candidate]) -> None:
    names: set[str] = set()
    for number in range(8):
        season = DEVELOPMENT if not number else _season(number)
        for reply in REPLIES.values():
            task = build_reply(
                id=f"t/{number}", source="t", source_version="1", brief=BRIEF, reply=reply, season=season
            )
            names |= {case.operator for case in task.cases}
    assert names >= {operator.name for operator in OPERATORS}


def _season(number: int) -> Any:
    from verifierbench.core import Season

    return Season(name=f"s{number}", secret=f"secret {number}")


@pytest.mark.parametrize(
    "fault",
    [
        {"why": Why.MISSING, "tool": "kiln_fire"},
        {"why": Why.MALFORMED, "tool": "kiln_fire"},
        {"why": Why.UNFIT, "tool": "kiln_fire"},
        {"why": Why.MISSING, "parameters": ("hours",)},
    ],
)
def test_a_reply_that_says_too_little_or_too_much_is_refused(fault: dict[str, Any]) -> None:
    with pytest.raises(Inconsistent, match="a reply of"):
        Reply(asked=ASKED, **fault)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(why=Why.MISSING, asked=ASKED, tool="kiln_fire", parameters=("note",)), "does not require note"),
        (Reply(why=Why.MALFORMED, asked=ASKED, tool="kiln_fire", values={"glaze": "iron"}), "has the form"),
        (
            Reply(why=Why.UNFIT, asked=ASKED, guess={"name": "wheel_turn", "arguments": {"speed": "fast"}}),
            "does not fit its definition",
        ),
        (Reply(why=Why.UNFIT, asked=(Span(material="instruction", quote="Bake"),)), "does not say 'Bake'"),
    ],
)
def test_a_reply_the_public_material_does_not_bear_out_is_refused(reply: Reply, says: str) -> None:
    with pytest.raises(Inconsistent, match=says):
        _build(reply)


def test_a_task_with_further_texts_keeps_them_public() -> None:
    brief = Brief(instruction=BRIEF.instruction, tools=BRIEF.tools, texts={"time": "Today is Monday."})
    made = build_reply(
        id="t/x", source="t", source_version="1", brief=brief, reply=REPLIES[Why.UNFIT], season=DEVELOPMENT
    )
    assert made.task.public["materials"]["time"] == "Today is Monday."
    assert brief.find("today is") == Span(material="time", quote="Today is")


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("我想在北京订3张票", "北京", "北京"),
        ("Beijings Himmel", "Beijing", None),
        ("in Beijing.", "beijing", "Beijing"),
    ],
)
def test_words_are_found_whole_where_a_script_sets_them_apart(text: str, words: str, found: str | None) -> None:
    span = Brief(instruction=text, tools=[]).in_instruction(words)
    assert (span and span.quote) == found


def test_a_number_is_found_between_chinese_characters() -> None:
    tool = {"name": "t", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    assert Brief(instruction="订3张票", tools=[tool]).value("t", "n", 3)[0].quote == "3"
    with pytest.raises(Inconsistent, match="nothing public says n = 3"):
        Brief(instruction="A3 B13 3.5", tools=[tool]).value("t", "n", 3)
