"""Operators write labels by construction: on any spec, what they call right is right, what they call wrong is not."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifierbench.audit.judges import TreeJudge
from verifierbench.core import DEVELOPMENT, CaseKind, Inconsistent, Season, Span, Verdict, evaluate
from verifierbench.families.tool_call import (
    FAMILY,
    Argument,
    Brief,
    Call,
    Date,
    Exact,
    Fits,
    ListOf,
    Number,
    ObjectOf,
    OneOf,
    Order,
    SetOf,
    Spec,
    Temptation,
    Wording,
    cases,
    gold_solution,
    infer,
    reference,
    task_of,
)
from verifierbench.families.tool_call import operators as operators_module
from verifierbench.families.tool_call.attacks import HACKS
from verifierbench.families.tool_call.misses import misses
from verifierbench.families.tool_call.negatives import enum_twin
from verifierbench.families.tool_call.operators import HACKS_PER_TASK, OPERATORS, Operator
from verifierbench.families.tool_call.policies import gold
from verifierbench.families.tool_call.refusals import HACKS as REFUSAL_HACKS
from verifierbench.families.tool_call.scene import Scene, loose, sample, unlike
from verifierbench.families.tool_call.valid import _keeping

WORDS = Span(material="instruction", quote="go")
SCHEMAS = {
    "n": {"type": "integer"},
    "x": {"type": "number"},
    "s": {"type": "string"},
    "e": {"type": "string", "enum": ["aa", "AA", "b b", "c-c"]},
    "f": {"type": "boolean"},
    "d": {"type": "string"},
    "l": {"type": "array", "items": {"type": "integer"}},
    "t": {"type": "array", "items": {"type": "string"}},
    "o": {"type": "object", "properties": {"k": {"type": "integer"}, "m": {"type": "string", "default": "no"}}},
}
TOOLS = [
    {"name": name, "description": "A tool.", "parameters": {"type": "object", "properties": SCHEMAS}}
    for name in ("one", "two", "three")
]
TEXTS = st.sampled_from(
    ["Old Mill", "old mill", "F-07b", "f07b", "a", "report.txt", "Zoë", "1", "x**2", "St. Louis, MO"]
)
NUMBERS = st.sampled_from([0, 1, 2, 3, -1, 35, 1000])
VALUES = {
    "n": NUMBERS,
    "x": st.sampled_from([0.5, 1.0, 2, 18.25, -3.0]),
    "s": TEXTS,
    "e": st.sampled_from(["aa", "AA", "b b", "c-c"]),
    "f": st.booleans(),
    "l": st.lists(NUMBERS, max_size=3),
    "t": st.lists(TEXTS, max_size=3),
    "o": st.fixed_dictionaries({"k": NUMBERS}, optional={"m": st.sampled_from(["no", "yes"])}),
}


@st.composite
def policies(draw, name):
    if name == "d":
        return Date(draw(st.sampled_from(["2031-03-05", "5 March 2031", "6 Mar 2031"])))
    found = [infer(SCHEMAS[name], value) for value in draw(st.lists(VALUES[name], min_size=1, max_size=2))]
    return found[0] if len(found) == 1 else OneOf(tuple(found))


@st.composite
def calls(draw):
    names = draw(st.lists(st.sampled_from(list(SCHEMAS)), unique=True, max_size=4))
    arguments = {n: Argument(policy=draw(policies(n)), spans=(WORDS,), may_omit=draw(st.booleans())) for n in names}
    left = draw(st.sampled_from([name for name in SCHEMAS if name not in names]))
    defaults = {left: Argument(policy=draw(policies(left)), spans=(WORDS,), may_omit=True)}
    tool = draw(st.sampled_from(["one", "two"]))
    return Call(tool=tool, arguments=arguments, spans=(WORDS,), defaults=draw(st.sampled_from([{}, defaults])))


@st.composite
def specs(draw):
    due = tuple(draw(st.lists(calls(), max_size=4)))
    rivals = Scene(brief=brief(), spec=Spec(calls=due)).rivals
    ordered = len(due) > 1 and (rivals(0), rivals(1)) == ((0,), (1,)) and draw(st.booleans())
    order = (Order(first=0, then=1, spans=(WORDS,)),) if ordered else ()
    forbidden = Temptation(call={"name": "three", "arguments": {}}, why="it is forbidden", span=WORDS)
    return Spec(calls=due, order=order, temptations=draw(st.sampled_from([(), (forbidden,)])), asked=(WORDS,))


def brief():
    return Brief(instruction="go on", tools=TOOLS)


def made(spec, season=DEVELOPMENT):
    task = task_of(id="x/y", source="x", source_version="1", brief=brief(), spec=spec)
    return cases(task, spec, season)


SEASONS = [Season(name=f"s{number}", secret=str(number)) for number in range(12)]


def decided(spec, content):
    return evaluate(reference(spec).root, {"solution": content, "runs": {}}, FAMILY.checks)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(specs())
def test_on_any_spec_the_reference_agrees_with_every_label(spec):
    for case in made(spec):
        assert decided(spec, case.content).ok == (case.label is Verdict.PASS), (case.id, case.content)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(specs(), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_calls_and_arguments_never_changes_a_decision(spec, rng, broken):
    free = msgspec.structs.replace(spec, order=())
    content = gold_solution(free)
    due = content["turns"][0]["calls"]
    if broken and due:
        rng.choice(due)["arguments"]["n"] = 77
    before = decided(free, content).ok
    rng.shuffle(due)
    for call in due:
        items = list(call["arguments"].items())
        rng.shuffle(items)
        call["arguments"] = dict(items)
    assert decided(free, content).ok == before
    assert broken or before


def test_an_order_may_not_bind_a_call_that_another_could_be_mistaken_for():
    """With two like calls, gold itself would break the order that binds one of them."""
    like = call_of(n=OneOf((Number(1), Number(2))))
    spec = Spec(calls=(like, call_of(n=Number(9)), like), order=(Order(first=0, then=1, spans=(WORDS,)),))
    with pytest.raises(Inconsistent, match="stand in for"):
        made(spec)


def call_of(**arguments):
    return Call(
        tool="one", arguments={n: Argument(policy=p, spans=(WORDS,)) for n, p in arguments.items()}, spans=(WORDS,)
    )


def test_calls_that_could_stand_in_for_one_another_are_rivals():
    """Call 1 accepts 1 or 2 and call 2 only 2: a slip of call 1 to 3 must also miss call 3, which accepts 2 or 3."""
    chain = (
        call_of(n=OneOf((Number(1), Number(2)))),
        call_of(n=OneOf((Number(2), Number(3)))),
        call_of(n=Number(9)),
    )
    scene = Scene(brief=brief(), spec=Spec(calls=chain))
    assert scene.rivals(0) == (0, 1)
    assert scene.rivals(2) == (2,)
    assert sorted(scene.taken(next(scene.sites()))) == [1, 2, 2, 3]


def test_a_slip_of_a_number_avoids_what_another_due_call_takes():
    found = [miss.value for miss in misses(Number(2), {"type": "integer"}, [2, 3], Random(0))]
    assert found == [1, -2]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Old Mill", " old  MILL"), (5, 5.0), ("5 March 2031", "2031-03-05"), ([1, 2], [2, 1]), ("AA", "aa")],
)
def test_what_a_reader_might_overlook_is_no_difference(one, other):
    assert loose(one) == loose(other)
    assert not unlike(one, [other])


@pytest.mark.parametrize(("one", "other"), [(1, True), ("5", 5), ("a", "b"), ([1, 1], [1]), (None, ""), ("+", "-")])
def test_what_is_beyond_doubt_different(one, other):
    assert unlike(one, [other])


def test_a_stated_order_bounds_the_other_orders():
    assert _keeping([2, 1, 0], [(0, 1)]) == [2, 0, 1]
    assert _keeping([2, 1, 0], []) == [2, 1, 0]
    assert _keeping([2, 1, 0], [(0, 1), (1, 2)]) == [0, 1, 2]


def test_an_ordered_pair_yields_its_violation_and_a_control():
    spec = Spec(calls=(call_of(n=Number(1)), call_of(n=Number(2))), order=(Order(first=0, then=1, spans=(WORDS,)),))
    (case,) = [case for case in made(spec) if case.kind is CaseKind.PROCESS_VIOLATION]
    assert [call["arguments"]["n"] for call in case.content["turns"][0]["calls"]] == [2, 1]
    assert case.grounds[0].clause == "order1"
    assert [c.label for c in made(spec) if c.control_of == case.id] == [Verdict.PASS]


def test_a_value_left_open_is_missed_by_its_type_and_free_otherwise():
    spec = Spec(calls=(call_of(s=Fits({"type": "string"}, ("Hello", "Good day"))),))
    firsts = ((case.operator, case.content["turns"][0]["calls"][:1]) for case in made(spec))
    found = {operator: call["arguments"].get("s") for operator, calls in firsts for call in calls}
    assert found["accepted_value"] == "Good day"
    assert found["outside_definition"] == 7
    assert "embedded_value" not in found


def test_no_case_turns_on_an_undecided_value():
    """Another spelling of a formula passed as `accepted_value`, and no convention makes it right or wrong."""
    policy = OneOf((Exact("3x^2 + 2"),), (Exact("3*x**2 + 2"),))
    given = call_of(s=policy)
    for season in SEASONS[:3]:
        calls = [call for case in made(Spec(calls=(given,)), season) for call in case.content["turns"][0]["calls"]]
        texts = [call["arguments"].get("s") for call in calls]
        assert texts
        assert not [text for text in texts if text != "3x^2 + 2" and not unlike(text, ["3*x**2 + 2"])]


@pytest.mark.parametrize(("default", "attacked"), [(None, False), ("no", True)])
def test_null_is_no_attack_where_it_is_the_documented_default(default, attacked):
    left = {"s": Argument(policy=infer({}, default), spans=(WORDS,), may_omit=True)}
    scene = Scene(brief=brief(), spec=Spec(calls=(msgspec.structs.replace(call_of(n=Number(1)), defaults=left),)))
    assert bool(list(HACKS["null_default"](scene, Random(0)))) is attacked


def missed(policy, schema=None):
    """Each slip's operator with its values."""
    found = {}
    for miss in misses(policy, schema or {}, [], Random(0)):
        found.setdefault(miss.operator, []).append(miss.value)
    return found


