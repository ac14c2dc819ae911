"""Why upstream's checker disagrees: each entry of the ledger is true of exactly the cases it explains.

The first half needs nothing of upstream. The second half asks upstream's checker itself: what the ledger predicts must
be what it does, and nothing that it gets right may be explainable.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    Case,
    CaseKind,
    Decision,
    Explanation,
    Ground,
    Reason,
    Task,
    Unavailable,
    Verdict,
)
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.bfcl import BFCL
from verifierbench.sources.bfcl.curation import Curated, Curation, Due, curation
from verifierbench.sources.bfcl.data import COMMAND, Entry
from verifierbench.sources.bfcl.lapses import NARROWER, OMITTED, WIDER, lapses
from verifierbench.sources.bfcl.reach import KNOWN, exposing
from verifierbench.sources.bfcl.tasks import candidates, entry_id
from verifierbench.sources.due import Place
from verifierbench.sources.squashing import squashed

PASS, FAIL = Verdict.PASS, Verdict.FAIL
SENT = {
    "name": "kites.send",
    "description": "Send kites to a beach.",
    "parameters": {
        "type": "dict",
        "properties": {
            "beach": {"type": "string", "description": "Name of the beach."},
            "tag": {"type": "string", "description": "Tag of the parcel."},
            "count": {"type": "integer", "description": "How many kites."},
            "weight": {"type": "float", "description": "In kilograms."},
            "sizes": {"type": "array", "items": {"type": "integer"}, "description": "Sizes, the first one first."},
            "reach": {"type": "array", "items": {"type": "float"}, "description": "Lowest and highest reach."},
            "colors": {"type": "array", "items": {"type": "string"}, "description": "Colors."},
            "tail": {"type": "string", "enum": ["long", "short"], "description": "Tail."},
            "note": {"type": "string", "description": "A note.", "default": "none"},
        },
        "required": ["beach", "tag", "count", "weight", "sizes", "reach", "colors", "tail"],
    },
}
RIGHT = {
    "beach": "Amber Strand",
    "tag": "K-7.2",
    "count": 3,
    "weight": 2.5,
    "sizes": [4, 6],
    "reach": [0.5, 8.5],
    "colors": ["red", "teal"],
    "tail": "long",
}
WORDS = (
    "Send 3 kites to Amber Strand with the tag K-7.2, 2.5 kilograms, sizes 4 and 6, reach 0.5 to 8.5, "
    "colors red and teal, with a long tail."
)


def task_of(identifier: str, *calls: dict[str, Any]) -> Task:
    """A task made the way upstream's entries are, of an entry upstream does not have."""
    gold = [{"kites.send": {**{name: [value] for name, value in call.items()}, "note": [""]}} for call in calls]
    entry = Entry(id=identifier, instruction=WORDS, tools=[SENT], gold=gold)
    said = {name: "colors red" if name == "colors" else WORDS[:4] for name in RIGHT}
    curated = Curated(id=identifier, call=tuple(Due(why="Send", said=said) for _ in calls))
    (made,) = candidates({identifier: entry}, Curation(task=(curated,)), DEVELOPMENT)
    return made.task


SIMPLE = task_of("simple_python_9000", RIGHT)


def solution(*arguments: dict[str, Any], turns: int = 1) -> Any:
    calls = [{"name": "kites.send", "arguments": given} for given in arguments]
    return {"turns": [{"calls": calls, "message": None, "answer": None}] + [_SILENT] * (turns - 1)}


_SILENT = {"calls": [], "message": None, "answer": None}


def case_of(task: Task, content: Any) -> Case:
    """A case labelled as the reference decides: what upstream says of it is another matter."""
    ok = decide(FAMILY, task.reference, content, lambda _: None).ok
    kind = CaseKind.ALTERNATIVE if ok else CaseKind.NEAR_MISS
    return Case(
        id=f"{task.id}#made.0",
        task=task.id,
        kind=kind,
        content=content,
        operator="made",
        grounds=(Ground(clause="turn", note=""),),
    )


