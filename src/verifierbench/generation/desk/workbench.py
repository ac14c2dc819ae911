"""A bench that lives in one thread of its own, whoever asks.

The sandbox dies with the thread that started it, and a database connection belongs to the thread that opened it; an
HTTP server has a thread for each request. So the bench is opened, used and closed in one place, one request at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from verifierbench.scoring.bench import Bench

__all__ = ["Workbench"]

T = TypeVar("T")


class Workbench:
    """Opens a bench when it is first needed; may serve one attempt after another, and owns the bench."""

    def __init__(self, open_it: Callable[[], Bench]) -> None:
        self._open_it = open_it
        self._bench: Bench | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="verifierbench-bench")

    def do(self, action: Callable[[Bench], T]) -> T:
        """Do something with the bench, and wait for it; raises what the action raises."""
        return self._thread.submit(lambda: action(self._opened())).result()

    def close(self) -> None:
        """Wait for what is being done, then close the bench; may be called twice."""
        try:
            self._thread.submit(self._close)
        except RuntimeError:  # it is closed already
            return
        self._thread.shutdown()

    def _opened(self) -> Bench:
        if self._bench is None:
            self._bench = self._open_it()
        return self._bench

    def _close(self) -> None:
        if self._bench is not None:
            self._bench.close()
            self._bench = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
