"""tau2: what needs nothing of upstream, on data in its format, and its worlds and tasks where it is installed."""

import copy
import importlib.util
import json
import random
import subprocess
from pathlib import Path

import pytest

from verifierbench.core import EnvironmentRefusal, Inconsistent, Season, Unavailable, Verdict, sha256
from verifierbench.environments.simulators import Simulators
from verifierbench.families.guest import SEARCH_PATH
from verifierbench.families.state import FAMILY
from verifierbench.families.view import decide
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker
from verifierbench.sources.bringing import Upstream, bring
from verifierbench.sources.tau2 import NEEDS, TAU2
from verifierbench.sources.tau2 import data as tau2_data
from verifierbench.sources.tau2.curation import curation, ledger, rows
from verifierbench.sources.tau2.data import DOMAINS, FILES, load, pins
from verifierbench.sources.tau2.effects import Goal, goal_values, licence, played
from verifierbench.sources.tau2.environment import GUEST, OURS, SCRIPT, simulators
from verifierbench.sources.tau2.wording import leaving_out, names, plain, sentence, spelled

SEASON = Season(name="test", secret="test")
upstream = pytest.mark.skipif(not TAU2.status().ready, reason=NEEDS)


# Wording and effects ------------------------------------------------------------------------------------------------


def test_what_is_named_is_left_out_everywhere_at_once():
    says = "send {#W1|an order} to {12 Elm St|you}, then change {#W1|an order}"
    assert plain(says) == "send #W1 to 12 Elm St, then change #W1"
    assert names(says) == ("#W1", "12 Elm St")
    assert leaving_out(says, "#W1") == "send an order to 12 Elm St, then change an order"
    assert spelled("#W1", {"#W1": ("order one",)}) == ["W1", "order one"]


def test_a_rule_is_found_by_words_that_stand_in_one_sentence():
    policy = "# Rules\n\nNever guess. Ask first (always), e.g. by mail: then act.\nAsk again."
    assert sentence(policy, "guess") == "Never guess."
    assert sentence(policy, "then act") == "then act."
    with pytest.raises(Inconsistent, match="2 sentences"):
        sentence(policy, "Ask")
    with pytest.raises(Inconsistent, match="0 sentences"):
        sentence(policy, "absent")


def test_goals_and_licence_follow_from_what_gold_changes():
    status = {"path": "/orders/#W1/status", "how": "changed", "old": "pending", "new": "cancelled"}
    reason = {"path": "/orders/#W1/cancel_reason", "how": "changed", "old": None, "new": "mistake"}
    refund = {"path": "/orders/#W1/payment_history/1", "how": "added", "new": {"amount": 3}}
    call = {"name": "cancel", "arguments": {"order_id": "#W1", "reason": "mistake"}}
    gold = played([{"changes": []}, {"changes": [status, reason, refund]}], [call])
    assert gold.changes == ((status, reason, refund),)
    goal = Goal({"/orders/{order_id}/cancel_reason": "reason"})
    assert goal_values(call, gold.changes[0], goal, {"reason": ["error"]}) == {
        "/orders/#W1/cancel_reason": ["mistake", "error"]
    }
    assert licence(gold.end, ["/users/*/x"]) == {
        "changed": ["/orders/#W1/status", "/orders/#W1/cancel_reason", "/users/*/x"],
        "added": {"/orders/#W1/payment_history": 1},
    }
    with pytest.raises(Inconsistent, match="changes nothing that was asked for"):
        goal_values(call, gold.changes[0], Goal({"/users/*/name": ""}), {})


def test_a_goal_may_lie_inside_a_record_that_is_new():
    paid = {"path": "/orders/#W1/payment_history/1", "how": "added", "new": {"amount": 3, "payment_method_id": "card"}}
    gone = {"path": "/orders/#W1/payment_history/0", "how": "removed", "old": {"payment_method_id": "gift"}}
    short = {"path": "/orders/#W1/payment_history/2", "how": "added", "new": {"amount": 3}}
    call = {"name": "modify", "arguments": {"order_id": "#W1"}}
    goal = Goal({"/orders/{order_id}/payment_history/*/payment_method_id": "payment_method_id"})
    assert goal_values(call, (gone, paid, short), goal, {"payment_method_id": ["other"]}) == {
        "/orders/#W1/payment_history/1/payment_method_id": ["card", "other"]
    }


# Overlays -----------------------------------------------------------------------------------------------------------


