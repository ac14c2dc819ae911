from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from verifierbench.core import MalformedInput
from verifierbench.generation.submission import LARGEST, collect, finished, load, place


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


def reason(run: Path) -> str:
    submission, source = load(run, "t1")
    assert (submission.outcome, submission.verifier_hash, source) == ("missing", None, None)
    assert not (place(run, "t1") / "verifier.py").exists()
    return str(submission.trace[-1]["reason"])


@pytest.mark.parametrize("source", [b"def verify(s, e): return 'PASS'\n", b"not python (", b"", b"\xff\xfe\0"])
def test_whatever_stands_in_the_file_is_submitted_as_bytes(source: bytes, workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").write_bytes(source)
    submission = collect(workspace, "t1", run, [{"event": "wrote"}], 2.5)
    assert submission.outcome == "submitted"
    assert submission.verifier_hash == hashlib.sha256(source).hexdigest()
    assert load(run, "t1") == (submission, source)
    assert submission.trace == ({"event": "wrote"},)
    assert submission.seconds == 2.5
    assert finished(run, "t1")


def test_no_file_is_missing_with_its_reason(workspace: Path, run: Path) -> None:
    collect(workspace, "t1", run)
    assert reason(run) == "the workspace has no verifier.py"


def test_the_largest_file_is_taken_and_one_byte_more_is_not(workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").write_bytes(b"#" * LARGEST)
    assert collect(workspace, "t1", run).outcome == "submitted"
    (workspace / "verifier.py").write_bytes(b"#" * (LARGEST + 1))
    collect(workspace, "t1", run)
    assert reason(run) == "verifier.py is larger than 1,000,000 bytes"


def test_a_link_is_not_followed(workspace: Path, run: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("labels")
    (workspace / "verifier.py").symlink_to(tmp_path / "secret")
    collect(workspace, "t1", run)
    assert "plain file" in reason(run)


def test_a_pipe_is_not_waited_for(workspace: Path, run: Path) -> None:
    os.mkfifo(workspace / "verifier.py")
    collect(workspace, "t1", run)
    assert reason(run) == "verifier.py is not a plain file"


def test_a_folder_is_not_a_verifier(workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").mkdir()
    collect(workspace, "t1", run)
    assert reason(run) == "verifier.py is not a plain file"


def test_a_verifier_without_its_record_is_not_finished(workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").write_bytes(b"x")
    collect(workspace, "t1", run)
    (place(run, "t1") / "submission.json").unlink()
    assert not finished(run, "t1")


def test_a_changed_verifier_is_refused(workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").write_bytes(b"x")
    collect(workspace, "t1", run)
    (place(run, "t1") / "verifier.py").write_bytes(b"y")
    with pytest.raises(MalformedInput, match="hash differs"):
        load(run, "t1")


def test_a_submission_in_another_tasks_folder_is_refused(workspace: Path, run: Path) -> None:
    (workspace / "verifier.py").write_bytes(b"x")
    collect(workspace, "t1", run)
    place(run, "t1").rename(place(run, "t2"))
    with pytest.raises(MalformedInput, match="in the folder of 't2'"):
        load(run, "t2")