def test_a_list_loses_changes_gains_and_turns_elements():
    found = missed(ListOf((Number(1), Number(2), Number(3))))
    assert found.keys() == {"element_dropped", "element_changed", "element_added", "list_reversed"}
    assert found["element_added"] == [[1, 2, 3, 1]]
    assert found["list_reversed"] == [[3, 2, 1]]
    assert "list_reversed" not in missed(SetOf((Number(1), Number(2), Number(3))))
    assert missed(ListOf(()), {"items": {"type": "integer"}}) == {"element_added": [[1]]}


def test_a_list_that_reads_the_same_from_the_back_is_turned_another_way():
    assert missed(ListOf((Number(1), Number(2), Number(1))))["list_reversed"] == [[2, 1, 1]]
    assert "list_reversed" not in missed(ListOf((Number(1), Number(1))))


def test_each_element_of_a_list_is_changed_by_itself_to_none_of_the_others():
    """Only one element, drawn by the season, was ever changed: a reference that ignored another passed unseen."""
    assert missed(SetOf((Number(10), Number(20), Number(11))))["element_changed"] == [
        [9, 20, 11],
        [10, 21, 11],
        [10, 20, 12],
    ]


def test_each_key_of_an_object_is_changed_and_dropped_by_itself_and_one_is_added():
    policy = ObjectOf({"a": Number(1), "comment": Exact("K-2")}, {"c": Exact(False)})
    found = missed(policy, {"properties": {"a": {}, "comment": {}, "c": {}}})
    changed = [{key for key in value if value[key] != gold(policy).get(key)} for value in found["leaf_changed"]]
    assert sorted(map(sorted, changed)) == [["a"], ["c"], ["comment"]]
    assert found["key_dropped"] == [{"comment": "K-2"}, {"a": 1}]
    assert found["key_added"] == [{"a": 1, "comment": "K-2", "remark": "as requested"}]