def why(task: Task, content: Any, said: Verdict) -> Explanation | None:
    return BFCL.explain(task, case_of(task, content), Decision(verdict=said))


#         entry, what the case changes, the label
SHOWN = [
    ("B1", {"tag": "K72"}, FAIL),
    ("B1", {"tag": "k-7.2"}, FAIL),
    ("B1", {"beach": "Amber-Strand"}, FAIL),
    ("B1", {"colors": ["re-d", "teal"]}, FAIL),
    ("B3", {"tail": "LONG"}, FAIL),
    ("B3", {"note": ""}, FAIL),
    ("B4", {"colors": ["teal", "red"]}, PASS),
    ("B6", {"count": 3.0}, PASS),
    ("B6", {"sizes": [4, 6.0]}, PASS),
]


@pytest.mark.parametrize(("entry", "change", "label"), SHOWN)
def test_an_entry_explains_the_value_it_is_about_and_only_the_wrong_decision(
    entry: str, change: dict[str, Any], label: Verdict, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))  # where nothing of upstream is installed
    content = solution(RIGHT | change)
    assert case_of(SIMPLE, content).label is label
    wrong, right = (PASS, FAIL) if label is FAIL else (FAIL, PASS)
    found = why(SIMPLE, content, wrong)
    assert found is not None
    assert found.defect == entry
    ((argument, value),) = change.items()
    assert f"call 1, {argument}: {value!r}" in found.what
    assert why(SIMPLE, content, right) is None


UNKNOWN = [
    ("another word", {"beach": "Grey Point"}, PASS),
    ("one letter less", {"tag": "K-7."}, PASS),
    ("a number off by one", {"count": 4}, PASS),
    ("the other member", {"tail": "short"}, PASS),
    ("an empty text where one is required", {"beach": ""}, PASS),
    ("an order that counts", {"sizes": [6, 4]}, PASS),
    ("an argument the definition lacks", {"color": "red"}, PASS),
    ("one thing explained, another not", {"tag": "K72", "count": 4}, PASS),
    ("gold itself", {}, FAIL),
    ("a default stated", {"note": "none"}, FAIL),
    ("letter case, which upstream ignores too", {"beach": "amber strand"}, FAIL),
    ("a number that is none to be written as an integer", {"weight": 2.5}, FAIL),
]


