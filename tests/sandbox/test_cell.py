"""An agent's cell: what programs find in it, how they end, and that nothing of them is left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import uuid
from pathlib import Path

import pytest

from verifierbench.core.errors import InfrastructureError, MalformedInput, Unavailable
from verifierbench.sandbox.cell import Cell, CellLimits, CellPlan, Mount


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


@pytest.fixture
def workspace(tmp_path):
    made = tmp_path / "workspace"
    made.mkdir()
    (made / "TASK.md").write_text("the task\n")
    return made


@pytest.fixture
def start(workspace, tmp_path):
    """Start cells with the workspace writable; they are closed in the end."""
    cells = []

    def begin(*mounts, **more):
        limits = CellLimits(**more.pop("limits", {}))
        mounted = (Mount(outside=workspace, inside="/workspace", writable=True), *mounts)
        cells.append(Cell(CellPlan(mounts=mounted, cwd="/workspace", limits=limits, **more)))
        return cells[-1]

    yield begin
    for cell in cells:
        cell.close()


@pytest.fixture
def run(tmp_path):
    """Run a shell's script in a cell: how it ended, and what it printed."""

    def shell(cell, script, *, environment=None, seconds=30.0, **more):
        out, err = tmp_path / "stdout", tmp_path / "stderr"
        ending = cell.run(["bash", "-c", textwrap.dedent(script)], environment or {}, out, err, seconds, **more)
        return ending, out.read_text(), err.read_text()

    return shell


