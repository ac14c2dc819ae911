from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from verifierbench.execution import Job, Unit

WORKERS = Path(__file__).parent / "workers"


@pytest.fixture
def side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The side table; the test workers are importable, here and in workers."""
    monkeypatch.syspath_prepend(str(WORKERS))
    return tmp_path / "side.sqlite"


@pytest.fixture
def job(side: Path):
    def make(**settings: Any) -> Job:
        return Job(entry="execution_workers:Doubler", settings={"side": str(side), **settings})

    return make


@pytest.fixture
def units():
    return lambda count: [Unit(key=f"k{n}", payload={"n": n}) for n in range(count)]


@pytest.fixture
def started(side: Path):
    """How often each unit was started."""

    def read() -> dict[str, int]:
        if not side.exists():
            return {}
        with closing(sqlite3.connect(side, timeout=60)) as table:
            try:
                return dict(table.execute("SELECT key, count(*) FROM started GROUP BY key"))
            except sqlite3.OperationalError:  # killed before its first unit
                return {}

    return read
