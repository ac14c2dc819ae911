"""The record: appended whole, readable whenever it is cut, and with the conversation written once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core.errors import MalformedInput
from verifierbench.core.hashing import content_bytes
from verifierbench.generation.gateway import Exchange, Terms, tape
from verifierbench.generation.gateway.tally import Tally

_VALUES = st.sampled_from([0, 1, 1.0, True, None, "", "a", [], {}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, "\ud800"])
_REQUESTS = st.dictionaries(st.sampled_from("abcd"), _VALUES | st.lists(_VALUES, max_size=4))


def exchange(n: int, request: Any, **more: Any) -> Exchange:
    usual = {"started": "2026-01-01T00:00:00+00:00", "seconds": 0.1, "dialect": "chat", "path": "chat/completions"}
    return Exchange(n=n, request=request, streaming=True, **{"ended": "answered", **usual, **more})


@given(base=_REQUESTS, body=_REQUESTS)
def test_a_request_is_its_addition_to_another(base: dict[str, Any], body: dict[str, Any]) -> None:
    grown = json.loads(content_bytes(tape.added(base, body)))
    assert content_bytes(tape.restored(base, grown)) == content_bytes(body)


@given(st.lists(_REQUESTS | st.none(), max_size=5))
def test_a_tape_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, bodies: list[Any]) -> None:
    path = tmp_path_factory.mktemp("tape") / "exchanges.jsonl"
    written = [exchange(n, body) for n, body in enumerate(bodies, start=1)]
    with tape.Tape(path) as record:
        for one in written:
            record.append(one)
    read = tape.read(path)
    assert [content_bytes(one.request) for one in read] == [content_bytes(one.request) for one in written]
    assert [one.n for one in read] == [one.n for one in written]


def test_a_long_conversation_is_written_once(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": f"{n} " + "x" * 1000} for n in range(50)]
    with tape.Tape(tmp_path / "t.jsonl") as record:
        for n in range(1, 51):
            record.append(exchange(n, {"model": "m", "tools": ["y" * 5000], "messages": turns[:n]}))
    # 50 turns of 1 KB, one list of tools of 5 KB, and under 500 bytes around each exchange.
    assert (tmp_path / "t.jsonl").stat().st_size < 50 * 1_100 + 5_000 + 50 * 500
    assert tape.read(tmp_path / "t.jsonl")[-1].request["messages"] == turns


def test_a_tape_cut_anywhere_is_readable_and_can_be_written_on(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with tape.Tape(path) as record:
        for n in range(1, 4):
            record.append(exchange(n, {"messages": ["ü" * n] * n}))
    data = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        whole = sum(end <= length for end in ends)
        assert [one.n for one in tape.read(path)] == list(range(1, whole + 1))
        if length % 7 == 0:
            with tape.Tape(path) as record:
                assert len(record.before) == whole
                record.append(exchange(9, {"messages": []}))
            assert [one.n for one in tape.read(path)] == [*range(1, whole + 1), 9]


def test_damage_before_the_last_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with tape.Tape(path) as record:
        record.append(exchange(1, {}))
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(MalformedInput, match="line 1"):
        tape.read(path)


def test_a_tape_killed_while_it_is_written_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    program = f"""
import sys
from pathlib import Path
from verifierbench.generation.gateway import Exchange, tape
record = tape.Tape(Path({str(path)!r}))
print("writing", flush=True)
for n in range(1, 10**9):
    record.append(Exchange(n=n, started="", seconds=0.0, dialect="chat", path="p", streaming=True, ended="answered",
                           request={{"messages": [n] * (n % 50)}}, response="x" * 100_000))
"""
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.1)
            writer.send_signal(signal.SIGKILL)
        read = tape.read(path)
        assert read
        assert all(one.request == {"messages": [one.n] * (one.n % 50)} for one in read)
        path.unlink()


def test_secrets_are_blotted_out_and_short_keys_are_not(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with tape.Tape(path, ["secret-0123456789", 'odd"key\\0123', "dummy"]) as record:
        record.append(exchange(1, {"secret-0123456789": "dummy"}, response='a secret-0123456789 odd"key\\0123'))
    (read,) = tape.read(path)
    assert (read.request, read.response) == ({"[withheld]": "dummy"}, "a [withheld] [withheld]")


def test_the_totals_of_a_tape_that_is_written_on_are_counted() -> None:
    terms = Terms(token="t" * 16, model="m", dialect="chat", effort=None, output_tokens=1, model_calls=3, deadline=10.0)
    tally = Tally(terms, [exchange(1, {}), exchange(4, {}, ended="outage"), exchange(3, {})])
    assert (tally.calls.answered, tally.calls.requests, tally.number()) == (2, 3, 5)
    assert tally.used_up(0.0) is None
    tally.let_through()
    assert tally.used_up(0.0) == "This run's budget of 3 model calls is used up."
    tally.settle(exchange(5, {}, ended="outage"))
    assert tally.used_up(0.0) is None
    assert tally.used_up(10.0) == "This run's time is used up."


def test_requests_in_vain_had_no_end() -> None:
    terms = Terms(token="t" * 16, model="m", dialect="chat", effort=None, output_tokens=1, model_calls=3, deadline=10.0)
    tally = Tally(terms, [exchange(n, {}, ended="rejected") for n in range(1, 501)])
    for n in range(501, 1_001):
        assert tally.used_up(0.0) is None
        tally.decline(exchange(n, None, ended="refused"))  # not sent on: does not count
        tally.let_through()
        tally.settle(exchange(n, {}, ended="outage"))
    assert tally.used_up(0.0) == "This run's budget of 1000 requests without an answer is used up."


@pytest.mark.parametrize("token", ["", "short", "has a space in it, really", 'quote"0123456789abcdef'])
def test_a_token_that_could_not_be_blotted_out_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="at least 16"):
        Terms(token=token, model="m", dialect="chat", effort=None, output_tokens=1, model_calls=1, deadline=0.0)
