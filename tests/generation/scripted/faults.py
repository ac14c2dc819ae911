"""What may go wrong, as it is written in a URL: KIND[xCOUNT][@TURN].

    429, 500, 503, 529, 401, 400, …   that status, in the dialect's own form (429 asks to wait 1 s)
    hang          nothing, not even headers            stall         the beginning of a stream, then silence
    cut           the beginning of a stream, then the connection is closed
    overflow      the context is too long              full          the answer says the context is nearly full
    truncated     words cut by the limit on tokens     truncated-call  a call cut by it
    broken-call   arguments that are no JSON           unknown-tool  a call of a tool that does not exist
    empty         an answer without content

It fires COUNT times on that URL (always, if not given), and only where the request holds TURN tool results, if given.
Anything but a status leaves requests without tools alone, which are a harness's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

KINDS = (
    *("hang", "stall", "cut", "overflow", "full", "truncated", "truncated-call", "broken-call", "unknown-tool"),
    "empty",
)
_FORM = re.compile(r"(\d{3}|[a-z][a-z-]*?)(?:x(\d+))?(?:@(\d+))?")


@dataclass(frozen=True)
class Fault:
    """One fault."""

    kind: str
    count: int | None = None
    turn: int | None = None

    @classmethod
    def parse(cls, written: str) -> Fault:
        """Raises ValueError for what is not one."""
        match = _FORM.fullmatch(written)
        if not match or not (match[1].isdigit() or match[1] in KINDS):
            raise ValueError(f"{written!r} is no fault; a kind is a status or one of {', '.join(KINDS)}")
        return cls(match[1], match[2] and int(match[2]), match[3] and int(match[3]))

    @property
    def status(self) -> int | None:
        """The status it stands for."""
        return int(self.kind) if self.kind.isdigit() else None

    def fires(self, turn: int, *, tools: bool, fired: int) -> bool:
        """Whether it does on a request, having fired so often before."""
        return (
            (self.turn is None or self.turn == turn)
            and (self.count is None or fired < self.count)
            and (tools or self.status is not None)
        )
