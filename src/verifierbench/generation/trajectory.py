"""An attempt as a trajectory in ATIF, the same for every harness, from the gateway's tape and the desk's record alone.

A harness sends the whole conversation with every request. What a request adds to the conversation it continues is what
happened since: tool results belong to the calls of an earlier step, words of a user or system are steps of their own.
A request that continues none (a sub-agent's, or one after a compaction) begins another thread, and says so. A step's
extension fields tie it to what the trusted side saw before the next one: requests at the desk, versions of
verifier.py. ATIF: Harbor's Agent Trajectory Interchange Format, version 1.7.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Ended, content_bytes

from .desk import DeskEntry, Version, read_desk, read_versions
from .gateway import Exchange, Message, Reply, Usage
from .gateway.dialects import DIALECTS
from .gateway.records import REPLIES
from .gateway.tape import read as read_tape

__all__ = ["FORMAT", "trajectory"]

FORMAT = "ATIF-v1.7"
NOTHING = "The model answered no request."
"""The one step of an attempt without any."""


class Thread:
    """One conversation, as far as its last request and answer tell it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.messages: list[Message] = []

    def common(self, messages: Sequence[Message]) -> int:
        """How many messages a request shares with it from the beginning; 0 where that is a system prompt alone."""
        pairs = enumerate(zip(self.messages, messages, strict=False))
        same = next((at for at, (one, other) in pairs if one != other), min(len(self.messages), len(messages)))
        return same if any(message.role != "system" for message in messages[:same]) else 0


class Story:
    """Steps as they are told by one exchange after another."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self._threads: list[Thread] = []

    def add(self, exchange: Exchange, reply: Reply) -> None:
        """What one request added, and what was answered."""
        messages = DIALECTS[exchange.dialect].read_request(exchange.request)
        thread, same = self._thread(messages)
        rewritten = same < len(thread.messages)
        for message in messages[same:]:
            self._heard(message, exchange, thread)
        thread.messages = list(messages)
        self._answered(exchange, reply, thread, rewritten=rewritten)

    def _thread(self, messages: Sequence[Message]) -> tuple[Thread, int]:
        best = max(self._threads, key=lambda thread: thread.common(messages), default=None)
        if best is None or not best.common(messages):
            best = Thread(len(self._threads))
            self._threads.append(best)
        return best, best.common(messages)

    def _heard(self, message: Message, exchange: Exchange, thread: Thread) -> None:
        if message.role == "tool":
            self._observed(message)
        elif message.role != "assistant":  # the model's own words are steps already
            self._step(exchange.started, message.role, message.text, thread)

    def _observed(self, message: Message) -> None:
        for step in reversed(self.steps):
            calls = [call["tool_call_id"] for call in step.get("tool_calls", ())]
            if message.call_id not in calls:
                continue
            results = step.setdefault("observation", {"results": []})["results"]
            known = sum(result["source_call_id"] == message.call_id for result in results)
            if known < calls.count(message.call_id):  # else a conversation that was rewritten tells it again
                results.append({"source_call_id": message.call_id, "content": message.text})
            return

    def _answered(self, exchange: Exchange, reply: Reply, thread: Thread, *, rewritten: bool) -> None:
        step = self._step(_after(exchange), "agent", reply.text, thread)
        step |= {"reasoning_content": reply.reasoning} if reply.reasoning else {}
        if reply.calls:
            step["tool_calls"] = [
                {"tool_call_id": call.id, "function_name": call.name, "arguments": _arguments(call.arguments)}
                for call in reply.calls
            ]
        step["metrics"] = _metrics(reply.usage or Usage(), exchange.cost_usd)
        step["extra"] |= {"exchange": exchange.n, "finish": reply.finish, "seconds": exchange.seconds}
        step["extra"] |= {"context_rewritten": True} if rewritten else {}

    def _step(self, at: str, source: str, text: str, thread: Thread) -> dict[str, Any]:
        step = {"step_id": len(self.steps) + 1, "timestamp": at, "source": source, "message": text}
        step["extra"] = {"thread": thread.number} if thread.number else {}
        self.steps.append(step)
        return step


def trajectory(record: Path, session: str, agent: dict[str, Any], ended: Ended | None) -> dict[str, Any]:
    """The trajectory of one attempt's record; raises `MalformedInput` for a record that is damaged."""
    exchanges = sorted(read_tape(record / "exchanges.jsonl"), key=lambda exchange: exchange.n)
    story = Story()
    for exchange in exchanges:
        if exchange.reply is not None and exchange.ended in REPLIES:
            story.add(exchange, exchange.reply)
    if not story.steps:  # ATIF demands one
        story.steps.append({"step_id": 1, "source": "system", "message": NOTHING})
    entries, versions = read_desk(record), read_versions(record)
    _tie(story.steps, "desk", entries)
    _tie(story.steps, "versions", versions)
    return {
        "schema_version": FORMAT,
        "session_id": session,
        "agent": agent,
        "steps": [_slim(step) for step in story.steps],
        "final_metrics": _total(exchanges, len(story.steps)),
        "extra": {"ended": ended, "unanswered": [_unanswered(one) for one in exchanges if one.ended not in REPLIES]},
    }


def _tie(steps: Sequence[dict[str, Any]], name: str, seen: Iterable[DeskEntry | Version]) -> None:
    """Note what was seen at the last answer before it; what came before any belongs to the first."""
    answers = [step for step in steps if step["source"] == "agent"]
    for one in seen:
        before = [step for step in answers if step["timestamp"] <= one.at]
        for step in before[-1:] or answers[:1]:
            step["extra"].setdefault(name, []).append(msgspec.to_builtins(one))


def _slim(step: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key != "extra" or value}


def _after(exchange: Exchange) -> str:
    end = datetime.datetime.fromisoformat(exchange.started) + datetime.timedelta(seconds=exchange.seconds)
    return end.isoformat(timespec="milliseconds")


def _arguments(text: str) -> dict[str, Any]:
    """The arguments as ATIF wants them, an object; what is none is kept as text."""
    try:
        found = json.loads(text)
        content_bytes(found)  # a number without an end, or depth without one, is JSON to the parser alone
    except (ValueError, RecursionError):
        return {"text": text}
    return found if isinstance(found, dict) else {"text": text}


def _metrics(usage: Usage, cost: float | None) -> dict[str, Any]:
    metrics = {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "cached_tokens": usage.cached,
        "extra": {"reasoning_tokens": usage.reasoning},
    }
    return metrics | ({} if cost is None else {"cost_usd": cost})


def _total(exchanges: Sequence[Exchange], steps: int) -> dict[str, Any]:
    answered = [one for one in exchanges if one.ended in REPLIES]
    usage = sum((one.reply.usage for one in answered if one.reply and one.reply.usage), Usage())
    costs = [one.cost_usd for one in answered]
    known = {} if None in costs else {"total_cost_usd": sum(cost for cost in costs if cost is not None)}
    return {
        "total_prompt_tokens": usage.input,
        "total_completion_tokens": usage.output,
        "total_cached_tokens": usage.cached,
        "total_steps": steps,
        **known,
    }


def _unanswered(exchange: Exchange) -> dict[str, Any]:
    return {
        "exchange": exchange.n,
        "ended": exchange.ended,
        "status": exchange.status,
        "refusal": exchange.refusal,
        "attempts": [msgspec.to_builtins(attempt) for attempt in exchange.attempts],
    }
