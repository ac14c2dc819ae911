"""Untrusted commands in a fresh repository: what they can do, what they cannot, and what is left of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import verifierbench
from verifierbench.core.errors import EnvironmentRefusal, InfrastructureError, MalformedInput, Overrun, Unavailable
from verifierbench.sandbox import command_guest, commands, trees
from verifierbench.sandbox.commands import CommandLimits, CommandSandbox, base_interpreter, materialise

REPOSITORY = {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "pkg/__init__.py": "",
    "pkg/data.txt": "one\ntwo\n",
    "run.sh": "#!/bin/sh\necho ran\n",
}
FIX = """\
--- a/calc.py
+++ b/calc.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""
QUICK = CommandLimits(seconds=20.0)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    into = tmp_path_factory.mktemp("repositories") / "calc"
    materialise(REPOSITORY, into)
    return into


@pytest.fixture(scope="module")
def sandbox(repository):
    made = CommandSandbox(repository)
    try:
        made.run({}, "", [["true"]], [], QUICK)
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    return made


def run(sandbox, *commands, files=None, patch="", read=(), **limits):
    return sandbox.run(files or {}, patch, list(commands), list(read), CommandLimits(**({"seconds": 20.0} | limits)))


def shell(sandbox, script, **more):
    (outcome,) = run(sandbox, ["sh", "-c", script], **more).commands
    return outcome


def python(sandbox, script, **more):
    (outcome,) = run(sandbox, ["python", "-c", textwrap.dedent(script)], **more).commands
    return outcome


# What it is for


def test_the_patch_is_applied_files_written_commands_run_and_files_read(sandbox):
    result = run(
        sandbox,
        ["python", "check.py"],
        ["sh", "-c", "echo out; echo err >&2; echo made > made.txt; exit 7"],
        patch=FIX,
        files={"check.py": "import calc\nprint(calc.add(2, 3))\n", "new/deep.txt": "é\n", "pkg/data.txt": None},
        read=["calc.py", "made.txt", "pkg/data.txt", "new/deep.txt", "absent"],
    )
    assert result.applied
    assert result.apply_error == ""
    assert [(c.exit, c.stdout, c.stderr, c.ended, c.detail) for c in result.commands] == [
        (0, "5\n", "", "exit", ""),
        (7, "out\n", "err\n", "exit", ""),
    ]
    assert result.files == {
        "calc.py": "def add(a, b):\n    return a + b\n",
        "made.txt": "made\n",
        "pkg/data.txt": None,
        "new/deep.txt": "é\n",
        "absent": None,
    }


def test_every_request_starts_from_the_same_tree_and_leaves_the_repository_alone(sandbox, repository):
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}
    spoil = "echo x >> calc.py; rm -r pkg; mkdir pkg; touch left; chmod 600 run.sh; echo h > $HOME/h; echo t > /tmp/t"
    assert shell(sandbox, spoil).exit == 0
    after = shell(sandbox, "cat calc.py; ls; ls pkg; ls $HOME /tmp; ./run.sh").stdout.split()
    assert "left" not in after
    assert {"data.txt", "ran"} <= set(after)
    assert {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("tree", ["overlay", "copy"])
def test_a_copied_tree_behaves_like_an_overlaid_one(sandbox, repository, tree):
    made = CommandSandbox(repository, tree=tree)
    script = (
        "stat -f -c %T .; id -un; find . | sort; stat -c '%A %U %Y' calc.py run.sh pkg; rm -r pkg; echo x >> calc.py"
    )
    kind, *rest = shell(made, script).stdout.split("\n")
    assert kind == {"overlay": "overlayfs", "copy": "tmpfs"}[tree]
    assert rest == [
        "user",
        ".",
        "./calc.py",
        "./pkg",
        "./pkg/__init__.py",
        "./pkg/data.txt",
        "./run.sh",
        f"-rw-r--r-- user {commands.EPOCH}",
        f"-rwxr-xr-x user {commands.EPOCH}",
        f"drwxr-xr-x user {commands.EPOCH}",
        "",
    ]


@pytest.mark.skipif(os.getuid() != 0, reason="a tree of somebody else's takes root to make: `sudo make test-sandbox`")
def test_a_tree_that_belongs_to_someone_else_can_be_edited(sandbox, tmp_path):
    shutil.copytree(Path(verifierbench.__file__).parent / "core", tmp_path / "theirs")
    for path in (tmp_path / "theirs").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o444)
    outcome = shell(CommandSandbox(tmp_path / "theirs"), "rm hashing.py; echo x > errors.py; ls; cat errors.py")
    assert outcome.exit == 0, outcome.stderr
    assert "hashing.py" not in outcome.stdout
    assert outcome.stdout.endswith("x\n")


