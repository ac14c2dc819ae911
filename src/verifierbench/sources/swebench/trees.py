"""A repository's tree with one of upstream's patches, or without it.

Patches are applied and taken back with git, as an instance's own environment would, in a folder that is gone
afterwards.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from verifierbench.core import Inconsistent
from verifierbench.families.code.content import patched, touched
from verifierbench.sandbox.commands import GIT

ONLY_THIS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CEILING_DIRECTORIES": "/"}
"""What git is told of its surroundings: nothing."""


def without(tree: Mapping[str, str], patch: str) -> dict[str, str]:
    """A tree with a patch taken back; raises `Inconsistent` where it is not in it."""
    return _applied(tree, patch, ["-R"], "the release does not contain the patch")


def having(tree: Mapping[str, str], patch: str) -> dict[str, str]:
    """A tree with a patch applied; raises `Inconsistent` where it does not apply."""
    return _applied(tree, patch, [], "the tree does not take the patch")


def _applied(tree: Mapping[str, str], patch: str, options: Sequence[str], otherwise: str) -> dict[str, str]:
    named = touched(patch)
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        for path in named:
            if path in tree:
                _write(top / path, tree[path])
        command: list[str | Path] = [GIT, "apply", *options, "-"]
        done = subprocess.run(command, cwd=top, input=patch.encode(), capture_output=True, env=ONLY_THIS, check=False)
        if done.returncode:
            raise Inconsistent(f"{otherwise}: {done.stderr.decode(errors='replace').strip()}")
        return patched(tree, {path: _read(top / path) for path in named})


def touched_tests(patch: str) -> tuple[str, ...]:
    """The Python files a patch of tests changes or adds."""
    return tuple(path for path in touched(patch) if re.search(r"(^|/)test[^/]*\.py$|(^|/)tests?/.*\.py$", path))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def _read(path: Path) -> str | None:
    if not path.is_file():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()
