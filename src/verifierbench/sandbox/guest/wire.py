"""The messages between a box and its zygote: fixed sizes, no payloads.

The zygote reads numbers and passes descriptors on. What an attacker writes (code, solutions, frames) travels in
sealed memory files and pipes that the zygote never reads, so it can neither be confused by it nor remember it.
Standard library only: the guest imports this file.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

PAYLOAD_FD, CODE_FD, RESULT_FD, OUTPUT_FD, ENVIRONMENT_FD = 3, 4, 5, 6, 7
"""Where the descriptors of an order land in the zygote, in the order they are sent; the last may be absent."""
CASE_ENVIRONMENT_FD = 6
"""Where the environment's socket is in the confined child, once its output is standard output."""
FIRST_PRIVATE_FD = 16
"""The zygote keeps its own descriptors from here on, so that an order's land where they should."""

NONCE_BYTES = 16
"""A payload is nonce, solution, task; the nonce opens the one frame a child may write."""

MODE_COMPILE, MODE_RUN, MODE_EXPLAIN = 1, 2, 3


class Order(NamedTuple):
    """One child to fork. Sizes are in bytes."""

    mode: int
    cpu_seconds: int
    memory_bytes: int
    code_bytes: int
    solution_bytes: int
    task_bytes: int


class Ending(NamedTuple):
    """How a child ended: its wait status, or -1 where it could not be forked, and then the errno."""

    status: int
    error: int
    cpu_seconds: float


ORDER = struct.Struct("=IIQQQQ")
ENDING = struct.Struct("=iid")
READY = b"ready"
FINISH = b"F"
"""Kill the child if it still lives, reap it and report its ending."""
