"""The choice of a tier: only one whose self-test of real attacks, run here and now, was contained.

There is no "best effort": where no tier holds, nothing runs.
"""

from __future__ import annotations

import functools
import sys

from verifierbench.core.errors import InfrastructureError, Unavailable

from .selftest import self_test
from .tier import Tier

HOW_TO_GET = {
    Tier.NAMESPACES: (
        "it needs user namespaces: allow them (sysctl kernel.apparmor_restrict_unprivileged_userns=0 or"
        " user.max_user_namespaces), or use the project's container image (Dockerfile) with"
        " docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
    ),
    Tier.SECCOMP: "it needs Linux on x86-64 or aarch64 with seccomp filters",
}


def choose_tier(required: Tier | None = None, *, interpreter: str = sys.executable) -> Tier:
    """Return the best tier whose self-test contained every attack, or `required` if its did.

    Raises Unavailable with what is missing and how to get it. Verdicts on tiers are kept for this process.
    """
    obstacles = []
    for tier in [required] if required else Tier:
        obstacle = _obstacle(tier, interpreter)
        if not obstacle:
            return tier
        obstacles.append(f"the {tier} sandbox cannot be used here ({obstacle}); {HOW_TO_GET[tier]}")
    raise Unavailable(". ".join(obstacles))


@functools.cache
def _obstacle(tier: Tier, interpreter: str) -> str:
    """Return "" where the tier holds, else why not."""
    if sys.platform != "linux":
        return f"this is {sys.platform}, not Linux"
    try:
        loose = self_test(tier, interpreter)
    except InfrastructureError as error:
        return str(error)
    more = f", and {len(loose) - 1} more" if len(loose) > 1 else ""
    return loose[0] + more if loose else ""