def alive(mark):
    """Processes of the machine whose command line holds `mark`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            found += [int(entry.name)] if mark.encode() in line else []
    return found


def soon(condition, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def a_mark():
    """A number of seconds nobody else sleeps."""
    return f"9{uuid.uuid4().int % 10**12}"


# What it is for


def test_programs_work_in_folders_of_ours_and_print_into_files_of_ours(start, run, workspace):
    script = "cat TASK.md; echo made > made.txt; echo err >&2; exit 7"
    ending, out, err = run(start(), script)
    assert (ending.ended, ending.status, ending.signal, ending.dropped) == ("exit", 7, "", (0, 0))
    assert (out, err) == ("the task\n", "err\n")
    assert (workspace / "made.txt").read_text() == "made\n"


def test_files_we_made_can_be_changed_and_files_it_made_can_be_taken_away(start, run, workspace):
    (workspace / "deep").mkdir(mode=0o700)
    (workspace / "deep/ours").write_text("1")
    (workspace / "deep/ours").chmod(0o600)
    ending, _, err = run(start(), "echo 2 > deep/ours && rm TASK.md && mkdir theirs && touch theirs/file")
    assert (ending.status, err) == (0, "")
    assert (workspace / "deep/ours").read_text() == "2\n"
    shutil.rmtree(workspace)


def test_programs_are_mounted_read_only_as_folders_and_as_single_files(start, run, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text("#!/usr/bin/env python3\nprint('tool', __import__('sys').version_info[0])\n")
    tool.chmod(0o755)
    (tmp_path / "program/bin").mkdir(parents=True)
    shutil.copy(tool, tmp_path / "program/bin/other")
    mounts = [Mount(outside=tool, inside="/opt/tools/tool"), Mount(outside=tmp_path / "program", inside="/opt/program")]
    ending, out, err = run(
        start(*mounts, environment={"PATH": "/opt/tools:/opt/program/bin:/interpreter:/usr/bin"}),
        "tool && other; echo x > /opt/program/bin/other; rm -f /opt/program/bin/other; echo x > /opt/tools/tool",
    )
    assert out == "tool 3\ntool 3\n"
    assert err.count("Read-only file system") == 3
    assert "print" in tool.read_text()
    assert ending.status == 1


def test_the_environment_is_the_cells_then_the_plans_then_the_programs(start, run, monkeypatch):
    monkeypatch.setenv("OF_OURS", "secret")
    cell = start(environment={"ONE": "plan", "TWO": "plan"})
    _, out, _ = run(cell, "env; cd; pwd; id -un; tty; git --version", environment={"TWO": "start"})
    lines = out.splitlines()
    assert {"ONE=plan", "TWO=start", "HOME=/home/agent", "TMPDIR=/tmp", "LANG=C.UTF-8", "TERM=dumb"} <= set(lines)
    assert "OF_OURS" not in out
    assert lines[-4:-1] == ["/home/agent", "agent", "not a tty"]


def test_a_command_line_program_finds_what_it_expects(start, run):
    """Users by name, terminals, shared memory, its own processes; a hosts file, and no name server to wait for."""
    ending, out, err = run(
        start(),
        """
        python3 -u - <<'END'
        import multiprocessing, os, pty, pwd, socket, tempfile
        user = pwd.getpwuid(os.getuid())
        print(user.pw_name, user.pw_uid, user.pw_dir, os.path.expanduser("~") == user.pw_dir)
        print(socket.gethostbyname("localhost"), socket.gethostbyname(socket.gethostname()))
        print(pty.spawn(["sh", "-c", "test -t 0 && test -w /dev/tty && echo terminal"]))
        multiprocessing.Lock()
        print(all(os.access(f"/dev/{name}", os.R_OK | os.W_OK) for name in ("null", "zero", "full", "random", "shm")))
        print(os.getpid() in map(int, filter(str.isdigit, os.listdir("/proc"))), tempfile.gettempdir())
        END
        git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log --oneline | wc -l
        """,
    )
    assert (ending.status, err) == (0, "")
    assert out.splitlines() == [
        "agent 1000 /home/agent True",
        "127.0.0.1 127.0.0.1",
        "terminal",
        "0",
        "True",
        "True /tmp",
        "1",
    ]


@pytest.mark.skipif(not Path("/usr/bin/node").exists(), reason="no node on this machine: install nodejs")
def test_node_works_with_threads_children_webassembly_and_fetch(start, run):
    """It reserves more address space than the machine has memory, which is why none is limited."""
    cell = start(ports=(8080,))
    served = threading.Thread(target=answer_once, args=(cell.doors[0],))
    served.start()
    ending, out, err = run(
        cell,
        r"""
        node -e '
        const {Worker} = require("worker_threads"), {execSync} = require("child_process")
        new Worker("require(`worker_threads`).parentPort.postMessage(`thread`)", {eval: true})
            .on("message", console.log).on("exit", async () => {
                console.log(execSync("echo child").toString().trim(), require("os").userInfo().username)
                await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
                console.log(await (await fetch("http://localhost:8080/")).text())
            })'
        """,
    )
    served.join()
    assert (ending.status, err) == (0, "")
    assert out.splitlines() == ["thread", "child agent", "served"]


def answer_once(door):
    door.settimeout(20)
    with door.accept()[0] as connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nserved")


def test_programs_run_one_after_another_and_scratch_lasts_as_long_as_the_cell(start, run):
    cell = start()
    run(cell, "echo kept > /tmp/kept; echo kept > ~/kept")
    assert run(cell, "cat /tmp/kept ~/kept")[1] == "kept\nkept\n"
    assert run(start(), "ls -A /tmp ~")[1].split() == ["/home/agent:", "/tmp:"]


# How a program ends


def test_what_is_not_there_ends_as_in_a_shell(start, tmp_path):
    ending = start().run(["no-such-program"], {}, tmp_path / "out", tmp_path / "err", 10.0)
    assert (ending.ended, ending.status) == ("exit", 127)
    assert (tmp_path / "err").read_text() == "no-such-program: No such file or directory\n"


def test_a_signal_that_was_not_ours_is_named(start, run):
    ending, _, _ = run(start(), "kill -SEGV $$")
    assert (ending.ended, ending.status, ending.signal) == ("signal", None, "SIGSEGV")


def test_a_program_whose_time_is_up_may_put_its_affairs_in_order(start, run):
    ending, out, _ = run(start(), "trap 'echo saved; exit 5' TERM; sleep 60 & wait", seconds=0.5)
    assert (ending.ended, ending.status, out) == ("timeout", 5, "saved\n")
    assert 0.4 < ending.seconds < 5


def test_a_deaf_program_is_killed_after_the_grace(start, run):
    ending, _, _ = run(start(), "trap '' TERM; while :; do sleep 0.1; done", seconds=0.3, grace=0.5)
    assert (ending.ended, ending.status, ending.signal) == ("timeout", None, "SIGKILL")
    assert 0.7 < ending.seconds < 5


def test_a_program_can_be_stopped(start, run):
    stop = threading.Event()
    timer = threading.Timer(0.4, stop.set)
    timer.start()
    ending, _, _ = run(start(), "sleep 60", stop=stop)
    assert (ending.ended, ending.signal) == ("stopped", "SIGTERM")
    assert ending.seconds < 5


def test_a_flood_is_kept_to_its_cap_and_the_program_lives(start, run):
    script = "head -c 3000000 /dev/zero | tr '\\0' x; echo done >&2; head -c 50 /dev/zero >&2"
    ending, out, err = run(start(limits={"output_bytes": 100_000}), script)
    assert (ending.ended, ending.status, ending.dropped) == ("exit", 0, (2_900_000, 0))
    assert out == "x" * 100_000 + "\n[2900000 more bytes were dropped]\n"
    assert err == "done\n" + "\0" * 50


def test_a_flood_without_end_is_stopped_in_time(start, run):
    ending, out, _ = run(start(limits={"output_bytes": 1000}), "cat /dev/zero", seconds=1.0)
    assert ending.ended == "timeout"
    assert len(out) < 1100


# Nothing is left


def test_what_a_program_detached_ends_with_it(start, run):
    mark = a_mark()
    script = (
        f"(setsid sleep {mark} >/dev/null 2>&1 &); (setsid sh -c 'trap \"\" TERM; sleep {mark}; :' &); echo started"
    )
    ending, out, _ = run(start(), script)
    assert (ending.ended, out) == ("exit", "started\n")
    assert ending.seconds < 5, "whoever keeps standard output open does not hold up the end"
    assert alive(mark) == []


def test_orphans_are_reaped_while_the_program_runs(start, run):
    script = "for i in $(seq 200); do (setsid true &) ; done; sleep 0.5; ls -d /proc/[0-9]* | wc -l"
    ending, out, err = run(start(limits={"processes": 60}), script)
    assert (ending.status, err) == (0, "")
    assert int(out) < 6


def test_closing_from_another_thread_ends_a_run(start, run):
    mark, cell = a_mark(), start()
    closer = threading.Timer(0.5, cell.close)
    closer.start()
    with pytest.raises(InfrastructureError, match="closed or killed"):
        run(cell, f"sleep {mark}")
    closer.join()
    assert alive(mark) == []
    cell.close()
    with pytest.raises(InfrastructureError, match="no more"):
        run(cell, "true")


def test_an_interrupt_during_a_run_leaves_nothing_running(start, run):
    mark, cell = a_mark(), start()
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run(cell, f"sleep {mark}")
    assert soon(lambda: alive(mark) == [])


OWNER = """
import os, sys, time
from pathlib import Path
from verifierbench.sandbox.cell import Cell, CellPlan
mark, base = sys.argv[1], Path(sys.argv[2])
cell = Cell(CellPlan(ports=(8080,)))
if os.fork() == 0:  # keeps every descriptor of its parent, and outlives it
    time.sleep(30)
    os._exit(0)
