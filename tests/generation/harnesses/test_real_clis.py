"""Each command line tool as npm carries it, in a cell, against a scripted model: it writes a verifier and ends.

Skipped, one by one, where they are not installed; `verifierbench harness install NAME` installs one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verifierbench.generation.harnesses import Dialect, harness, harness_names

from ..scripted import Received, Script, ScriptedServer
from .driving import TOKEN, drive, make_brief

BUNDLED = ("pi", "claude-code", "codex", "gemini-cli", "opencode", "loop")
ALL = [(name, dialect) for name in BUNDLED for dialect in harness(name).dialects]
VERIFIER = 'def verify(solution, env):\n    return "FAIL"\n'
SCRIPT = Script(
    (
        "id -u; pwd; cat TASK.md",
        f"cat > verifier.py <<'END'\n{VERIFIER}END",
        "python3 -c 'import verifier; print(verifier.verify(None, None))'",
    )
)


def model_of(it: Received) -> str:
    return it.path.partition("/models/")[2].partition(":")[0] if it.dialect == "gemini" else it.body["model"]


def effort_of(it: Received) -> Any:
    body = it.body
    if it.dialect == "chat":
        return body["reasoning_effort"]
    if it.dialect == "responses":
        return body["reasoning"]["effort"]
    if it.dialect == "messages":
        return body.get("output_config", {}).get("effort") or body["thinking"]["budget_tokens"]
    return body["generationConfig"]["thinkingConfig"]


def limit_of(it: Received) -> int | None:
    body = it.body
    if it.dialect == "gemini":
        return body["generationConfig"]["maxOutputTokens"]
    return next(
        (body[k] for k in ("max_completion_tokens", "max_output_tokens", "max_tokens") if k in body), None
    )


def key_of(it: Received) -> str:
    headers = it.headers
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer


def said_back(it: Received) -> str:
    return str(it.body.get("messages") or it.body.get("input") or it.body.get("contents"))


@pytest.mark.parametrize(("name", "dialect"), ALL)
def test_writes_a_verifier_and_ends(name: str, dialect: Dialect, tmp_path: Path) -> None:
    with ScriptedServer({"default": SCRIPT}) as server:
        driven = drive(harness(name), make_brief(dialect), server.port, tmp_path)
        print(name, dialect, f"wall {driven.exit.seconds:.1f} s, CPU {driven.cpu} s, {driven.exit}")
        asked = server.asked()
    assert (driven.workspace / "verifier.py").read_text() == VERIFIER, driven.told
    assert (driven.exit.ended, driven.exit.status) == ("exit", 0), driven.told
    assert len(asked) == 4, [(it.path, it.turn, it.answered) for it in asked]
    for it in asked:
        assert it.dialect == dialect
        assert (model_of(it), key_of(it)) == ("scripted-1", TOKEN)
