"""Attempts as these tests make them: three handmade tasks, a scripted model, the rooms as a run has them.

The suite is written without asking the reference, which is no business of an attempt and takes most of a build.
"""

from __future__ import annotations

import functools
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from verifierbench.cli import main
from verifierbench.core import DEVELOPMENT, Candidate, Case, Protocol, Submission, Task
from verifierbench.families.tool_call import build
from verifierbench.generation import generate, harness, submission
from verifierbench.generation.attempt import HarnessWriter, Model, mounts
from verifierbench.generation.gateway import Exchange, Price
from verifierbench.generation.gateway.server import Gateway
from verifierbench.generation.gateway.tape import read as read_tape
from verifierbench.generation.gateway.upstream import Provider, Upstream
from verifierbench.generation.harnesses import Dialect, Harness
from verifierbench.scoring import open_bench
from verifierbench.sources.handmade import code
from verifierbench.sources.handmade.state.tasks import RENEW_REFUSED
from verifierbench.sources.handmade.tool_call import telescope
from verifierbench.suite import Suite, suite_hash
from verifierbench.suite.write import Contents, write_suite

from .scripted import Script, ScriptedServer

MODEL = "scripted-1"
ROOT: dict[Dialect, str] = {"chat": "/v1", "responses": "/v1", "messages": "/v1", "gemini": "/v1beta"}
"""What a provider's base URL ends with."""

VERIFIER = 'def verify(solution, env):\n    return "PASS" if solution else "FAIL"\n'
WRITE = f"cat > verifier.py <<'END'\n{VERIFIER}END"
SAMPLE = """python3 - <<'END'
import json
empty = {
    "tool_call": {"turns": [{"calls": [], "message": "hi", "answer": None}]},
    "state": {"events": [], "answer": None},
    "code": {"patch": ""},
}
json.dump(empty[json.load(open("task.json"))["family"]], open("s.json", "w"))
END"""
GOOD = Script((WRITE, f"{SAMPLE}\nselftest s.json", "submit"), "Handed in.")
"""Three commands, the last of which ends the built-in loop: three answers of the model."""
CRASH = Script((WRITE, "kill -9 -1"))
"""Kills every process of the cell that it may: the harness, and the shell that says it."""


@functools.cache
def three() -> tuple[Candidate, ...]:
    """One task of each family: `telescope` (tool calls), `renew_refused` (state), `shelf` (code)."""
    brief, spec = telescope.task()
    about: dict[str, Any] = {"source": "handmade", "source_version": "1", "season": DEVELOPMENT}
    shelf = next(one for one in code.candidates(DEVELOPMENT) if one.task.id == "handmade/shelf")
    calls = build(id="handmade/telescope", brief=brief, spec=spec, **about)
    return calls, RENEW_REFUSED.candidate(DEVELOPMENT), shelf


def write_three(
    path: Path, *, cases: int | None = None, names: Sequence[str] = ("telescope", "renew_refused", "shelf")
) -> Suite:
    """A suite of these tasks, with so many cases of each label at most."""
    picked = [one for one in three() if one.task.id.removeprefix("handmade/") in names]
    return write(path, [_fewer(one, cases) if cases else one for one in picked])


def write(path: Path, candidates: Sequence[Candidate]) -> Suite:
    """A suite on disk."""
    (path / "hidden").mkdir(parents=True)
    contents = Contents(
        season=DEVELOPMENT,
        plugin=None,
        sources={"handmade": "1"},
        only=(),
        candidates=candidates,
        records=(),
        source_records=(),
        excluded=(),
        made_of=suite_hash(candidates),
    )
    write_suite(path, contents)
    return Suite.load(path)


def _fewer(candidate: Candidate, cases: int) -> Candidate:
    labels: dict[str, list[Case]] = {}
    for case in candidate.cases:
        labels.setdefault(case.label, []).append(case)
    return msgspec.structs.replace(candidate, cases=tuple(case for some in labels.values() for case in some[:cases]))


class Part(NamedTuple):
    """Some tasks of a suite; meets `runs.Tasks`."""

    path: Path
    hash: str
    tasks: tuple[Task, ...]


def part(suite: Suite, *names: str) -> Part:
    """The tasks with these names."""
    return Part(suite.path, suite.hash, tuple(suite.task(f"handmade/{name}") for name in names))


def provider(
    server: ScriptedServer, dialect: Dialect = "chat", *, url: Mapping[str, Any] | None = None, **how: Any
) -> Provider:
    """The scripted server as a provider that is given up quickly; `url` is what `ScriptedServer.url` takes."""
    quick: dict[str, Any] = {"attempts": 2, "first_wait": 0.05, "longest_wait": 0.2}
    return Provider(server.url(**(url or {})) + ROOT[dialect], None, (dialect,), **{**quick, **how})


