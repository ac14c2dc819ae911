"""The trajectory of a tape written by hand, step by step; and what ATIF demands, of hand-made and of real attempts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from verifierbench.core import Decision, Ended, MalformedInput, Verdict
from verifierbench.generation.desk import DeskEntry, Version
from verifierbench.generation.desk.record import DESK, VERSIONS, Journal
from verifierbench.generation.gateway import Attempt, Exchange, Reply, ToolCall, Usage
from verifierbench.generation.gateway.tape import Tape
from verifierbench.generation.trajectory import FORMAT, NOTHING, trajectory

from .attempts import GOOD, attempt, provider, record_of, write_three
from .scripted import Script, ScriptedServer

AGENT = {"name": "loop", "version": "1", "model_name": "scripted-1"}
SYSTEM, USER = {"role": "system", "content": "Work alone."}, {"role": "user", "content": "Read TASK.md."}


def asked(name: str, arguments: str) -> dict[str, Any]:
    """The model's call as the next request repeats it."""
    function = {"name": "bash", "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def result(name: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": text}


def exchange(n: int, second: float, messages: Sequence[Any], **more: Any) -> Exchange:
    """One that begins so many seconds after midnight and takes half a second."""
    about: dict[str, Any] = {"dialect": "chat", "path": "chat/completions", "streaming": False, "seconds": 0.5}
    at = f"2026-01-01T00:00:{second:09.6f}+00:00"
    return Exchange(n=n, started=at, request={"model": "m", "messages": list(messages)}, **{**about, **more})


def calling(name: str, arguments: str, **more: Any) -> dict[str, Any]:
    calls = (ToolCall(id=name, name="bash", arguments=arguments),)
    return {"ended": "tools", "reply": Reply(finish="tools", calls=calls, **more)}


def saying(text: str, **more: Any) -> dict[str, Any]:
    return {"ended": "answered", "reply": Reply(finish="answered", text=text, **more)}


def told(record: Path, exchanges: Sequence[Exchange]) -> dict[str, Any]:
    with Tape(record / "exchanges.jsonl") as tape:
        for one in exchanges:
            tape.append(one)
    document = trajectory(record, "t-1", AGENT, Ended.FINISHED)
    check(document)
    return document


LS, CAT = '{"command": "ls"}', "{broken"
FIRST = [SYSTEM, USER]
SECOND = [*FIRST, asked("c1", LS), result("c1", "TASK.md")]
THIRD = [*SECOND, asked("c2", CAT), result("c2", "The arguments are not JSON.")]


