"""What a script answers to a request: the next command, as a call of whatever tool runs commands there, or words."""

from __future__ import annotations

import json
import re
from typing import Any

from .records import Answer, Script, Tool

SHELLS = (
    *("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command", "local_shell", "container.exec"),
)
"""Claude Code; Pi, OpenCode and the built-in loop; Codex by version; Gemini CLI; Codex once more."""
_TOLD = re.compile(r"\[calls answered: ([^\]]*)\]")
_SUMMARY = re.compile(
    r"(create|write|provide|generate|produce)\b[^.]{0,80}\bsummary|checkpoint compaction", re.IGNORECASE
)
"""How harnesses ask for one in the middle of a conversation, tools and all."""


def answered(body: Any, results: list[str]) -> list[str]:
    """The ids of all calls that were, those that only a summary tells of included: each once, kept or not."""
    told = [name for names in _TOLD.findall(json.dumps(body)) for name in names.split()]
    return list(dict.fromkeys([*told, *results]))


def answer(script: Script, body: Any, tools: dict[str, Tool], last: str, results: list[str]) -> Answer:
    """The script's answer; `last` is what the user said last, if nothing came after."""
    done = answered(body, results)
    if not tools or _SUMMARY.search(last):
        return Answer(f"<summary>A short summary of the work. [calls answered: {' '.join(done)}]</summary>")
    if len(done) >= len(script.commands):
        return Answer(script.final)
    return call(script.commands[len(done)], tools)


def call(command: str, tools: dict[str, Tool]) -> Answer:
    """A command as a call."""
    if "exec" in tools and not tools.keys() & set(SHELLS):
        text = f"const done = await tools.exec_command({{cmd: {json.dumps(command)}}}); text(done.output);"
        return Answer(tool="exec", arguments=text, kind=tools["exec"].kind)
    name = next((name for name in SHELLS if name in tools), None)
    if name is None:
        return Answer(f"No tool runs commands among {', '.join(tools)}.")
    tool = tools[name]
    if tool.kind == "local_shell":
        return Answer(tool=name, arguments=json.dumps({"command": ["bash", "-c", command]}), kind=tool.kind)
    return Answer(tool=name, arguments=json.dumps(_arguments(command, tool)), kind=tool.kind)


def _arguments(command: str, tool: Tool) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, schema in tool.schema.get("properties", {}).items():
        if name in ("command", "cmd"):
            given[name] = ["bash", "-c", command] if schema.get("type") == "array" else command
        elif name == "description":
            given[name] = "Runs a command"
    return given
