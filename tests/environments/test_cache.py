"""Evidence is computed once, whoever asks and whatever is killed; what is not evidence is not kept."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import deque
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import EnvironmentRefusal, InfrastructureError, MalformedInput, Overrun, Unavailable
from verifierbench.environments import CachedEnvironment, EvidenceCache, LazyEnvironment, quarantine


class Scripted:
    """A small deterministic environment: reverses text, refuses numbers, breaks down on request; keeps what it saw."""

    def __init__(self, version: str = "scripted 1") -> None:
        self.version, self.seen, self.closed = version, [], 0
        self.failures = deque[Exception]()

    def execute(self, request: Any) -> Any:
        self.seen.append(request)
        if self.failures:
            raise self.failures.popleft()
        if isinstance(request, int):
            raise EnvironmentRefusal(f"{request} is no text")
        return request[::-1] if isinstance(request, str) else {"echo": request}

    def close(self) -> None:
        self.closed += 1


class Deaf:
    """Answers without a look at what it is asked."""

    version = "deaf 1"

    def execute(self, _: Any) -> Any:
        return "heard"

    def close(self) -> None:
        raise NotImplementedError


@pytest.fixture
def cache(tmp_path):
    with EvidenceCache(tmp_path / "evidence.sqlite") as opened:
        yield opened


def test_a_second_asker_executes_nothing(cache, tmp_path):
    first, second = (CachedEnvironment(Scripted(), cache) for _ in range(2))
    assert first.execute("abc") == "cba"
    assert second.execute("abc") == "cba"
    assert (first.executions, first.hits) == (1, 0)
    assert (second.executions, second.hits) == (0, 1)
    with EvidenceCache(tmp_path / "evidence.sqlite") as again:
        assert CachedEnvironment(Scripted(), again).execute("abc") == "cba"


def test_a_refusal_is_evidence(cache):
    environment = CachedEnvironment(Scripted(), cache)
    for _ in range(2):
        with pytest.raises(EnvironmentRefusal, match=r"^7 is no text$"):
            environment.execute(7)
    assert (environment.executions, environment.hits) == (1, 1)


def test_a_failure_of_ours_is_not_evidence(cache):
    inner = Scripted()
    inner.failures.append(InfrastructureError("the process went away"))
    environment = CachedEnvironment(inner, cache)
    with pytest.raises(InfrastructureError):
        environment.execute("abc")
    assert len(cache) == 0
    assert environment.execute("abc") == "cba"
    assert len(cache) == 1


@pytest.mark.parametrize(("ended", "kept"), [("exit", 1), ("signal", 1), ("timeout", 0)])
def test_a_time_out_is_not_evidence(cache, ended, kept):
    class Commands(Scripted):
        def execute(self, request: Any) -> Any:
            return {"applied": True, "commands": [{"exit": 0, "ended": "exit"}, {"exit": None, "ended": ended}]}

    CachedEnvironment(Commands(), cache).execute({"commands": [["true"], ["sleep", "9"]]})
    assert len(cache) == kept


def test_an_overrun_is_not_evidence_and_a_refusal_like_it_is(cache):
    slow = Scripted()
    slow.failures.extend([Overrun("the execution took longer than 1 s"), EnvironmentRefusal("the answer is larger")])
    environment = CachedEnvironment(slow, cache)
    with pytest.raises(Overrun, match="longer than 1 s"):
        environment.execute("abc")
    assert len(cache) == 0
    for _ in range(2):
        with pytest.raises(EnvironmentRefusal, match="the answer is larger"):
            environment.execute("abc")
    assert (environment.executions, environment.hits, len(cache)) == (2, 1, 1)


@pytest.mark.parametrize("margin", range(60))
def test_a_request_near_the_end_of_the_stack_is_answered_or_refused(cache, margin):
    """The key nests a request deeper than it was when it was found to be JSON."""
    request: Any = 0
    for _ in range(sys.getrecursionlimit() - margin):
        request = [request]
    with suppress(EnvironmentRefusal):
        assert CachedEnvironment(Deaf(), cache).execute(request) == "heard"


def test_the_key_is_version_and_meaning_and_nothing_else(cache):
    key = cache.key("v1", {"a": 1, "b": [2]})
    assert key == cache.key("v1", {"b": [2], "a": 1})
    others = [cache.key("v2", {"a": 1, "b": [2]}), cache.key("v1", {"a": 1.0, "b": [2]}), cache.key("v1", {"a": 1})]
    assert len({key, *others}) == 4


def test_the_environment_is_asked_what_the_key_stands_for(cache):
    inner = Scripted()
    CachedEnvironment(inner, cache).execute({"b": {"d": 1, "c": 2}, "a": 3})
    assert repr(inner.seen) == repr([{"a": 3, "b": {"c": 2, "d": 1}}])


def test_an_answer_keeps_the_order_of_its_keys(cache):
    class Ordered(Scripted):
        def execute(self, request: Any) -> Any:
            return {"z": 1.0, "a": [None, True, "\ud800é"]}

    fresh, cached = (CachedEnvironment(Ordered(), cache).execute(0) for _ in range(2))
    assert repr(fresh) == repr(cached) == repr({"z": 1.0, "a": [None, True, "\ud800é"]})


def test_a_hit_cannot_be_changed_by_who_got_it(cache):
    environment = CachedEnvironment(Scripted(), cache)
    environment.execute({"x": []})
    environment.execute({"x": []})["echo"]["x"].append("mine")
    assert environment.execute({"x": []}) == {"echo": {"x": []}}


@pytest.mark.parametrize("request_", [float("nan"), {"x": float("inf")}, {1, 2}, {(1, 2): 3}])
def test_what_is_not_json_is_refused_before_the_environment_sees_it(cache, request_):
    inner = Scripted()
    with pytest.raises(EnvironmentRefusal, match="not JSON"):
        CachedEnvironment(inner, cache).execute(request_)
    assert inner.seen == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_any_request_comes_back_from_the_cache_as_it_was_answered(tmp_path_factory, request_):
    with EvidenceCache(tmp_path_factory.mktemp("c") / "e.sqlite") as cache:
        environment = CachedEnvironment(Scripted(), cache)
        said = []
        for _ in range(2):
            try:
                said.append(repr(environment.execute(request_)))
            except EnvironmentRefusal as refusal:
                said.append(repr(refusal))
        assert said[0] == said[1]
        assert (environment.executions, environment.hits) == (1, 1)


RACE = """
import sys, time, os
from pathlib import Path
from verifierbench.environments import CachedEnvironment, EvidenceCache
class Slow:
    version = "slow 1"
    def execute(self, request):
        with open(sys.argv[2], "a") as log: log.write(f"{request} {os.getpid()}\\n")
        time.sleep(float(sys.argv[3]))
        return request * 2
    def close(self): pass