def test_a_tape_by_hand(tmp_path: Path) -> None:
    usage = [
        Usage(input=100, cached=20, output=10, reasoning=4),
        Usage(input=150, cached=100, output=20),
        Usage(input=200, cached=150, output=30, reasoning=6),
    ]
    entries: Journal[DeskEntry] = Journal(tmp_path / DESK)
    decision = Decision(verdict=Verdict.PASS)
    at = "2026-01-01T00:00:"
    selftest = DeskEntry(
        n=1,
        at=f"{at}00.900+00:00",
        tool="selftest",
        outcome="answered",
        seconds=0.2,
        used=0,
        left=20,
        verifier="aa",
        decision=decision,
    )
    submit = DeskEntry(n=2, at=f"{at}06.000+00:00", tool="submit", outcome="answered", seconds=0, used=0, left=20)
    for entry in (selftest, submit):
        entries.append(entry)
    entries.close()
    versions: Journal[Version] = Journal(tmp_path / VERSIONS)
    versions.append(Version(hash="aa", at=f"{at}00.700+00:00", bytes=9, why="changed"))
    versions.append(Version(hash="aa", at=f"{at}00.950+00:00", bytes=9, why="selftest"))
    versions.close()
    document = told(
        tmp_path,
        [
            exchange(1, 0.0, FIRST, cost_usd=0.001, **calling("c1", LS, text="I look.", usage=usage[0])),
            exchange(2, 2.0, SECOND, cost_usd=0.002, **calling("c2", CAT, reasoning="Hm.", usage=usage[1])),
            exchange(3, 3.0, THIRD, ended="rejected", status=400, attempts=(Attempt(status=400, seconds=0.5),)),
            exchange(4, 4.0, THIRD, cost_usd=0.004, **saying("Done.", usage=usage[2])),
        ],
    )
    assert document["steps"] == [
        {"step_id": 1, "timestamp": f"{at}00.000000+00:00", "source": "system", "message": "Work alone."},
        {"step_id": 2, "timestamp": f"{at}00.000000+00:00", "source": "user", "message": "Read TASK.md."},
        {
            "step_id": 3,
            "timestamp": f"{at}00.500+00:00",
            "source": "agent",
            "message": "I look.",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "TASK.md"}]},
            "metrics": metrics(100, 10, 20, 4, 0.001),
            "extra": {
                "exchange": 1,
                "finish": "tools",
                "seconds": 0.5,
                "desk": [
                    {
                        "n": 1,
                        "at": f"{at}00.900+00:00",
                        "tool": "selftest",
                        "outcome": "answered",
                        "seconds": 0.2,
                        "used": 0,
                        "left": 20,
                        "verifier": "aa",
                        "decision": {"verdict": "PASS"},
                    }
                ],
                "versions": [
                    {"hash": "aa", "at": f"{at}00.700+00:00", "bytes": 9, "why": "changed"},
                    {"hash": "aa", "at": f"{at}00.950+00:00", "bytes": 9, "why": "selftest"},
                ],
            },
        },
        {
            "step_id": 4,
            "timestamp": f"{at}02.500+00:00",
            "source": "agent",
            "message": "",
            "reasoning_content": "Hm.",
            "tool_calls": [{"tool_call_id": "c2", "function_name": "bash", "arguments": {"text": "{broken"}}],
            "observation": {"results": [{"source_call_id": "c2", "content": "The arguments are not JSON."}]},
            "metrics": metrics(150, 20, 100, 0, 0.002),
            "extra": {"exchange": 2, "finish": "tools", "seconds": 0.5},
        },
        {
            "step_id": 5,
            "timestamp": f"{at}04.500+00:00",
            "source": "agent",
            "message": "Done.",
            "metrics": metrics(200, 30, 150, 6, 0.004),
            "extra": {
                "exchange": 4,
                "finish": "answered",
                "seconds": 0.5,
                "desk": [
                    {
                        "n": 2,
                        "at": f"{at}06.000+00:00",
                        "tool": "submit",
                        "outcome": "answered",
                        "seconds": 0,
                        "used": 0,
                        "left": 20,
                    }
                ],
            },
        },
    ]
    # 100 + 150 + 200, 10 + 20 + 30, 20 + 100 + 150, 0.001 + 0.002 + 0.004
    assert document["final_metrics"] == {
        "total_prompt_tokens": 450,
        "total_completion_tokens": 60,
        "total_cached_tokens": 270,
        "total_cost_usd": pytest.approx(0.007),
        "total_steps": 5,
    }
    assert (document["schema_version"], document["session_id"], document["agent"]) == (FORMAT, "t-1", AGENT)
    assert document["extra"]["ended"] == "finished"
    assert [(gone["exchange"], gone["ended"], gone["status"]) for gone in document["extra"]["unanswered"]] == [
        (3, "rejected", 400)
    ]


def metrics(prompt: int, completion: int, cached: int, reasoning: int, cost: float) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cached_tokens": cached,
        "cost_usd": cost,
        "extra": {"reasoning_tokens": reasoning},
    }


def shape(document: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(step["source"], step["message"], step.get("extra", {}).get("thread", 0)) for step in document["steps"]]


def test_a_compaction_begins_another_thread_and_what_it_tells_again_happened_once(tmp_path: Path) -> None:
    compacted = [SYSTEM, {"role": "user", "content": "So far: …"}, asked("c1", LS), result("c1", "TASK.md")]
    document = told(
        tmp_path,
        [
            exchange(1, 0.0, FIRST, **calling("c1", LS)),
            exchange(2, 2.0, SECOND, **saying("I know enough.")),
            exchange(3, 4.0, compacted, **saying("Done.")),
        ],
    )
    assert shape(document) == [
        ("system", "Work alone.", 0),
        ("user", "Read TASK.md.", 0),
        ("agent", "", 0),
        ("agent", "I know enough.", 0),
        ("system", "Work alone.", 1),
        ("user", "So far: …", 1),
        ("agent", "Done.", 1),
    ]
    assert document["steps"][2]["observation"] == {"results": [{"source_call_id": "c1", "content": "TASK.md"}]}


