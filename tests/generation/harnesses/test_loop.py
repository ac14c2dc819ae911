"""The built-in loop: how it runs commands, what it shows of them, and when it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from verifierbench.generation.harnesses import HOME, harness
from verifierbench.generation.harnesses.loop_guest.__main__ import _SUBMIT, OUTPUT, run

from ..scripted import Script, ScriptedServer
from .driving import make_brief


def looped(server: ScriptedServer, folder: Path, fault: str | None = None) -> subprocess.CompletedProcess[str]:
    """The loop as it would run in the cell, but here."""
    launch = harness("loop").launch(make_brief("chat", url=server.url(fault=fault)))
    home, work = folder / "home", folder / "work"
    work.mkdir()
    for path, text in launch.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    (folder / "submit").write_text("#!/bin/sh\nexit ${1:-0}\n")
    (folder / "submit").chmod(0o755)
    argv = [sys.executable, *(word.replace(HOME, str(home)) for word in launch.argv[1:])]
    environment = {name: value.replace(HOME, str(home)) for name, value in launch.environment.items()}
    environment["PATH"] = f"{folder}:{os.environ['PATH']}"
    return subprocess.run(argv, env=environment, cwd=work, capture_output=True, text=True, timeout=60, check=False)


def test_ends_once_it_has_handed_in(tmp_path: Path) -> None:
    with ScriptedServer({"default": Script(("submit 3", "echo submit", "cd . && submit", "echo never"))}) as server:
        done = looped(server, tmp_path)
        assert (done.returncode, len(server.asked())) == (0, 3), done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()][-1] == {"results": ["[exit status 0]"]}


def test_the_token_is_not_in_the_environment_of_its_commands(tmp_path: Path) -> None:
    with ScriptedServer({"default": Script(("env",))}) as server:
        done = looped(server, tmp_path)
    assert "PATH=" in done.stdout
    assert "token-of-this-attempt" not in done.stdout
    assert "PYTHONPATH" not in done.stdout


@pytest.mark.parametrize("fault", ["500", "cut", "overflow"])
def test_retries_nothing(fault: str, tmp_path: Path) -> None:
    with ScriptedServer() as server:
        done = looped(server, tmp_path, fault)
        assert (done.returncode, len(server.asked())) == (1, 1)
    assert "error" in json.loads(done.stdout)


def test_a_call_that_was_cut_is_told_to_the_model(tmp_path: Path) -> None:
    with ScriptedServer({"default": Script(("echo first",))}) as server:
        done = looped(server, tmp_path, "truncated-call")
        assert [it.answered for it in server.asked()] == ["truncated-call", "truncated-call"]
    assert "The arguments are not what `bash` takes" in done.stdout


@pytest.mark.parametrize("arguments", ["", "[]", '"x"', "{}", '{"command": "true", "timeout": "soon"}', None])
def test_arguments_of_any_kind_are_no_crash(arguments: str | None) -> None:
    assert run(arguments)[0].startswith("The arguments are not what")


def test_the_beginning_and_the_end_of_a_long_output_are_shown() -> None:
    text, _ = run({"command": f"echo start; head -c {3 * OUTPUT} /dev/zero | tr '\\0' x; echo; echo end; exit 4"})
    assert text.startswith("start\nxxx")
    assert text.endswith("xxx\nend\n[exit status 4]")
    assert f"[… {2 * OUTPUT + 11} bytes left out …]" in text
    assert len(text) < OUTPUT + 100


def test_a_command_is_killed_in_time_with_what_it_started() -> None:
    before = time.monotonic()
    text, submitted = run({"command": "echo begun; sleep 60 & sleep 60", "timeout": 1})
    assert (text, submitted) == ("begun\n[killed after 1 s]", False)
    assert time.monotonic() - before < 10


def test_a_command_that_leaves_something_running_is_not_waited_for() -> None:
    text, _ = run({"command": "sleep 3 & echo done"})
    assert text == "done\n[exit status 0]"


def test_asking_submit_for_its_help_hands_nothing_in() -> None:
    for command in ("submit --help", "runpublic x.json; submit -h", "submit -h | head"):
        assert not _SUBMIT.search(command), command
    for command in ("submit", "selftest s.json && submit; echo -h", "cat <<E > x\nE\nsubmit"):
        assert _SUBMIT.search(command), command