sys.stdin.read()
with EvidenceCache(Path(sys.argv[1])) as cache:
    environment = CachedEnvironment(Slow(), cache)
    for request in sys.argv[4:]:
        assert environment.execute(request) == request * 2
"""


def race(tmp_path: Path, seconds: float, *requests: str) -> subprocess.Popen:
    arguments = [str(tmp_path / "e.sqlite"), str(tmp_path / "log"), str(seconds), *requests]
    return subprocess.Popen([sys.executable, "-c", RACE, *arguments], stdin=subprocess.PIPE)


def test_single_flight_between_processes(tmp_path):
    racers = [race(tmp_path, 0.2, "a", "b", "c") for _ in range(5)]
    for racer in racers:
        racer.stdin.close()
    assert [racer.wait(30) for racer in racers] == [0] * 5
    assert sorted(line.split()[0] for line in (tmp_path / "log").read_text().splitlines()) == ["a", "b", "c"]


def test_a_killed_executor_lets_the_next_one_in_at_once(tmp_path):
    log = tmp_path / "log"
    stuck = race(tmp_path, 3600, "a")
    stuck.stdin.close()
    deadline = time.monotonic() + 20
    while not (log.exists() and log.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    waiting = race(tmp_path, 0, "a")
    waiting.stdin.close()
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(1)  # it waits for the one that executes
    os.kill(stuck.pid, signal.SIGKILL)
    stuck.wait()
    assert waiting.wait(10) == 0
    assert len(log.read_text().splitlines()) == 2


READ_ONLY = """
import sys
from pathlib import Path
from verifierbench.environments import CachedEnvironment, EvidenceCache
class Echo:
    version = "scripted 1"
    def execute(self, request): return "executed"
    def close(self): pass