def test_a_place_with_commas_and_colons_in_its_name_can_be_overlaid(sandbox, tmp_path):
    into = tmp_path / "a,b:c\\d e"
    materialise(REPOSITORY, into)
    assert shell(CommandSandbox(into), "stat -f -c %T .; cat pkg/data.txt").stdout == "overlayfs\none\ntwo\n"


def test_an_empty_patch_is_nothing_to_apply(sandbox):
    result = run(sandbox, ["cat", "calc.py"])
    assert result.applied
    assert result.commands[0].stdout == REPOSITORY["calc.py"]


def test_a_request_may_ask_for_nothing(sandbox):
    assert run(sandbox) == commands.CommandResult(applied=True)


def test_the_search_path_is_importable_and_read_only(sandbox, repository, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "helper_package").mkdir()
    (tmp_path / "helper_package" / "__init__.py").write_text("VALUE = 41\n")
    made = CommandSandbox(repository, search_path=[tmp_path])
    assert python(made, "import helper_package as h; print(h.VALUE)").stdout == "41\n"
    assert "Read-only" in shell(made, "touch /packages/0/x").stderr


def test_another_interpreter_can_be_named(sandbox, repository):
    other = "/usr/bin/python3"
    if not Path(other).exists():
        pytest.skip(f"no {other}")
    made = CommandSandbox(repository, python=other)
    expected = subprocess.run([other, "--version"], capture_output=True, text=True, check=True).stdout
    assert shell(made, "python --version").stdout == expected


def test_an_interpreter_that_does_not_run_is_unavailable(repository):
    with pytest.raises(Unavailable, match="/nowhere/python does not run"):
        CommandSandbox(repository, python="/nowhere/python")


def test_a_repository_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MalformedInput, match="no such directory"):
        CommandSandbox(tmp_path / "nothing")


def test_without_git_it_says_so(repository, monkeypatch):
    monkeypatch.setattr(commands, "GIT", Path("/nowhere/git"))
    with pytest.raises(Unavailable, match=r"git.*install git"):
        CommandSandbox(repository)


# Patches and paths


def test_a_patch_that_does_not_apply_runs_nothing(sandbox):
    result = run(sandbox, ["true"], patch=FIX.replace("a - b", "a * b"), read=["calc.py"])
    assert not result.applied
    assert "calc.py" in result.apply_error
    assert result.commands == ()
    assert result.files == {}


def test_a_patch_of_nonsense_is_not_applied(sandbox):
    result = run(sandbox, ["true"], patch="this is not a patch\n")
    assert not result.applied
    assert "No valid patches" in result.apply_error


@pytest.mark.parametrize("target", ["../escaped", "x/../../escaped", ".git/config", "pkg/../.git/hooks/x"])
def test_a_patch_that_leaves_the_tree_is_refused_by_git(sandbox, target):
    patch = f"--- /dev/null\n+++ b/{target}\n@@ -0,0 +1 @@\n+x\n"
    result = run(sandbox, ["true"], patch=patch)
    assert not result.applied
    assert "invalid path" in result.apply_error


def test_a_patch_cannot_write_through_a_link_it_makes(sandbox):
    patch = (
        "diff --git a/way b/way\nnew file mode 120000\n--- /dev/null\n+++ b/way\n@@ -0,0 +1 @@\n+/tmp\n"
        "\\ No newline at end of file\n"
        "diff --git a/way/x b/way/x\nnew file mode 100644\n--- /dev/null\n+++ b/way/x\n@@ -0,0 +1 @@\n+x\n"
    )
    result = run(sandbox, ["ls", "/tmp"], patch=patch)
    assert not result.applied
    assert "beyond a symbolic link" in result.apply_error


def link_patch(name, to):
    return (
        f"diff --git a/{name} b/{name}\nnew file mode 120000\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+{to}\n"
        "\\ No newline at end of file\n"
    )


def test_written_files_do_not_follow_links_out_of_the_tree(sandbox):
    with pytest.raises(EnvironmentRefusal, match="leads out of the repository"):
        run(sandbox, patch=link_patch("way", "/tmp"), files={"way/x": "x"})
    replaced = run(sandbox, ["cat", "way"], patch=link_patch("way", "/etc/passwd"), files={"way": "mine\n"})
    assert replaced.commands[0].stdout == "mine\n"


def test_files_read_do_not_follow_links_out_of_the_tree(sandbox):
    result = run(sandbox, patch=link_patch("way", "/proc/self/environ"), read=["way"])
    assert result.files == {"way": None}
    inside = run(sandbox, patch=link_patch("way", "pkg/data.txt"), read=["way"])
    assert inside.files == {"way": "one\ntwo\n"}


def test_reading_a_fifo_or_a_directory_gives_nothing_and_does_not_hang(sandbox):
    result = run(sandbox, ["mkfifo", "pipe"], read=["pipe", "pkg"], seconds=5.0)
    assert result.files == {"pipe": None, "pkg": None}


