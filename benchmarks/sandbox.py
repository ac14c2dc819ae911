"""What the verifier sandbox costs per case, beside six other ways to run the same verifier on the same case.

    python benchmarks/sandbox.py [--rounds 5] [--cases 300]

Rounds are interleaved, so that a busy moment of the machine meets every design. A design is run in a process of its
own, once with no case and once with `cases`; the difference of the two, over the number of cases, is its cost per
case. Processor time is `getrusage(RUSAGE_CHILDREN)` after that process was reaped: it covers the whole tree (the
harness, the zygote, every child), because each process in it is waited for. The median over rounds is reported.
"""

import argparse
import contextlib
import ctypes
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
PR_SET_CHILD_SUBREAPER = 36
PACKAGE_ROOT = HERE.parent / "src"
VERIFIER, CASE = HERE / "sample_verifier.py", HERE / "sample_case.json"
ACCOUNTING = (
    "getrusage(RUSAGE_CHILDREN), user + system, of a process per design and round after it was reaped;"
    " minus the same with no case; median over interleaved rounds"
)


def load_case() -> tuple[bytes, bytes]:
    """Return solution and task as the bytes a verifier is given."""
    case = json.loads(CASE.read_bytes())
    return tuple(json.dumps(case[part], separators=(",", ":")).encode() for part in ("solution", "task"))


def in_process(count: int) -> None:
    solution, task = load_case()
    module = types.ModuleType("verifier")
    sys.modules["verifier"] = module
    exec(compile(VERIFIER.read_bytes(), "verifier.py", "exec"), module.__dict__)
    for _ in range(count):
        env = types.SimpleNamespace(task=json.loads(task))
        assert module.verify(json.loads(solution), env) == "PASS"


def process_per_case(count: int, prefix: tuple[str, ...] = ()) -> None:
    command = [*prefix, sys.executable, "-I", "-S", "-E", str(HERE / "runner.py"), str(VERIFIER), str(CASE)]
    for _ in range(count):
        assert subprocess.run(command, capture_output=True, check=True).stdout == b"PASS"


def bubblewrap(count: int) -> None:
    # bwrap leaves without waiting for its child; whoever adopts the orphan accounts for it.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process_per_case(count, ("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"))
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def unprotected_fork(count: int) -> None:
    script = [str(HERE / "unprotected.py"), str(PACKAGE_ROOT), str(VERIFIER), str(CASE), str(count)]
    subprocess.run([sys.executable, "-s", "-S", "-P", "-B", *script], check=True, env={"PYTHONHASHSEED": "0"})


def ours(tier: str) -> Callable[[int], None]:
    def run(count: int) -> None:
        from verifierbench.core.decision import Limits
        from verifierbench.sandbox import Tier, VerifierBox

        solution, task = load_case()
        source, limits = VERIFIER.read_bytes(), Limits()
        with VerifierBox(Tier(tier)) as box:
            for _ in range(count):
                decision = box.run(source, solution, task, None, limits).decision
                assert decision.verdict == "PASS", decision

    return run


DESIGNS: dict[str, tuple[Callable[[int], None], float]] = {
    "in_process": (in_process, 1.0),
    "process_per_case": (process_per_case, 0.1),
    "bubblewrap": (bubblewrap, 0.1),
    "unprotected_fork": (unprotected_fork, 1.0),
    "namespaces": (ours("namespaces"), 1.0),
    "seccomp": (ours("seccomp"), 1.0),
}
"""Name: how to run it, and the share of the cases it gets (the slow ones fewer)."""


def measure(design: Callable[[int], None], count: int) -> tuple[float, float]:
    """Return (processor seconds, wall seconds) of a process that runs `count` cases."""
    before, started = _spent(), time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            design(count)
            os._exit(0)
        except BaseException as error:  # told, then the parent fails
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    if status:
        raise SystemExit(f"a design failed with status {status}")
    return _spent() - before, time.perf_counter() - started


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rounds(number: int, cases: int, wanted: list[str]) -> dict[str, list[tuple[float, float]]]:
    """Return design to its (processor, wall) milliseconds per case in each round."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in wanted}
    for turn in range(number):
        order = wanted if turn % 2 == 0 else wanted[::-1]
        for name in order:
            design, share = DESIGNS[name]
            count = max(1, round(cases * share))
            empty, full = measure(design, 0), measure(design, count)
            found[name].append(tuple((full[i] - empty[i]) / count * 1e3 for i in (0, 1)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--only", nargs="*", choices=DESIGNS, default=list(DESIGNS))
    options = parser.parse_args()
    wanted = [name for name in options.only if name != "bubblewrap" or shutil.which("bwrap")]
    found = rounds(options.rounds, options.cases, wanted)
    cpu = {name: statistics.median(pair[0] for pair in found[name]) if name in found else None for name in DESIGNS}
    wall = {name: statistics.median(pair[1] for pair in found[name]) if name in found else None for name in DESIGNS}
    print(f"{'design':20}{'CPU ms/case':>14}{'wall ms/case':>14}   CPU ms/case in each round")
    for name in wanted:
        each = "  ".join(f"{pair[0]:.2f}" for pair in found[name])
        print(f"{name:20}{cpu[name]:14.2f}{wall[name]:14.2f}   {each}")
    print(json.dumps(summary(cpu, wall, options.rounds, options.cases)))


def summary(cpu: dict[str, float | None], wall: dict[str, float | None], number: int, cases: int) -> dict[str, object]:
    return {
        "cpu_ms_per_case": {name: _rounded(value) for name, value in cpu.items()},
        "wall_ms_per_case": {name: _rounded(value) for name, value in wall.items()},
        "ratio_process_over_ours": _ratio(cpu["process_per_case"], cpu["namespaces"]),
        "ratio_ours_over_unprotected_fork": _ratio(cpu["namespaces"], cpu["unprotected_fork"]),
        "tier": "namespaces",
        "accounting": ACCOUNTING,
        "rounds": number,
        "cases": cases,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "arch": platform.machine(),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _ratio(over: float | None, under: float | None) -> float | None:
    return round(over / under, 2) if over and under else None


if __name__ == "__main__":
    main()
