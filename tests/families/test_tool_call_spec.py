"""From words to clauses: every requirement finds its quote, and what contradicts itself is not built."""

from __future__ import annotations

import re

import msgspec
import pytest

from verifierbench.core import DEVELOPMENT, Inconsistent, Span, atoms, evaluate
from verifierbench.families.tool_call import (
    FAMILY,
    Brief,
    Exact,
    ListOf,
    Number,
    Order,
    Spec,
    Wording,
    build,
    clauses,
    due,
    gold_solution,
    reference,
    task_of,
    value,
)
from verifierbench.families.tool_call.content import call, solution, turn, validate
from verifierbench.families.tool_call.conventions import CONVENTIONS, convention

BRIEF = Brief(
    instruction="Mix 1,500 g of the blue glaze twice over three days, at 5% loss, for J. Ortiz; no rush.",
    tools=[
        {
            "name": "mix",
            "description": 'Mix a glaze.\nSays "done".',
            "parameters": {
                "type": "object",
                "properties": {
                    "colour": {"type": "string", "enum": ["blue", "red"], "description": "Colour of the glaze."},
                    "grams": {"type": "integer"},
                    "days": {"type": "integer"},
                    "loss": {"type": "number"},
                    "client": {"type": "string"},
                    "rush": {"type": "boolean", "description": "Whether it is urgent.", "default": False},
                    "unit": {"type": "string", "description": "Unit; default is gram."},
                    "stir": {"type": "integer", "default": 2},
                },
                "required": ["colour", "grams"],
            },
        }
    ],
)


def test_values_are_found_as_the_instruction_writes_them():
    quotes = {name: BRIEF.value("mix", name, given)[0].quote for name, given in (
        ("grams", 1500), ("days", 3), ("loss", 0.05), ("client", "j. ortiz"), ("colour", "Blue"),
    )}  # fmt: skip
    assert quotes == {"grams": "1,500", "days": "three", "loss": "5%", "client": "J. Ortiz", "colour": "blue"}


def test_an_enum_member_the_instruction_does_not_name_is_cited_from_the_definition():
    assert BRIEF.value("mix", "colour", "red") == (Span(material="tools", quote="red"),)


@pytest.mark.parametrize("given", [500, 15, 0.5, "Ortiz J."])
def test_a_part_of_another_value_is_not_the_value(given):
    with pytest.raises(Inconsistent, match="nothing public says"):
        BRIEF.value("mix", "grams", given)


def test_words_are_found_whatever_their_case_and_spacing_and_quoted_as_they_stand():
    assert BRIEF.find("BLUE   glaze") == Span(material="instruction", quote="blue glaze")
    assert BRIEF.find(re.compile(r"no \w+")).quote == "no rush"
    assert BRIEF.find("whether it is urgent") == Span(material="tools", quote="Whether it is urgent")


@pytest.mark.parametrize(
    "words", ["purple", "glaz", Span(material="instruction", quote="Blue"), Span(material="x", quote="y")]
)
def test_words_that_do_not_occur_are_refused(words):
    with pytest.raises(Inconsistent, match="say"):
        BRIEF.find(words)


def test_a_quote_from_the_tools_reads_the_same_inside_json():
    assert BRIEF.definition("mix").quote == "Mix a glaze."
    assert BRIEF.definition("mix", "grams").quote == "grams"
    assert BRIEF.in_tools('Says "done"') is None


def test_unknown_names_are_refused():
    for wrong in (lambda: BRIEF.tool("fire"), lambda: BRIEF.schema("mix", "speed"), lambda: convention("C99")):
        with pytest.raises(Inconsistent):
            wrong()


def made(**more):
    given = {"colour": "blue", "grams": 1500, "rush": False, **more}
    return due(BRIEF, "mix", given, why="Mix", because={"rush": "no rush"}, documented={"unit": "gram"})


def test_defaults_come_from_the_schema_and_from_documented_prose():
    one = made()
    assert one.arguments["rush"].may_omit
    assert not one.arguments["grams"].may_omit
    assert {name: part.gold for name, part in one.defaults.items()} == {"stir": 2, "unit": "gram"}
    assert made(unit=Wording("gram"), days=3).arguments["unit"].may_omit is True


