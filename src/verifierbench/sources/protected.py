"""Sources whose material may be kept and used and not be published in plain text.

A suite holds what is derived from its tasks: instructions, tools, solutions, answers. Of most sources it may be passed
on under their licence; of these it may not. Such a suite says so beside its manifest and keeps itself out of git.
"""

from __future__ import annotations

from collections.abc import Iterable

PROTECTED = {
    "appworld": (
        "AppWorld's apps, data and everything derived from them may be passed on in an encrypted form only; keep this"
        " suite, what is generated with it and its evidence to yourself"
    )
}
"""Source → what its licence asks for."""


def notice(sources: Iterable[str]) -> str:
    """What to tell whoever holds something made of these sources; empty where all of it may be published."""
    return "\n".join(PROTECTED[name] for name in sorted(set(sources)) if name in PROTECTED)