def test_a_file_too_large_to_read_back_is_refused_and_not_cut(sandbox):
    with pytest.raises(EnvironmentRefusal, match="big has 5000 bytes; at most 1000"):
        run(sandbox, ["sh", "-c", "head -c 5000 /dev/zero > big"], read=["big"], output_bytes=1000)


@pytest.mark.parametrize("path", ["", ".", "/etc/passwd", "../x", "a/../../x", "a\0b"])
def test_paths_outside_the_repository_are_refused(sandbox, path):
    with pytest.raises(EnvironmentRefusal, match="not a path inside"):
        run(sandbox, files={path: "x"})
    with pytest.raises(EnvironmentRefusal, match="not a path inside"):
        run(sandbox, read=[path])


def test_a_file_cannot_be_written_where_a_directory_is(sandbox):
    with pytest.raises(EnvironmentRefusal, match="pkg: Is a directory"):
        run(sandbox, files={"pkg": "x"})


@pytest.mark.parametrize("command", [[], [""], ["echo", "a\0b"]])
def test_a_command_that_cannot_be_one_is_refused(sandbox, command):
    with pytest.raises(EnvironmentRefusal, match="a command is a list of words"):
        run(sandbox, command)


@pytest.mark.parametrize("request_", [{"patch": "\ud800"}, {"files": {"x": "\udfff"}}])
def test_text_without_utf8_form_is_refused(sandbox, request_):
    with pytest.raises(EnvironmentRefusal, match="lone surrogate"):
        run(sandbox, **request_)


PATHS_AND_WORDS = {
    "commands": ({"commands": [["true"]] * 51}, "at most 50 commands; this one has 51"),
    "paths": ({"read": [f"f{n}" for n in range(101)]}, "reads at most 100 files; this one reads 101"),
    "long path": ({"read": ["é" * 690_000]}, "a path has at most 4096 bytes; .* has 1380000"),
    "long path to write": ({"files": {"x" * 4097: ""}}, "a path has at most 4096 bytes; .* has 4097"),
    "words": ({"commands": [["echo", "x" * (1 << 20)]]}, "words have 1048582 bytes; at most 1048576"),
    "empty words": ({"commands": [["echo", *[""] * (1 << 20)]]}, "words have 1048581 bytes; at most 1048576"),
}


@pytest.mark.parametrize("name", PATHS_AND_WORDS)
def test_a_request_for_more_than_the_answer_can_hold_is_refused_and_no_failure(sandbox, name):
    request, said = PATHS_AND_WORDS[name]
    with pytest.raises(EnvironmentRefusal, match=said):
        sandbox.run(request.get("files", {}), "", request.get("commands", []), request.get("read", []), QUICK)


def test_the_longest_names_in_many_bytes_fit_into_the_answer(sandbox):
    names = [f"{n:03}{'é/' * 1364}" for n in range(100)]
    assert run(sandbox, read=names).files == dict.fromkeys(names)


def test_an_answer_beyond_its_total_is_refused_whether_printed_or_read(sandbox):
    """Each part may be within its own limit: 42 times 200,000 bytes are more than the 8,388,608 there are."""
    printed = ["sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x"]
    assert len(run(sandbox, *[printed] * 10).commands) == 10
    with pytest.raises(EnvironmentRefusal, match="the answer is larger than 8388608 bytes"):
        run(sandbox, *[printed] * 42)
    write = ["sh", "-c", "head -c 199999 /dev/zero > f; for n in $(seq 41); do ln f f$n; done"]
    zeros = run(sandbox, write, read=[f"f{n}" for n in range(1, 42)]).files
    assert {len(text) for text in zeros.values()} == {199_999}
    with pytest.raises(EnvironmentRefusal, match="the answer is larger than 8388608 bytes"):
        run(sandbox, write, read=["f", *(f"f{n}" for n in range(1, 42))])


def test_a_path_of_two_thousand_directories_is_no_failure(sandbox):
    """Making them and following links, the standard library calls itself once for each."""
    deep = "d/" * 2000 + "f"
    with pytest.raises(EnvironmentRefusal, match="too many directories"):
        run(sandbox, files={deep: "x"})
    chain = "touch l0; for n in $(seq 1500); do ln -s l$((n - 1)) l$n; done"
    assert run(sandbox, ["sh", "-c", chain], read=["l0", "l30", "l1500"]).files == {"l0": "", "l30": "", "l1500": None}


@pytest.mark.parametrize(("said", "error"), [(b'{"patch": ""}\n', Overrun), (b"", InfrastructureError)])
def test_a_sandbox_that_stands_and_is_not_done_in_time_is_the_requests_overrun(said, error):
    """Writing and reading files has no clock of its own, and a request can ask for any amount of it."""
    receive, send = os.pipe()
    try:
        os.write(send, said)
        with pytest.raises(error, match=r"within 0 s"):
            command_guest.receive(receive, 0.2, 1000)
    finally:
        os.close(receive)
        os.close(send)


