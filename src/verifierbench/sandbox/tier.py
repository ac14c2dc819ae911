"""The two tiers of the verifier sandbox.

Both refuse every file, socket, process and privilege through the same system call filter. `namespaces` adds that
there is nothing to refuse: no other process, network, file or IPC object exists in the child's world. Ranked
results need it.
"""

from __future__ import annotations

from enum import StrEnum


class Tier(StrEnum):
    """How a verifier is confined, best first."""

    NAMESPACES = "namespaces"
    SECCOMP = "seccomp"
