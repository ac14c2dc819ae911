"""A task's repository before and after the repair, from a release that contains it: upstream's patches taken back.

`before` is what a solver finds: the release without the repair and without the tests that came with it. `after` is the
release. Both are made with git, as an instance's own environment would be, in a folder that is gone afterwards.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from verifierbench.core import Inconsistent
from verifierbench.families.code.content import patched, touched
from verifierbench.sandbox.commands import GIT

_ONLY_THIS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CEILING_DIRECTORIES": "/"}


def without(tree: Mapping[str, str], patch: str) -> dict[str, str]:
    """A tree with a patch taken back; raises `Inconsistent` where it is not in it."""
    named = touched(patch)
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        for path in named:
            if path in tree:
                _write(top / path, tree[path])
        done = subprocess.run(
            [GIT, "apply", "-R", "-"], cwd=top, input=patch.encode(), capture_output=True, env=_ONLY_THIS, check=False
        )
        if done.returncode:
            raise Inconsistent(
                f"the release does not contain the patch: {done.stderr.decode(errors='replace').strip()}"
            )
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