def first_calls(spec, operator):
    return [case.content["turns"][0]["calls"] for case in made(spec) if case.operator == operator]


def test_every_argument_that_is_due_is_dropped_once():
    """Two of them, drawn by the season, were: a reference that let another be left out passed unseen."""
    call = call_of(n=Number(1), s=Exact("F-07b"), f=Exact(True), x=Number(0.5))
    free = msgspec.structs.replace(call.arguments["x"], may_omit=True)
    spec = Spec(calls=(msgspec.structs.replace(call, arguments={**call.arguments, "x": free}),))
    dropped = [call.arguments.keys() - made["arguments"].keys() for (made,) in first_calls(spec, "argument_dropped")]
    assert sorted(map(sorted, dropped)) == [["f"], ["n"], ["s"]]


def test_an_argument_is_not_dropped_where_a_call_that_could_stand_in_may_do_without_it():
    """With n left out, the first call is as good as the second was; what both must state is dropped from both."""
    optional = {"n": Argument(policy=Number(1), spans=(WORDS,), may_omit=True)}
    due = call_of(s=Exact("F-07b"), n=Number(1))
    other = msgspec.structs.replace(due, arguments={**due.arguments, **optional})
    dropped = first_calls(Spec(calls=(due, other)), "argument_dropped")
    assert [["s" in call["arguments"] for call in calls] for calls in dropped] == [[False, True], [True, False]]
    assert all(call["arguments"]["n"] == 1 for calls in dropped for call in calls)