# How commands end


def test_a_command_that_is_not_there_ends_as_in_a_shell(sandbox):
    (outcome,) = run(sandbox, ["no-such-program"]).commands
    assert (outcome.exit, outcome.ended) == (127, "exit")
    assert "no-such-program: No such file or directory" in outcome.stderr


def test_a_signal_is_named(sandbox):
    outcome = shell(sandbox, "kill -SEGV $$")
    assert (outcome.exit, outcome.ended, outcome.detail) == (None, "signal", "SIGSEGV")


def test_a_broken_pipe_ends_the_writer(sandbox):
    """Python ignores SIGPIPE, and what is ignored stays so through exec: `yes | head` would never end."""
    assert shell(sandbox, "yes | head -1", seconds=10.0).stdout == "y\n"


def test_the_wall_clock_holds_however_busy_or_deaf_the_command_is(sandbox):
    for script in ("sleep 60", "trap '' TERM INT; while :; do :; done", "while :; do echo x; sleep 0.01; done"):
        start = time.monotonic()
        outcome = shell(sandbox, f"echo begun; {script}", seconds=0.5)
        assert time.monotonic() - start < 5
        assert (outcome.exit, outcome.ended, outcome.detail) == (None, "timeout", "stopped after 0.5 s")
        assert outcome.stdout.startswith("begun\n")


def test_a_flood_is_stopped_and_kept_to_its_cap(sandbox):
    for stream in ("stdout", "stderr"):
        outcome = python(sandbox, f"import sys\nwhile True: sys.{stream}.write('x' * 10000)", output_bytes=5000)
        assert (outcome.exit, outcome.ended) == (None, "output")
        assert getattr(outcome, stream) == "x" * 5000


def test_output_within_the_cap_is_whole(sandbox):
    outcome = python(sandbox, "print('x' * 199_999)")
    assert (outcome.ended, len(outcome.stdout)) == ("exit", 200_000)


def test_undecodable_output_is_replaced(sandbox):
    assert shell(sandbox, "printf 'a\\377b'").stdout == "a\ufffdb"


def test_later_commands_run_after_one_that_was_stopped(sandbox):
    result = run(sandbox, ["sleep", "60"], ["echo", "still here"], seconds=0.3)
    assert [outcome.ended for outcome in result.commands] == ["timeout", "exit"]
    assert result.commands[1].stdout == "still here\n"


def test_memory_is_limited(sandbox):
    outcome = python(sandbox, "x = bytearray(300 << 20)", memory_mb=200)
    assert outcome.exit == 1
    assert "MemoryError" in outcome.stderr


def test_processes_are_limited_for_root_too(sandbox):
    script = """
    import os, time
    count = 0
    try:
        while count < 100:
            if os.fork() == 0:
                time.sleep(30)
            count += 1
    except BlockingIOError:
        pass
    print(count)
    """
    outcome = python(sandbox, script, processes=8)
    assert outcome.stdout == "7\n", outcome.stderr


def test_files_are_limited_one_by_one_and_together(sandbox):
    outcome = python(sandbox, "open('x', 'wb').write(bytes(3 << 20))", file_mb=2)
    assert (outcome.exit, outcome.ended) == (None, "signal") or "File too large" in outcome.stderr
    fill = "for n in 1 2 3 4 5 6; do head -c 1900000 /dev/zero > /tmp/$n || exit 9; done"
    assert "No space left" in shell(sandbox, fill, file_mb=2).stderr


# What commands cannot see or reach


def test_the_hosts_other_files_are_invisible(sandbox, repository, tmp_path):
    (tmp_path / "secret").write_text("kept from commands")
    places = [
        tmp_path / "secret",
        repository,
        Path.home() / ".profile",
        Path(verifierbench.__file__),
        "/var",
        "/etc/shadow",
    ]
    script = f"import os; print([p for p in {[str(p) for p in places]!r} if os.path.lexists(p)])"
    assert python(sandbox, script).stdout == "[]\n"
    assert shell(sandbox, "find / -xdev -name secret; ls -R /tmp /home /dev/shm | grep secret").stdout == ""


