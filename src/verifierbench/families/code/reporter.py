"""Runs inside the patched copy: pytest on test files of ours, and one line for each test's outcome.

Usage: `python reporter.py FOLDER`. FOLDER holds test files with the names of those wanted in `wanted.json`, and a
configuration of its own; nothing of the repository's own tests, `conftest.py` or settings is read, so that a patch can
change what the code under test does, and not how its tests are run. One line is printed per test,
`=> ["id", "outcome"]`, where the outcome is what happened, never what it is usually taken for: `passed`, `failed`,
`error` (outside the test's own code), `skipped`, `xfailed`, `xpassed`; several, where a test ran more than once.

What should come out is never in this process. Whatever the code under test does to pytest it does to all tests alike,
and among them are canaries, which must fail.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

TYPE_CHECKING = False  # `typing` is dear to import, and its names are for readers alone
if TYPE_CHECKING:
    from typing import Any

MARK = "=> "
SETTINGS = "pytest.ini"


class Reporter:
    """A plug-in that keeps the wanted tests alone, and notes what became of them."""

    def __init__(self, wanted: set[str]) -> None:
        self.wanted = wanted
        self.phases: dict[str, list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Run what is wanted, in the order it was found."""
        items[:] = [item for item in items if item.nodeid in self.wanted]

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note each phase of a test: its setup, itself, its teardown."""
        self.phases.setdefault(report.nodeid, []).append(phase(report))


def phase(report: Any) -> str:
    """What happened in one phase of a test."""
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.outcome == "passed" else "xfailed"
    if report.outcome == "failed" and report.when != "call":
        return "error"
    return str(report.outcome)


def outcome(phases: list[str]) -> str:
    """What became of a test: what was not `passed`, else `passed`; a test that ran twice shows its phases."""
    if len(phases) > 3:
        return " ".join(phases)
    return next((each for each in phases if each != "passed"), "passed" if len(phases) == 3 else "unfinished")


def main() -> None:
    """Keep standard output for our lines alone, then run the tests."""
    import pytest  # before the repository can be imported

    lines = os.dup(1)
    os.dup2(2, 1)
    folder = Path(sys.argv[1]).absolute()
    reporter = Reporter(set(json.loads((folder / "wanted.json").read_text(encoding="utf-8"))))
    sys.path.insert(0, str(Path.cwd()))
    place = ["-c", str(folder / SETTINGS), "--rootdir", str(folder), "--confcutdir", str(folder)]
    files = sorted({name.partition("::")[0] for name in reporter.wanted})
    pytest.main(
        [*place, "-q", "-p", "no:cacheprovider", *(str(folder / name) for name in files)],
        plugins=[reporter],
    )
    for name, phases in reporter.phases.items():
        os.write(lines, (MARK + json.dumps([name, outcome(phases)]) + "\n").encode())


if __name__ == "__main__":
    main()
