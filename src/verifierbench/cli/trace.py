"""`verifierbench trace show RUN TASK`: what an agent did, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ._common import json_option, print_json, printable

_LONGEST = 2_000
_SHAPE = {"agent", "steps", "final_metrics", "extra"}


@click.group("trace")
def command() -> None:
    """What happened in an attempt."""


@command.command("show")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("task")
@click.option("--full", is_flag=True, help=f"Print texts whole; default: their first {_LONGEST:,} characters.")
@json_option
def show(run: Path, task: str, full: bool, as_json: bool) -> None:
    """Print the trajectory of one task's submission in RUN; TASK is the task's alias, or its beginning.

    With --json it is the ATIF document as it was saved.

    \b
    verifierbench trace show my-runs/pi t-4f
    """
    document = _read(run, task)
    if as_json:
        print_json(document)
        return
    for line in _lines(document, None if full else _LONGEST):
        click.echo(line)


def _read(run: Path, task: str) -> dict[str, Any]:
    from verifierbench.core import MalformedInput, UnknownName
    from verifierbench.core.files import decode

    folders = sorted(path.parent.name for path in (run / "submissions").glob("*/submission.json"))
    found = [name for name in folders if name.startswith(task)]
    if len(found) != 1:
        raise UnknownName("submission", task, tuple(found or folders))
    file = run / "submissions" / found[0] / "record/trajectory.json"
    if not file.exists():
        raise MalformedInput(file, "", "this submission has no trajectory: it was made without a harness")
    document = decode(file, dict)
    if not document.keys() >= _SHAPE:
        raise MalformedInput(file, "", "no trajectory: it lacks " + ", ".join(sorted(_SHAPE - document.keys())))
    return document


def _lines(document: dict[str, Any], longest: int | None) -> Iterator[str]:
    agent, total = document["agent"], document["final_metrics"]
    yield f"{agent['name']} {agent['version']}, {agent['model_name']}: {document['extra']['ended']}"
    for step in document["steps"]:
        yield ""
        yield from _step(step, longest)
    yield ""
    cost = f", ${total['total_cost_usd']:.4f}" if "total_cost_usd" in total else ""
    tokens = f"{total['total_prompt_tokens']:,} tokens in, {total['total_completion_tokens']:,} out"
    yield f"{total['total_steps']} steps, {tokens}{cost}"
    for gone in document["extra"]["unanswered"]:
        yield f"request {gone['exchange']} got no answer: {gone['ended']} {gone['refusal'] or ''}".rstrip()


def _step(step: dict[str, Any], longest: int | None) -> Iterator[str]:
    extra = step.get("extra", {})
    thread = f" (thread {extra['thread']})" if extra.get("thread") else ""
    yield f"[{step['step_id']}] {step['source']} {step['timestamp']}{thread}"
    if step.get("reasoning_content"):
        yield _block("thinks", step["reasoning_content"], longest)
    if step["message"]:
        yield _block("says", step["message"], longest)
    for call in step.get("tool_calls", ()):
        yield _block("calls", f"{call['function_name']} {call['arguments']}", longest)
    for result in step.get("observation", {}).get("results", ()):
        yield _block("sees", result["content"], longest)
    for entry in extra.get("desk", ()):
        yield _block("desk", _desk(entry), longest)
    for version in extra.get("versions", ()):
        yield f"    verifier.py is {version['hash'][:12]} ({version['bytes']:,} bytes, {version['why']})"


def _desk(entry: dict[str, Any]) -> str:
    decision = entry.get("decision") or {}
    verdict = decision.get("verdict") or decision.get("reason") or entry["outcome"]
    verifier = f" of {entry['verifier'][:12]}" if entry.get("verifier") else ""
    return f"{entry['tool']}{verifier}: {verdict}, {entry.get('executions', 0)} executions, {entry['left']} left"


def _block(name: str, text: str, longest: int | None) -> str:
    shown = text if longest is None or len(text) <= longest else text[:longest] + f" … ({len(text):,} characters)"
    return f"    {name}: " + printable(shown).replace("\n", "\n      ")
