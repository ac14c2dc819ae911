"""Workers that the tests' runs open in processes of their own. Every start of a unit is written to a side table."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from verifierbench.core import InfrastructureError, Unavailable


def note(path: str, key: Any) -> int:
    """Count one execution of a unit; returns how many there were, this one included."""
    with closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as table:
        table.execute("CREATE TABLE IF NOT EXISTS started (key TEXT, pid INTEGER)")
        table.execute("INSERT INTO started VALUES (?, ?)", (str(key), os.getpid()))
        return table.execute("SELECT count(*) FROM started WHERE key = ?", (str(key),)).fetchone()[0]


class Doubler:
    """Doubles numbers; misbehaves where its settings say so."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings

    def compute(self, payload: Any) -> bytes:
        number, attempt = payload["n"], note(self.settings["side"], payload["n"])
        time.sleep(self.settings.get("seconds", 0))
        trouble = self.settings.get("trouble", {}).get(str(number))
        if trouble and (trouble["until"] is None or attempt <= trouble["until"]):
            TROUBLES[trouble["what"]]()
        return b"%d" % (2 * number)

    def close(self) -> None:
        Path(self.settings["side"] + f".closed.{os.getpid()}").touch()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_with_child() -> None:
    """Leave a child behind, as a sandbox would if its owner were killed."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(os.environ["CHILD_PID_FILE"]).write_text(str(child.pid))
    die()


def break_down() -> None:
    raise InfrastructureError("the environment's process went away")


def be_wrong() -> None:
    raise ZeroDivisionError("a defect of ours")


def lack() -> None:
    raise Unavailable("the frobnicator is missing; install it with `make frobnicator`")


def hang() -> None:
    time.sleep(3600)


TROUBLES = {
    "die": die,
    "die_with_child": die_with_child,
    "break": break_down,
    "bug": be_wrong,
    "lack": lack,
    "hang": hang,
}


def never_ready(settings: Any) -> Doubler:
    die()
    raise AssertionError
