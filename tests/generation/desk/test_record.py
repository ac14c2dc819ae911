from __future__ import annotations

import pytest

from verifierbench.core import Inconsistent, MalformedInput
from verifierbench.generation.desk import read_desk, read_versions
from verifierbench.generation.desk.record import DESK, VERSIONS, Journal, Version


def version(n):
    return Version(hash=f"{n:064x}", at="2030-01-01T00:00:00+00:00", bytes=n, why="changed")


def written(path, count):
    journal = Journal(path / VERSIONS)
    for n in range(count):
        journal.append(version(n))
    journal.close()


def test_a_line_is_read_back_as_it_was(tmp_path):
    written(tmp_path, 3)
    assert read_versions(tmp_path) == tuple(version(n) for n in range(3))


def test_a_line_is_there_before_the_file_is_closed(tmp_path):
    journal = Journal(tmp_path / VERSIONS)
    journal.append(version(1))
    assert read_versions(tmp_path) == (version(1),)
    journal.close()


def test_wherever_the_last_line_is_cut_it_is_dropped(tmp_path):
    written(tmp_path, 3)
    whole = (tmp_path / VERSIONS).read_bytes()
    second = whole.rindex(b"\n", 0, -1) + 1
    for end in range(second, len(whole)):
        (tmp_path / VERSIONS).write_bytes(whole[:end])
        assert read_versions(tmp_path) == (version(0), version(1))


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / DESK).write_bytes(b'{"n": 1}\n{}\n')
    with pytest.raises(MalformedInput, match=r"desk\.jsonl, line 1"):
        read_desk(tmp_path)


def test_no_record_is_no_entries(tmp_path):
    assert (read_desk(tmp_path), read_versions(tmp_path)) == ((), ())


def test_a_journal_is_never_continued(tmp_path):
    written(tmp_path, 1)
    with pytest.raises(Inconsistent):
        Journal(tmp_path / VERSIONS)
