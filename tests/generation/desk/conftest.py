"""Desks at real tasks: the real sandbox and environments, a socket that listens, the tools as an agent has them."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import (
    DEVELOPMENT,
    Atom,
    Candidate,
    Clause,
    Family,
    Limits,
    Material,
    Protocol,
    Reference,
    Span,
    Task,
)
from verifierbench.core.files import write_atomically
from verifierbench.generation.desk import Desk, Workbench, place
from verifierbench.scoring.check import open_bench

PLUGIN = Path(__file__).parents[2] / "scoring/plugin"

RUNS = b"""
def verify(solution, env):
    changes = env.run({"events": solution["events"]})["changes"]
    return "PASS" if [change["new"] for change in changes] == [[1, 2]] else "FAIL"
"""
LOOKS = b"""
def verify(solution, env):
    return "PASS" if len(solution["events"]) == 2 else "FAIL"
"""
CATCHES = b"""
def verify(solution, env):
    try:
        env.run({"events": solution["events"]})
    except env.BudgetExhausted as error:
        print(error)
    return "PASS"
"""


def pushes(*pushed: int, answer: str | None = None) -> dict[str, Any]:
    events = [{"role": "assistant", "call": {"name": "push", "arguments": {"x": x}}} for x in pushed]
    return {"events": events, "answer": answer}


def stack_task() -> Task:
    """A state task of a third party's source, found by its entry point: a machine that logs each execution."""
    return Task(
        id="counting/SECRET_ID",
        source="counting",
        source_version="1",
        family=Family.STATE,
        instruction="Push one, then two.",
        materials=(Material(name="goal", kind="json", content={"stack": [1, 2]}),),
        conventions=(),
        clauses=(Clause(id="SECRET_CLAUSE", text="SECRET_TEXT", spans=(Span(material="instruction", quote="Push"),)),),
        reference=Reference(root=Atom(name="SECRET_ATOM", clause="SECRET_CLAUSE", check="SECRET_CHECK")),
        environment="stack",
    )


def handmade(family: Family) -> Candidate:
    part = importlib.import_module(f"verifierbench.sources.handmade.{family.value}")
    found: Candidate = next(iter(part.candidates(DEVELOPMENT)))
    return found


class Kit:
    """One desk with its workspace, and an agent's hands."""

    def __init__(self, task: Task, bench: Workbench, protocol: Protocol, folder: Path, limits: Limits) -> None:
        self.task, self.bench = task, bench
        self.workspace, self.record = folder / "workspace", folder / "record"
        self.workspace.mkdir(parents=True)
        self.desk = Desk(task, bench, protocol, limits, self.record, self.workspace)
        self.bin = folder / "tools"
        place(self.bin, sys.executable, necessity=protocol.necessity)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.desk.serve(self.door)

    def write(self, source: bytes) -> None:
        write_atomically(self.workspace / "verifier.py", source)

    def ask(self, tool: str, **body: Any) -> tuple[int, Any]:
        return self.desk.answer(tool, json.dumps(body).encode())

    def selftest(self, solution: Any, vary: tuple[str, Any] | None = None) -> tuple[int, Any]:
        varied = {} if vary is None else {"vary": [vary[0], json.dumps(vary[1])]}
        return self.ask("selftest", solution=json.dumps(solution), **varied)

    def runpublic(self, request: Any) -> tuple[int, Any]:
        return self.ask("runpublic", request=json.dumps(request))

    def start(self, *argv: str) -> subprocess.Popen[bytes]:
        environment = {"VERIFIER_DESK": f"http://127.0.0.1:{self.port}", "PATH": f"{self.bin}:/usr/bin:/bin"}
        # Proxies and a hostile module beside the agent's files change nothing.
        environment |= {"http_proxy": "http://127.0.0.1:9", "PYTHONPATH": str(self.workspace), "LC_ALL": "C"}
        return subprocess.Popen(
            [self.bin / argv[0], *argv[1:]],
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def tool(self, *argv: str, stdin: Any = None) -> tuple[int, Any, str]:
        """Exit status, the answer as JSON (None where nothing was printed), standard error."""
        process = self.start(*argv)
        given = b"" if stdin is None else stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
        out, err = process.communicate(given, timeout=120)
        return process.returncode, json.loads(out) if out else None, err.decode()


@pytest.fixture
def executions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often the stack machine was really executed."""
    log = tmp_path / "executions.log"
    monkeypatch.setenv("COUNTING_LOG", str(log))
    monkeypatch.syspath_prepend(str(PLUGIN))
    return lambda: log.read_text().split("\n").count("executed") if log.exists() else 0


@pytest.fixture
def flaw(executions: Any) -> Path:
    """While this file exists, executing nothing at all fails by the machine's fault."""
    return Path(os.environ["COUNTING_LOG"] + ".flaw")


@pytest.fixture
def sit(tmp_path: Path, executions: Any) -> Iterator[Callable[..., Kit]]:
    """Open a desk: `sit(task, limits=…, **protocol)`; by default at the stack machine."""
    kits: list[Kit] = []
    bench = Workbench(lambda: open_bench(tmp_path / "evidence.sqlite"))

    def open_one(task: Task | None = None, limits: Limits | None = None, **protocol: Any) -> Kit:
        folder = tmp_path / f"desk-{len(kits)}"
        kits.append(Kit(task or stack_task(), bench, Protocol(**protocol), folder, limits or Limits()))
        return kits[-1]

    yield open_one
    for kit in kits:
        kit.desk.close()
    bench.close()
