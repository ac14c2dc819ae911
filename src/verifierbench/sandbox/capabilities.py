"""What this machine offers, as a record for `doctor` and for the sentence that says why a tier is missing."""

from __future__ import annotations

import json
import platform
import subprocess
import sys

import msgspec

from verifierbench.core.errors import InfrastructureError

from . import syscalls
from .guest.probing import BOOTSTRAP
from .process import PACKAGE_ROOT

_SECONDS = 60.0


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """Each capability was tried; `remarks` holds the reason of every one that failed."""

    kernel: str
    arch: str
    python: str
    privileged: bool
    """May this process change its user and mount?"""
    user_namespaces: bool
    """User and pid namespaces can be made."""
    pidfd_setns: bool
    """A namespace can be entered by pidfd (Linux 5.8)."""
    empty_world: bool
    """All of the namespaces tier's isolation can be set up."""
    seccomp: bool
    """A filter can be installed and refuses calls, and this architecture has a table."""
    overlay: bool
    """Environment commands can run over a repository without copying it."""
    mount_setattr: bool
    """Linux 5.12; mounts are remounted one by one without it."""
    remarks: dict[str, str]


def probe(interpreter: str = sys.executable) -> Probe:
    """Try every capability in a fresh interpreter; raises InfrastructureError where that cannot run."""
    command = [interpreter, "-s", "-S", "-P", "-B", "-c", BOOTSTRAP, str(PACKAGE_ROOT)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise InfrastructureError(f"the capability probe did not run: {done.stderr.decode(errors='replace')}")
    found: dict[str, str] = json.loads(done.stdout)
    return Probe(
        kernel=platform.release(),
        arch=platform.machine(),
        python=platform.python_version(),
        privileged=syscalls.is_privileged(),
        remarks={name: reason for name, reason in found.items() if reason},
        **{name: not reason for name, reason in found.items()},
    )
