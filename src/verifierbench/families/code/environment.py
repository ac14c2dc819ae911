"""The public environment of a code task: a fresh copy of its repository for every request.

A request is `{"patch", "files", "commands", "read"}`, an answer `{"applied", "error", "commands", "files"}`, both plain
JSON. The same request gets the same answer: what differs from run to run although nothing else does (durations,
memory addresses, the numbers of temporary files) is replaced in what commands print, and a reader of the answer
loses nothing a verdict could rest on. A malformed request is refused in one sentence its author can act on.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import EnvironmentRefusal, Unavailable, canonical_hash
from verifierbench.sandbox.commands import CommandLimits, CommandOutcome, CommandSandbox, materialise

CONTRACT = 2
"""Version of requests, answers and normalisation; raised when any of them changes."""
MOST_COMMANDS = 20
"""Commands in one request."""

_SHAPE = 'a request is {"patch": str, "files": {path: text}, "commands": [[word, …], …], "read": [path, …]}'
_VOLATILE = (
    # What unittest and pytest say of a duration.
    (re.compile(r"\bin \d+\.\d+ ?s(?:econds)?\b"), "in 0.000s"),
    (re.compile(r"\b0x[0-9a-f]{6,16}\b"), "0x0"),
    (re.compile(r"/tmp/tmp[a-z0-9_]{8}\b"), "/tmp/tmp"),  # noqa: S108  # a name in printed text, not a file of ours
    (re.compile(r"<(Thread\([^)]*?), (started|stopped)( daemon)? \d+\)>"), r"<\1, \2\3 0)>"),
)


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One execution, in the order its fields are carried out."""

    patch: str
    files: dict[str, str | None] = {}
    """Written after the patch, over whatever it made; None removes."""
    commands: list[list[str]] = []
    """Each a list of words, run one after another in the same copy; no shell."""
    read: list[str] = []
    """Files whose text is wanted afterwards."""


class Packages(msgspec.Struct, frozen=True, kw_only=True):
    """What the commands can import besides the repository and the standard library."""

    folder: Path
    version: str
    """Identity of what the folder holds; the folder itself is opened when something is executed."""


class CodeEnvironment:
    """Meets `core.Environment` for one repository.

    `imported_from` are folders of the repository from which Python imports, besides its top; `compiled` says that its
    modules are compiled beforehand, which changes how long commands take and nothing else.
    """

    def __init__(
        self,
        repository: Mapping[str, str],
        *,
        python: str = sys.executable,
        limits: CommandLimits | None = None,
        packages: Packages | None = None,
        imported_from: Sequence[str] = (),
        compiled: bool = False,
    ) -> None:
        self._repository = dict(repository)
        self._python = python
        self._limits = limits or CommandLimits()
        self._packages = packages
        self._imported_from = tuple(imported_from)
        self._compiled = compiled

    @cached_property
    def version(self) -> str:
        """Hash of the repository, the interpreter's version, the limits, the contract and what can be imported."""
        said = [self._repository_hash, _python_version(self._python), msgspec.to_builtins(self._limits), CONTRACT]
        if self._packages or self._imported_from:
            said.append([self._packages.version if self._packages else "", list(self._imported_from)])
        return canonical_hash(said)

    def execute(self, request: Any) -> dict[str, Any]:
        """Answer one request in a fresh copy; raises `EnvironmentRefusal` for one that makes no sense."""
        wanted = _parse(request)
        result = self._sandbox.run(wanted.files, wanted.patch, wanted.commands, wanted.read, self._limits)
        return {
            "applied": result.applied,
            "error": result.apply_error,
            "commands": [_plain(outcome) for outcome in result.commands],
            "files": dict(result.files),
        }

    def close(self) -> None:
        """Nothing of a request outlives it; the repository stays in the cache, the sandbox until we end."""

    @cached_property
    def _repository_hash(self) -> str:
        return canonical_hash(dict(self._repository))

    @cached_property
    def _sandbox(self) -> CommandSandbox:
        suffix = f"-{_cache_tag(self._python)}" if self._compiled else ""
        tree = _cache_home() / f"{self._repository_hash}{suffix}"
        materialise(self._repository, tree, compiled=self._python if self._compiled else "")
        return CommandSandbox(
            tree,
            python=self._python,
            search_path=[self._packages.folder] if self._packages else [],
            imported_from=self._imported_from,
        )


def normalised(text: str) -> str:
    """What a command printed, without what differs from run to run."""
    for pattern, steady in _VOLATILE:
        text = pattern.sub(steady, text)
    return text


def _parse(request: Any) -> Request:
    try:
        parsed = msgspec.convert(request, Request)
    except msgspec.ValidationError as error:
        raise EnvironmentRefusal(f"{_SHAPE}: {error}") from error
    if len(parsed.commands) > MOST_COMMANDS:
        raise EnvironmentRefusal(f"a request has at most {MOST_COMMANDS} commands; this one has {len(parsed.commands)}")
    return parsed


def _plain(outcome: CommandOutcome) -> dict[str, Any]:
    return {
        "exit": outcome.exit,
        "ended": outcome.ended,
        "stdout": normalised(outcome.stdout),
        "stderr": normalised(outcome.stderr),
    }


def _python_version(python: str) -> str:
    if python == sys.executable:
        return f"Python {platform.python_version()}"
    try:
        return subprocess.run([python, "-V"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"the Python interpreter {python} does not run ({error}); name one that does") from error


def _cache_tag(python: str) -> str:
    """What tells compiled modules of an interpreter from those of another."""
    if python == sys.executable:
        return str(sys.implementation.cache_tag)
    return _python_version(python).lower().replace(" ", "-")


def _cache_home() -> Path:
    """XDG_CACHE_HOME; the specification says to ignore it when it is relative."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "verifierbench" / "repositories"