def test_a_sub_agent_with_the_same_system_prompt_does_not_break_its_masters_thread(tmp_path: Path) -> None:
    document = told(
        tmp_path,
        [
            exchange(1, 0.0, FIRST, **calling("c1", LS)),
            exchange(2, 1.0, [SYSTEM, {"role": "user", "content": "Look for me."}], **saying("There is TASK.md.")),
            exchange(3, 2.0, SECOND, **saying("Done.")),
        ],
    )
    assert shape(document)[2:] == [
        ("agent", "", 0),
        ("system", "Work alone.", 1),
        ("user", "Look for me.", 1),
        ("agent", "There is TASK.md.", 1),
        ("agent", "Done.", 0),
    ]
    assert not any("context_rewritten" in step.get("extra", {}) for step in document["steps"])


def test_a_conversation_that_is_rewritten_in_its_middle_stays_one_and_says_so(tmp_path: Path) -> None:
    shortened = [*FIRST, asked("c1", LS), result("c1", "[cleared]"), {"role": "user", "content": "Go on."}]
    document = told(
        tmp_path,
        [
            exchange(1, 0.0, FIRST, **calling("c1", LS)),
            exchange(2, 1.0, SECOND, **saying("So?")),
            exchange(3, 2.0, shortened, **saying("Done.")),
        ],
    )
    assert shape(document)[-2:] == [("user", "Go on.", 0), ("agent", "Done.", 0)]
    assert document["steps"][-1]["extra"]["context_rewritten"] is True
    assert document["steps"][2]["observation"]["results"] == [{"source_call_id": "c1", "content": "TASK.md"}]


def test_two_calls_of_one_name_have_two_results_where_a_dialect_gives_no_ids(tmp_path: Path) -> None:
    parts = [{"functionCall": {"name": "bash", "args": {"command": word}}} for word in ("ls", "pwd")]
    said = [{"functionResponse": {"name": "bash", "response": {"output": word}}} for word in ("TASK.md", "/workspace")]
    begun = [{"role": "user", "parts": [{"text": "Read TASK.md."}]}]
    further = [*begun, {"role": "model", "parts": parts}, {"role": "user", "parts": said}]
    calls = tuple(ToolCall(id="bash", name="bash", arguments=f'{{"command": "{word}"}}') for word in ("ls", "pwd"))
    about: dict[str, Any] = {"dialect": "gemini", "path": "models/m:generateContent"}
    one = exchange(1, 0.0, (), ended="tools", reply=Reply(finish="tools", calls=calls), **about)
    other = exchange(2, 1.0, (), **saying("Done."), **about)
    bodies = [{"contents": begun}, {"contents": further}]
    pairs = zip((one, other), bodies, strict=True)
    document = told(tmp_path, [Exchange(**{**fields(each), "request": body}) for each, body in pairs])
    agent = document["steps"][1]
    assert [call["arguments"] for call in agent["tool_calls"]] == [{"command": "ls"}, {"command": "pwd"}]
    assert len(agent["observation"]["results"]) == 2
    assert "TASK.md" in agent["observation"]["results"][0]["content"]
    assert "/workspace" in agent["observation"]["results"][1]["content"]


def fields(one: Exchange) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


def test_nothing_at_all_is_a_trajectory_too(tmp_path: Path) -> None:
    document = told(tmp_path, [exchange(1, 0.0, FIRST, ended="rejected", status=400)])
    assert document["steps"] == [{"step_id": 1, "source": "system", "message": NOTHING}]
    assert document["final_metrics"]["total_prompt_tokens"] == 0


def test_a_cost_that_is_not_known_once_is_not_known_in_all(tmp_path: Path) -> None:
    document = told(
        tmp_path,
        [exchange(1, 0.0, FIRST, cost_usd=0.5, **calling("c1", LS)), exchange(2, 1.0, SECOND, **saying("Done."))],
    )
    assert "total_cost_usd" not in document["final_metrics"]


def test_a_damaged_tape_is_named(tmp_path: Path) -> None:
    (tmp_path / "exchanges.jsonl").write_text("{}\n")
    with pytest.raises(MalformedInput, match=r"exchanges.jsonl, line 1"):
        trajectory(tmp_path, "t-1", AGENT, None)


