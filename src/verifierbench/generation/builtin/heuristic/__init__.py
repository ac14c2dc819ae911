"""An agent that writes a verifier by rule, from the public material alone.

What a careful person could check of any task of a family without understanding this one: shapes, schemas, values that
stand in the request, tests that must still pass. It is the figure a model has to beat, so it is frozen with
a release: a change to a file of `heuristic-2` is `heuristic-3`, and old figures stay comparable. The files beside
this one are plain verifiers, but for `grounding.py`, which two of them import: it is put in the import's place, because
what is handed in is one file. They run contained, and see no more than any verifier sees.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from verifierbench.core import Family, MalformedInput
from verifierbench.core.files import decode, read_bytes, write_atomically
from verifierbench.generation.workspace import VERIFIER

__all__ = ["HEURISTIC_VERSION", "Heuristic", "template"]

HEURISTIC_VERSION = "heuristic-2"


class Heuristic:
    """Meets `generation.agents.Agent`."""

    name = model = "heuristic"
    harness = "builtin"

    def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
        """Write its family's verifier, headed by the version and the task it is for."""
        task = decode(workspace / "task.json", dict)
        family = _family(workspace, task)
        head = f"# {HEURISTIC_VERSION}: {family.value}, task {task.get('task')}\n".encode()
        write_atomically(workspace / VERIFIER, head + template(family))
        return ({"event": "wrote", "file": VERIFIER, "version": HEURISTIC_VERSION, "family": family.value},)


def template(family: Family) -> bytes:
    """The verifier file of a family, whole."""
    source = _source(family.value)
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module == f"{__name__}.grounding":
            lines = source.splitlines(keepends=True)
            lines[node.lineno - 1 : node.end_lineno] = [_source("grounding")]
            return "".join(lines).encode()
    return source.encode()


def _source(name: str) -> str:
    return read_bytes(Path(__file__).parent / f"{name}.py").decode()


def _family(workspace: Path, task: dict[str, Any]) -> Family:
    try:
        return Family(str(task.get("family")))
    except ValueError as error:
        raise MalformedInput(workspace / "task.json", "$.family", str(error)) from error
