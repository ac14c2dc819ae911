"""Make a verifier's answer depend on its case alone: frozen clocks, one random seed, one hash seed, one time zone.

Called once in the zygote, after the published modules are loaded. Every child inherits it. It binds honest
verifiers; a hostile one can still find the real time (a time stamp counter needs no permission), and is caught
by being run twice.
"""

from __future__ import annotations

import ctypes
import gc
import random
import sys
import time
from typing import Any

from ..published import FROZEN_TIME, RANDOM_SEED

_NANOSECONDS = 1_000_000_000
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_MADE_FROM_NOW = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}
"""Functions of `time` that mean "now" when this argument is left out, and its position."""


def make_deterministic() -> None:
    """Freeze what can differ between two runs; raises RuntimeError where that did not take."""
    if sys.flags.hash_randomization:
        raise RuntimeError("string hashes are randomised: the interpreter ignored PYTHONHASHSEED=0")
    time.tzset()
    _freeze_clocks()
    _freeze_datetime()
    random.seed(RANDOM_SEED)


def _freeze_clocks() -> None:
    for name in _CLOCKS:
        _replace_clock(name, FROZEN_TIME)
    for name in ("clock_gettime", "clock_gettime_ns"):
        value = FROZEN_TIME * _NANOSECONDS if name.endswith("_ns") else float(FROZEN_TIME)
        setattr(time, name, _constant(name, value))
    for name, position in _MADE_FROM_NOW.items():
        setattr(time, name, _made_from_now(getattr(time, name), position))


def _replace_clock(name: str, seconds: int) -> None:
    setattr(time, name, _constant(name, float(seconds)))
    setattr(time, f"{name}_ns", _constant(f"{name}_ns", seconds * _NANOSECONDS))


def _constant(name: str, value: float) -> Any:
    def clock(*_: object) -> float:
        """Return the frozen instant."""
        return value

    clock.__name__ = clock.__qualname__ = name
    return clock


def _made_from_now(original: Any, position: int) -> Any:
    instant: Any = float(FROZEN_TIME)
    if original.__name__ in ("asctime", "strftime"):
        instant = time.gmtime(FROZEN_TIME)

    def frozen(*arguments: Any) -> Any:
        given = arguments if arguments[position:] not in ((), (None,)) else (*arguments[:position], instant)
        return original(*given)

    frozen.__name__ = frozen.__qualname__ = original.__name__
    return frozen


def _freeze_datetime() -> None:
    """Make `datetime.now` and `utcnow` read `time.time`, as `today` already does.

    They are methods of a C type, which refuses assignment, so the type's own dictionary is edited. A subclass
    would change `repr`, `type(...) is` and pickles that authors compare.
    """
    import datetime  # only after the clocks are frozen

    def now(cls: Any, tz: datetime.tzinfo | None = None) -> Any:
        """Return the frozen instant, in `tz` or as naive local time."""
        return cls.fromtimestamp(FROZEN_TIME, tz)

    def utcnow(cls: Any) -> Any:
        """Return the frozen instant as naive UTC."""
        return cls(1970, 1, 1) + datetime.timedelta(seconds=FROZEN_TIME)

    (members,) = gc.get_referents(datetime.datetime.__dict__)
    members["now"], members["utcnow"] = classmethod(now), classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
    shown = {
        datetime.datetime.now(datetime.UTC).timestamp(),
        datetime.datetime.now().timestamp(),
        datetime.datetime.today().timestamp(),
        time.time(),
    }
    if shown != {float(FROZEN_TIME)}:
        raise RuntimeError(f"the clocks are not frozen: they show {shown}")
