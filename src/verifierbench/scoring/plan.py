"""What must be decided for a run: one unit per submitted verifier and hidden case.

Cases that the agent was shown with their labels, where the protocol has such, are no longer hidden and are left out.

A unit's key is the hash of everything its decision depends on, so a decision is found again exactly when it would come
out the same: the verifier, the case and the public task by their bytes, the environment's version, the limits, the
tier, what the sandbox promises and the interpreter's minor version. Labels are no part of it, and cases come in an
order of their own for every verifier, so that nothing can be read from the order.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Case, Limits, Run, Task, canonical_hash, sha256
from verifierbench.execution import Unit
from verifierbench.suite import Suite

from .folder import RunFolder
from .public import environment_version

UNIT_VERSION = 1
"""Changes when a decision could come out otherwise for a reason that no other part of the key shows."""


class Planned(msgspec.Struct, frozen=True):
    """A hidden case, and the unit that decides it; None where no verifier was handed in."""

    task: Task
    case: Case
    unit: Unit | None


def plan(suite: Suite, folder: RunFolder, run: Run, tier: str) -> tuple[Planned, ...]:
    """Every case of the suite that an agent was not shown; raises `MalformedInput` where a submission is not sound."""
    folder.refuse_strays(suite.tasks)
    return tuple(planned for task in suite.tasks for planned in _task(suite, folder, run, tier, task))


def _task(suite: Suite, folder: RunFolder, run: Run, tier: str, task: Task) -> Iterator[Planned]:
    verifier, submitted = folder.verifier_hash(task), folder.submission(task)
    shown = frozenset(submitted.shown) if submitted else frozenset()
    cases = [case for case in suite.cases(task) if case.content_hash not in shown]
    if verifier is None:
        yield from (Planned(task, case, None) for case in cases)
        return
    version = environment_version(task)
    cases = _shuffled(cases, f"{run.seed} {verifier}")
    public = task.public_hash
    for case in cases:
        key = unit_key(verifier, case.content_hash, public, version, run.limits, tier)
        payload = {"task": task.id, "case": case.id, "verifier": verifier, "environment": version}
        yield Planned(task, case, Unit(key=key, payload=payload))


def _shuffled(cases: Sequence[Case], seed: str) -> list[Case]:
    """An order that repeats, but that nobody can compute who does not know the hidden cases.

    A verifier may find out how many cases came before it (the clock of an environment's commands is real, and their
    answers are kept), so its place must tell nothing about the case.
    """
    secret = canonical_hash([seed, sorted(case.content_hash for case in cases)])
    return sorted(cases, key=lambda case: sha256(f"{secret} {case.content_hash}".encode()))


def unit_key(verifier: str, case: str, task: str, environment: str | None, limits: Limits, tier: str) -> str:
    """Identity of one decision, from the hashes of its parts."""
    parts: Any = {
        "unit": UNIT_VERSION,
        "verifier": verifier,
        "case": case,
        "task": task,
        "environment": environment,
        "limits": msgspec.to_builtins(limits),
        "tier": str(tier),
        "sandbox": _sandbox_contract(),
        "python": list(sys.version_info[:2]),
    }
    return canonical_hash(parts)


@cache
def _sandbox_contract() -> str:
    """Identity of the code in a verifier's process: modules, clocks, seeds, sizes, and what calls `verify`."""
    from verifierbench.sandbox import published

    home = Path(published.__file__)
    sources = [home, *sorted((home.parent / "guest").glob("*.py"))]
    return sha256(b"".join(source.read_bytes() for source in sources))