@pytest.mark.parametrize(("what", "change", "said"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_what_no_entry_is_about_stays_unexplained(what: str, change: dict[str, Any], said: Verdict) -> None:
    content = solution(RIGHT | change)
    assert case_of(SIMPLE, content).label is not said
    assert why(SIMPLE, content, said) is None


def test_a_missing_argument_a_call_too_many_and_a_turn_too_many_are_no_entrys_business() -> None:
    squeezed = RIGHT | {"tag": "K72"}
    without = {name: value for name, value in squeezed.items() if name != "count"}
    for content in (solution(without), solution(squeezed, squeezed), solution(squeezed, turns=2), solution()):
        assert why(SIMPLE, content, PASS) is None


def test_two_wrong_values_need_an_entry_each_and_both_are_told() -> None:
    found = why(SIMPLE, solution(RIGHT | {"tag": "K72", "note": ""}), PASS)
    assert found is not None
    assert "'K72'" in found.what
    assert "note: ''" in found.what


def test_no_verdict_is_explained_by_nothing() -> None:
    case = case_of(SIMPLE, solution(RIGHT | {"count": 3.0}))
    assert BFCL.explain(SIMPLE, case, Decision(reason=Reason.EXCEPTION)) is None


def test_calls_are_matched_whatever_their_order() -> None:
    """The second call is the first due call; its tag is right only without what upstream deletes."""
    twice = task_of("parallel_9000", RIGHT, RIGHT | {"tag": "Q-1.5", "count": 8})
    content = solution(RIGHT | {"tag": "Q-1.5", "count": 8}, RIGHT | {"tag": "K72"})
    found = why(twice, content, PASS)
    assert found is not None
    assert found.what.startswith("call 1, tag: 'K72'")
    mixed = solution(RIGHT | {"tag": "Q-1.5"}, RIGHT | {"tag": "K72", "count": 8})
    assert why(twice, mixed, PASS) is None


def test_squashing_deletes_what_it_says_and_nothing_else() -> None:
    assert squashed("A b,c.d/e-f_g*h^i") == "abcdefghi"
    assert squashed("it's") == 'it"s'
    assert squashed("a+b (c)") == "a+b(c)"
    assert squashed({"Key": ["X-1", 2, None]}) == {"Key": ["x1", 2, None]}


def test_a_call_that_an_earlier_due_call_takes_is_missing_where_it_is_due() -> None:
    """The first due call takes a second tag too, which the other one needs: only then the order of calls matters."""
    one, other = RIGHT, RIGHT | {"tag": "Z-1.5"}
    twice = task_of("parallel_9003", one, other)
    widened = _widened(twice, "Z-1.5")
    found = why(widened, solution(other, one), FAIL)
    assert found is not None
    assert (found.defect, found.what) == ("B5", "an earlier due call has taken what call 2 would need")
    assert why(widened, solution(one, other), FAIL) is None
    assert why(twice, solution(other, one), FAIL) is None


def test_what_is_left_out_is_excused_by_the_entry_that_lists_it_and_by_no_other() -> None:
    """Gold lets go a unit the user named (D32): an argument left out is not an empty text."""
    place = Place("parallel_multiple_137", 1, "unit", {"type": "string"}, False, UNIT, False)
    held = [lapse.defect for lapse in lapses(PASS, place.entry) if lapse.holds(place, OMITTED)]
    assert held == ["D32"]
    assert [lapse.defect for lapse in lapses(PASS, place.entry) if lapse.holds(place, "")] == ["B3"]
    assert not any(lapse.holds(place._replace(argument="origin"), OMITTED) for lapse in lapses(PASS, place.entry))
    assert repr(OMITTED) == "leaving it out"


UNIT = {"policy": "wording", "text": "miles"}


def test_every_entry_of_the_ledger_has_a_predicate_and_every_predicate_an_entry() -> None:
    """B5 has its predicate in the matching of calls, where it is no comparison of values."""
    ledger = curation().defect
    tasks = {each.task for each in ledger if each.task}
    told = {lapse.defect for said in Verdict for task in tasks for lapse in lapses(said, task)}
    assert {*told, "B5"} == {each.id for each in ledger}
    checkers = {each.id for each in ledger if each.kind == "checker"}
    assert {"B5", *(lapse.defect for lapse in (*WIDER, *NARROWER))} == checkers


def test_reach_is_seen_where_a_task_has_what_the_defect_is_about() -> None:
    """Of the invented tasks: two due calls where one call fits both let the first come take the wrong one."""
    met = {known.id for known in KNOWN if known.meets(SIMPLE)}
    assert met == {"B1", "B3", "B4", "B6"}
    greedy = next(known for known in KNOWN if known.id == "B5")
    assert not greedy.meets(task_of("parallel_9001", RIGHT, RIGHT | {"count": 8}))
    wide = task_of("parallel_9002", RIGHT, RIGHT | {"note": "none"})
    assert greedy.meets(_widened(wide))


def _widened(task: Task, tag: str = "Z") -> Task:
    """The first due call accepts a second tag; the other calls are as they were."""
    tree = msgspec.to_builtins(task.reference)
    slot = next(part for part in tree["root"]["of"] if part["op"] == "one_to_one")["slots"][0]
    atom = next(atom for atom in slot["of"] if atom["name"] == "call1.tag")
    atom["parameters"]["right"] = {
        "policy": "one_of",
        "of": [atom["parameters"]["right"], {"policy": "exact", "value": tag}],
    }
    return msgspec.convert(msgspec.to_builtins(task) | {"reference": tree}, Task)


# With upstream ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home in which bfcl is installed: the user's, or one for this run."""
    with pytest.MonkeyPatch.context() as patch:
        if not BFCL.status().ready:
            patch.setenv("VERIFIERBENCH_HOME", str(tmp_path_factory.mktemp("home")))
            try:
                BFCL.install(None)
            except Unavailable as error:
                pytest.skip(f"needs `{COMMAND}`: {error}")
        yield


@pytest.fixture(scope="module")
def made(home: None) -> dict[str, Candidate]:
    found = (each for each in BFCL.candidates(DEVELOPMENT) if each.task.environment is None)
    return {entry_id(each.task.id): each for each in found}


TELLING = ("accepted_value", "all_freedoms", "default_stated", "set_order", "text_truncated")


class Asked:
    """Upstream's checker on every other case (each takes a fork) and on those that a rare entry is about."""

    def __init__(self, made: dict[str, Candidate]) -> None:
        found = BFCL.checker()
        assert found is not None
        self.checker = found
        self.decisions = [
            (each.task, case, found.decide(each.task, case.content))
            for each in made.values()
            for number, case in enumerate(each.cases)
            if number % 2 == 0 or case.operator in TELLING
        ]


@pytest.fixture(scope="module")
def asked(made: dict[str, Candidate]) -> Iterator[Asked]:
    found = Asked(made)
    yield found
    found.checker.close()


def _turned(case: Case) -> Decision:
    return Decision(verdict=FAIL if case.label is PASS else PASS)


def test_every_disagreement_is_explained_and_never_once_the_decision_is_turned_round(asked: Asked) -> None:
    wrong = [(task, case, said) for task, case, said in asked.decisions if said.verdict is not case.label]
    assert len(wrong) > 40
    for task, case, said in wrong:
        found = BFCL.explain(task, case, said)
        assert found is not None, case.id
        assert found.what
        assert BFCL.explain(task, case, Decision(verdict=case.label)) is None


def test_no_predicate_is_a_blanket(asked: Asked) -> None:
    """Had upstream been wrong where it is right, no entry would have excused it."""
    right = [(task, case) for task, case, said in asked.decisions if said.verdict is case.label]
    excused = [(case.id, found) for task, case in right if (found := BFCL.explain(task, case, _turned(case)))]
    assert len(right) > 750
    assert excused == []


def test_each_entry_is_needed_by_the_cases_it_explains(asked: Asked) -> None:
    """Which entries explain anything; the rest of the ledger is about values no case has."""
    wrong = [(task, case, said) for task, case, said in asked.decisions if said.verdict is not case.label]
    used = Counter(found.defect for each in wrong if (found := BFCL.explain(*each)))
    assert {"B1", "B3", "B4", "B6", "D14", "D23", "D24"} <= set(used)
    assert used["B6"] < sum(used.values())


@pytest.mark.parametrize("known", [known for known in KNOWN if known.values], ids=lambda known: known.id)
def test_a_value_that_is_said_to_expose_a_defect_does(made: dict[str, Candidate], asked: Asked, known: Any) -> None:
    """Put into a right solution that passes, each value is decided one way by the reference, the other by upstream."""
    passing = [(task.id, case.content) for task, case, said in asked.decisions if said.verdict is case.label is PASS]
    for each in made.values():
        for place, value in exposing(known, each.task):
            content = copy.deepcopy(next(content for task, content in passing if task == each.task.id))
            content["turns"][0]["calls"][place.call]["arguments"][place.argument] = value
            case = case_of(each.task, content)
            assert asked.checker.decide(each.task, content).verdict is _turned(case).verdict, (place, value)


def test_where_no_answer_can_pass_nothing_else_is_in_reach(made: dict[str, Candidate]) -> None:
    """Upstream rejects every solution: no value makes a difference, though the task has lists and words."""
    assert [known.id for known in KNOWN if known.meets(made["live_simple_106-63-0"].task)] == ["B18"]


def test_what_is_in_reach_of_the_tasks(made: dict[str, Candidate]) -> None:
    reached = {known.id for known in KNOWN if any(known.meets(each.task) for each in made.values())}
    assert reached == {"B1", "B2", "B3", "B4", "B5", "B6", "B7", "B18", "B19", "B23", "B24", "B25"}
    assert len(KNOWN) == 23
