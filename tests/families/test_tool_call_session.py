"""Executable tool-call tasks, in a world of one shelf: the loop that plays, the checks, and a small task's cases."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import DEVELOPMENT, Absent, CaseKind, Inconsistent, Season, Span, Verdict, at, evaluate
from verifierbench.families import decide, view
from verifierbench.families.tool_call import FAMILY
from verifierbench.families.tool_call.policies import Exact, Number
from verifierbench.families.tool_call.session import PROBES, checks, request
from verifierbench.families.tool_call.session.build import build
from verifierbench.families.tool_call.session.guest.session_loop import Tool, complaint, plain, play, same
from verifierbench.families.tool_call.session.selectors import way_of
from verifierbench.families.tool_call.session.spec import Effect, Lookup, Spec, Turn, Way, frame_of
from verifierbench.suite.validate import validate

BOX = {"type": "object", "properties": {"box": {"type": "string"}, "count": {"type": "integer"}}, "required": ["box"]}
BOXES = {
    "type": "object",
    "properties": {"boxes": {"type": "array", "items": {"type": "string"}}},
    "required": ["boxes"],
}
NONE = {"type": "object", "properties": {}}
TOOLS = [
    {"name": "fill", "description": "Fill a box.", "parameters": BOX},
    {
        "name": "look",
        "description": "Look into a box.",
        "parameters": {**BOX, "properties": {"box": {"type": "string"}}},
    },
    {"name": "count_boxes", "description": "Count the boxes.", "parameters": NONE},
    {"name": "label", "description": "Label boxes.", "parameters": BOXES},
]


class Shelf:
    """Two boxes; filling sets a count, labelling appends to a list."""

    def __init__(self) -> None:
        self.state = {"boxes": {"red": 1, "blue": 2}, "labels": []}

    def fill(self, box, count=1):
        if box not in self.state["boxes"]:
            return {"error": f"no box {box}"}
        self.state["boxes"][box] = count
        return {"filled": box}

    def look(self, box):
        return {"count": self.state["boxes"][box]}

    def count_boxes(self):
        return {"boxes": len(self.state["boxes"])}

    def label(self, boxes):
        self.state["labels"].append(boxes)


def played(turns, later=()):
    shelf = Shelf()
    found = {
        tool["name"]: Tool(getattr(shelf, tool["name"]), tool["parameters"], dict(later).get(tool["name"], 0))
        for tool in TOOLS
    }
    return play(turns, found, lambda: shelf.state)


def call(tool, **arguments):
    return {"name": tool, "arguments": arguments}


def session(*turns):
    return [{"calls": list(calls)} for calls in turns]


# The loop ------------------------------------------------------------------------------------------------------------


def test_a_session_reports_each_call_and_the_state_after_each_turn() -> None:
    answer = played(session([call("fill", box="red", count=5), call("look", box="red")], []))
    assert answer == {
        "turns": [
            {
                "results": [
                    {
                        "name": "fill",
                        "arguments": {"box": "red", "count": 5},
                        "result": {"filled": "red"},
                        "changed": True,
                    },
                    {"name": "look", "arguments": {"box": "red"}, "result": {"count": 5}, "changed": False},
                ],
                "state": {"boxes": {"red": 5, "blue": 2}, "labels": []},
            },
            {"results": [], "state": {"boxes": {"red": 5, "blue": 2}, "labels": []}},
        ]
    }


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (call("empty", box="red"), "no tool named 'empty' is available in this turn"),
        (call("fill"), "the argument 'box' is missing"),
        (call("fill", box="red", much=1), "there is no argument 'much'"),
        (call("fill", box="red", count="5"), "the argument 'count' is not of type integer"),
        (call("fill", box="red", count=True), "the argument 'count' is not of type integer"),
        (call("fill", box="red", count=5.5), "the argument 'count' is not of type integer"),
        (call("label", boxes=["red", 1]), "the argument 'boxes' is not of type array"),
        (call("fill", box="green"), "no box green"),
        (call("look", box="green"), "KeyError: 'green'"),
    ],
)
def test_what_goes_wrong_in_a_call_is_its_error_and_changes_nothing(made, error) -> None:
    (result,) = played(session([made]))["turns"][0]["results"]
    assert (result["error"], result["changed"]) == (error, False)
    assert "result" not in result


def test_a_tool_that_comes_later_is_an_error_before_and_a_tool_after() -> None:
    look = call("look", box="red")
    answer = played(session([look], [look]), later=[("look", 1)])
    assert ["error" in turn["results"][0] for turn in answer["turns"]] == [True, False]


def test_a_whole_number_is_an_integer_and_the_arguments_are_reported_as_they_were_given() -> None:
    answer = played(session([call("fill", box="red", count=3.0)]))["turns"][0]
    assert answer["results"][0]["arguments"] == {"box": "red", "count": 3.0}
    assert type(answer["state"]["boxes"]["red"]) is int


def test_what_a_call_was_given_is_a_copy() -> None:
    """A simulator that keeps the list it got must not see what the caller's own list becomes."""
    turns = session([call("label", boxes=["red"])], [])
    answer = played(turns)
    turns[0]["calls"][0]["arguments"]["boxes"].append("blue")
    assert answer["turns"][1]["state"]["labels"] == [["red"]]


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {},
        {"turns": {}},
        {"turns": [], "scenario": "x"},
        {"turns": [[]]},
        {"turns": [{"calls": [], "note": 1}]},
        {"turns": [{"calls": [{"name": 1, "arguments": {}}]}]},
        {"turns": [{"calls": [{"name": "look", "arguments": []}]}]},
        {"turns": [{"calls": [{"name": "look"}]}]},
        {"turns": session([call("count_boxes")] * 401)},
    ],
)
def test_what_is_no_request_is_told(wrong) -> None:
    assert complaint(wrong)


