"""Where a guest interpreter begins: the order in which it loads, freezes, closes and locks down.

Started as `python -s -S -P -B -c BOOTSTRAP root control tier uid extra`. `-I` is not used because it would also
ignore PYTHONHASHSEED; the environment is the box's own, a few fixed names, so nothing can come in through it.
"""

from __future__ import annotations

import sys

from . import modules

BOOTSTRAP = "import sys; sys.path.append(sys.argv[1]); from verifierbench.sandbox.guest import start; start.main()"


def main() -> None:
    """Become a zygote; reports the reason on the control socket where that fails, and exits."""
    _, _, control, tier, uid, extra = sys.argv
    importable = modules.load(name for name in extra.split(",") if name)
    from . import zygote  # after the published modules, which must be loaded first

    zygote.main(int(control), tier, int(uid), importable)