@contextmanager
def writing(
    upstream: Callable[[Task], Upstream],
    evidence: Path,
    *,
    who: Harness | str = "loop",
    dialect: Dialect = "chat",
    examples: Callable[[Task], Sequence[Case]] = lambda _: (),
    price: Price | None = None,
    **protocol: Any,
) -> Iterator[HarnessWriter]:
    """A writer with a gateway of its own."""
    chosen = harness(who) if isinstance(who, str) else who
    with Gateway() as gateway:
        yield HarnessWriter(
            chosen,
            Model("custom", MODEL, dialect, upstream, price),
            Protocol(**{"seconds": 60.0, **protocol}),
            gateway,
            mounts=mounts(chosen),
            bench=lambda: open_bench(evidence),
            examples=examples,
        )


def attempt(suite: Suite, name: str, run: Path, upstream: Callable[[Task], Upstream], **more: Any) -> Submission:
    """One task's submission."""
    with writing(upstream, run / "evidence", **more) as writer:
        generate(part(suite, name), writer, run)
    return submission.load(run, suite.task(f"handmade/{name}").alias)[0]


def record_of(run: Path, suite: Suite, name: str) -> Path:
    """Where a submission's record is."""
    return submission.place(run, suite.task(f"handmade/{name}").alias) / "record"


def tape(run: Path, suite: Suite, name: str) -> list[Exchange]:
    """Its exchanges, in the order in which they came."""
    return sorted(read_tape(record_of(run, suite, name) / "exchanges.jsonl"), key=lambda exchange: exchange.n)


def left_in(run: Path) -> list[Path]:
    """What attempts left in the folder they work in."""
    return sorted((run / "work").rglob("*"))


# The command line


def options(server: ScriptedServer, *, who: str = "loop", dialect: Dialect = "chat", **url: Any) -> list[str]:
    """Who writes, for `generate` and `run`."""
    address = server.url(**url) + ROOT[dialect]
    return ["--harness", who, "--model", f"custom/{MODEL}", "--base-url", address, "--speaks", dialect]


def command(*arguments: Any) -> list[str]:
    """`verifierbench …`."""
    return [sys.executable, "-m", "verifierbench", *map(str, arguments)]


def cli(*arguments: Any, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end, which has to be this exit status."""
    done = subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **variables},
    )
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def here(*arguments: Any, code: int = 0) -> subprocess.CompletedProcess[str]:
    """The same in this process, which spares its start."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["verifierbench", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
    done = subprocess.CompletedProcess(sys.argv, int(left.value.code or 0), out.getvalue(), err.getvalue())
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@contextmanager
def started(*arguments: Any, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run it beside the test; what is left of it at the end is killed."""
    process = subprocess.Popen(
        command(*arguments),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(holds: Callable[[], Any], seconds: float = 60.0) -> None:
    """Wait until something holds; fails where it does not."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


# Processes


class Running(NamedTuple):
    """A process, told from a later one of the same number."""

    pid: int
    began: str

    @property
    def alive(self) -> bool:
        """Whether it runs, or waits to be reaped by somebody who does."""
        found = _status(self.pid)
        return found is not None and found[2] == self.began and found[0] not in "ZX"


def descendants(pid: int) -> set[Running]:
    """All that a process has started, directly or not."""
    seen = {one: found for one in _pids() if (found := _status(one))}
    family, before = {pid}, 0
    while len(family) != before:
        before = len(family)
        family |= {one for one, (_, parent, _) in seen.items() if parent in family}
    return {Running(one, seen[one][2]) for one in family if one in seen}


def in_cells(run: Path) -> set[Running]:
    """Processes that have a folder of this run mounted."""
    folder, found = "/".join((*run.parts[-2:], "work")), set()
    for pid in _pids():
        with suppress(OSError):
            mounted = Path(f"/proc/{pid}/mountinfo").read_text()
            if folder in mounted and (status := _status(pid)):
                found.add(Running(pid, status[2]))
    return found


def works(one: Running) -> bool:
    """Whether it is a program in a cell, and not what holds the cell."""
    with suppress(OSError):
        (numbers,) = re.findall(r"^NSpid:(.*)$", Path(f"/proc/{one.pid}/status").read_text(), re.MULTILINE)
        return len(numbers.split()) > 1 and numbers.split()[-1] != "1"
    return False


def gone(those: Callable[[], set[Running]] | set[Running], seconds: float = 15.0) -> bool:
    """Whether they all end within some time."""
    end = time.monotonic() + seconds
    while any(one.alive for one in (those() if callable(those) else those)):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def kill(process: subprocess.Popen[Any], number: int = signal.SIGKILL) -> set[Running]:
    """Send a signal to a process alone, and wait for its end; returns what it had started."""
    those = descendants(process.pid)
    process.send_signal(number)
    process.wait(60)
    return those


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _status(pid: int) -> tuple[str, int, str] | None:
    """State, parent, and when it began; None where there is no such process."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return words[0], int(words[1]), words[19]
