"""Where sources live, and how their packages come: pinned, whole or not at all."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from verifierbench.core import Unavailable
from verifierbench.sources.environment import MARKER, install, is_installed, pins
from verifierbench.sources.home import home, source_home

WHEEL = "toy_upstream-1.0-py3-none-any.whl"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel as an index would serve it."""
    path = tmp_path / "wheels" / WHEEL
    path.parent.mkdir()
    info = "toy_upstream-1.0.dist-info"
    members = {
        "toy_upstream/__init__.py": "ANSWER = 42\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: toy-upstream\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*members, f"{info}/RECORD"]))
    return path


@pytest.fixture
def requirements(wheel: Path, tmp_path: Path) -> Path:
    path = tmp_path / "requirements.txt"
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    path.write_text(f"# a comment\ntoy-upstream==1.0 \\\n    --hash=sha256:{digest}\n")
    return path


def test_home_is_the_chosen_folder_or_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "chosen"))
    assert source_home("bfcl") == tmp_path / "chosen" / "sources" / "bfcl"
    monkeypatch.delenv("VERIFIERBENCH_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert home() == tmp_path / "data" / "verifierbench"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home() == tmp_path / ".local" / "share" / "verifierbench"


def test_pins_are_read_from_a_requirement_list(requirements: Path) -> None:
    assert pins(requirements) == {"toy-upstream": "1.0"}


@pytest.mark.parametrize("give", ["file", "directory"])
def test_installs_from_a_wheel_on_disk(wheel: Path, requirements: Path, tmp_path: Path, give: str) -> None:
    target = tmp_path / "home" / "packages"
    assert not is_installed(target, requirements)
    install(target, requirements, wheel if give == "file" else wheel.parent)
    assert is_installed(target, requirements)
    assert (target / "toy_upstream" / "__init__.py").read_text() == "ANSWER = 42\n"
    assert json.loads((target / MARKER).read_bytes())["packages"] == {"toy-upstream": "1.0"}
    assert list(target.parent.iterdir()) == [target]
    shutil.rmtree(wheel.parent)
    install(target, requirements, None)  # already there: neither the wheel nor an index is asked for


def test_another_requirement_list_replaces_what_was_installed(wheel: Path, requirements: Path, tmp_path: Path) -> None:
    target = tmp_path / "home" / "packages"
    install(target, requirements, wheel)
    (target / "left_over.py").write_text("")
    requirements.write_text(requirements.read_text() + "# a newer list\n")
    assert not is_installed(target, requirements)
    install(target, requirements, wheel)
    assert is_installed(target, requirements)
    assert not (target / "left_over.py").exists()


def test_a_wheel_with_other_bytes_is_refused_and_leaves_nothing(
    wheel: Path, requirements: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("toy_upstream/extra.py", "raise SystemExit\n")
    target = tmp_path / "home" / "packages"
    with pytest.raises(Unavailable, match=r"toy-upstream==1\.0 could not be installed from .*wheels") as caught:
        install(target, requirements, wheel)
    assert "\n" not in str(caught.value)
    assert list(target.parent.iterdir()) == []


def test_without_pip_and_uv_the_sentence_says_how_to_get_one(
    wheel: Path, requirements: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in {"pip", "uv"} else found(name))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unavailable, match=r"needs pip or uv, .* -m ensurepip"):
        install(tmp_path / "home" / "packages", requirements, wheel)


def test_a_path_that_is_neither_is_one_sentence(requirements: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="neither a wheel file nor a directory"):
        install(tmp_path / "home" / "packages", requirements, tmp_path / "nowhere.whl")


def test_a_home_that_cannot_be_written_is_one_sentence(wheel: Path, requirements: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="set VERIFIERBENCH_HOME"):
        install(tmp_path / "file" / "packages", requirements, wheel)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_installation_is_not_taken_for_one(
    wheel: Path, requirements: Path, tmp_path: Path, how: signal.Signals
) -> None:
    target = tmp_path / "home" / "packages"
    code = (
        "import sys; from pathlib import Path; from verifierbench.sources.environment import install;"
        "install(*map(Path, sys.argv[1:]))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(target), str(requirements), str(wheel)], stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("home/.packages.*/new")) and time.monotonic() < deadline:
        time.sleep(0.005)
    child.send_signal(how)
    assert child.wait(30) != 0
    assert not is_installed(target, requirements)
    assert not target.exists()
    if how == signal.SIGINT:
        assert list(target.parent.iterdir()) == []
    install(target, requirements, wheel)
    assert is_installed(target, requirements)
