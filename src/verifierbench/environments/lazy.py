"""An environment that is opened when something must be executed, and not before.

With warm evidence a run asks only for the version, so it starts no process and needs no upstream package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifierbench.core import Environment, InfrastructureError


class LazyEnvironment:
    """Meets `core.Environment`; its version is known beforehand and checked on opening."""

    def __init__(self, version: str, open_it: Callable[[], Environment]) -> None:
        self.version = version
        self._open_it = open_it
        self._opened: Environment | None = None

    def execute(self, request: Any) -> Any:
        """Open if need be, and answer."""
        if self._opened is None:
            self._opened = self._open()
        return self._opened.execute(request)

    def close(self) -> None:
        """Close what was opened; it may be opened again."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _open(self) -> Environment:
        opened = self._open_it()
        if opened.version != self.version:
            opened.close()
            raise InfrastructureError(f"the environment is {opened.version} now; this run began with {self.version}")
        return opened
