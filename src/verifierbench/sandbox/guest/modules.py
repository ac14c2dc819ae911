"""Load the published modules, then close the door: afterwards an import finds what is loaded or fails at once.

The published modules are loaded into an interpreter that has imported nothing else, so that what they bring along
can be told from what the guest itself needs; the latter is hidden from verifiers' imports. That hides nothing from
a determined one, who can find any loaded object in memory: what protects is the kernel, not this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import NoReturn

from ..published import LAZY_PARTS, PRELOADED, VERIFIER_FILE

_OURS = "verifierbench"


class NotPreloaded:
    """The only finder left: it refuses the module by name and touches no file."""

    @staticmethod
    def find_spec(name: str, *_: object) -> NoReturn:
        """Raise ModuleNotFoundError."""
        raise ModuleNotFoundError(f"{name!r} is not among the modules a verifier may import", name=name)


def load(extra: Iterable[str] = ()) -> frozenset[str]:
    """Import everything a verifier may use; return the names it will find."""
    # Without OpenSSL, hashlib uses the interpreter's own digests: fewer pages to copy per case, less to trust.
    sys.modules["_hashlib"] = None  # type: ignore[assignment]
    os.register_at_fork = _forget
    for name in (*PRELOADED, *LAZY_PARTS, *extra):
        __import__(name)
    return frozenset(name for name in sys.modules if name.partition(".")[0] != _OURS)


def _forget(**_: object) -> None:
    """Stand in for `os.register_at_fork`.

    `random` would reseed itself from the kernel in every child, and others would rebuild tables that a
    single-threaded child never uses.
    """


def close(importable: frozenset[str]) -> None:
    """Leave exactly these modules importable, and no way to find another."""
    for name in set(sys.modules) - importable:
        del sys.modules[name]
    sys.meta_path[:] = [NotPreloaded]
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.path.clear()
    sys.argv[:] = [VERIFIER_FILE]
