"""A source's own packages: pinned, hash-checked, in a folder of their own, never importable from our process.

The packages go into a plain directory (`pip install --target`), which a worker process puts on its search path: no
second interpreter to keep, and ours stays clean. The requirement list fixes every version and every file's SHA-256,
dependencies are not resolved, and only wheels are taken, so that installing runs no code of theirs. The directory
appears by one rename with its marker inside: an interrupted installation leaves nothing that looks installed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from verifierbench.core import SCHEMA_VERSION, MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import decode, encode, read_bytes, write_atomically

MARKER = "installed.json"
"""Written last into the directory; its presence and content say what is installed."""
OURS = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of our own Python, as the marker has it."""

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_NO_INSTALLER = (
    "installing a source needs pip or uv, and this Python has neither; run "
    "`{} -m ensurepip` or install uv, then try again"
)


class Installed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a package directory holds."""

    schema: int = SCHEMA_VERSION
    requirements: str
    """SHA-256 of the requirement list it was made from."""
    python: str
    """`major.minor` it was made for: compiled wheels fit no other."""
    packages: dict[str, str]
    """Name → version."""


def pins(requirements: Path) -> dict[str, str]:
    """Name → version of every requirement of a pinned list."""
    return dict(_PIN.findall(read_bytes(requirements).decode()))


def is_installed(target: Path, requirements: Path, version: str = OURS) -> bool:
    """Whether the directory was made, completely, from exactly this list for this version of Python."""
    try:
        return decode(target / MARKER, Installed) == _expected(requirements, version)
    except MalformedInput:
        return False


def install(
    target: Path, requirements: Path, origin: Path | None = None, *, python: str = sys.executable, version: str = OURS
) -> None:
    """Make the package directory, or leave everything as it was and raise `Unavailable`.

    `origin` is a wheel, or a directory of wheels, to install from without a package index. `python` is the interpreter
    that the packages are for, `version` its version. A directory already made from this list is left alone.
    """
    links = _links(origin)
    if is_installed(target, requirements, version):
        return
    with _scratch(target) as scratch:
        _run_installer(scratch, requirements, links, python)
        write_atomically(scratch / MARKER, encode(_expected(requirements, version)))
        _put_in_place(scratch, target, requirements, version)


def _expected(requirements: Path, version: str) -> Installed:
    return Installed(
        requirements=hash_of(read_bytes(requirements)),
        python=version,
        packages=pins(requirements),
    )


def _links(origin: Path | None) -> Path | None:
    """The directory whose wheels are offered to the installer."""
    if origin is None or origin.is_dir():
        return origin
    if origin.is_file() and origin.suffix == ".whl":
        return origin.parent
    raise Unavailable(f"{origin} is neither a wheel file nor a directory of wheels; give the path of one that exists")


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A directory beside the target, so that it can be renamed; removed whatever happens."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        around = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise Unavailable(
            f"{target.parent} cannot be written: {error.strerror}; set VERIFIERBENCH_HOME to a folder that can"
        ) from error
    try:
        (around / "new").mkdir()
        yield around / "new"
    finally:
        shutil.rmtree(around, ignore_errors=True)


def _put_in_place(scratch: Path, target: Path, requirements: Path, version: str) -> None:
    """Rename; whoever installed the same list meanwhile has done our work."""
    if is_installed(target, requirements, version):
        return
    try:
        if target.exists():
            target.rename(scratch.parent / "old")
        scratch.rename(target)
    except OSError as error:
        if not is_installed(target, requirements, version):
            raise Unavailable(f"{target} cannot be put in place: {error.strerror}; try again") from error


def _run_installer(target: Path, requirements: Path, links: Path | None, python: str) -> None:
    command = [
        *_installer(python),
        "--no-deps",
        "--require-hashes",
        "--target",
        str(target),
        "--requirement",
        str(requirements),
    ]
    if links is not None:
        command += ["--no-index", "--find-links", str(links)]
    environment = {"PIP_RETRIES": "1", "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **os.environ}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Unavailable(_sentence(requirements, links, done.stderr))


def _installer(python: str) -> list[str]:
    """The command that installs packages for an interpreter, wheels only."""
    if _has_pip(python):
        return [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    uv = [sys.executable, "-m", "uv"] if importlib.util.find_spec("uv") else [shutil.which("uv") or ""]
    if not uv[0]:
        raise Unavailable(_NO_INSTALLER.format(python))
    return [*uv, "pip", "install", "--quiet", "--python", python, "--only-binary", ":all:"]


def _has_pip(python: str) -> bool:
    if python == sys.executable:
        return importlib.util.find_spec("pip") is not None
    return not subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode


def _sentence(requirements: Path, links: Path | None, stderr: str) -> str:
    wanted = [f"{name}=={version}" for name, version in pins(requirements).items()]
    what = ", ".join(wanted) if len(wanted) <= 3 else f"{wanted[0]} and {len(wanted) - 1} more packages"
    where = f"from {links}" if links else "from the package index"
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")] or lines or ["the installer said nothing"]
    cause = errors[-1].partition(": ")[2] or errors[-1]
    mend = "put its wheel there" if links else "connect to a package index, or give its wheel with --from PATH"
    return f"{what} could not be installed {where} ({cause}); {mend}"