class Record:
    """What an overlay needs of a record."""

    def __init__(self, **fields):
        self.fields = fields

    def model_dump_json(self, warnings=True):
        return json.dumps(self.fields)

    @classmethod
    def model_validate_json(cls, text):
        return cls(**json.loads(text))


@pytest.fixture
def overlay():
    spec = importlib.util.spec_from_file_location("tau2_overlay", GUEST / "overlay.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_overlay_copies_what_is_taken_and_leaves_the_table_alone(overlay):
    base = {"a": Record(n=1), "b": Record(n=2)}
    table = overlay.Overlay(base)
    assert [record.fields["n"] for record in table.values()] == [1, 2]
    assert table.texts() == {}  # what is gone through is not taken
    table["b"].fields["n"] = 5
    table["c"] = Record(n=3)
    del table["a"]
    assert (list(table), len(table), "a" in table) == (["b", "c"], 2, False)
    assert table.texts() == {"b": '{"n": 5}', "c": '{"n": 3}', "a": None}
    assert table.before(["b", "c", "a"], {"a": 0, "b": 1}) == {"a": {"n": 1}, "b": {"n": 2}}
    assert base["b"].fields == {"n": 2}
    with pytest.raises(KeyError):
        table["a"]
    with pytest.raises(KeyError):
        del table["a"]


# Bringing -----------------------------------------------------------------------------------------------------------


def _upstream(folder: Path, **changes) -> Upstream:
    files = {"domains/shop/db.json": sha256(b"{}"), "LICENSE": sha256(b"MIT")}
    fields = {
        "source": "tau2",
        "title": "tau2",
        "version": "tau2 1",
        "repository": str(folder),
        "commit": "",
        "files": files,
    }
    return Upstream(**(fields | {"holds": "domains", "roots": ("", "data/tau2"), "only": "data/tau2"} | changes))


def _data(folder: Path) -> Path:
    (folder / "domains" / "shop").mkdir(parents=True)
    (folder / "domains" / "shop" / "db.json").write_text("{}")
    (folder / "LICENSE").write_text("MIT")
    return folder


def test_a_folder_of_domains_and_a_clone_are_both_taken(tmp_path):
    wanted = _upstream(tmp_path)
    for name, origin in (("one", _data(tmp_path / "data")), ("two", _data(tmp_path / "clone" / "data" / "tau2"))):
        bring(tmp_path / name, origin if name == "one" else tmp_path / "clone", wanted)
        assert (tmp_path / name / "domains" / "shop" / "db.json").read_text() == "{}"
    with pytest.raises(Unavailable, match="give a folder that has domains"):
        bring(tmp_path / "three", tmp_path, wanted)
    assert not (tmp_path / "three").exists()


def test_of_a_large_repository_only_one_folder_is_checked_out(tmp_path):
    repository = tmp_path / "repository"
    _data(repository / "data" / "tau2")
    (repository / "huge.bin").write_text("0" * 1000)
    git = ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t@t"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], check=True)
    for option in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        subprocess.run([*git, "config", option, "true"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    bring(tmp_path / "target", None, _upstream(tmp_path, repository=f"file://{repository}", commit=head))
    found = sorted(path.name for path in (tmp_path / "target").rglob("*") if path.is_file())
    assert found == ["LICENSE", "db.json"]


# Entries ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def entries(tmp_path):
    """Upstream's layout with one task of each kind, and one outside the base split."""
    told = {"domain": "x", "reason_for_call": "Fix it.", "known_info": "You are A.", "unknown_info": None}
    scenario = {"instructions": told | {"task_instructions": "Be brief."}}
    calls = [{"action_id": "0", "requestor": "user", "name": "toggle", "arguments": {}}]
    criteria = {"actions": calls, "reward_basis": ["ENV_ASSERTION"]}
    start = {"initialization_actions": [{"env_type": "user", "func_name": "break_it", "arguments": {}}]}
    rows = [
        {"id": identifier, "user_scenario": scenario, "initial_state": start, "evaluation_criteria": criteria}
        for identifier in ("[other]x", "[fault]break_it", "7")
    ]
    for domain in ("telecom", "retail"):
        folder = tmp_path / "domains" / domain
        folder.mkdir(parents=True)
        (folder / "tasks.json").write_text(json.dumps(rows))
        (folder / "split_tasks.json").write_text(json.dumps({"base": ["7", "[fault]break_it"]}))
    return tmp_path


def test_an_entry_has_an_id_that_does_not_spell_out_its_faults(entries):
    found = load(entries, ["telecom_0", "retail_7"])
    assert list(found) == ["telecom_0", "retail_7"]
    entry = found["telecom_0"]
    assert entry.prepared == ({"env_type": "user", "func_name": "break_it", "arguments": {}},)
    assert entry.gold == ({"role": "user", "name": "toggle", "arguments": {}},)
    assert entry.scenario == {
        "reason_for_call": "Fix it.",
        "known_info": "You are A.",
        "task_instructions": "Be brief.",
    }
    with pytest.raises(Exception, match="no entry of this id"):
        load(entries, ["telecom_2"])


def test_every_pin_of_a_domain_is_of_that_domain():
    assert all(name.startswith("domains/") or name == "LICENSE" for name in FILES)
    assert {name for domain in DOMAINS for name in pins(domain)} == set(FILES) - {"LICENSE"}


def test_tables_are_read_and_speak_of_known_domains():
    assert {tau2_data.domain_of(row.id) for row in rows()} <= set(DOMAINS)
    assert {defect.id for defect in ledger().defect} >= {"T1", "T2", "T3", "T4"}
    assert len({row.id for row in rows()}) == len(rows())


# Upstream's worlds --------------------------------------------------------------------------------------------------

KNOWN_ERRORS = {
    "retail_2": ["get_product_details"],
    "retail_3": ["get_product_details"],
    "retail_4": ["get_product_details"],
    "retail_35": ["find_user_id_by_email"],
    "retail_37": ["find_user_id_by_email"],
    "retail_38": ["find_user_id_by_email"],
    "retail_39": ["find_user_id_by_name_zip"],
    "retail_46": ["get_order_details", "get_order_details"],
    "retail_47": ["get_order_details", "get_order_details"],
    "retail_54": ["find_user_id_by_email"],
    "retail_55": ["find_user_id_by_email"],
    "retail_64": ["exchange_delivered_order_items"],
    "retail_67": ["find_user_id_by_name_zip", "find_user_id_by_name_zip"],
    "retail_68": ["find_user_id_by_name_zip"],
    "retail_105": ["exchange_delivered_order_items"],
}
"""Calls of upstream's gold that end in an error in 1.0.1 as well."""


def _all(domain):
    return load(TAU2.folder, tau2_data._rows(TAU2.folder, domain))


def _request(*calls):
    return {"events": [{"role": role, "call": {"name": name, "arguments": given}} for role, name, given in calls]}


def _gold(entry):
    return _request(*((call["role"], call["name"], call["arguments"]) for call in entry.gold))


@pytest.fixture(scope="module")
def shop():
    found = simulators(TAU2.packages, TAU2.folder, "retail")
    yield found
    found.close()


@upstream
@pytest.mark.parametrize("domain", DOMAINS)
def test_gold_runs_in_the_published_package_as_in_the_pinned_version(domain):
    entries = _all(domain)
    prepared = {name: entry.prepared for name, entry in entries.items()} if domain == "telecom" else {}
    arguments = {"domain": domain, "folder": str(TAU2.folder), "scenarios": prepared}
    worlds = Simulators(SCRIPT, lambda: (TAU2.packages,), lambda: arguments, ours=OURS, folders=(GUEST, SEARCH_PATH))
    failed = {}
    for name, entry in entries.items():
        (answer,) = worlds.play_all(name, [_gold(entry)])
        if errors := [result["name"] for result in answer["results"] if "error" in result]:
            failed[name] = errors
    worlds.close()
    assert failed == (KNOWN_ERRORS if domain == "retail" else {})


@upstream
@pytest.mark.parametrize(("domain", "every"), [("retail", 9), ("airline", 12)])
def test_scoped_differences_are_the_whole_differences(domain, every):
    """Gold, and calls with other customers' arguments, in one process: nothing moves below the overlays."""
    rng = random.Random(5)
    golds = [_gold(entry) for entry in _all(domain).values()]
    calls = [event for request in golds for event in request["events"]]
    mixed = [{"events": copy.deepcopy(rng.sample(calls, 8))} for _ in range(40)]
    with GuardedWorker(
        Path(__file__).with_name("tau2_whole_worker.py"),
        search_path=[GUEST, SEARCH_PATH, TAU2.packages],
        tier=choose_tier(),
        arguments={"domain": domain, "folder": str(TAU2.folder)},
    ) as worker:
        found = worker.request({"requests": [*golds, *mixed], "every": every}, 120.0)
    assert found == {"wrong": [], "base_moved": False}


@upstream
def test_a_call_that_cannot_be_is_an_error_of_that_call(shop):
    answer = shop.play(
        "retail_59",
        _request(
            ("assistant", "open_shop", {}),
            ("user", "get_order_details", {"order_id": "#W2702727"}),
            ("assistant", "get_order_details", {}),
            ("assistant", "get_order_details", {"order_id": "#W2702727", "now": True}),
            ("assistant", "get_order_details", {"order_id": ["#W2702727"]}),
            ("assistant", "calculate", {"expression": "9**9**9**9"}),
            ("assistant", "calculate", {"expression": "1/0"}),
            ("assistant", "get_item_details", {"item_id": "9083642334"}),
        ),
    )
    assert [result.get("error") for result in answer["results"]] == [
        "the assistant has no tool 'open_shop'",
        "the user has no tool 'get_order_details'",
        "the argument 'order_id' is missing",
        "there is no argument 'now'",
        "get_order_details cannot be done with these arguments (TypeError)",
        "Invalid characters in expression",
        "calculate cannot be done with these arguments (ZeroDivisionError)",
        None,
    ]
    assert answer["results"][-1]["result"]["price"] == 164.28
    assert answer["changes"] == []
    for request in ({"events": [{"role": "assistant"}]}, {"calls": []}, [], {"events": {}}):
        with pytest.raises(EnvironmentRefusal):
            shop.play("retail_59", request)


@upstream
def test_every_replay_starts_anew_and_reports_what_each_call_changed(shop):
    cancel = ("assistant", "cancel_pending_order", {"order_id": "#W8268610", "reason": "no longer needed"})
    request = _request(("assistant", "get_order_details", {"order_id": "#W8268610"}), cancel, cancel)
    first, second = shop.play_all("retail_59", [request, request])
    assert first == second == shop.play("retail_59", request)
    assert [result["changed"] for result in first["results"]] == [False, True, False]
    assert [(change["how"], change["path"]) for change in first["changes"]] == [
        ("changed", "/orders/#W8268610/status"),
        ("added", "/orders/#W8268610/payment_history/1"),
        ("changed", "/orders/#W8268610/cancel_reason"),
    ]


# Upstream's tasks ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def candidates():
    return list(TAU2.candidates(SEASON))


@upstream
def test_tasks_have_cases_that_their_references_decide_as_labelled(candidates):
    assert len(candidates) == len(rows())
    for candidate in candidates:
        task, cases = candidate.task, candidate.cases
        assert len(cases) >= 25
        for case in cases:
            found = decide(FAMILY, task.reference, case.content, TAU2.environment(task).execute)
            assert found.ok is (case.label is Verdict.PASS), case.id
    TAU2.environment(candidates[0].task).close()


@upstream
def test_nothing_public_holds_gold(candidates):
    for candidate in candidates:
        public = json.dumps(candidate.task.public)
        assert not any(word in public for word in ("evaluation_criteria", "nl_assertions", "initialization_actions"))
        assert {"policy", "tools"} <= candidate.task.public["materials"].keys()
        assert candidate.task.public["readable"] == ["initial_state"]


@upstream
def test_upstreams_evaluator_takes_gold_and_every_disagreement_is_explained(candidates):
    checker = TAU2.checker()
    for candidate in candidates:
        decisions = {case.id: checker.decide(candidate.task, case.content) for case in candidate.cases}
        kinds = {case.kind: decisions[case.id].verdict for case in candidate.cases if case.operator == "gold"}
        assert set(kinds.values()) == {Verdict.PASS}
        wrong = [case for case in candidate.cases if decisions[case.id].verdict is not case.label]
        assert wrong
        assert all(TAU2.explain(candidate.task, case, decisions[case.id]) for case in wrong)
    checker.close()


@upstream
def test_a_version_needs_no_upstream_and_tells_tasks_apart(candidates):
    versions = {TAU2.environment(candidate.task).version for candidate in candidates}
    assert len(versions) == len(candidates)


def test_what_is_missing_is_said_with_its_command(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    assert not TAU2.status().ready
    assert tau2_data.COMMAND in TAU2.status().needs
    assert TAU2.checker() is None
    with pytest.raises(Unavailable, match="sources install tau2"):
        next(TAU2.candidates(SEASON))


def test_every_row_names_each_clause_once():
    for domain in DOMAINS:
        for row in curation(domain).task:
            ids = [write.does for write in row.write] + [fact.clause for fact in row.tell]
            assert len(set(ids)) == len(ids), row.id


def test_guests_import_nothing_of_this_package():
    for path in OURS:
        assert "verifierbench" not in path.read_text(), path
