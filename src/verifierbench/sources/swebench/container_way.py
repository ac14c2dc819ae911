"""From the instance's container image, where Docker or Podman has it: its repository, interpreter and packages.

An image is never pulled: who wants this way pulls it. A container is made of it, files are copied out, the container is
removed; it is never started, commands run in our own sandbox. What is copied stays in the source's folder, one folder
for each image. The repository is what the image's work tree holds, with what upstream changed there to build it. This
way was written against the commands' documentation and is tested with a stand-in for them, not with a real daemon.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from verifierbench.core import Unavailable
from verifierbench.families.code.environment import Packages
from verifierbench.sources.sdists import texts

from .checkout import Checkout, Wanted, needed
from .interpreters import version_of
from .rows import Row
from .trees import having

ENGINES = ("docker", "podman")
REPOSITORY, ENVIRONMENT = "/testbed", "/opt/miniconda3/envs/testbed"
"""Where an image has the repository, and the interpreter with its packages."""
_REGISTRIES = ("docker.io/", "localhost/")
_ASKED, _COPIED = 20, 1800
"""Seconds for a question, and for a copy."""


class Container:
    """Meets `Way`."""

    name = "container"
    mark = "from the container image"

    def has(self, rows: Sequence[Row], home: Path) -> set[str]:  # noqa: ARG002  # the protocol's
        """Those whose image is on this machine."""
        return {row.instance_id for row in rows if image_of(row.instance_id) in images()}

    def checkout(self, wanted: Wanted) -> Checkout | None:
        """The instance's, copied out of its image once."""
        name = image_of(wanted.row.instance_id)
        if name not in images():
            return None
        engine, identity = images()[name]
        folder = wanted.home / "images" / f"{wanted.row.instance_id}-{identity[:12]}"
        if not folder.is_dir():
            _copy_out(engine, name, folder)
        python = str(folder / "environment" / "bin" / "python")
        version = version_of(python)
        if version is None:
            raise Unavailable(f"the interpreter of {name} does not run here; take another way: remove the image")
        before = _tree(folder / "repository")
        return Checkout(
            version=f"{wanted.row.repo} at {wanted.row.base_commit}, {self.mark} {name} ({identity[:12]})",
            before=needed(before, wanted),
            after=needed(having(having(before, wanted.row.patch), wanted.row.test_patch), wanted),
            python=python,
            python_version=version,
            packages=Packages(folder=folder / "packages", version=identity),
        )


def image_of(instance: str) -> str:
    """The name upstream gives an instance's image."""
    return f"swebench/sweb.eval.x86_64.{instance.replace('__', '_1776_').lower()}:latest"


@cache
def images() -> Mapping[str, tuple[str, str]]:
    """Image → the engine that has it, and its identity; asked once, and empty where no engine answers."""
    found: dict[str, tuple[str, str]] = {}
    for engine in filter(None, map(shutil.which, ENGINES)):
        try:
            lines = _run(engine, "images", "--no-trunc", "--format", "{{.Repository}}:{{.Tag}} {{.ID}}").splitlines()
        except Unavailable:
            continue
        for name, _, identity in (line.partition(" ") for line in lines):
            found.setdefault(_plain(name), (engine, identity.removeprefix("sha256:")))
    return found


def _plain(name: str) -> str:
    """An image's name without its registry, which Podman says and Docker leaves out."""
    return next((name.removeprefix(registry) for registry in _REGISTRIES if name.startswith(registry)), name)


def _copy_out(engine: str, image: str, into: Path) -> None:
    """Make the folder, whole or not at all."""
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{into.name}.", dir=into.parent, ignore_cleanup_errors=True) as scratch:
        new = Path(scratch) / "new"
        new.mkdir()
        container = _run(engine, "create", "--pull", "never", image, "true").split()[-1]
        try:
            _run(engine, "cp", f"{container}:{REPOSITORY}", str(new / "repository"), seconds=_COPIED)
            _run(engine, "cp", f"{container}:{ENVIRONMENT}", str(new / "environment"), seconds=_COPIED)
        finally:
            _run(engine, "rm", container)
        shutil.rmtree(new / "repository" / ".git", ignore_errors=True)
        _set_packages_apart(new)
        _put_in_place(new, into)


def _set_packages_apart(new: Path) -> None:
    """Packages beside the interpreter, whose own the sandbox hides, and without the repository's."""
    found = [path for path in (new / "environment").glob("lib/python3*/site-packages") if path.is_dir()]
    if not found:
        raise Unavailable(f"the image has no packages in {ENVIRONMENT}; pull it anew")
    found[0].rename(new / "packages")
    for place in ("", "src", "lib"):
        for module in (new / "repository" / place).glob("*/__init__.py"):
            shutil.rmtree(new / "packages" / module.parent.name, ignore_errors=True)


def _put_in_place(new: Path, into: Path) -> None:
    """Rename; whoever did the same meanwhile has done our work."""
    try:
        new.rename(into)
    except OSError as error:
        if not into.is_dir():
            raise Unavailable(f"{into} cannot be written ({error.strerror}); make that place writable") from error


def _tree(top: Path) -> dict[str, str]:
    found = {}
    for folder, _, names in os.walk(top):
        for path in (Path(folder, name) for name in names):
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(top))] = path.read_bytes()
    return texts(found)


def _run(engine: str, *words: str, seconds: float = _ASKED) -> str:
    try:
        done = subprocess.run([engine, *words], capture_output=True, text=True, check=True, timeout=seconds)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"{engine} {words[0]} did not work ({error}); see whether its daemon runs") from error
    return done.stdout