def test_a_whole_solution_is_a_request() -> None:
    assert complaint({"turns": [{"calls": [call("look", box="red")], "message": "m", "answer": 1}]}) == ""


def test_values_json_cannot_say_become_text() -> None:
    assert plain({1: {3, 1}, "x": float("nan"), "y": (1, object)}) == {"1": [1, 3], "x": "nan", "y": [1, str(object)]}
    assert same({"a": [1]}, {"a": [1.0]})
    assert not same(1, True)
    assert not same([1], [1, 2])


# The checks ----------------------------------------------------------------------------------------------------------


def seen(*turns, later=()):
    turns = [{**turn, "message": turn.get("message"), "answer": None} for turn in turns]
    runs = {name: played(request({"turns": turns}, probe)["turns"], later) for name, probe in PROBES.items()}
    return {"solution": {"turns": turns}, "runs": runs}


FILLED = seen({"calls": [call("fill", box="red", count=5)]})
FRAME = {"turn": 0, "under": [], "changed": ["/boxes/red"], "removed": [], "added": {}, "inside": []}


def test_a_value_after_a_turn_is_compared_by_its_policy() -> None:
    five = {"turn": 0, "at": "/boxes/red", "right": {"policy": "number", "value": 5}}
    assert checks.after_turn(FILLED, five)
    assert not checks.after_turn(FILLED, {**five, "at": "/boxes/blue"})
    assert checks.gone_after_turn(FILLED, {"turn": 0, "at": "/boxes/green"})
    assert not checks.gone_after_turn(FILLED, {"turn": 0, "at": "/boxes/red"})
    with pytest.raises(Absent):
        checks.after_turn(FILLED, {**five, "turn": 1})
    with pytest.raises(Absent):
        checks.gone_after_turn(FILLED, {"turn": 1, "at": "/boxes/green"})


def test_a_frame_licenses_what_it_names_and_nothing_else() -> None:
    assert checks.turn_frame(FILLED, FRAME)
    assert checks.turn_frame(FILLED, {**FRAME, "changed": ["/boxes/*"]})
    assert checks.turn_frame(FILLED, {**FRAME, "changed": [], "under": ["/boxes"]})
    assert not checks.turn_frame(FILLED, {**FRAME, "changed": []})
    assert not checks.turn_frame(FILLED, {**FRAME, "changed": ["/boxes/blue"]})
    assert not checks.turn_frame(FILLED, {**FRAME, "changed": [], "under": ["/box"]})


def test_a_frame_counts_what_comes_in_and_looks_inside() -> None:
    one = seen({"calls": [call("label", boxes=["red", "blue"])]})
    two = seen({"calls": [call("label", boxes=["red", "blue"])] * 2})
    comes = {**FRAME, "changed": [], "added": {"/labels": 1}}
    assert [checks.turn_frame(each, comes) for each in (one, two)] == [True, False]
    inside = {"at": "/labels/0", "value": ["red", "green"], "free": []}
    assert not checks.turn_frame(one, {**comes, "inside": [inside]})
    assert checks.turn_frame(one, {**comes, "inside": [{**inside, "free": ["/1"]}]})
    assert checks.turn_frame(one, {**comes, "inside": [{**inside, "at": "/labels/7"}]})


