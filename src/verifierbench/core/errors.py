"""Every error this project raises on purpose, typed by the boundary that was crossed.

    VerifierBenchError
    ├── UserError                what the user gave us is wrong: one sentence, exit code 2
    │   ├── MalformedInput       a file of theirs: names the file, the place in it and the cause
    │   ├── UnknownName          a task, source, verb or check that does not exist
    │   └── Unavailable          this machine lacks something: says what, and how to get it
    ├── EnvironmentRefusal       the public environment answered a verifier's request with an error it may see
    │   ├── BudgetExhausted      its executions for this case are used up
    │   └── Overrun              an execution took too long; its answer is never kept
    ├── InfrastructureError      our machinery failed: retried, never scored, never a decision
    └── Inconsistent             an invariant of ours does not hold: a bug, shown with its traceback

A verifier that crashes, hangs or lies is not an error: it is a `Decision` without a verdict.
"""

from __future__ import annotations

import difflib
from pathlib import Path

_OFFERED = 12
"""Names a sentence can carry."""


class VerifierBenchError(Exception):
    """Base of every error raised on purpose."""


class UserError(VerifierBenchError):
    """The user can mend it; `str(error)` is one sentence that says what and how."""


class MalformedInput(UserError):
    """A file that cannot be used.

    The sentence names the file, the place in it (a line, a JSON path; may be empty) and the cause.
    """

    def __init__(self, path: Path | str, place: str, cause: str) -> None:
        where = f"{path}, {place}" if place else str(path)
        super().__init__(f"{where}: {cause}")
        self.path, self.place, self.cause = Path(path), place, cause


class UnknownName(UserError):
    """A name that stands for nothing here; offers the names that do."""

    def __init__(self, what: str, name: str, known: tuple[str, ...] = ()) -> None:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        some = ", ".join(known[:_OFFERED]) + (f" and {len(known) - _OFFERED} more" if len(known) > _OFFERED else "")
        offer = f"; did you mean {' or '.join(near)}?" if near else f"; there is {some}" if known else ""
        super().__init__(f"no {what} is called {name!r}{offer}")


class Unavailable(UserError):
    """Something this machine lacks; the sentence ends with how to get it."""


class EnvironmentRefusal(VerifierBenchError):
    """The public environment declined a request, in words a verifier may read."""


class BudgetExhausted(EnvironmentRefusal):
    """The case's executions are used up."""


class Overrun(EnvironmentRefusal):
    """An execution took too long: on a faster machine the answer may be another, so it is never kept."""


class InfrastructureError(VerifierBenchError):
    """Our machinery failed under a unit of work; the unit is retried and never scored as it stands."""


class Inconsistent(VerifierBenchError):
    """Something we promised does not hold; never caught, always a bug."""
