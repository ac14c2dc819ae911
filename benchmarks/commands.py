"""What the sandbox of commands adds to what a command costs by itself.

    python benchmarks/commands.py [--rounds 3] [--commands 5]

Each design runs the same command many times; rounds are interleaved, so that a busy moment of the machine meets
every design. Processor time covers the whole tree (`getrusage`, after the guest was reaped). From the sandbox's two
rows the cost of its guest's start, of an empty request and of a command are told apart.
"""

import argparse
import json
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifierbench.sandbox.commands import CommandSandbox

TESTS = {
    "pkg/__init__.py": "def double(x):\n    return 2 * x\n",
    "tests/__init__.py": "",
    "tests/test_pkg.py": "import unittest\nimport pkg\n\n\nclass DoubleTest(unittest.TestCase):\n"
    "    def test_two(self):\n        self.assertEqual(pkg.double(2), 4)\n",
}
REQUESTS = 10
COMMANDS = {
    "true": ["true"],
    "unittest": ["python", "-B", "-m", "unittest", "discover"],
    "unittest, fresh": ["/interpreter/python", "-B", "-m", "unittest", "discover"],
}


def spent() -> float:
    """Processor seconds of this process and of every child reaped."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def measure(work: Callable[[], None]) -> float:
    """Processor milliseconds of a piece of work that leaves no guest behind."""
    from verifierbench.sandbox.command_guest import close_all

    close_all()
    before = spent()
    work()
    close_all()
    return (spent() - before) * 1e3


def times(number: int, sandbox: "CommandSandbox", commands: list[list[str]]) -> None:
    """The same request so many times."""
    for _ in range(number):
        sandbox.run({}, "", commands, [])


def bare(tree: Path, words: list[str], count: int) -> None:
    """The command alone, in the same tree."""
    from verifierbench.sandbox.commands import base_interpreter

    python = base_interpreter(sys.executable)[1]
    command = [python if "python" in words[0] else words[0], *words[1:]]
    clean = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1"}
    for _ in range(count):
        subprocess.run(command, cwd=tree, env=clean, capture_output=True, check=True)


def main() -> None:
    from verifierbench.sandbox.commands import CommandSandbox, materialise

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--commands", type=int, default=5)
    options = parser.parse_args()
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory) / "tree"
        materialise(TESTS, tree)
        sandbox = CommandSandbox(tree)
        for _ in range(options.rounds):
            one, many = (measure(lambda n=n: times(n, sandbox, [])) for n in (1, 1 + REQUESTS))
            empty = (many - one) / REQUESTS
            found.setdefault("guest start", []).append(one - empty)
            found.setdefault("empty request", []).append(empty)
            for name, words in COMMANDS.items():
                full = measure(lambda words=words: times(1 + REQUESTS, sandbox, [words] * options.commands))
                each = (full - many) / (1 + REQUESTS) / options.commands
                found.setdefault(f"{name}: in the sandbox", []).append(each)
                alone = measure(lambda words=words: bare(tree, words, options.commands))
                found.setdefault(f"{name}: alone", []).append(alone / options.commands)
    medians = {name: round(statistics.median(values), 2) for name, values in found.items()}
    for name, value in medians.items():
        print(f"{name:34}{value:10.2f} ms CPU")
    print(json.dumps({"cpu_ms": medians, "rounds": options.rounds, "python": platform.python_version()}))


if __name__ == "__main__":
    main()