def test_a_real_attempts_self_tests_are_tied_to_the_versions_they_ran(tmp_path: Path) -> None:
    again = "sed -i 's/PASS/FAIL/' verifier.py; selftest s.json"
    script = Script((*GOOD.commands[:2], again, "submit"))
    suite, run = write_three(tmp_path / "suite", names=("telescope",)), tmp_path / "run"
    with ScriptedServer({"default": script}) as server:
        handed_in = attempt(suite, "telescope", run, lambda _: provider(server))
    record = record_of(run, suite, "telescope")
    document = json.loads((record / "trajectory.json").read_text())
    check(document)
    seen = {}
    for step in document["steps"]:
        extra = step.get("extra", {})
        for entry in extra.get("desk", ()):
            seen[step["extra"]["exchange"], entry["tool"]] = entry
    assert list(seen) == [(2, "selftest"), (3, "selftest"), (4, "submit")]
    verdicts = [seen[n, "selftest"]["decision"]["verdict"] for n in (2, 3)]
    assert verdicts == ["PASS", "FAIL"]
    first, second = (seen[n, "selftest"]["verifier"] for n in (2, 3))
    assert first != second == handed_in.verifier_hash == seen[4, "submit"]["verifier"]
    for version in (first, second):
        assert (record / "versions" / f"{version}.py").exists()
    agent = [step for step in document["steps"] if step["source"] == "agent"]
    assert [one["hash"] for one in agent[0]["extra"]["versions"]] == [first]
    assert {one["hash"] for one in agent[2]["extra"]["versions"]} == {second}
    assert document["final_metrics"]["total_prompt_tokens"] == handed_in.spent.input_tokens == 4 * 1200


# What ATIF-v1.7 demands. Source: Harbor's RFC 0001, "Agent Trajectory Interchange Format", and its pydantic models
# in `harbor.models.trajectories`, which forbid fields they do not know; written down anew, as far as it is used here.

_TEXT, _COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}


def _closed(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _object(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    return _closed(required, **properties, extra={"type": "object"})


_CALL = _object(
    ("tool_call_id", "function_name", "arguments"),
    tool_call_id=_TEXT,
    function_name=_TEXT,
    arguments={"type": "object"},
)
_RESULT = _object(source_call_id=_TEXT, content=_TEXT)
_METRICS = _object(
    prompt_tokens=_COUNT, completion_tokens=_COUNT, cached_tokens=_COUNT, cost_usd={"type": "number", "minimum": 0}
)
_STEP = _object(
    ("step_id", "source", "message"),
    step_id={"type": "integer", "minimum": 1},
    timestamp={"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$"},
    source={"enum": ["system", "user", "agent"]},
    model_name=_TEXT,
    reasoning_effort={"type": ["string", "number"]},
    message=_TEXT,
    reasoning_content=_TEXT,
    tool_calls={"type": "array", "items": _CALL},
    observation=_closed(("results",), results={"type": "array", "items": _RESULT}),
    metrics=_METRICS,
)
ATIF = _object(
    ("schema_version", "agent", "steps"),
    schema_version={"const": "ATIF-v1.7"},
    session_id=_TEXT,
    agent=_object(("name", "version"), name=_TEXT, version=_TEXT, model_name=_TEXT),
    steps={"type": "array", "minItems": 1, "items": _STEP},
    notes=_TEXT,
    final_metrics=_object(
        total_prompt_tokens=_COUNT,
        total_completion_tokens=_COUNT,
        total_cached_tokens=_COUNT,
        total_cost_usd={"type": "number", "minimum": 0},
        total_steps=_COUNT,
    ),
)
_AGENTS_OWN = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"}


def check(document: dict[str, Any]) -> None:
    """What the models check: fields and types, steps in order, results of the step's own calls."""
    document = json.loads(json.dumps(document, default=str))
    jsonschema.validate(document, ATIF)
    assert [step["step_id"] for step in document["steps"]] == list(range(1, len(document["steps"]) + 1))
    for step in document["steps"]:
        if step["source"] != "agent":
            assert not step.keys() & _AGENTS_OWN, step
        calls = {call["tool_call_id"] for call in step.get("tool_calls", ())}
        assert {one["source_call_id"] for one in step.get("observation", {}).get("results", ())} <= calls


@pytest.mark.parametrize("arguments", ["[" * 5_000 + "]" * 5_000, '{"seconds": 1e999}', '{"seconds": NaN}', "[1]"])
def test_arguments_that_are_no_plain_object_are_kept_as_text(tmp_path: Path, arguments: str) -> None:
    steps = told(tmp_path, [exchange(1, 1, [SYSTEM, USER], **calling("c1", arguments))])["steps"]
    assert steps[-1]["tool_calls"][0]["arguments"] == {"text": arguments}
