"""Where sources keep what they bring onto this machine.

One folder per source under `VERIFIERBENCH_HOME`, or `verifierbench` in the user's data directory (XDG). Nothing here
is ever part of a suite: a suite is whole without it, so the folder may be deleted at any time.
"""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """The root of everything installed; it need not exist yet."""
    chosen = os.environ.get("VERIFIERBENCH_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _data_home() / "verifierbench"


def source_home(name: str) -> Path:
    """The folder of one source; it need not exist yet."""
    return home() / "sources" / name


def _data_home() -> Path:
    """XDG_DATA_HOME; the specification says to ignore it when it is relative."""
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    return data if data.is_absolute() else Path.home() / ".local" / "share"
