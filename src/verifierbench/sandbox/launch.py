"""How an interpreter starts as a guest: with the guest package and the standard library, and nothing else.

Our modules lie in a site-packages folder that may also hold upstream packages with their answers, so a guest does
not get that folder on its path: stand-ins for the packages above `guest` point at its files alone. Site packages
and the user's start-up files are off. `-I` is not used because it would also ignore PYTHONHASHSEED; instead the
environment is ours alone, a few fixed names.
"""

from __future__ import annotations

from pathlib import Path

GUEST_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONSAFEPATH": "1",
    "PYTHONUTF8": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    # Thread pools of numerical libraries: a guest forks, and then has one thread.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}

_SANDBOX = Path(__file__).resolve().parent
_BOOTSTRAP = """\
import sys, types
sys.path[:] = [path for path in sys.path if path]
folders = [("", ""), (".sandbox", ""), (".sandbox.guest", "/guest"), (".sandbox.cell_guest", "/cell_guest")]
for name, folder in folders:
    package = types.ModuleType("verifierbench" + name)
    package.__path__ = [sys.argv[1] + folder] if name else []
    sys.modules[package.__name__] = package
from importlib import import_module
import_module("verifierbench.sandbox." + sys.argv[2]).main(*sys.argv[3:])
"""


def guest_command(python: str, module: str, *arguments: str, folder: str = "guest") -> list[str]:
    """Return the command that calls `main(*arguments)` of a module in `guest`, or in `cell_guest`."""
    return [python, "-s", "-S", "-c", _BOOTSTRAP, str(_SANDBOX), f"{folder}.{module}", *arguments]
