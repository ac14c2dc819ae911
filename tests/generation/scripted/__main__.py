"""`python -m tests.generation.scripted [--port N] [--scripts FILE]`: the server by itself, until Ctrl-C.

FILE is JSON: {name: [command, …, last words]}. Each request is told in a line of standard output.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from pathlib import Path

from . import Script, ScriptedServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.generation.scripted", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--scripts", type=Path)
    options = parser.parse_args()
    written = json.loads(options.scripts.read_text()) if options.scripts else {}
    scripts = {name: Script(tuple(steps[:-1]), steps[-1]) for name, steps in written.items()}
    with ScriptedServer(scripts, port=options.port) as server:
        print(server.url(), flush=True)
        told = 0
        while True:
            for it in server.received[told:]:
                print(it.method, it.path, it.dialect, f"turn {it.turn}", it.answered, flush=True)
                told += 1
            time.sleep(0.2)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