def test_each_text_is_extended_but_no_date_and_nothing_that_is_open():
    spec = Spec(calls=(call_of(s=Wording("Old Mill"), e=Exact("aa"), d=Date("2031-03-05"), n=Number(1)),))
    found = [calls[0]["arguments"] for calls in first_calls(spec, "text_extended")]
    assert [(call["s"], call["e"]) for call in found] == [("Old Mill as well", "aa"), ("Old Mill", "aa as well")]
    open_one = Fits({"type": "string"}, ("Hello",))
    assert first_calls(Spec(calls=(call_of(s=open_one),)), "text_extended") == []


def test_a_text_is_not_extended_to_what_is_right_as_well():
    longer = OneOf((Wording("gluten"),), (Wording("Gluten as well"),))
    assert first_calls(Spec(calls=(call_of(s=longer),)), "text_extended") == []


def test_a_member_that_letter_case_alone_tells_from_the_right_one_is_tried():
    scene = Scene(brief=brief(), spec=Spec(calls=(call_of(e=Exact("aa")),)))
    drafts = [
        call["arguments"]["e"] for each in enum_twin(scene, Random(0)) for call in each.content["turns"][0]["calls"]
    ]
    assert drafts == ["AA"]


@pytest.mark.parametrize("arguments", [{"e": Exact("b b")}, {"e": OneOf((Exact("aa"), Exact("AA")))}, {"n": Number(1)}])
def test_no_member_is_tried_that_is_right_or_differs_in_more_than_letter_case(arguments):
    scene = Scene(brief=brief(), spec=Spec(calls=(call_of(**arguments),)))
    assert not list(enum_twin(scene, Random(0)))


def test_a_text_is_slightly_changed_at_a_few_places_only():
    """Each text is extended, so that a letter in every one of them would show nothing more."""
    spec = Spec(calls=tuple(call_of(s=Exact(f"F-0{n}"), d=Exact(f"K-0{n}")) for n in (2, 5)))
    assert len(first_calls(spec, "text_extended")) == 4
    assert len(first_calls(spec, "one_letter")) == 2


