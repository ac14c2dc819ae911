"""Run untrusted commands in a fresh copy of a repository: the public environment of code tasks.

Every request gets its own root directory, its own pid 1 and no network; the repository appears at /repository as
a writable overlay that is gone afterwards. Of this machine the commands see /usr, the interpreter's base
installation without its installed packages, and the search path they are given: no home directory, no suite, no
other process. What they print and exit with is reported as it was. Nothing in it is protected from a solution
that forges it; what must hold is that nothing outlives a request and that nothing but its own answer changes.

Limits of memory are per process: RLIMIT_AS needs no control group, which few users may make.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from verifierbench.core.errors import EnvironmentRefusal, InfrastructureError, MalformedInput, Unavailable
from verifierbench.sandbox.command_guest import converse
from verifierbench.sandbox.guest.command import ENVIRONMENT
from verifierbench.sandbox.requests import MOST_PATHS, PATH_BYTES, check_request
from verifierbench.sandbox.trees import EPOCH, Tree, command_user, materialise, survey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "CommandLimits",
    "CommandOutcome",
    "CommandResult",
    "CommandSandbox",
    "base_interpreter",
    "hidden_places",
    "materialise",
]

SETUP_SECONDS = 30.0
"""What building a root directory may take on a slow and busy machine, beside the commands' own limits."""
SEARCH_PATH_INSIDE, REPOSITORY_INSIDE = "/packages", "/repository"
ANSWER_BYTES = 8 << 20
"""All that the commands print and all files read back, together."""

GIT = Path("/usr/bin/git")
_HIDDEN = ("/usr/local", "/usr/lib/python3/dist-packages")


class CommandLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the commands of a request may use; a published record, the same for everyone."""

    seconds: float = 60.0
    """Wall clock, per command."""
    memory_mb: int = 2048
    """Address space, in MiB, per process."""
    processes: int = 64
    """Processes and threads alive at once."""
    output_bytes: int = 200_000
    """Per stream and command; also the largest file that can be read back."""
    file_mb: int = 64
    """The largest file a command may write, in MiB; all they write together may be four times that."""


class CommandOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How one command ended, and what it printed (UTF-8, undecodable bytes replaced)."""

    exit: int | None
    """Its exit status; 127 where there is no such command; None unless `ended` is "exit"."""
    stdout: str = ""
    stderr: str = ""
    ended: Literal["exit", "signal", "timeout", "output"]
    detail: str = ""
    """The signal, or the limit that was passed."""


class CommandResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a person at that environment would see."""

    applied: bool
    """Whether the patch applied; if not, nothing was run."""
    apply_error: str = ""
    commands: tuple[CommandOutcome, ...] = ()
    files: dict[str, str | None] = {}
    """Path to text; None where there is no regular file."""


class CommandSandbox:
    """Runs commands in fresh copies of one repository.

    `repository` is a directory that does not change while this object is used; one made by `materialise` is used
    in place, another that the sandbox's user could not edit is copied for every request. `search_path` are
    directories of importable packages the commands may use; like the interpreter, wherever they lie, they must be
    readable by everyone. `imported_from` are folders of the repository from which Python imports as well, for a
    package that lies deeper than the top. `tree="copy"` never mounts an overlay.
    """

    def __init__(
        self,
        repository: Path,
        *,
        python: str = sys.executable,
        search_path: Sequence[Path] = (),
        imported_from: Sequence[str] = (),
        tree: Literal["overlay", "copy"] = "overlay",
    ) -> None:
        if not repository.is_dir():
            raise MalformedInput(repository, "", "there is no such directory")
        self._require_git()
        self.repository = repository.resolve()
        self._interpreter = base_interpreter(python)
        self._search_path = tuple(path.resolve() for path in search_path)
        self._imported_from = tuple(imported_from)
        self._forced_tree = tree

    def run(
        self,
        files: Mapping[str, str | None],
        patch: str,
        commands: Sequence[Sequence[str]],
        read: Sequence[str],
        limits: CommandLimits | None = None,
    ) -> CommandResult:
        """Apply `patch` (unified diff, may be empty), write `files` (None deletes), run `commands`, return `read`.

        Raises EnvironmentRefusal for a request that cannot be carried out, Overrun for one that is not carried out in
        the time its commands have together, Unavailable where the machine has no
        namespaces, InfrastructureError where our own machinery failed.
        """
        limits = limits or CommandLimits()
        check_request(files, patch, commands, read)
        request = self._request(files, patch, commands, read, limits)
        allowed = SETUP_SECONDS + limits.seconds * (len(commands) + 1)
        # Six for one byte is JSON's worst case; beside the answer there are names, git's words and framing.
        largest = 6 * (ANSWER_BYTES + MOST_PATHS * PATH_BYTES + limits.output_bytes) + (1 << 20)
        return _result(converse(self._plan, request, allowed, largest), commands)

    def _request(
        self,
        files: Mapping[str, str | None],
        patch: str,
        commands: Sequence[Sequence[str]],
        read: Sequence[str],
        limits: CommandLimits,
    ) -> dict[str, Any]:
        """What is asked of a guest."""
        tree = self._tree
        return {
            "repository": str(self.repository),
            "tree": "overlay" if tree.editable and self._forced_tree == "overlay" else "copy",
            "writable_bytes": 4 * (limits.file_mb << 20) + tree.bytes,
            "writable_inodes": 100_000 + tree.entries,
            "limits": msgspec.to_builtins(limits),
            "files": dict(files),
            "patch": patch,
            "commands": [list(command) for command in commands],
            "read": list(read),
            "answer_bytes": ANSWER_BYTES,
        }

    @functools.cached_property
    def _plan(self) -> dict[str, Any]:
        """What all requests that may share a guest have in common."""
        prefix, python = self._interpreter
        packages = [f"{REPOSITORY_INSIDE}/{folder}" for folder in self._imported_from]
        packages += [f"{SEARCH_PATH_INSIDE}/{number}" for number in range(len(self._search_path))]
        uid = command_user()
        return {
            "binds": ["/usr", prefix],
            "packages": [str(path) for path in self._search_path],
            "hide": hidden_places(prefix),
            "python": python,
            "uid": uid,
            "privileged": uid != os.getuid(),
            "environment": ENVIRONMENT
            | {"SOURCE_DATE_EPOCH": str(EPOCH)}
            | ({"PYTHONPATH": ":".join(packages)} if packages else {}),
        }

    @functools.cached_property
    def _tree(self) -> Tree:
        return survey(self.repository)

    @staticmethod
    def _require_git() -> None:
        if not GIT.exists():
            raise Unavailable(f"code tasks apply patches with git, and there is no {GIT}; install git")


@functools.cache
def base_interpreter(python: str) -> tuple[str, str]:
    """Return (base prefix, executable) of an interpreter, past any virtual environment it belongs to.

    Raises Unavailable if it does not run.
    """
    script = "import sys; print(sys.base_prefix); print(getattr(sys, '_base_executable', '') or sys.executable)"
    try:
        said = subprocess.run(
            [python, "-I", "-S", "-c", script], capture_output=True, text=True, check=True, timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        message = f"the Python interpreter {python} does not run ({error}); name one that does"
        raise Unavailable(message) from error
    prefix, executable = said.splitlines()
    return os.path.realpath(prefix), os.path.realpath(executable)


def hidden_places(prefix: str) -> list[str]:
    """What was installed on the machine or into an interpreter: it differs, and upstream packages hold answers."""
    shared = [path for path in _HIDDEN if not Path(prefix).is_relative_to(path)]
    found = [Path(prefix).glob(f"lib*/python3*/{kind}-packages") for kind in ("site", "dist")]
    return shared + sorted(str(path) for paths in found for path in paths if path.is_dir())


def _result(frames: list[dict[str, Any]], commands: Sequence[Sequence[str]]) -> CommandResult:
    """Make a result of the frames, or raise what they say."""
    first, last = frames[0], frames[-1]
    for frame in (first, last):
        if "refused" in frame:
            raise EnvironmentRefusal(frame["refused"])
        if "failed" in frame:
            raise InfrastructureError(f"the command sandbox failed: {frame['failed']}")
    if first["patch"]:
        return CommandResult(applied=False, apply_error=first["patch"])
    outcomes = [msgspec.convert(frame["command"], CommandOutcome) for frame in frames if "command" in frame]
    if "files" in last:
        return CommandResult(applied=True, commands=tuple(outcomes), files=last["files"])
    if len(outcomes) == len(commands):
        raise InfrastructureError("the command sandbox ended before it had read the files")
    return CommandResult(applied=True, commands=_cut_short(outcomes, len(commands)))


def _cut_short(outcomes: list[CommandOutcome], count: int) -> tuple[CommandOutcome, ...]:
    """Complete the outcomes of a request during which a command brought the sandbox down with itself."""
    fatal = CommandOutcome(exit=None, ended="signal", detail="the sandbox went down during this command")
    skipped = CommandOutcome(exit=None, ended="signal", detail="not run: the sandbox was already down")
    return (*outcomes, fatal, *[skipped] * (count - len(outcomes) - 1))