cell.run(["bash", "-c", f"(setsid sleep {mark} &); (setsid setsid sh -c 'trap : TERM HUP INT; sleep {mark}' &) ;"
         f"sleep {mark}"], {}, base / "out", base / "err", 600.0)
"""


def test_a_kill_of_this_process_is_the_end_of_its_cell(tmp_path):
    """Detached, deaf, with a fork of ours alive that holds the same descriptors."""
    mark = a_mark()
    owner = subprocess.Popen([sys.executable, "-c", OWNER, mark, str(tmp_path)], start_new_session=True)
    try:
        inside = [b"sleep", mark.encode()]
        assert soon(lambda: len(sleeping(inside)) == 3), "the test itself did not work"
        os.kill(owner.pid, signal.SIGKILL)
        owner.wait()
        assert soon(lambda: not sleeping(inside), 5.0)
    finally:
        os.killpg(owner.pid, signal.SIGKILL)


def sleeping(words):
    """Processes of the machine with exactly this command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [entry] if entry.read_bytes().rstrip(b"\0").split(b"\0") == words else []
        except OSError:
            continue
    return found


# Bounds


COUNT_FORKS = """
import os, time
count = 0
try:
    while count < 999:
        os.fork() or time.sleep(99)
        count += 1
except OSError:
    print(count)
"""


def test_a_fork_bomb_is_bounded_and_leaves_the_cell_usable(start, run):
    cell = start(limits={"processes": 40})
    assert 30 < int(run(cell, f"python3 -c '{COUNT_FORKS}'")[1]) < 40
    ending, _, _ = run(cell, ":(){ :|:& };:; sleep 60", seconds=2.0, grace=0.5)
    assert ending.seconds < 10
    assert run(cell, "echo usable")[1] == "usable\n"


def test_files_are_limited_one_by_one_and_scratch_as_a_whole(start, run, workspace):
    cell = start(limits={"file_mb": 2, "scratch_mb": 8})
    _, _, err = run(cell, "head -c 5000000 /dev/zero > big; echo $?")
    assert (workspace / "big").stat().st_size == 2 << 20
    assert "File size limit exceeded" in err
    script = "for i in $(seq 9); do head -c 1500000 /dev/zero > /tmp/$i || break; done; head -c 100 /dev/zero > ~/f"
    _, _, err = run(cell, script)
    assert err.count("No space left on device") == 2


# A plan that cannot hold


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("workspace", "plain absolute path"),
        ("/a/../b", "plain absolute path"),
        ("/", "plain absolute path"),
        ("/usr/share/x", "/usr is mounted already"),
        ("/etc", "/etc is mounted already"),
        ("/workspace/inner", "/workspace is mounted already"),
    ],
)
def test_mounts_within_others_or_over_the_system_are_refused(start, tmp_path, inside, why):
    with pytest.raises(MalformedInput, match=why):
        start(Mount(outside=tmp_path, inside=inside))


