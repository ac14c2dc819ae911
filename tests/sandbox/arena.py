"""Where attacks are fought: a box here, or the same in a process that became an unprivileged user.

A fight is the attack, then a harmless canary that must still pass, then a look at the processes: as many as before.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from verifierbench.core.decision import Verdict
from verifierbench.sandbox import Tier, VerifierBox, seccomp

from . import attacks
from .attacks import ATTACKS, LIMITS, Attack

CANARY = b"""
import builtins, json, os, sys
def verify(solution, env):
    clean = not any(hasattr(builtins, name) for name in ("mark", "poisoned")) and "MARK" not in os.environ
    whole = json.loads("[1]") == [1] and json.dumps({"a": 1}) and len("ab") == 2 and sys.modules["os"] is os
    return "PASS" if clean and whole and solution == {"k": 41} and env.task == {"t": 1} else "FAIL"
"""


class Fight(NamedTuple):
    """How an attack went: empty strings where all is well."""

    attack: str
    canary: str
    processes: str


class Arena(Protocol):
    """Somewhere attacks can be fought by name."""

    def fight(self, name: str) -> Fight: ...

    def close(self) -> None: ...


class LocalArena:
    """A box in this process."""

    def __init__(self, tier: Tier, interpreter: str, guest_uid: int) -> None:
        self._box = VerifierBox(tier, interpreter=interpreter, guest_uid=guest_uid, extra_modules=attacks.EXTRA)
        self._at_rest = descendants(self._box.process_id, guest_uid)
        self._guest_uid = guest_uid

    def fight(self, name: str) -> Fight:
        attack = next(attack for attack in ATTACKS if attack.name == name)
        for solution in attack.before:
            self._box.run(b"def verify(s, e): return 'PASS'", solution, b"{}", None, LIMITS)
        unmet = [self._attack(attack) for _ in range(attack.times)]
        return Fight(next(filter(None, unmet), ""), self._canary(), self._left_behind())

    def _attack(self, attack: Attack) -> str:
        environment = attack.environment() if attack.environment else None
        ran = self._box.run(attack.source, attack.solution, b"{}", environment, attack.limits)
        return attack.want.unmet(ran)

    def _canary(self) -> str:
        decision = self._box.run(CANARY, b'{"k":41}', b'{"t":1}', None, LIMITS).decision
        if decision.verdict is not Verdict.PASS:
            return f"the canary was hurt: {decision}"
        return f"the zygote was restarted {self._box.restarts} times" if self._box.restarts else ""

    def _left_behind(self) -> str:
        for _ in range(100):
            now = descendants(self._box.process_id, self._guest_uid)
            if now == self._at_rest:
                return ""
            time.sleep(0.02)
        return f"processes {now - self._at_rest} are left, {self._at_rest - now} are gone"

    def close(self) -> None:
        self._box.close()


def descendants(root: int, uid: int) -> set[int]:
    """Return the processes that descend from `root`, and every other one of the dedicated user `uid`."""
    parents, users = {}, {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in path.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if not fields["State"].startswith("Z"):
            parents[int(fields["Pid"])], users[int(fields["Pid"])] = int(fields["PPid"]), int(fields["Uid"].split()[0])
    found = {root} | {pid for pid, user in users.items() if user == uid}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


class UserArena:
    """A box owned by an unprivileged user: a helper process loads everything as root, then becomes that user."""

    def __init__(self, tier: Tier, interpreter: str, uid: int, sources: Path) -> None:
        self._sources = sources
        package = Path(seccomp.__file__).parents[1]
        shutil.copytree(package / "sandbox", sources / "verifierbench" / "sandbox", ignore=_no_caches)
        shutil.copy(package / "__init__.py", sources / "verifierbench")
        for path in [sources, *sources.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        command = [
            sys.executable,
            "-c",
            _HELPER,
            str(Path(__file__).parents[2]),
            tier,
            interpreter,
            str(uid),
            str(sources),
        ]
        self._helper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._helper.stdout is not None
        self.identity: dict[str, Any] = json.loads(self._helper.stdout.readline() or "{}")

    def fight(self, name: str) -> Fight:
        assert self._helper.stdin is not None
        assert self._helper.stdout is not None
        print(json.dumps(name), file=self._helper.stdin, flush=True)
        return Fight(*json.loads(self._helper.stdout.readline()))

    def close(self) -> None:
        assert self._helper.stdin is not None
        assert self._helper.stdout is not None
        self._helper.stdin.close()
        self._helper.wait(10)
        self._helper.stdout.close()


def _no_caches(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name == "__pycache__"}


_HELPER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from tests.sandbox import arena; arena.serve_as_user(*sys.argv[2:])"
)


def serve_as_user(tier: str, interpreter: str, uid: str, sources: str) -> None:
    """Become `uid`, then fight what is asked for on standard input."""
    from verifierbench.sandbox import channel, outcome, process, selftest, watch  # noqa: F401

    process.PACKAGE_ROOT = Path(sources)
    number = int(uid)
    os.setgroups([])
    os.setresgid(number, number, number)
    os.setresuid(number, number, number)
    arena = LocalArena(Tier(tier), interpreter, number)
    print(json.dumps({"uid": os.getuid(), "home": os.access(Path(sys.executable).resolve(), os.X_OK)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(arena.fight(json.loads(line))), flush=True)
    arena.close()


def interpreter_for(uid: int) -> str | None:
    """Return an interpreter that this user can execute: ours, or one of the system's."""
    candidates = [
        sys.executable,
        *(found for n in (11, 12, 13) if (found := shutil.which(f"python3.{n}", path="/usr/bin:/usr/local/bin"))),
    ]
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    for candidate in candidates:
        try:
            done = subprocess.run(
                [candidate, "-c", check],
                user=uid,
                group=uid,
                extra_groups=[],
                cwd="/",
                capture_output=True,
                check=False,
            )
        except OSError:
            continue
        if done.returncode == 0:
            return candidate
    return None
