"""An ordinary user for tests that root runs: the sandbox has to hold for both."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import msgspec
import pytest

import verifierbench

SOMEONE = 65533
"""A user id that is nobody's account."""


@pytest.fixture(scope="session")
def unprivileged():
    """Run a script as an ordinary user, with an interpreter and a package that user can read."""
    if os.getuid() != 0:
        pytest.skip("needs root to become another user; the other tests have run as one")
    python = "/usr/bin/python3"
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        source, home = Path(base, "source"), Path(base, "home")
        shutil.copytree(Path(verifierbench.__file__).parent, source / "verifierbench")
        shutil.copytree(Path(msgspec.__file__).parent, source / "msgspec")
        home.mkdir()
        os.chown(home, SOMEONE, SOMEONE)
        environment = {"PYTHONPATH": str(source), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
        options = {"env": environment, "cwd": "/", "capture_output": True, "text": True, "timeout": 60}
        who = {"user": SOMEONE, "group": SOMEONE, "extra_groups": []}

        def run_as(script):
            return subprocess.run([python, "-c", script, str(home)], check=False, **who, **options)

        probe = run_as("import verifierbench.sandbox.cell")
        if probe.returncode:
            pytest.skip(
                f"`{python} -c 'import msgspec'` fails for an ordinary user here: {probe.stderr.strip()[-200:]}"
            )
        yield run_as