def test_a_place_that_is_not_there_is_named(start, tmp_path):
    with pytest.raises(MalformedInput, match="absent: there is no such"):
        start(Mount(outside=tmp_path / "absent", inside="/x"))


def test_a_single_file_is_never_writable(start, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(MalformedInput, match="a folder alone"):
        start(Mount(outside=tmp_path / "file", inside="/x", writable=True))


def test_a_port_that_cannot_be_listened_on_is_no_cell(start):
    with pytest.raises(InfrastructureError, match="did not start: OSError"):
        start(ports=(8080, 8080))


def test_no_descriptor_of_ours_is_left_after_many_lives(tmp_path):
    def descriptors():
        return len(list(Path("/proc/self/fd").iterdir()))

    before = descriptors()
    for _ in range(5):
        with Cell(CellPlan(ports=(1, 2))) as cell:
            cell.run(["true"], {}, tmp_path / "out", tmp_path / "err", 10.0)
        with pytest.raises(InfrastructureError):
            Cell(CellPlan(ports=(3, 3)))
    assert descriptors() == before


AS_SOMEONE = r"""
import json, os, sys, tempfile, threading, time
from pathlib import Path
from verifierbench.core.errors import Unavailable
from verifierbench.sandbox.cell import Cell, CellLimits, CellPlan, Mount
from verifierbench.sandbox.folders import sweep, unlock
base = Path(tempfile.mkdtemp(dir=sys.argv[1]))
workspace = base / "workspace"
workspace.mkdir()
(workspace / "TASK.md").write_text("the task\n")
plan = CellPlan(
    mounts=(Mount(outside=workspace, inside="/workspace", writable=True), Mount(outside=base, inside="/opt/x")),
    ports=(8080,),
    cwd="/workspace",
    limits=CellLimits(processes=40),
)
def serve(door):
    with door.accept()[0] as connection:
        connection.sendall(b"served")
def run(cell, script, seconds=20.0):
    ending = cell.run(["bash", "-c", script], {}, base / "out", base / "err", seconds, None, 0.5)
    return [ending.ended, ending.status, (base / "out").read_text(), (base / "err").read_text()]
try:
    cell = Cell(plan)
except Unavailable as error:
    print(json.dumps({"unavailable": str(error)}))
    sys.exit()
with cell:
    threading.Thread(target=serve, args=(cell.doors[0],)).start()
    print(json.dumps([
        run(cell, "id -u; cat TASK.md; echo x > TASK.md; touch /opt/x/y"),
        run(cell, "python3 -c \"import socket; print(socket.create_connection(('127.0.0.1', 8080)).recv(9))\""),
        run(cell, "python3 -c \"import pty; pty.spawn(['sh', '-c', 'test -t 0 && echo tty'])\""),
        run(cell, "(setsid sleep 987 &); ls -d /proc/1 || unshare --user true"),
        run(cell, "ls /work /root/.ssh /home /var /srv; grep -c '^Cap...:.*[1-9a-f]' /proc/self/status"),
        run(cell, ":(){ :|:& };:; sleep 60", 1.0)[:2],
        run(cell, "mkdir -p a/b; echo hidden > a/b/c; chmod 0 a/b/c a/b a; ln -s /etc/shadow s; mkfifo f; chmod 0 ."),
    ]))
unlock(workspace)
print(json.dumps([(workspace / "a/b/c").read_text(), sorted(os.listdir(workspace))]))
sweep(workspace)
print(json.dumps(sorted(os.listdir(base))))
"""


def test_an_ordinary_user_gets_the_same(unprivileged):
    check_as_someone(unprivileged(AS_SOMEONE))


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
    check_as_someone(unprivileged(AS_ROOT_OF_A_CONTAINER + AS_SOMEONE))


def check_as_someone(done):
    assert done.returncode == 0, done.stderr
    answers, *after = (json.loads(line) for line in done.stdout.splitlines())
    if "unavailable" in answers:
        pytest.skip(answers["unavailable"])
    work, door, tty, others, places, bomb, left = answers
    assert work == ["exit", 1, "1000\nthe task\n", "touch: cannot touch '/opt/x/y': Read-only file system\n"]
    assert door[:3] == ["exit", 0, "b'served'\n"]
    assert tty[:3] == ["exit", 0, "tty\n"]
    assert others[1:3] == [1, ""]
    assert "No space left on device" in others[3]
    assert places[2] == "/home:\nagent\n0\n"
    assert bomb == ["timeout", None]
    assert left[:2] == ["exit", 0]
    assert after == [["hidden\n", ["TASK.md", "a", "f", "s"]], ["err", "out"]]


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
    assert "allow unprivileged user namespaces" in json.loads(done.stdout)["unavailable"]
