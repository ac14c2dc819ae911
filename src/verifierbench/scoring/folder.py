"""A run on disk.

    RUN/run.json                              what was run (core.Run)
    RUN/submissions/<alias>/verifier.py       the verifier, frozen
    RUN/submissions/<alias>/submission.json   how it came about (core.Submission)
    RUN/ledger.sqlite                         decisions as they are made; resumes an interrupted scoring
    RUN/decisions.jsonl                       every case of the suite, written at once when all are decided
    RUN/scored.json                           how many rows those are and their hash: a cut or edited file is refused

A verifier whose bytes are not those that were handed in, or a submission filed under another task's name, is refused:
scoring them would credit somebody else's work.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from verifierbench.core import SCHEMA_VERSION, CaseDecision, MalformedInput, Run, Submission, Task, sha256
from verifierbench.core.files import decode, decode_lines, encode, encode_lines, read_bytes, write_atomically


class Scored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `scored.json` holds."""

    schema: int = SCHEMA_VERSION
    rows: int
    hash: str
    """SHA-256 of decisions.jsonl."""


class RunFolder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ledger = path / "ledger.sqlite"
        self.decisions = path / "decisions.jsonl"
        self._scored = path / "scored.json"
        self._run, self._submissions = path / "run.json", path / "submissions"

    def run(self) -> Run:
        """What was run; raises `MalformedInput`."""
        if not self._run.is_file():
            raise MalformedInput(self.path, "", "no run here (run.json is missing); `verifierbench generate` makes one")
        run = decode(self._run, Run)
        if run.schema > SCHEMA_VERSION:
            raise MalformedInput(
                self._run, "$.schema", f"version {run.schema} is newer than this program's {SCHEMA_VERSION}; upgrade it"
            )
        return run

    def write_run(self, run: Run) -> None:
        """Replace the run's description."""
        write_atomically(self._run, encode(run))

    def verifier_hash(self, task: Task) -> str | None:
        """Hash of the verifier that was handed in for a task; None where none was."""
        submission = self.submission(task)
        if submission is None or submission.outcome == "missing":
            return None
        self.verifier(task, submission.verifier_hash)
        return submission.verifier_hash

    def submission(self, task: Task) -> Submission | None:
        """What was handed in for a task, or None; raises `MalformedInput` where it is another task's."""
        file = self._submissions / task.alias / "submission.json"
        if not file.exists():
            return None
        submission = decode(file, Submission)
        if submission.task != task.alias:
            raise MalformedInput(file, "$.task", f"it is filed under {task.alias} but says {submission.task}")
        return submission

    def verifier(self, task: Task, expected: str | None) -> bytes:
        """The verifier of a task; raises `MalformedInput` unless its bytes have the expected hash."""
        file = self._submissions / task.alias / "verifier.py"
        source = read_bytes(file)
        if sha256(source) != expected:
            raise MalformedInput(file, "", f"not what was handed in: its SHA-256 is {sha256(source)}, not {expected}")
        return source

    def refuse_strays(self, tasks: Iterable[Task]) -> None:
        """Raise `MalformedInput` for a submission to a task that the suite does not have."""
        known = {task.alias for task in tasks}
        for file in sorted(self._submissions.glob("*/submission.json")):
            if file.parent.name not in known:
                raise MalformedInput(file, "", f"the suite has no task {file.parent.name}")

    def rows(self) -> tuple[CaseDecision, ...]:
        """The decisions of a scored run; raises `MalformedInput` before it is scored."""
        if not self.decisions.exists():
            raise MalformedInput(self.path, "", "this run is not scored yet; `verifierbench score` does it")
        scored = decode(self._scored, Scored)
        if sha256(read_bytes(self.decisions)) != scored.hash:
            raise MalformedInput(self.decisions, "", "not the rows that were scored; score the run again")
        return tuple(decode_lines(self.decisions, CaseDecision))

    def write_rows(self, rows: Iterable[CaseDecision]) -> None:
        """Write every decision at once."""
        data = encode_lines(rows)
        write_atomically(self.decisions, data)
        write_atomically(self._scored, encode(Scored(rows=data.count(b"\n"), hash=sha256(data))))