def test_a_frame_is_about_its_own_turn() -> None:
    """A mistake of one turn that stays is no mistake of the next."""
    both = seen({"calls": [call("fill", box="blue", count=9)]}, {"calls": []})
    empty = {**FRAME, "changed": []}
    assert [checks.turn_frame(both, {**empty, "turn": turn}) for turn in (0, 1)] == [False, True]


def test_a_lookup_succeeds_selects_and_stands_in_its_turn() -> None:
    red = {"turn": 0, "ways": [way_of(TOOLS[1]["parameters"], "look", {"box": "red"})], "sole": False}
    assert checks.looked_up(seen({"calls": [call("look", box="red")]}), red)
    assert not checks.looked_up(seen({"calls": [call("look", box="blue")]}), red)
    assert not checks.looked_up(seen({"calls": [call("look", box="red")]}, later=[("look", 1)]), red)
    assert not checks.looked_up(seen({"calls": []}, {"calls": [call("look", box="red")]}), red)
    shown = {**red, "ways": [{**red["ways"][0], "result": {"/count": {"policy": "number", "value": 2}}}]}
    assert not checks.looked_up(seen({"calls": [call("look", box="red")]}), shown)


def test_a_reply_says_something_and_tools_are_there_in_their_turn() -> None:
    said = [checks.replied(seen({"calls": [], "message": text}), {"turn": 0}) for text in (None, " \n", "?")]
    assert said == [False, False, True]
    later = {"tools": {"look": 1, "fill": 0}}
    look = {"calls": [call("look", box="red")]}
    assert not checks.available(seen(look), later)
    assert checks.available(seen({"calls": []}, look), later)
    assert not checks.available(seen({"calls": [call("peek")]}), later)


# A small task --------------------------------------------------------------------------------------------------------

SAID = ("Fill the red box with 5, and show me the blue one.", "Label both.", "Now count the boxes, please.")
RED, LABEL = call("fill", box="red", count=5), call("label", boxes=["red", "blue"])


def spec(**changes):
    gold = [[RED, call("look", box="blue")], [LABEL], [call("count_boxes")]]
    states = [turn["state"] for turn in [*played(session([]))["turns"], *played(session(*gold))["turns"]]]
    at_red, at_labels = "/boxes/red", "/labels/0"
    blue = way_of(TOOLS[1]["parameters"], "look", {"box": "blue"})
    words = [
        Span(material="instruction", quote=quote) for quote in ("Fill the red box", "Label both", "count the boxes")
    ]
    parts = {
        "turns": (
            Turn(
                calls=tuple(gold[0]),
                effects=(Effect(at=at_red, right=Number(5), spans=(words[0],)),),
                lookups=(Lookup(ways=(blue,), spans=(words[0],)),),
                frame=frame_of(states[0], states[1], [at_red]),
                ways=(Way(calls=(call("fill", box="red", count=4), *gold[0]), note="filled twice"),),
            ),
            Turn(
                calls=(LABEL,),
                effects=(Effect(at=at_labels, right=Exact(["red", "blue"]), spans=(words[1],)),),
                frame=frame_of(states[1], states[2], [at_labels + "/0", at_labels + "/1"]),
            ),
            Turn(calls=(), waits=(words[2],), frame=frame_of(states[3], states[3], [])),
        ),
        "tools": {"fill": 0, "look": 0, "label": 0, "count_boxes": 2},
        "looks": (call("look", box="red"),),
        "probes": (call("look", box="green"),),
        "intrusions": (call("fill", box="blue", count=7), call("label", boxes=["green"])),
        "others": {"box": ("red", "blue")},
    }
    return Spec(**(parts | changes))


def candidate(of=None, season: Season = DEVELOPMENT):
    later = [("count_boxes", 2)]
    return build(
        id="shelf/task",
        source="shelf",
        source_version="1",
        environment="shelf",
        said=SAID,
        tools=TOOLS,
        spec=of or spec(),
        play=lambda requests: [played(one["turns"], later) for one in requests],
        season=season,
    )


def execute(one):
    return played(one["turns"], [("count_boxes", 2)])


