"""What an agent may leave in a folder, and that we can hand over, read and delete it all the same."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from verifierbench.core.errors import Unavailable
from verifierbench.sandbox.cell import Cell, CellPlan, Mount
from verifierbench.sandbox.folders import hand_over, sweep, unlock
from verifierbench.sandbox.trees import command_user

WICKED = r"""
import os, socket
os.makedirs("locked/inner"); open("locked/inner/file", "w").write("found")
open("readonly", "w").close(); os.mkdir("sealed"); open("sealed/x", "w").close()
os.mkfifo("pipe"); os.symlink("/etc/shadow", "shadow"); os.symlink("..", "up"); os.symlink("OUTSIDE", "out")
os.mkdir("links"); os.symlink("OUTSIDE/keep", "links/keep"); os.symlink("nowhere", "dangling")
socket.socket(socket.AF_UNIX).bind("socket")
open(b"\xff\n", "w").close(); open("-rf", "w").close(); os.link("readonly", "again")
here = os.open(".", os.O_RDONLY)
for _ in range(DEPTH):
    os.mkdir("d" * 50); os.chdir("d" * 50)
open("deepest", "w").close()
os.fchdir(here)
for name in ("locked/inner/file", "locked/inner", "locked", "readonly", "sealed", "pipe"):
    os.chmod(name, 0)
os.chmod(".", 0)
"""


@pytest.fixture(params=[100])
def left(request, tmp_path):
    """A workspace as a wicked agent leaves it; beside it lies what must stay."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/keep").write_text("kept")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    plan = CellPlan(mounts=(Mount(outside=workspace, inside="/workspace", writable=True),), cwd="/workspace")
    script = WICKED.replace("OUTSIDE", str(tmp_path / "outside")).replace("DEPTH", str(request.param))
    try:
        with Cell(plan) as cell:
            ending = cell.run(["python3", "-c", script], {}, tmp_path / "out", tmp_path / "err", 60.0)
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    assert ending.status == 0, (tmp_path / "err").read_text()
    yield workspace
    sweep(workspace)


def untouched(tmp_path):
    outside = tmp_path / "outside"
    return (outside / "keep").read_text() == "kept" and [path.name for path in outside.iterdir()] == ["keep"]


@pytest.mark.parametrize("left", [1100], indirect=True)
def test_everything_is_swept_and_no_link_followed(left, tmp_path):
    sweep(left)
    assert not left.exists()
    assert untouched(tmp_path)
    sweep(left)


def test_everything_can_be_read_once_unlocked(left, tmp_path):
    before = stat.S_IMODE((tmp_path / "outside/keep").stat().st_mode), Path("/etc/passwd").stat().st_mode
    unlock(left)
    assert (left / "locked/inner/file").read_text() == "found"
    assert stat.S_IMODE((left / "readonly").stat().st_mode) == 0o600
    assert stat.S_IMODE((left / "pipe").lstat().st_mode) == 0
    assert (stat.S_IMODE((tmp_path / "outside/keep").stat().st_mode), Path("/etc/passwd").stat().st_mode) == before
    assert untouched(tmp_path)


def test_it_can_be_handed_over_again_and_no_link_followed(left, tmp_path):
    owner = (tmp_path / "outside/keep").stat().st_uid
    hand_over(left)
    assert (left / "locked").stat().st_uid == command_user()
    assert (tmp_path / "outside/keep").stat().st_uid == owner


def test_a_link_in_place_of_a_folder_is_no_folder(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for act in (sweep, unlock):
        with pytest.raises(OSError, match="Not a directory"):
            act(tmp_path / "link")
    assert (tmp_path / "real").is_dir()


def test_a_cell_does_not_hand_over_what_a_link_leads_to(tmp_path):
    """A folder of ours behind a link is mounted where it really is, and belongs to the cell's user then."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_text("x")
    (tmp_path / "real/host").symlink_to("/etc/passwd")
    before = Path("/etc/passwd").stat().st_uid
    with Cell(CellPlan(mounts=(Mount(outside=tmp_path / "real", inside="/w", writable=True),))):
        assert (tmp_path / "real/file").stat().st_uid == command_user()
    assert Path("/etc/passwd").stat().st_uid == before


def test_sockets_and_files_at_the_top_are_deleted(tmp_path):
    top = tmp_path / "top"
    top.mkdir()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(top / "s"))
    (top / "file").write_text("x")
    sweep(top)
    assert list(tmp_path.iterdir()) == []
