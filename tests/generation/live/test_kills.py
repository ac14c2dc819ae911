"""A run that is killed at ten moments and resumed each time is, in the end, the run that nobody disturbed.

SIGKILL goes to the command's own process and to nothing else: whatever it had started has to end by itself.
"""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.generation import submission
from verifierbench.scoring import RunFolder
from verifierbench.suite import Suite

from .. import attempts
from ..attempts import SAMPLE, cli, descendants, gone, in_cells, kill, options, started
from ..scripted import Script, ScriptedServer

KILLS, SEED = 10, "ten moments"
LOOKS = "def verify(solution, env):\n    return 'PASS' if {} else 'FAIL'\n"
SCRIPT = Script(
    (
        f"cat > verifier.py <<'END'\n{LOOKS.format('solution')}END",
        f"{SAMPLE}\nselftest s.json; (setsid sleep 600 &)",
        f"cat > verifier.py <<'END'\n{LOOKS.format('len(str(solution)) % 2')}END",
        "selftest s.json; submit",
    )
)
GENERATIONS = 2


def command(suite: Suite, server: ScriptedServer, run: Path) -> list[Any]:
    more = ["--json", "--workers", 2, "--tasks-at-once", 2, "--seed", "7", "-k", GENERATIONS]
    return ["run", suite.path, *options(server), "-o", run, *more]


def results(suite: Suite, run: Path) -> Any:
    """What a run found out, without clocks, and without how long a decision took."""
    found: dict[str, Any] = {}
    for number in range(1, GENERATIONS + 1):
        folder = run / str(number)
        for task in suite.tasks:
            made, source = submission.load(folder, task.alias)
            spent = msgspec.to_builtins(made.spent)
            found[f"{number}/{task.id}"] = (made.verifier_hash, made.outcome, made.ended, made.attempts, spent, source)
        for row in RunFolder(folder).rows():
            decision = msgspec.structs.replace(row.decision, cpu_seconds=0.0, wall_seconds=0.0)
            found[f"{number}/{row.case}"] = msgspec.structs.replace(row, decision=decision)
    return found


class Progress:
    """How far a run is, as it is seen from outside: answers of the model, and decisions."""

    def __init__(self, server: ScriptedServer, run: Path) -> None:
        self._server, self._run = server, run
        self._at = self.total

    @property
    def total(self) -> int:
        ledgers = self._run.glob("*/ledger.sqlite*")
        return len(self._server.asked()) + sum(path.stat().st_size for path in ledgers if path.exists()) // 20_000

    @property
    def since(self) -> int:
        return self.total - self._at


def killed(process: subprocess.Popen[str], progress: Progress, steps: int, later: float, run: Path) -> bool:
    """Kill it some seconds after so many steps; returns False where it was over before."""
    while process.poll() is None and progress.since < steps:
        time.sleep(0.02)
    time.sleep(later)
    if process.poll() is not None:
        return False
    those = kill(process) | descendants(process.pid)
    assert gone(those | in_cells(run)), "something outlived the process that was killed"
    assert gone(lambda: in_cells(run))
    return True


def test_ten_kills_and_the_result_is_the_same(suite: Suite, tmp_path: Path) -> None:
    chance, kills, folder = random.Random(SEED), 0, 0
    with ScriptedServer({"default": SCRIPT}) as server:
        cli(*command(suite, server, tmp_path / "whole"))
        whole = results(suite, tmp_path / "whole")
        assert {one[1:4] for one in whole.values() if isinstance(one, tuple)} == {("submitted", "submitted", 1)}
        running = 0
        while kills < KILLS:
            run = tmp_path / f"killed-{folder}"
            with started(*command(suite, server, run)) as process:
                progress = Progress(server, run)
                if killed(process, progress, chance.randint(0, 8), chance.uniform(0.0, 0.6), run):
                    kills += 1
                    running += progress.since > 0
                    continue
                assert process.returncode == 0, process.communicate()
            assert results(suite, run) == whole
            folder += 1
        cli(*command(suite, server, run))
    assert running >= KILLS // 2, "most kills came before there was anything to kill"
    assert results(suite, run) == whole
    for number in range(1, GENERATIONS + 1):
        assert attempts.left_in(run / str(number)) == []
    assert not in_cells(run)