for path in sys.argv[1:]:
    with EvidenceCache(Path(path)) as cache:
        environment = CachedEnvironment(Echo(), cache)
        print(cache.writable, environment.execute("abc"), environment.execute("new"), environment.executions, end=";")
"""


@pytest.mark.skipif(not shutil.which("unshare"), reason="unshare is not installed")
def test_a_suite_installed_read_only_still_serves_its_evidence(tmp_path):
    (tmp_path / "suite").mkdir()
    with EvidenceCache(tmp_path / "suite/evidence.sqlite") as cache:
        CachedEnvironment(Scripted(), cache).execute("abc")
    script = (
        'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -c "$3" "$1/evidence.sqlite" "$1/none"'
    )
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    done = subprocess.run(
        [*command, str(tmp_path / "suite"), sys.executable, READ_ONLY], capture_output=True, text=True, check=False
    )
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no file system of one's own here: {done.stderr.strip()}")
    assert done.stderr == ""
    assert done.stdout == "False cba executed 1;False executed executed 2;"


def test_a_newer_or_foreign_file_is_refused(tmp_path):
    EvidenceCache(tmp_path / "newer").close()
    with closing(sqlite3.connect(tmp_path / "newer")) as raw:
        raw.execute("PRAGMA user_version = 99")
    (tmp_path / "garbage").write_bytes(b"garbage " * 500)
    with pytest.raises(MalformedInput, match="evidence cache of version 99, newer"):
        EvidenceCache(tmp_path / "newer")
    with pytest.raises(MalformedInput, match="no evidence cache, or a damaged one"):
        EvidenceCache(tmp_path / "garbage")


class Drifting(Scripted):
    """Answers `clock` differently each time."""

    def execute(self, request: Any) -> Any:
        self.seen.append(request)
        return len(self.seen) if request == "clock" else "steady"


def test_what_differs_between_runs_is_quarantined_for_good(cache):
    environment = CachedEnvironment(Drifting(), cache)
    environment.execute("clock")
    assert len(cache) == 1
    (found,) = quarantine(cache, Drifting(), ["clock", "text"])
    assert found.request == "clock"
    assert [answer.answer for answer in found.answers] == [1, 2]
    assert cache.quarantined() == (found.key,)
    assert len(cache) == 0  # what was kept is gone …
    assert environment.execute("clock") != environment.execute("clock")
    assert len(cache) == 0  # … and nothing is kept again


def test_a_refusal_that_comes_and_goes_is_a_difference(cache):
    class Moody(Scripted):
        def execute(self, request: Any) -> Any:
            self.seen.append(request)
            if len(self.seen) % 2:
                raise EnvironmentRefusal("not now")
            return "not now"

    (found,) = quarantine(cache, Moody(), ["x"])
    assert [answer.refused for answer in found.answers] == [True, False]


def test_the_same_refusal_twice_is_none(cache):
    assert quarantine(cache, Scripted(), [7], repeats=3) == ()


def test_a_lazy_environment_opens_on_the_first_miss_only(cache):
    opened = []

    def open_it():
        opened.append(Scripted())
        return opened[-1]

    CachedEnvironment(Scripted(), cache).execute("abc")
    lazy = LazyEnvironment("scripted 1", open_it)
    environment = CachedEnvironment(lazy, cache)
    assert environment.execute("abc") == "cba"
    environment.close()
    assert opened == []
    environment.execute("new")
    environment.execute("newer")
    environment.close()
    assert [(one.seen, one.closed) for one in opened] == [(["new", "newer"], 1)]


def test_a_lazy_environment_of_another_version_is_our_failure():
    made = Scripted("scripted 2")
    with pytest.raises(InfrastructureError, match="scripted 2 now; this run began with scripted 1"):
        LazyEnvironment("scripted 1", lambda: made).execute("abc")
    assert (made.seen, made.closed) == ([], 1)


def test_quarantine_needs_a_file_it_can_write(tmp_path, cache):
    cache.writable = False
    with pytest.raises(Unavailable, match="cannot be written"):
        cache.quarantine("k", "v", [1, 2])