def test_a_policy_given_outright_is_kept():
    assert value(BRIEF, "mix", "client", Exact("J. Ortiz")).policy == Exact("J. Ortiz")
    assert value(BRIEF, "mix", "days", Number(3), ["over three days", re.compile("glaze")]).spans[1].quote == "glaze"


def test_each_clause_has_one_atom_of_its_name_and_words():
    spec = Spec(calls=(made(), made(days=3)), order=(Order(first=0, then=1, spans=(BRIEF.find("twice"),)),))
    named = [atom.name for atom in atoms(reference(spec).root)]
    assert sorted(named) == sorted(clause.id for clause in clauses(spec))
    assert all(atom.name == atom.clause for atom in atoms(reference(spec).root))
    assert "order1" in named


def test_a_reference_survives_storage():
    tree = reference(Spec(calls=(made(client="J. Ortiz"),)))
    stored = msgspec.json.decode(msgspec.json.encode(tree), type=type(tree))
    assert stored == tree
    assert stored.hash == tree.hash
    gold = gold_solution(Spec(calls=(made(client="J. Ortiz"),)))
    assert evaluate(stored.root, {"solution": gold, "runs": {}}, FAMILY.checks).ok


def test_a_task_without_calls_needs_the_words_that_ask():
    with pytest.raises(Inconsistent, match="needs the words"):
        clauses(Spec())
    assert [clause.id for clause in clauses(Spec(asked=(BRIEF.find("Mix"),)))] == ["turn", "calls"]


def test_an_order_without_words_is_refused():
    with pytest.raises(Inconsistent, match="order1"):
        clauses(Spec(calls=(made(), made(days=3)), order=(Order(first=0, then=1, spans=()),)))


def test_gold_must_fit_its_definition():
    wrong = due(BRIEF, "mix", {"colour": "blue", "grams": Wording("blue")}, why="Mix")
    with pytest.raises(Inconsistent, match="grams"):
        build(id="x/y", source="x", source_version="1", brief=BRIEF, spec=Spec(calls=(wrong,)), season=DEVELOPMENT)
    lacking = due(BRIEF, "mix", {"colour": "blue"}, why="Mix")
    with pytest.raises(Inconsistent, match="required"):
        task_of(id="x/y", source="x", source_version="1", brief=BRIEF, spec=Spec(calls=(lacking,)))


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [({"type": "dict"}, "no JSON Schema"), ({"type": "array"}, "not an object")],
)
def test_definitions_must_be_json_schemas_of_objects(parameters, complaint):
    brief = Brief(instruction="Go.", tools=[{"name": "t", "description": "d", "parameters": parameters}])
    with pytest.raises(Inconsistent, match=complaint):
        task_of(id="x/y", source="x", source_version="1", brief=brief, spec=Spec(asked=(brief.find("Go"),)))


def test_two_tools_may_not_share_a_name():
    brief = Brief(instruction="Go.", tools=[*BRIEF.tools, *BRIEF.tools])
    with pytest.raises(Inconsistent, match="share a name"):
        task_of(id="x/y", source="x", source_version="1", brief=brief, spec=Spec(asked=(brief.find("Go"),)))


def test_the_schema_bounds_the_shape_and_not_the_meaning():
    validate(solution([call("no such tool", {"x": None})], "hi", {"any": ["thing"]}))
    validate({"turns": [turn([]), turn([])]})
    for wrong in (
        {},
        {"turns": []},
        {"turns": [{"calls": []}]},
        solution([{"name": "t"}]),
        solution([call("t", {})], 5),
    ):
        with pytest.raises(Inconsistent, match="not a tool-call solution"):
            validate(wrong)


def test_conventions_are_numbered_without_a_gap():
    assert [each.id for each in CONVENTIONS] == [f"C{number}" for number in range(1, len(CONVENTIONS) + 1)]


def test_an_ordered_list_of_texts_is_said_outright():
    tools = [
        {"name": "go", "description": "Go.", "parameters": {"type": "object", "properties": {"via": {"type": "array"}}}}
    ]
    brief = Brief(instruction="Go via Ems, then Aar.", tools=tools)
    one = due(brief, "go", {"via": ListOf((Wording("Ems"), Wording("Aar")))})
    turned = solution([call("go", {"via": ["Aar", "Ems"]})])
    assert not evaluate(reference(Spec(calls=(one,))).root, {"solution": turned, "runs": {}}, FAMILY.checks).ok