def test_the_root_holds_what_is_named_and_nothing_else(sandbox):
    seen = set(shell(sandbox, "ls -A /").stdout.split())
    links = {name for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32") if Path("/", name).exists()}
    prefix = Path(base_interpreter(sys.executable)[0]).parts[1]
    known = {".empty", "dev", "etc", "home", "interpreter", "proc", "repository", "tmp", "usr", prefix}
    assert seen <= known | links
    assert {"usr", "repository", "tmp"} <= seen


def test_installed_packages_are_invisible(sandbox):
    """They differ between machines, and packages of upstream benchmarks hold gold answers."""
    script = "import importlib.util as u; print([n for n in ('pip', 'msgspec', 'verifierbench') if u.find_spec(n)])"
    assert python(sandbox, script).stdout == "[]\n"


def test_nothing_of_the_host_can_be_written(sandbox):
    prefix, _ = base_interpreter(sys.executable)
    for place in ("/usr", "/", "/etc", prefix, f"{prefix}/lib", "/interpreter"):
        outcome = shell(sandbox, f"touch {place}/x")
        assert outcome.exit != 0
        assert "Read-only" in outcome.stderr or "Permission denied" in outcome.stderr


def test_there_is_no_network_but_the_loopback(sandbox):
    script = """
    import socket
    try:
        socket.create_connection(("203.0.113.1", 80), timeout=2)
    except OSError as error:
        print(error.strerror)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0)); server.listen()
        with socket.create_connection(server.getsockname()) as client:
            client.sendall(b"to itself"); print(server.accept()[0].recv(99).decode())
    print(sorted(name for _, name in socket.if_nameindex()))
    """
    outcome = python(sandbox, script)
    assert outcome.stdout.splitlines()[:2] == ["Network is unreachable", "to itself"], outcome.stderr
    assert "eth0" not in outcome.stdout


def test_other_processes_are_invisible_and_pid_1_is_out_of_reach(sandbox):
    script = """
    import ctypes, os
    print([name for name in os.listdir("/proc") if name.isdigit()] == [str(os.getpid())])
    for path in ("/proc/1/environ", "/proc/1/fd", "/proc/1/mem"):
        try:
            os.stat(path); print(path)
        except OSError as error:
            print(type(error).__name__)
    libc = ctypes.CDLL(None, use_errno=True)
    print(libc.ptrace(16, 1, 0, 0))
    os.kill(1, 9); os.kill(1, 15)
    print("alive")
    """
    outcome = python(sandbox, script)
    assert outcome.stdout.split() == ["True", *["FileNotFoundError"] * 3, "-1", "alive"], outcome.stderr


def test_commands_have_no_privilege_and_cannot_gain_any(sandbox):
    script = """
    import os, subprocess
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    print(os.getuid(), [int(status[n], 16) for n in ("CapEff", "CapPrm", "CapBnd", "CapAmb", "NoNewPrivs")])
    for command in (["unshare", "--user", "true"], ["mount", "-t", "tmpfs", "x", "/tmp"], ["chroot", "/", "true"]):
        print(subprocess.run(command, stderr=subprocess.DEVNULL).returncode != 0)
    """
    assert python(sandbox, script).stdout.splitlines() == ["1000 [0, 0, 0, 0, 1]", "True", "True", "True"]


def test_a_command_cannot_write_the_answer_itself(sandbox):
    script = """
    import os
    for fd in range(3, 256):
        try:
            os.write(fd, b'{"files": {"x": "forged"}}\\n')
        except OSError:
            pass
    print([name for name in os.listdir("/proc/self/fd") if int(name) > 2][1:])
    """
    result = run(sandbox, ["python", "-c", textwrap.dedent(script)], read=["calc.py"])
    assert result.files == {"calc.py": REPOSITORY["calc.py"]}
    assert result.commands[0].stdout == "[]\n"


def test_standard_input_is_empty(sandbox):
    assert shell(sandbox, "cat; echo end").stdout == "end\n"


def test_no_signal_of_a_command_brings_pid_1_down(sandbox):
    """Python's own handler made it receive SIGINT, and the interrupt counted as a failure of ours."""
    script = """
    import os, signal
    for number in signal.valid_signals():
        os.kill(1, number)
    """
    result = run(sandbox, ["python", "-c", textwrap.dedent(script)], ["sh", "-c", "kill -INT 1"], read=["calc.py"])
    assert [(outcome.exit, outcome.stderr) for outcome in result.commands] == [(0, ""), (0, "")]
    assert result.files == {"calc.py": REPOSITORY["calc.py"]}


# What is left


def processes_of_sandboxes():
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if "sleep 987" in (status.parent / "cmdline").read_text(errors="replace").replace("\0", " "):
            found.append(fields["Pid"])
    return found


def test_nothing_outlives_a_request_not_even_daemons(sandbox):
    script = (
        "for n in 1 2 3; do setsid sh -c 'trap \"\" HUP TERM; sleep 987 & sleep 987' >/dev/null 2>&1 & done; sleep 0.2"
    )
    first, second = run(sandbox, ["sh", "-c", script], ["sh", "-c", "ps ax | grep -c '[s]leep 987'"]).commands
    assert first.exit == 0
    assert second.stdout == "0\n"
    assert processes_of_sandboxes() == []


def test_a_daemon_that_keeps_the_output_open_does_not_hold_up_the_request(sandbox):
    start = time.monotonic()
    outcome = shell(sandbox, "echo done; sleep 987 &")
    assert time.monotonic() - start < 5
    assert (outcome.exit, outcome.stdout) == (0, "done\n")


def test_a_command_cannot_starve_pid_1_through_its_limits(sandbox):
    """Left without descriptors pid 1 failed, and the failure counted as ours: it would have been retried for ever."""
    script = """
    import resource
    for kind, limit in ((resource.RLIMIT_NOFILE, 3), (resource.RLIMIT_AS, 1), (resource.RLIMIT_CPU, 0)):
        try:
            resource.prlimit(1, kind, (limit, limit))
        except PermissionError:
            print("refused")
    resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))
    """
    result = run(sandbox, ["python", "-c", textwrap.dedent(script)], ["echo", "next"], read=["calc.py"])
    assert [outcome.stdout for outcome in result.commands] == ["refused\n" * 3, "next\n"]
    assert result.files == {"calc.py": REPOSITORY["calc.py"]}


def test_a_sandbox_that_goes_down_during_a_command_is_reported_as_its_outcome(sandbox):
    def kill_parent_of_the_sleeper():
        deadline = time.monotonic() + 10
        while not (sleepers := processes_of_sandboxes()) and time.monotonic() < deadline:
            time.sleep(0.02)
        fields = dict(line.split(":", 1) for line in Path(f"/proc/{sleepers[0]}/status").read_text().splitlines())
        os.kill(int(fields["PPid"]), 9)

    killer = threading.Thread(target=kill_parent_of_the_sleeper)
    killer.start()
    result = run(sandbox, ["echo", "first"], ["sleep", "987"], ["echo", "third"], read=["calc.py"])
    killer.join()
    assert result.applied
    assert [(c.exit, c.ended) for c in result.commands] == [(0, "exit"), (None, "signal"), (None, "signal")]
    assert "went down during this command" in result.commands[1].detail
    assert "not run" in result.commands[2].detail
    assert processes_of_sandboxes() == []


def test_two_requests_at_once_do_not_meet(sandbox):
    from concurrent.futures import ThreadPoolExecutor

    def one(n):
        return shell(
            sandbox, f"echo {n} > /tmp/n; echo {n} > n; sleep 0.2; cat /tmp/n n; ls /tmp; ps ax | wc -l"
        ).stdout

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(one, range(4)))
    assert [answer.split()[:3] for answer in answers] == [[str(n), str(n), "n"] for n in range(4)]
    assert len({answer.split()[3] for answer in answers}) == 1


