"""What is seen of verifier.py while an agent works."""

from __future__ import annotations

import os
import time

import pytest

from verifierbench.core import sha256
from verifierbench.generation.desk import Snapshots, read_versions
from verifierbench.generation.desk import snapshots as module

from .conftest import LOOKS, RUNS, pushes

A, B, C = (f"# {name}\n".encode() for name in "abc")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "w").mkdir()
    return tmp_path / "w", tmp_path / "r"


def seen(record):
    return [(version.hash, version.why) for version in read_versions(record)]


def test_each_change_is_one_version_and_keeps_its_bytes(place):
    workspace, record = place
    with Snapshots(workspace, record) as snapshots:
        for source in (A, A, B, A):
            (workspace / "verifier.py").write_bytes(source)
            snapshots.look()
    expected = [(sha256(A), "changed"), (sha256(B), "changed"), (sha256(A), "changed"), (sha256(A), "end")]
    assert seen(record) == expected
    assert {path.name for path in (record / "versions").iterdir()} == {f"{sha256(one)}.py" for one in (A, B)}
    assert [version.bytes for version in read_versions(record)] == [4] * 4


def test_a_change_is_seen_without_being_told(place):
    workspace, record = place
    with Snapshots(workspace, record):
        for source in (A, B):
            (workspace / "verifier.py").write_bytes(source)
            deadline = time.monotonic() + 20
            while (sha256(source), "changed") not in seen(record):
                assert time.monotonic() < deadline
                time.sleep(0.05)
    assert seen(record)[-1] == (sha256(B), "end")


def test_write_self_test_rewrite_are_three_sights(sit):
    kit = sit()
    kit.write(RUNS)
    kit.selftest(pushes(1, 2))
    kit.write(LOOKS)
    kit.desk.close()
    sights = [sight for sight in seen(kit.record) if sight[1] != "changed"]
    assert sights == [(sha256(RUNS), "selftest"), (sha256(LOOKS), "end")]
    assert (kit.record / "versions" / f"{sha256(RUNS)}.py").read_bytes() == RUNS


def test_a_self_test_names_the_version_it_ran_though_it_was_seen_before(place):
    workspace, record = place
    (workspace / "verifier.py").write_bytes(A)
    with Snapshots(workspace, record) as snapshots:
        snapshots.look()
        assert snapshots.look("selftest") == (A, "")
        assert snapshots.look("selftest") == (A, "")
    assert [why for _, why in seen(record)] == ["changed", "selftest", "selftest", "end"]


def test_links_pipes_folders_and_giants_are_no_versions(place, tmp_path):
    workspace, record = place
    file = workspace / "verifier.py"
    (tmp_path / "secret").write_text("labels")
    with Snapshots(workspace, record) as snapshots:
        file.symlink_to(tmp_path / "secret")
        assert "plain file" in snapshots.look("selftest")[1]
        file.unlink()
        os.mkfifo(file)
        assert snapshots.look("selftest") == (None, "verifier.py is not a plain file")
        file.unlink()
        file.mkdir()
        assert snapshots.look("submit") == (None, "verifier.py is not a plain file")
        file.rmdir()
        file.write_bytes(b"#" * 1_000_001)
        assert snapshots.look("submit") == (None, "verifier.py is larger than 1,000,000 bytes")
    assert seen(record) == []
    assert not (record / "versions").exists()


def test_a_pipe_in_its_place_keeps_the_desk_going(sit):
    kit = sit()
    os.mkfifo(kit.workspace / "verifier.py")
    assert kit.selftest(pushes())[1]["error"] == "verifier.py is not a plain file"
    assert kit.ask("submit")[1]["error"] == "verifier.py is not a plain file: there is nothing to hand in"


def test_endless_rewriting_fills_no_disk_and_what_is_handed_in_is_kept(place, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 9)
    workspace, record = place
    with Snapshots(workspace, record) as snapshots:
        for source in (A, B, C):
            (workspace / "verifier.py").write_bytes(source)
            snapshots.look("selftest")
        snapshots.look("submit")
    kept = [(version.why, version.kept) for version in read_versions(record)]
    assert kept == [("selftest", True), ("selftest", True), ("selftest", False), ("submit", True), ("end", True)]
    assert (record / "versions" / f"{sha256(C)}.py").exists()


def test_lines_for_changes_have_an_end(place, monkeypatch):
    monkeypatch.setattr(module, "MOST_LINES", 2)
    workspace, record = place
    with Snapshots(workspace, record) as snapshots:
        for number in range(9):
            (workspace / "verifier.py").write_bytes(b"#%d" % number)
            snapshots.look()
    assert len(read_versions(record)) == 3
    assert seen(record)[-1] == (sha256(b"#8"), "end")


def test_after_the_end_nothing_is_noted(place):
    workspace, record = place
    snapshots = Snapshots(workspace, record).start()
    snapshots.close()
    (workspace / "verifier.py").write_bytes(A)
    assert snapshots.look() == (A, "")
    snapshots.close()
    assert seen(record) == []
