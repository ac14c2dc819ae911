"""Upstream's harness, as far as it decides: its parser, its rule of what is resolved, and an environment with both.

What a terminal showed after `run-tests.sh` is the parser's only evidence: neither the exit status nor any file is
looked at. Here the parser is asked as a person at the environment would ask it, by a command of its own behind the one
that runs the tests; that command runs nothing in the copy, and what it prints was computed on the trusted side. Two
things are gentler than upstream: no terminal wraps long lines, and the parser sees nothing from before the tests.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Environment, canonical_hash, sha256
from verifierbench.core.files import read_bytes
from verifierbench.families.code.driver import MARK
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker
from verifierbench.sources.sdists import Sdists

SCRIPT = Path(__file__).with_name("parser_worker.py")
ARCHIVES = Sdists(Path(__file__).with_name("archives.toml"))
WHEEL = ARCHIVES.named("terminal-bench", "0.2.18")
VERSION = f"{WHEEL.package} {WHEEL.version}"
ASK = ["terminal-bench", "parse"]
"""The command that has upstream read what the command before it printed."""
RESOLVED = "resolved"
"""Under this name the answer to that command says whether upstream counts the task as done."""
_SECONDS = 30.0


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What upstream makes of a terminal's text."""

    resolved: bool
    tests: dict[str, str] | None
    """Name → `passed` or `failed`; None where the text cannot be read."""
    error: str


class Parser:
    """Upstream's parser; the worker starts with the first text."""

    def __init__(self, archives: Path) -> None:
        self._wheel = archives / WHEEL.file
        self._worker: GuardedWorker | None = None

    def read(self, printed: str) -> Reading:
        """What upstream makes of a text; raises `InfrastructureError` where our worker fails."""
        if self._worker is None:
            self._worker = GuardedWorker(SCRIPT, search_path=[self._wheel], tier=choose_tier())
        return msgspec.convert(self._worker.request({"text": printed}, _SECONDS), Reading)

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class WithParser:
    """Meets `core.Environment`: another one, in which the last command of a request may be `ASK`."""

    def __init__(self, inner: Environment, parser: Parser) -> None:
        self._inner, self._parser = inner, parser

    @property
    def version(self) -> str:
        """The inner one's, upstream's, and that of what stands between them."""
        return canonical_hash([self._inner.version, WHEEL.sha256, sha256(read_bytes(SCRIPT)), ASK])

    def execute(self, request: Any) -> Any:
        """Answer as the inner one does; behind `ASK` stands what upstream's parser said, one line each."""
        commands = request.get("commands") if isinstance(request, dict) else None
        if not isinstance(commands, list) or len(commands) < 2 or commands[-1] != ASK:
            return self._inner.execute(request)
        answer = self._inner.execute({**request, "commands": commands[:-1]})
        if answer["applied"]:
            answer = {**answer, "commands": [*answer["commands"], self._asked(answer["commands"][-1])]}
        return answer

    def close(self) -> None:
        """Close the inner one, end the worker."""
        self._inner.close()
        self._parser.close()

    def _asked(self, ran: Any) -> dict[str, Any]:
        """Upstream reads whatever was printed, however the command ended; but one out of time is not read at all."""
        reading = Reading(resolved=False, tests=None, error="out of time")
        if ran["ended"] != "timeout":
            reading = self._parser.read(ran["stdout"] + ran["stderr"])
        said = {RESOLVED: str(reading.resolved)} | {f"test {name}": how for name, how in (reading.tests or {}).items()}
        lines = "".join(f"{MARK}{json.dumps(pair)}\n" for pair in said.items())
        return {"exit": 0 if reading.resolved else 1, "ended": "exit", "stdout": lines, "stderr": reading.error}