def test_answers_repeat(sandbox):
    script = "import os; print(hash('x'), {'a', 'b', 'c'}, os.getpid(), dict(os.environ), os.uname().nodename)"
    assert len({python(sandbox, script).stdout for _ in range(3)}) == 1


def test_addresses_repeat(sandbox):
    outcomes = [python(sandbox, "print(open('/proc/self/personality').read(), object())").stdout for _ in range(3)]
    if not int(outcomes[0].split()[0], 16) & 0x40000:
        pytest.skip("`setarch --addr-no-randomize true` is forbidden here")
    assert len(set(outcomes)) == 1


def test_a_request_takes_well_under_300_milliseconds(sandbox):
    """Judged by the best of five, because the machine may be busy with other things."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run(sandbox, ["python", "-c", "pass"])
        times.append(time.perf_counter() - start)
    assert min(times) < 0.3


# The guest that serves many requests


def test_nothing_of_one_request_is_found_by_the_next(sandbox):
    """One guest serves them all; whatever a request can leave behind is looked for by another."""
    leave = """
    import os, py_compile, socket, subprocess, sys, time
    for place in ("/tmp/left", "/dev/shm/left", os.path.expanduser("~/left"), "left"):
        open(place, "w").close()
    py_compile.compile("calc.py", doraise=True)
    os.chdir("/tmp"); os.environ["LEFT"] = "1"; os.umask(0o777)
    kept = [socket.socket(socket.AF_UNIX), socket.socket()]
    kept[0].bind("\\0left"); kept[1].bind(("127.0.0.1", 4321))
    for n in range(3):
        subprocess.Popen(["sleep", "987"], start_new_session=True)
    if os.fork() == 0:
        os._exit(0)  # a zombie
    """
    look = """
    import os, socket
    found = [p for p in ("/tmp", "/dev/shm", os.path.expanduser("~"), ".") for p in os.listdir(p)]
    kept = [socket.socket(socket.AF_UNIX), socket.socket()]
    kept[0].bind("\\0left"); kept[1].bind(("127.0.0.1", 4321))
    running = [n for n in os.listdir("/proc") if n.isdigit()]
    print(sorted(found), os.getcwd(), "LEFT" in os.environ, oct(os.umask(0)), len(running))
    """
    files = {"leave.py": textwrap.dedent(leave), "look.py": textwrap.dedent(look)}
    before = run(sandbox, ["python", "look.py"], files=files).commands[0]
    assert before.exit == 0, before.stderr
    left = run(sandbox, ["python", "leave.py"], files=files).commands[0]
    assert left.exit == 0, left.stderr
    assert run(sandbox, ["python", "look.py"], files=files).commands[0] == before
    assert processes_of_sandboxes() == []


def test_a_fork_bomb_is_gone_with_its_request(sandbox):
    bomb = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
    (outcome,) = run(sandbox, ["python", "bomb.py"], files={"bomb.py": bomb}, seconds=0.5, processes=16).commands
    assert outcome.ended == "timeout"
    assert (
        shell(sandbox, "set -- /proc/[0-9]*; echo $#").stdout == "1\n"
    )  # this shell, which forks nothing; pid 1 is hidden


def test_a_guest_that_died_is_replaced(sandbox, repository):
    made = CommandSandbox(repository)
    shared = command_guest.guest(made._plan)
    os.kill(shared._process.pid, 9)
    shared._process.wait()
    assert shell(made, "echo again").stdout == "again\n"
    assert command_guest.guest(made._plan) is not shared
    assert command_guest.guest(sandbox._plan) is command_guest.guest(made._plan)


def test_a_caller_that_stops_listening_ends_the_request(sandbox):
    shell(sandbox, "true")
    request = sandbox._request({}, "", [["sleep", "987"]], [], QUICK)
    channel = command_guest.guest(sandbox._plan).ask(request)
    deadline = time.monotonic() + 10
    while not processes_of_sandboxes() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(processes_of_sandboxes()) == 1
    command_guest.hang_up(channel)
    channel.close()
    assert processes_of_sandboxes() == []


def test_a_guest_ends_with_the_process_that_uses_it(repository):
    script = f"""
    import os
    from pathlib import Path
    from verifierbench.sandbox import command_guest
    from verifierbench.sandbox.commands import CommandSandbox
    made = CommandSandbox(Path({str(repository)!r}))
    made.run({{}}, "", [["true"]], [])
    print(command_guest.guest(made._plan)._process.pid, flush=True)
    os._exit(0)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    pid = int(done.stdout)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]:
        assert time.monotonic() < deadline, "it is still there"
        time.sleep(0.02)


