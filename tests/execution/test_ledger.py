"""The ledger keeps what is finished, refuses what it cannot read, and says what the disk refuses."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from verifierbench.core import InfrastructureError, MalformedInput, Unavailable
from verifierbench.execution import Ledger, sqlite


def test_first_complete_write_wins(tmp_path):
    with Ledger(tmp_path / "l.sqlite") as one, Ledger(tmp_path / "l.sqlite") as other:
        assert one.record("k", b"first")
        assert not other.record("k", b"second")
        assert other.result("k") == b"first"
        assert one.result("absent") is None
        assert len(one) == 1


def test_results_of_many_keys(tmp_path):
    keys = [f"k{n}" for n in range(1203)]  # more than one query's worth
    with Ledger(tmp_path / "l.sqlite") as ledger:
        for key in keys[::2]:
            ledger.record(key, key.encode())
        assert ledger.finished(keys) == frozenset(keys[::2])
        assert ledger.results(keys) == {key: key.encode() for key in keys[::2]}


def test_it_makes_its_folder(tmp_path):
    with Ledger(tmp_path / "new/deep/l.sqlite") as ledger:
        assert ledger.record("k", b"v")


def test_a_newer_version_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "l.sqlite"
    Ledger(path).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    with pytest.raises(MalformedInput, match=r"l\.sqlite: ledger of version 2, newer than this program's 1; upgrade"):
        Ledger(path)
    assert path.read_bytes() == before


def test_another_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "theirs.sqlite"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE precious (x)")
    with pytest.raises(MalformedInput, match="no ledger, but a database of something else"):
        Ledger(path)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT name FROM sqlite_master").fetchall() == [("precious",)]


def test_garbage_is_refused(tmp_path):
    path = tmp_path / "l.sqlite"
    path.write_bytes(b"this is not a database at all, " * 100)
    with pytest.raises(MalformedInput, match=r"l\.sqlite: no ledger, or a damaged one"):
        Ledger(path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be written"):
        Ledger(tmp_path / "file/l.sqlite")
    with pytest.raises(Unavailable, match="cannot be written"):
        Ledger(tmp_path)  # a folder is no file


def test_a_lock_never_released_is_our_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "PATIENCE_SECONDS", 0.1)
    path = tmp_path / "l.sqlite"
    with Ledger(path) as ledger, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InfrastructureError, match="stayed locked"):
            ledger.record("k", b"v")


def test_many_processes_may_create_it_at_once(tmp_path):
    code = "import sys; from pathlib import Path; from verifierbench.execution import Ledger\n"
    code += "sys.stdin.read()\nwith Ledger(Path(sys.argv[1])) as ledger: ledger.record(sys.argv[2], b'v')"
    start = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "l.sqlite"), f"k{n}"], stdin=subprocess.PIPE)
        for n in range(6)
    ]
    for process in start:
        process.stdin.close()
    assert [process.wait() for process in start] == [0] * 6
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert len(ledger) == 6


def test_a_ledger_being_created_is_not_taken_for_another_database(tmp_path, monkeypatch):
    """What the file is was once read in steps, between which another process could create it."""
    path, plainly, moments = tmp_path / "l.sqlite", sqlite3.connect, []

    class Overtaken(sqlite3.Connection):
        def execute(self, statement, *parameters):
            found = super().execute(statement, *parameters)
            if statement == "PRAGMA application_id" and not moments:
                moments.append(statement)
                rows = found.fetchall()
                with monkeypatch.context() as other:
                    other.setattr(sqlite3, "connect", plainly)
                    Ledger(path).close()  # another process, at the worst moment
                return Fetched(rows)
            return found

    class Fetched(list):  # stands in for a cursor whose rows are fetched already
        def fetchall(self):
            return list(self)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: plainly(*args, factory=Overtaken, **options))
    with Ledger(path) as ledger:
        assert ledger.record("k", b"v")
    assert moments


FILL = """
import sys
from pathlib import Path
from verifierbench.core import Unavailable
from verifierbench.execution import Ledger
path = Path(sys.argv[1])
written = 0
try:
    with Ledger(path) as ledger:
        while written < 1000:
            ledger.record(f"k{written}", b"v" * 10_000)
            written += 1
except Unavailable as error:
    print(written, error)
"""


def in_small_disk(tmp_path: Path, options: str, code: str) -> str:
    """Run code with `tmp_path/disk` a small file system of its own, in a namespace of its own."""
    (tmp_path / "disk").mkdir(exist_ok=True)
    script = f'mount -t tmpfs -o {options} none "$1" && exec "$2" -c "$3" "$1/l.sqlite"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    command += [str(tmp_path / "disk"), sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no file system of one's own here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_unshare = pytest.mark.skipif(not shutil.which("unshare"), reason="unshare is not installed")


@needs_unshare
def test_a_full_disk_is_one_sentence(tmp_path):
    written, _, sentence = in_small_disk(tmp_path, "size=512k", FILL).partition(" ")
    assert 5 < int(written) < 60
    assert "database or disk is full; free some space and run the same command again: finished work is kept" in sentence


@needs_unshare
def test_a_read_only_disk_is_one_sentence(tmp_path):
    written, _, sentence = in_small_disk(tmp_path, "ro", FILL).partition(" ")
    assert written == "0"
    assert "l.sqlite cannot be written" in sentence
    assert "writable, or choose another folder" in sentence


def test_a_full_database_keeps_what_was_written(tmp_path):
    """The same refusal without a file system of one's own: SQLite's own page limit."""
    path = tmp_path / "l.sqlite"
    with Ledger(path) as ledger:
        ledger._store.rows("PRAGMA max_page_count = 20")
        with pytest.raises(Unavailable, match="free some space"):
            all(ledger.record(f"k{n}", os.urandom(2000)) for n in range(1000))
        kept = len(ledger)
    with Ledger(path) as ledger:
        assert len(ledger) == kept > 0
        assert ledger.record("after", b"v")