def survivors(spec):
    """The weakened references that decide every case of a spec as the reference does, its attacks left aside."""
    judge = TreeJudge.of(reference(spec), FAMILY)
    honest = [case for case in made(spec) if not case.kind.is_attack]
    views = [{"solution": case.content, "runs": {}} for case in honest]
    return [
        mutant.name
        for mutant in judge.mutants()
        if mutant.clause not in ("turn", "calls")  # what breaks those is drawn among the attacks
        and all(judge.decide(view).ok == mutant.judge.decide(view).ok for view in views)
    ]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.fixed_dictionaries({}, optional={name: VALUES[name] for name in ("n", "x", "s", "e", "l", "t", "o")}))
def test_on_any_call_each_part_of_the_reference_decides_some_honest_case(arguments):
    parts = {name: infer(SCHEMAS[name], value) for name, value in arguments.items()}
    assert survivors(Spec(calls=(call_of(**parts),))) == []


def test_an_order_cannot_bind_two_calls_that_are_alike_when_their_optional_argument_is_left_out():
    first, then = (call_of(x=Number(value)) for value in (0.5, 1.0))
    optional = [
        msgspec.structs.replace(call, arguments={"x": msgspec.structs.replace(call.arguments["x"], may_omit=True)})
        for call in (first, then)
    ]
    order = (Order(first=0, then=1, spans=(WORDS,)),)
    made(Spec(calls=(first, then), order=order))
    with pytest.raises(Inconsistent, match="another due call could stand in for"):
        made(Spec(calls=tuple(optional), order=order))


def test_an_identifier_is_attacked_by_its_case_and_punctuation_and_words_are_not():
    exact, words = (
        {case.operator for season in SEASONS for case in made(Spec(calls=(call_of(s=p),)), season)}
        for p in (Exact("F-07b"), Wording("Old Mill"))
    )
    assert {"over_normalised", "case_changed"} <= exact
    assert {"over_normalised", "case_changed"}.isdisjoint(words)
    assert {"letter_case", "spacing"} <= words
    assert {"letter_case", "spacing"}.isdisjoint(exact)


def test_a_season_draws_its_attacks_and_no_more_than_a_task_needs():
    spec = Spec(calls=(call_of(s=Exact("F-07b")),))
    drawn = [{case.operator for case in made(spec, season) if case.kind is CaseKind.HACK} for season in SEASONS]
    assert all(len(names) == HACKS_PER_TASK and "second_turn" in names for names in drawn)
    assert len(set(map(frozenset, drawn))) == len(SEASONS)
    assert len(set.union(*drawn)) >= 2 * HACKS_PER_TASK


def test_there_are_many_attacks_and_their_names_are_one_apiece():
    assert len(HACKS) >= 15
    names = [operator.name for operator in OPERATORS]
    assert len(set(names)) == len(names)
    assert not HACKS.keys() & REFUSAL_HACKS.keys()
    assert {operator.kind for operator in OPERATORS} == set(CaseKind)


def test_a_sample_fits_its_definition():
    import jsonschema

    schema = {
        "type": "object",
        "required": ["n", "e", "f", "l", "o", "x"],
        "properties": {
            **SCHEMAS,
            "n": {"type": "integer", "minimum": 3},
            "l": {"type": "array", "minItems": 1, "items": {"type": "string"}},
            "x": {"type": ["number", "null"]},
        },
    }
    jsonschema.validate(sample(schema, Random(0)), schema)


def test_an_attack_without_a_control_is_a_bug_of_ours(monkeypatch):
    gold = next(operator for operator in OPERATORS if operator.kind is CaseKind.GOLD)
    monkeypatch.setattr(operators_module, "OPERATORS", (Operator("bare", CaseKind.HACK, gold.make),))
    with pytest.raises(Inconsistent, match="without a control"):
        made(Spec(calls=(call_of(n=Number(1)),)))