def test_a_fork_of_the_caller_has_a_guest_of_its_own(sandbox):
    shell(sandbox, "true")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, shell(sandbox, "echo from the fork").stdout.encode())
            command_guest.close_all()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == "from the fork\n"
    os.waitpid(pid, 0)
    assert shell(sandbox, "echo still").stdout == "still\n"


# Materialising


def test_materialising_twice_changes_nothing(repository):
    before = (repository / "calc.py").stat()
    materialise(REPOSITORY, repository)
    after = (repository / "calc.py").stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)
    assert [path.name for path in repository.parent.iterdir()] == ["calc"]


SPOILERS = {
    "changed": lambda tree: (tree / "calc.py").write_text("def add(a, b):\n    return a * b\n"),
    "missing": lambda tree: (tree / "pkg/data.txt").unlink(),
    "extra file": lambda tree: (tree / "conftest.py").write_text(""),
    "extra folder": lambda tree: (tree / "empty").mkdir(),
    "link": lambda tree: (
        (tree / "calc.py").rename(tree.parent / "calc.py"),
        (tree / "calc.py").symlink_to("../calc.py"),
    ),
    "mode": lambda tree: (tree / "run.sh").chmod(0o644),
    "a file": lambda tree: (shutil.rmtree(tree), tree.write_text("")),
    "empty": lambda tree: (shutil.rmtree(tree), tree.mkdir()),
}


@pytest.mark.parametrize("spoiler", SPOILERS)
@pytest.mark.parametrize("exchange", [True, False])
def test_a_tree_that_is_not_what_its_name_says_is_made_anew(tmp_path, spoiler, exchange, monkeypatch):
    into = tmp_path / "trees" / "calc"
    materialise(REPOSITORY, into)
    SPOILERS[spoiler](into)
    if not exchange:
        monkeypatch.setitem(trees.syscalls.SYSCALL_NUMBERS[os.uname().machine], "renameat2", 100_000)
    materialise(REPOSITORY, into)
    files = {str(path.relative_to(into)): path.read_text() for path in into.rglob("*") if path.is_file()}
    assert files == REPOSITORY
    assert sorted(path.name for path in into.rglob("*") if path.is_dir()) == ["pkg"]
    assert not (into / "calc.py").is_symlink()
    assert (into / "run.sh").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in into.parent.iterdir() if path.name != "calc.py"] == ["calc"]


def test_a_place_that_cannot_be_written_is_unavailable(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        Unavailable, match=r"cannot be written to .*file/trees/calc \(Not a directory\); make that place"
    ):
        materialise(REPOSITORY, tmp_path / "file" / "trees" / "calc")


def test_a_materialised_tree_is_the_same_everywhere(repository):
    assert {path.stat().st_mtime for path in [repository, *repository.rglob("*")]} == {commands.EPOCH}
    assert {oct(path.stat().st_mode & 0o777) for path in repository.rglob("*.py")} == {"0o644"}
    assert (repository / "run.sh").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("name", ["../x", "/x", ""])
