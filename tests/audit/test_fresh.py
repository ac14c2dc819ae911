"""Fresh runs: processes and environments of their own, another order, every request once, and nothing done twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from verifierbench.audit.fresh import Runs, fresh_runs
from verifierbench.core import (
    All,
    Atom,
    Case,
    CaseKind,
    Clause,
    Family,
    Ground,
    Inconsistent,
    Reference,
    Span,
    Task,
    canonical_hash,
)
from verifierbench.core.files import encode_lines, write_atomically
from verifierbench.families import family
from verifierbench.suite import write_tasks

from .subjects import CALLS, DESK, PATCH, candidates, subject

WOBBLY = Path(__file__).parent / "wobbly"
CASES = 50
"""More than go into one piece of work."""


def make_task(environment: str | None) -> Task:
    check = "changed_to" if environment else "answer_is"
    parameters = {"path": "/said", "value": ["3"]} if environment else {"value": "3"}
    atom = Atom(name="said", clause="say", check=check, parameters=parameters)
    return Task(
        id=f"wobbly/{environment}",
        source="wobbly",
        source_version="1",
        family=Family.STATE,
        instruction="Say three.",
        materials=(),
        conventions=(),
        clauses=(Clause(id="say", text="three is said", spans=(Span(material="instruction", quote="Say three"),)),),
        reference=Reference(root=All(of=(atom,)), probes={"replay": {}, "nothing": {"events": []}})
        if environment
        else Reference(root=All(of=(atom,))),
        environment=environment,
    )


def make_cases(task: Task) -> list[Case]:
    return [
        Case(
            id=f"{task.id}#say.{n}",
            task=task.id,
            kind=CaseKind.GOLD if n == 3 else CaseKind.NEAR_MISS,
            content={"events": [{"role": "assistant", "message": str(n)}], "answer": str(n)},
            operator="say",
            grounds=(Ground(clause="say", note="what is said"),),
        )
        for n in range(CASES)
    ]


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Runs]:
    """Observe the cases of one task of the wobbly source."""
    monkeypatch.syspath_prepend(str(WOBBLY))
    monkeypatch.setenv("WOBBLY_LOG", str(tmp_path / "log"))

    def run(environment: str | None, **options) -> Runs:
        task = make_task(environment)
        write_tasks(tmp_path / "suite", [task])
        write_atomically(tmp_path / "suite/hidden/cases.jsonl", encode_lines(make_cases(task)))
        return fresh_runs(tmp_path / "suite", [task], tmp_path / "fresh.sqlite", **{"workers": 2, **options})

    return run


@pytest.fixture
def executed(tmp_path: Path) -> Callable[[], list[tuple[str, str, str]]]:
    """Process, hash seed and request of every execution."""

    def read() -> list[tuple[str, str, str]]:
        lines = [line.split(" ") for line in (tmp_path / "log").read_text().splitlines()]
        return [(line[1], line[2], line[3]) for line in lines if line[0] == "executed"]

    return read


def test_a_steady_environment_is_seen_alike(look):
    (runs,) = look("steady").values()
    assert len(runs) == CASES
    for name, seen in runs.items():
        assert len(seen) == 2
        assert len(set(seen)) == 1
        assert seen[0].ok is name.endswith(".3")
    solution = make_cases(make_task("steady"))[7].content
    right = {
        name: {"results": [], "changes": [{"path": "/said", "how": "added", "new": said}]}
        for name, said in (("replay", ["7"]), ("nothing", []))
    }
    view = {"solution": solution, "runs": right}
    assert runs["wobbly/steady#say.7"][0].view == canonical_hash(view)


def test_runs_share_no_process_no_hash_seed_and_no_order(look, executed):
    look("steady")
    processes, orders = defaultdict(set), defaultdict(list)
    for process, seed, request in executed():
        processes[seed].add(process)
        orders[seed].append(request)
    assert set(orders) == {"1", "2"}
    assert not processes["1"] & processes["2"]
    assert sorted(orders["1"]) == sorted(orders["2"])
    assert orders["1"] != orders["2"]


def test_a_shared_request_is_executed_once_per_piece_and_environments_are_opened_anew(look, executed, tmp_path):
    look("steady", workers=1)
    requests = [request for _, _, request in executed()]
    # 50 cases are two pieces of at most 40; each executes every solution once, and the empty replay once.
    assert len(requests) == 2 * (CASES + 2)
    assert requests.count("") == 2 * 2
    lines = [line.split(" ") for line in (tmp_path / "log").read_text().splitlines()]
    for what in ("opened", "closed"):
        # This process opens it as well, to ask for its version; only the workers have a seed.
        assert [line[2] for line in lines if line[0] == what and line[2] != "None"] == ["1", "1", "2", "2"]


def test_a_second_look_executes_nothing(look, executed):
    first = look("steady")
    before = len(executed())
    told = []
    assert look("steady", said=lambda done, total, _: told.append((done, total))) == first
    assert len(executed()) == before
    assert told[-1] == (4, 4)


def test_a_third_run_adds_to_two(look, executed):
    first = look("steady")
    before = len(executed())
    more = look("steady", runs=3)
    assert {name: seen[:2] for name, seen in more["wobbly/steady"].items()} == first["wobbly/steady"]
    assert {len(seen) for seen in more["wobbly/steady"].values()} == {3}
    assert len(executed()) == before + CASES + 2


@pytest.mark.parametrize("environment", ["remembering", "hashing"])
def test_an_environment_that_does_not_repeat_itself_is_seen_to(look, environment: str):
    (runs,) = look(environment).values()
    assert any(len({seen.view for seen in twice}) == 2 for twice in runs.values())
    # It says the rest right, so the decision is the same: only the view tells.
    assert all(len({seen.ok for seen in twice}) == 1 for twice in runs.values())


def test_what_the_clock_stopped_is_tried_again_and_is_no_difference(look):
    (runs,) = look("slow_at_first").values()
    assert len(runs) == CASES
    assert all(len(set(seen)) == 1 and len(seen) == 2 for seen in runs.values())


def test_a_task_without_environment_is_decided_afresh(look, tmp_path):
    (runs,) = look(None).values()
    assert [name for name, seen in runs.items() if seen[0].ok] == ["wobbly/None#say.3"]
    assert all(len(seen) == 2 for seen in runs.values())
    assert not (tmp_path / "log").exists()


def test_a_reference_that_asks_for_a_run_without_environment_is_our_bug(look, tmp_path):
    task = make_task("steady")
    broken = Task(**{field: getattr(task, field) for field in task.__struct_fields__ if field != "environment"})
    write_tasks(tmp_path / "suite", [broken])
    write_atomically(tmp_path / "suite/hidden/cases.jsonl", encode_lines(make_cases(broken)))
    with pytest.raises(Inconsistent, match="no environment"):
        fresh_runs(tmp_path / "suite", [broken], tmp_path / "fresh.sqlite", workers=1)


def test_the_handmade_tasks_look_as_they_were_recorded(tmp_path: Path):
    names = {CALLS: (), DESK: ("gold", "plain_reply"), PATCH: ("gold", "empty")}
    whole = {name: subject(name, operators) for name, operators in names.items()}
    tasks = [candidates()[name].task for name in names]
    write_tasks(tmp_path, tasks)
    write_atomically(
        tmp_path / "hidden/cases.jsonl", encode_lines(case for one in whole.values() for case in one.cases)
    )
    seen = fresh_runs(tmp_path, tasks, tmp_path / "fresh.sqlite", workers=2)
    for name, one in whole.items():
        assert family(one.task.family) is one.family
        assert seen[name] == one.runs
