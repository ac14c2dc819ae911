"""AppWorld's route end to end, on a world and tasks of our own in its format: upstream's code, none of its data.

Uses the packages that `verifierbench sources install appworld` left; without them the tests are skipped.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.audit.ladder import ladder
from verifierbench.core import DEVELOPMENT, Candidate, EnvironmentRefusal, UserError, Verdict, canonical_hash
from verifierbench.families import view
from verifierbench.families.state import FAMILY
from verifierbench.sources.appworld import APPWORLD, bring, data
from verifierbench.sources.appworld.checker import Evaluation
from verifierbench.sources.appworld.environment import CHECKER, GUEST, WORLD, Place, environment, worlds
from verifierbench.sources.appworld.explanations import explain
from verifierbench.sources.appworld.tasks import read
from verifierbench.sources.protected import notice
from verifierbench.suite.layout import notices
from verifierbench.suite.validate import validate

BUILDER = Path(__file__).parent / "appworld" / "build_world.py"
COUNTED, PINNED, WRITTEN = "appworld/own0001_1", "appworld/own0002_1", "appworld/own0003_1"
ILSE, OMAR = "ilse.brandt@fernhill-tools.org", "omar.lund@fernhill-tools.org"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    if not bring.is_ready(APPWORLD.packages):
        pytest.skip(f"needs `{data.COMMAND}`")
    root = tmp_path_factory.mktemp("appworld") / "root"
    command = [sys.executable, "-I", "-S", str(BUILDER), str(APPWORLD.packages), str(GUEST), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    found = Place(APPWORLD.packages, root)
    yield found
    worlds(WORLD, found).close()
    worlds(CHECKER, found).close()


@pytest.fixture(scope="module")
def made(place: Place) -> dict[str, Candidate]:
    found = list(read(place, DEVELOPMENT))
    assert [one for one in found if not isinstance(one, Candidate)] == [], "left out"
    return {one.task.id: one for one in found if isinstance(one, Candidate)}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "call": {"name": tool, "arguments": arguments}}


def calls_of(candidate: Candidate) -> list[dict[str, Any]]:
    gold = next(case for case in candidate.cases if case.operator == "gold")
    return [event for event in gold.content["events"] if "call" in event]


def token_of(candidate: Candidate) -> str:
    return str(calls_of(candidate)[-1]["call"]["arguments"]["access_token"])


# The environment ------------------------------------------------------------------------------------------------------


def test_every_call_says_what_it_returned_and_whether_it_changed_something(
    place: Place, made: dict[str, Candidate]
) -> None:
    token = token_of(made[PINNED])
    answer = environment(made[PINNED].task, place).execute(
        {
            "events": [
                {"role": "user", "message": "Please."},
                call("simple_note.update_note", note_id=2, pinned=True, access_token=token),
                call("simple_note.show_note", note_id=2, access_token=token),
                call("simple_note.delete_note", note_id=4, access_token=token),
                call("simple_note.delete_note", note_id=4, access_token=token),
                call("simple_note.create_note", title="New", content="One.", access_token=token),
            ]
        }
    )
    assert [("error" in result, result["changed"]) for result in answer["results"]] == [
        (False, True),
        (False, False),
        (False, True),
        (True, False),
        (False, True),
    ]
    changes = {(change["how"], change["path"]): change for change in answer["changes"]}
    assert sorted(changes) == [
        ("added", "/simple_note.Note/10"),  # 6 notes of hers, 3 of his: the next is 10
        ("changed", "/simple_note.Note/2/pinned"),
        ("changed", "/simple_note.Note/2/updated_at"),
        ("removed", "/simple_note.Note/4"),
    ]
    assert changes["changed", "/simple_note.Note/2/pinned"]["old"] is False
    assert changes["changed", "/simple_note.Note/2/updated_at"]["new"] == "2023-05-18 12:00:00.000000"  # the task's now
    assert changes["removed", "/simple_note.Note/4"]["old"]["title"] == "Old tram times"
    assert changes["added", "/simple_note.Note/10"]["new"]["tags"] == []


def test_a_row_that_is_changed_and_changed_back_is_no_change(place: Place, made: dict[str, Candidate]) -> None:
    token = token_of(made[PINNED])
    events = [
        call("simple_note.update_account_name", first_name="Ilsa", access_token=token),
        call("simple_note.update_account_name", first_name="Ilse", access_token=token),
    ]
    answer = environment(made[PINNED].task, place).execute({"events": events})
    assert [result["changed"] for result in answer["results"]] == [True, True]
    assert answer["changes"] == []


def test_every_request_starts_from_the_first_state_and_is_answered_alike(
    place: Place, made: dict[str, Candidate]
) -> None:
    asked = {"events": calls_of(made[WRITTEN])}
    world = environment(made[WRITTEN].task, place)
    first = world.execute(asked)
    assert first["changes"] != []
    assert world.execute({"events": []}) == {"results": [], "changes": []}
    assert world.execute(asked) == first


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (call("simple_note.rewrite_note"), "no tool is called"),
        (call("supervisor.complete_task", answer="2"), "no tool is called"),
        (call("admin.show_main_user"), "no tool is called"),
        (call("simple_note.login", username=ILSE, password="tram7!linden", remember=True), "has no argument"),
        (call("simple_note.login", username=ILSE, password="wrong"), "Invalid credentials"),
        (call("simple_note.show_note", note_id=2), "access token is missing"),
        ({**call("supervisor.show_profile"), "role": "user"}, "only the assistant"),
    ],
)
def test_what_cannot_be_called_is_an_error_of_that_call(
    event: dict[str, Any], said: str, place: Place, made: dict[str, Candidate]
) -> None:
    answer = environment(made[PINNED].task, place).execute({"events": [event]})
    (result,) = answer["results"]
    assert said in result["error"]
    assert (result["changed"], answer["changes"]) == (False, [])


def test_a_request_of_another_shape_is_refused(place: Place, made: dict[str, Candidate]) -> None:
    with pytest.raises(EnvironmentRefusal, match="a request is"):
        environment(made[PINNED].task, place).execute({"material": "tools"})


def test_what_a_login_returns_does_not_depend_on_the_calls_before_it(place: Place, made: dict[str, Candidate]) -> None:
    login = call("simple_note.login", username=ILSE, password="tram7!linden")
    other = call("simple_note.login", username=OMAR, password="kiln4+harbour")
    world = environment(made[PINNED].task, place)
    alone = world.execute({"events": [login]})["results"][-1]
    assert world.execute({"events": [other, login]})["results"][-1] == alone


# The tasks ------------------------------------------------------------------------------------------------------------


def test_a_task_is_public_in_its_rules_its_calls_and_the_persons_rows(made: dict[str, Candidate]) -> None:
    task = made[PINNED].task
    assert "In Simple Note, pin my note Boiler manual" in task.instruction
    tools, state = task.material("tools"), task.material("initial_state")
    assert tools is not None
    assert state is not None
    names = {tool["name"] for tool in tools.content}
    assert {"simple_note.login", "supervisor.show_account_passwords"} <= names
    assert not {name for name in names if name.startswith(("admin.", "api_docs.")) or "complete_task" in name}
    assert {row["title"] for row in state.content["simple_note.Note"].values()} == {
        *("Tomato beds", "Boiler manual", "Hedge", "Old tram times", "Seed list", "Guest wifi")
    }
    assert list(state.content["simple_note.User"]) == ["1"]  # nobody else's account
    assert "password" not in state.content["simple_note.User"]["1"]


def test_the_goal_is_what_gold_brings_about_and_the_answer(made: dict[str, Candidate]) -> None:
    def goals(name: str) -> list[tuple[str, Any]]:
        atoms = made[name].task.reference.root.of  # type: ignore[union-attr]
        return [(atom.check, atom.parameters) for atom in atoms if atom.clause in ("asked", "answer")]

    assert goals(COUNTED) == [
        ("asserted", {"fact": ["2", "2.0", "2.00"], "rivals": ["3", "1", "4"], "where": "answer"})
    ]
    assert goals(PINNED) == [
        ("changed_to", {"path": "/simple_note.Note/2/pinned", "value": True}),
        ("record_removed", {"under": "/simple_note.Note"}),
    ]
    ((written, parameters),) = goals(WRITTEN)
    assert written == "record_added"
    assert parameters["fields"]["content"] == "Hangs behind the shed."


def test_there_are_enough_cases_of_every_kind(made: dict[str, Candidate]) -> None:
    for name, candidate in made.items():
        validate(candidate)
        kinds = Counter(case.kind.value for case in candidate.cases)
        attacks = [case for case in candidate.cases if case.kind.is_attack]
        valid = sum(case.label is Verdict.PASS for case in candidate.cases)
        assert len(candidate.cases) >= 25, name
        assert valid >= 0.35 * len(candidate.cases), name
        assert len(attacks) >= 4, name
        assert kinds["process_violation"] >= 4, name
        assert {"base", "partial", "near_miss", "regression"} <= set(kinds), name


@pytest.mark.parametrize("name", [COUNTED, PINNED, WRITTEN])
def test_the_audit_is_silent(name: str, place: Place, made: dict[str, Candidate]) -> None:
    task, cases = made[name].task, made[name].cases
    world, known = environment(task, place), {}

    def execute(request: Any) -> Any:
        key = canonical_hash(request)
        if key not in known:
            known[key] = world.execute(request)
        return known[key]

    subject = Subject(
        task=task,
        cases=cases,
        family=FAMILY,
        judge=TreeJudge.of(task.reference, FAMILY),
        views={case.id: view(FAMILY, task.reference, case.content, execute) for case in cases},
        ladder=ladder(task.family),
        execute=execute,
    )
    for one in ("replay", "consistency", "baselines", "mutation", "grounding", "potency"):
        found = check(one).examine(subject)
        assert found.passed > 0
        assert [flaw.says for flaw in found.flaws] == [], one


# Upstream's evaluation ------------------------------------------------------------------------------------------------


def test_upstream_accepts_gold_and_every_disagreement_is_in_the_ledger(
    place: Place, made: dict[str, Candidate]
) -> None:
    evaluation = Evaluation(place)
    agreed: Counter[bool] = Counter()
    for candidate in made.values():
        for case in candidate.cases:
            decision = evaluation.decide(candidate.task, case.content)
            agreed[decision.verdict is case.label] += 1
            assert case.operator != "gold" or decision.verdict is Verdict.PASS
            if decision.verdict is not case.label:
                assert explain(candidate.task, case, decision) is not None, case.id
    assert agreed[True] > 3 * agreed[False] > 0  # it reads neither messages nor logins
    assert "requirements met" in evaluation.decide(made[PINNED].task, {"events": [], "answer": None}).detail


# Without data, and what may be published ------------------------------------------------------------------------------


def test_an_id_tells_which_generator_a_task_is_of_and_the_first_is_taken(tmp_path: Path) -> None:
    datasets = tmp_path / "data" / "datasets"
    datasets.mkdir(parents=True)
    (datasets / "train.txt").write_text("abc_1\nabc_2\nfed_2\n")
    (datasets / "dev.txt").write_text("0aa_3\nabc_3\n")
    assert data.task_ids(tmp_path) == ["abc_1", "fed_2", "0aa_3"]


def test_data_of_another_version_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "version.txt").write_text("0.2.0\n")
    assert not data.has_data(tmp_path)
    (tmp_path / "data" / "version.txt").write_text("0.1.0\n")
    assert data.has_data(tmp_path)
    with pytest.raises(UserError, match=r"version\.txt says so"):
        bring.bring(tmp_path / "packages", tmp_path / "root", tmp_path / "data" / "none")


def test_a_suite_made_of_appworld_says_so_and_keeps_itself_out_of_a_repository() -> None:
    assert notice(["handmade", "bfcl"]) == ""
    assert notices({"handmade": "1"}) == {}
    files = notices({"handmade": "1", "appworld": "0.1.3.post1"})
    assert files[".gitignore"] == b"*\n"
    assert b"encrypted form only" in files["PROTECTED.txt"]


def test_no_text_of_upstreams_is_in_this_package() -> None:
    ours = [path for path in Path(bring.__file__).parent.rglob("*") if path.suffix in (".py", ".toml", ".txt")]
    assert len(ours) > 15
    assert not [path.name for path in ours if "appworld:d17ac3f" in path.read_text()]  # upstream's canary
