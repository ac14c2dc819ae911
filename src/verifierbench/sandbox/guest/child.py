"""One forked child: confine it, then let it answer. What fails before the answer is ours, and said by its status.

Steps are few and their order matters: descriptors, limits, capabilities, the filter last, because it also forbids
the steps before it.
"""

from __future__ import annotations

import os
import resource
from typing import NamedTuple, NoReturn

from .. import seccomp, syscalls
from . import case, lockdown, wire

_LARGEST_FD = 1 << 20


class Confinement(NamedTuple):
    """What is prepared before the fork."""

    tier: str
    filter: seccomp.Filter


def run(order: wire.Order, descriptors: int, confinement: Confinement) -> NoReturn:
    """Confine this process and answer the order; never returns."""
    try:
        _arrange_descriptors(descriptors)
        _confine(order, confinement)
    except BaseException as error:  # nothing may run unconfined
        os.write(1, f"{type(error).__name__}: {error}".encode())
        os._exit(seccomp.SETUP_FAILED)
    try:
        case.answer(order, with_environment=descriptors > wire.ENVIRONMENT_FD - wire.PAYLOAD_FD)
    finally:
        os._exit(1)  # not even a verifier that broke our own functions gets back to the zygote's loop


def _arrange_descriptors(count: int) -> None:
    os.dup2(wire.OUTPUT_FD, 1)
    os.dup2(wire.OUTPUT_FD, 2)
    last = wire.OUTPUT_FD
    if count > wire.ENVIRONMENT_FD - wire.PAYLOAD_FD:
        os.dup2(wire.ENVIRONMENT_FD, wire.CASE_ENVIRONMENT_FD)
        last = wire.CASE_ENVIRONMENT_FD + 1
    os.closerange(last, _LARGEST_FD)


def _confine(order: wire.Order, confinement: Confinement) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (order.cpu_seconds, order.cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (order.memory_bytes, order.memory_bytes))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if confinement.tier == lockdown.NAMESPACES:
        syscalls.drop_capabilities()
    else:
        syscalls.die_with_parent()
    confinement.filter.install()
