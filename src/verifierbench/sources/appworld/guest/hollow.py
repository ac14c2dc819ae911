"""Hollow modules in the place of upstream dependencies that are imported and never used here.

Upstream imports an interactive shell, a source-code rewriter, generators of random records and what prints reports
wherever it is imported. A worker makes API calls and nothing else, so these are not installed: importing one gives a
module whose every name is an empty class. What is computed with such a class is nonsense, so a name may stand here
only while no call reaches it; the tests on a world of our own would see one that does.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Sequence
from typing import Any

NAMES = (
    *("IPython", "faker", "libcst", "polyfactory", "psutil", "pygments", "pytest", "requests", "rich", "tqdm"),
    *("traitlets", "trio"),
)


class _Kind(type):
    """The type of an empty class: any attribute is another one."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _empty(name)


def _empty(name: str) -> _Kind:
    return _Kind(name, (), {"__class_getitem__": classmethod(lambda cls, _: cls)})


class _Module(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _empty(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module below the names."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # the protocol's
        target: types.ModuleType | None = None,  # noqa: ARG002  # the protocol's
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in NAMES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Leave the module empty."""


def install() -> None:
    """Put the hollow modules before all others."""
    sys.meta_path.insert(0, _Finder())