def test_a_tree_with_a_path_outside_it_is_not_made(tmp_path, name):
    with pytest.raises(MalformedInput, match="relative"):
        materialise({"good": "", name: "x"}, tmp_path / "into")
    assert list(tmp_path.iterdir()) == []


# Other identities

AS_SOMEONE = r'''
import json, sys, tempfile
from pathlib import Path
from verifierbench.core.errors import Unavailable
from verifierbench.sandbox.commands import CommandLimits, CommandSandbox, materialise
into = Path(tempfile.mkdtemp(dir=sys.argv[1])) / "tree"
materialise({"a.py": "x = 1\n", "d/f": "f\n"}, into)
patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
fork_bomb = """
import os, time
count = 0
try:
    while count < 99:
        os.fork() or time.sleep(9)
        count += 1
except OSError:
    pass
print(count)
"""
look = "stat -f -c %T .; id -u; ls /tmp /home /var /srv 2>/dev/null; rm -r d; mkdir d; echo y > d/g; cat a.py"
commands = [
    ["sh", "-c", look],
    ["python", "-c", fork_bomb],
    ["sh", "-c", "(setsid sleep 986 &) ; cat /proc/net/dev | wc -l"],
    ["sh", "-c", "ps ax | grep -c '[s]leep 986'; unshare --user true || echo refused"],
    ["grep", "-c", "^Cap...:.*[1-9a-f]", "/proc/self/status"],
]
limits = CommandLimits(seconds=20.0, processes=8)
for tree in ("overlay", "copy"):
    try:
        result = CommandSandbox(into, tree=tree).run({}, patch, commands, ["d/g", "d/f"], limits)
    except Unavailable as error:
        print(json.dumps({"unavailable": str(error)}))
    else:
        print(json.dumps([[c.exit, c.stdout] for c in result.commands] + [result.files]))
'''


def test_an_ordinary_user_gets_the_same(unprivileged):
    done = unprivileged(AS_SOMEONE)
    assert done.returncode == 0, done.stderr
    overlay, copy = (json.loads(line) for line in done.stdout.splitlines())
    if "unavailable" in overlay:
        pytest.skip(overlay["unavailable"])
    assert overlay[0] == [0, "overlayfs\n1000\n/home:\nuser\n\n/tmp:\nx = 2\n"]
    assert copy[0][1].startswith("tmpfs\n1000\n")
    for answers in (overlay, copy):
        assert answers[1:] == [[0, "7\n"], [0, "3\n"], [0, "0\nrefused\n"], [1, "0\n"], {"d/g": "y\n", "d/f": None}]


AS_ROOT_OF_A_CONTAINER = """
import os
from verifierbench.sandbox import syscalls as sc
proc, uid, gid = os.open("/proc", os.O_PATH), os.getuid(), os.getgid()
sc.unshare(sc.CLONE_NEWUSER)
sc.write_id_maps(proc, inner=0, uid=uid, gid=gid)
assert sc.is_privileged() and not sc.is_mapped(64322)
"""


def test_root_of_a_container_without_other_users_gets_the_same(unprivileged):
    probe = unprivileged(AS_ROOT_OF_A_CONTAINER)
    if probe.returncode:
        pytest.skip(f"cannot become root of a user namespace here: {probe.stderr.strip()[-200:]}")
    done = unprivileged(AS_ROOT_OF_A_CONTAINER + AS_SOMEONE)
    assert done.returncode == 0, done.stderr
    overlay, copy = (json.loads(line) for line in done.stdout.splitlines())
    assert (overlay[0][1].split()[:2], copy[0][1].split()[:2]) == (["overlayfs", "1000"], ["tmpfs", "1000"])
    for answers in (overlay, copy):
        assert answers[1:] == [[0, "7\n"], [0, "3\n"], [0, "0\nrefused\n"], [1, "0\n"], {"d/g": "y\n", "d/f": None}]


WITHOUT_NAMESPACES = """
import os, sys
from verifierbench.sandbox import syscalls as sc
proc, uid, gid = os.open("/proc", os.O_PATH), os.getuid(), os.getgid()
sc.unshare(sc.CLONE_NEWUSER)
sc.write_id_maps(proc, inner=1000, uid=uid, gid=gid)
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
sc.no_new_privileges(); sc.drop_bounding_set(); sc.drop_capabilities()
"""


def test_without_namespaces_it_says_what_is_needed(unprivileged):
    probe = unprivileged(WITHOUT_NAMESPACES)
    if probe.returncode:
        pytest.skip(f"cannot take user namespaces away from a process here: {probe.stderr.strip()[-200:]}")
    done = unprivileged(WITHOUT_NAMESPACES + AS_SOMEONE)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        assert "code tasks need Linux namespaces, or a container engine" in json.loads(line)["unavailable"]