def test_every_case_is_decided_as_it_is_labelled_and_names_what_is_broken() -> None:
    made = candidate()
    validate(made)
    for case in made.cases:
        found = decide(FAMILY, made.task.reference, case.content, execute)
        assert found.ok is (case.label is Verdict.PASS), case.id
        broken = {atom.clause for atom in found.failed}
        named = {ground.clause for ground in case.grounds}
        assert named <= {clause.id for clause in made.task.clauses}
        assert not broken or named <= broken, case.id


def test_each_attack_has_its_control_and_each_clause_is_tried_from_both_sides() -> None:
    made = candidate()
    attacks = {case.id for case in made.cases if case.kind.is_attack}
    assert len(attacks) >= 4
    assert attacks == {case.control_of for case in made.cases if case.control_of}
    for label in Verdict:
        tried = {ground.clause for case in made.cases if case.label is label for ground in case.grounds}
        assert {clause.id for clause in made.task.clauses} <= tried | {"turn3.lookup1"}


def test_every_part_of_the_reference_is_needed() -> None:
    """Dropping or weakening any atom turns a case that cites its clause."""
    from verifierbench.audit import TreeJudge

    made = candidate()
    views = {case.id: view(FAMILY, made.task.reference, case.content, execute) for case in made.cases}
    judge = TreeJudge.of(made.task.reference, FAMILY)
    mutants = list(judge.mutants())
    assert len(mutants) >= 12
    for mutant in mutants:
        turned = [
            case
            for case in made.cases
            if mutant.judge.decide(views[case.id]).ok is not judge.decide(views[case.id]).ok
            and any(ground.clause == mutant.clause for ground in case.grounds)
        ]
        assert turned, mutant.name


def test_a_weakening_takes_all_that_its_atom_takes() -> None:
    made = candidate()
    for case in made.cases:
        seen_of = view(FAMILY, made.task.reference, case.content, execute)
        for atom in made.task.reference.root.of:
            if evaluate(atom, seen_of, FAMILY.checks).ok:
                assert all(evaluate(weak.node, seen_of, FAMILY.checks).ok for weak in FAMILY.weaken(atom)), atom.name


def test_another_season_has_other_attacks_and_the_same_task() -> None:
    one, other = candidate(), candidate(season=Season(name="other", secret="other"))
    assert one.task == other.task
    assert {case.content_hash for case in one.cases} != {case.content_hash for case in other.cases}


def test_what_is_public_says_the_turns_and_what_comes_later() -> None:
    task = candidate().task
    assert task.material("session").content == {"turns": 3, "available_from_turn": {"count_boxes": 3}}
    assert task.material("initial_state").content == Shelf().state
    assert "2. Label both." in task.instruction
    assert [convention.id for convention in task.conventions] == [f"E{number}" for number in range(1, 10)]
    assert all(convention.id[0] == "C" for convention in FAMILY.conventions)


def test_another_way_that_ends_elsewhere_is_refused() -> None:
    """A reading that is wrong stops the build; it never becomes a case."""
    first, *rest = spec().turns
    astray = Turn(
        **{name: getattr(first, name) for name in first.__struct_fields__ if name != "ways"},
        ways=(Way(calls=(RED,), note="the blue one is not shown"),),
    )
    with pytest.raises(Inconsistent, match="the blue one is not shown: was to be same"):
        candidate(spec(turns=(astray, *rest)))


def test_a_change_that_no_requirement_sees_is_refused() -> None:
    """A frame with a hole: what nobody asked for is changed, and the reference would take it."""
    first, *rest = spec().turns
    fields = {name: getattr(first, name) for name in first.__struct_fields__ if name not in ("frame", "ways")}
    hole = Turn(**fields, frame=frame_of({}, {}, ["/boxes"]))
    with pytest.raises(Inconsistent, match="no requirement is broken"):
        candidate(spec(turns=(hole, *rest)))


def test_gold_is_the_only_gold_and_the_first_case() -> None:
    made = candidate()
    assert [case.id for case in made.cases if case.kind is CaseKind.GOLD] == ["shelf/task#gold.0"]
    assert at(made.cases[0].content, "/turns/2/message") == "I cannot do that yet."


@given(st.integers(0, 2), st.integers(0, 3))
def test_frames_of_nothing_changed_license_nothing(red, blue) -> None:
    state = {"boxes": {"red": red, "blue": blue}}
    frame = frame_of(state, copy.deepcopy(state), [])
    assert (frame.changed, frame.removed, frame.added, frame.inside) == ((), (), {}, ())
