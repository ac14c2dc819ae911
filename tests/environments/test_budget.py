"""What a verifier may reach on one case, and how often."""

from __future__ import annotations

import time
from typing import Any

import pytest

from verifierbench.core import (
    All,
    BudgetExhausted,
    EnvironmentRefusal,
    Family,
    Limits,
    Material,
    Reference,
    Task,
)
from verifierbench.environments import BudgetedEnvironment, CachedEnvironment, EvidenceCache

TASK = Task(
    id="s/t",
    source="s",
    source_version="1",
    family=Family.STATE,
    instruction="",
    materials=(
        Material(name="db", kind="json", content={"users": [{"a/b": 1, "m~n": None}], "": 5}, inline=False),
        Material(name="policy", kind="text", content="Be kind."),
        Material(name="repo", kind="files", content={"src/b.py": "b = 1\n", "a.txt": ""}, inline=False),
    ),
    conventions=(),
    clauses=(),
    reference=Reference(root=All(of=())),
    environment="echo",
)


class Echo:
    version = "echo 1"

    def execute(self, request: Any) -> Any:
        return request

    def close(self) -> None:
        pass


def budgeted(calls: int = 3, environment: Any = None) -> BudgetedEnvironment:
    return BudgetedEnvironment(TASK, environment or Echo(), Limits(environment_calls=calls))


@pytest.mark.parametrize(
    ("material", "pointer", "value"),
    [
        ("db", "", {"users": [{"a/b": 1, "m~n": None}], "": 5}),
        ("db", "/users/0", {"a/b": 1, "m~n": None}),
        ("db", "/users/0/a~1b", 1),
        ("db", "/users/0/m~0n", None),
        ("db", "/", 5),  # RFC 6901: the member whose name is empty
        ("policy", "", "Be kind."),
        ("repo", "", ["a.txt", "src/b.py"]),
        ("repo", "/src/b.py", "b = 1\n"),
        ("repo", "/a.txt", ""),
    ],
)
def test_reading(material, pointer, value):
    assert budgeted().read(material, pointer) == value


@pytest.mark.parametrize(
    ("material", "pointer", "sentence"),
    [
        ("hidden", "", "no material 'hidden'; it has: db, policy, repo"),
        (["db"], "", "no material"),
        ("db", "users", 'a pointer is "" or begins with "/"'),
        ("db", 0, 'a pointer is "" or begins with "/"'),
        ("db", "/users/1", "db has nothing at '/users/1'"),
        ("db", "/users/-", "nothing at"),
        ("db", "/users/0/a~1b/c", "nothing at"),
        ("policy", "/0", "is one text"),
        ("repo", "/src", "no file 'src'"),
        ("repo", "/../secret", "no file '../secret'"),
    ],
)
def test_refused_reading(material, pointer, sentence):
    with pytest.raises(EnvironmentRefusal) as refusal:
        budgeted().read(material, pointer)
    assert sentence in str(refusal.value)
    assert not isinstance(refusal.value, BudgetExhausted)


def test_reading_costs_nothing():
    environment = budgeted(calls=0)
    for _ in range(30):
        environment.read("policy", "")
    assert environment.calls == 0


def test_a_cached_repeat_counts_too(tmp_path):
    with EvidenceCache(tmp_path / "e.sqlite") as cache:
        cached = CachedEnvironment(Echo(), cache)
        environment = budgeted(3, cached)
        assert [environment.run("same") for _ in range(3)] == ["same"] * 3
        with pytest.raises(BudgetExhausted, match="all 3 executions"):
            environment.run("same")
        assert (cached.executions, cached.hits, environment.calls) == (1, 2, 4)


def test_a_refused_call_counts():
    class Refusing(Echo):
        def execute(self, request: Any) -> Any:
            raise EnvironmentRefusal("no")

    environment = budgeted(1, Refusing())
    with pytest.raises(EnvironmentRefusal, match=r"^no$"):
        environment.run(1)
    with pytest.raises(BudgetExhausted):
        environment.run(1)


def test_a_budget_of_nothing():
    with pytest.raises(BudgetExhausted):
        budgeted(0).run(1)


def test_a_task_without_environment_says_so_every_time():
    environment = BudgetedEnvironment(TASK, None, Limits(environment_calls=1))
    for _ in range(3):
        with pytest.raises(EnvironmentRefusal, match="has no environment") as refusal:
            environment.run({})
        assert not isinstance(refusal.value, BudgetExhausted)
    assert environment.calls == 3


def test_executions_may_not_take_for_ever_together():
    class Slow:
        def execute(self, request):
            time.sleep(0.06)
            return request

    budgeted = BudgetedEnvironment(TASK, Slow(), Limits(environment_seconds=0.1))
    assert (budgeted.run(1), budgeted.run(2)) == (1, 2)
    with pytest.raises(BudgetExhausted, match=r"the 0\.1 s of executions"):
        budgeted.run(3)
