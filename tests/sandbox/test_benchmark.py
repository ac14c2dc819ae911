"""The benchmark measures what it says: its sample, its designs, and the line it ends with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from verifierbench.sandbox import Tier, choose_tier

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_the_sample_has_its_size() -> None:
    case = json.loads((FOLDER / "sample_case.json").read_text())
    assert len((FOLDER / "sample_verifier.py").read_text().splitlines()) == 128
    assert 8000 < len(json.dumps(case["solution"], separators=(",", ":"))) < 8400


def test_it_ends_with_one_json_line() -> None:
    if choose_tier() is not Tier.NAMESPACES:
        pytest.skip("the namespaces tier cannot be used here; see docs/sandbox.md")
    command = [sys.executable, str(FOLDER / "sandbox.py"), "--rounds", "1", "--cases", "80"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    summary = json.loads(done.stdout.splitlines()[-1])
    measured = {name: cost for name, cost in summary["cpu_ms_per_case"].items() if cost is not None}
    assert {"in_process", "process_per_case", "unprotected_fork", "namespaces", "seccomp"} <= set(measured)
    assert set(summary["cpu_ms_per_case"]) - set(measured) <= {"bubblewrap"}, "absent where it is not installed"
    # One short round is noisy (the figures of record come from `make bench`): starting Python costs more than forking
    # it by far more than the noise.
    assert summary["ratio_process_over_ours"] > 1.5
    assert summary["ratio_ours_over_unprotected_fork"] > 0
    assert summary["tier"] == "namespaces"
    assert "getrusage" in summary["accounting"]
