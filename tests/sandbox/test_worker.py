"""Guarded workers: loaded freely, locked down for good, and no request changes another's answer."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import msgspec
import pytest

import verifierbench
from verifierbench.core.errors import EnvironmentRefusal, InfrastructureError, MalformedInput, Overrun, Unavailable
from verifierbench.sandbox.tiers import Tier
from verifierbench.sandbox.worker import GuardedWorker

SOMEONE = 65533
"""A user id that is nobody's account."""
EVALUATE = """
import asyncio, ctypes, datetime, os, random, signal, socket, subprocess, sys, threading, time, uuid
state = {"loaded": 1}
def load(arguments):
    state["arguments"] = arguments
    return {"loaded": True, "arguments": arguments, "version": list(sys.version_info[:2])}
def handle(request):
    scope = dict(globals())
    exec(request["code"], scope)
    return scope.get("result")
"""
"""A worker whose packages evaluate whatever a solution contains: the worst there is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scripts")


def start(folder, source=EVALUATE, **options):
    script = folder / f"script{len(list(folder.iterdir()))}.py"
    script.write_text(textwrap.dedent(source))
    return GuardedWorker(script, **({"tier": Tier.NAMESPACES} | options))


@pytest.fixture(scope="module", params=list(Tier))
def worker(request, folder):
    try:
        made = start(folder, tier=request.param, arguments={"k": [1, None, "é"]})
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    with made:
        yield made


def ask(worker, code, seconds=20.0):
    return worker.request({"code": textwrap.dedent(code)}, seconds)


# What it is for


def test_it_loads_once_and_answers(worker):
    assert worker.ready == {"loaded": True, "arguments": {"k": [1, None, "é"]}, "version": list(sys.version_info[:2])}
    assert ask(worker, "result = {'a': [1, 2.5, None, True, 'é']}") == {"a": [1, 2.5, None, True, "é"]}


def test_a_megabyte_goes_both_ways(worker):
    text = "é" * (1 << 20)
    assert ask(worker, f"result = {text!r} + '!'") == text + "!"


def test_a_refusal_is_the_verifiers_to_read(worker):
    with pytest.raises(EnvironmentRefusal, match=r"^there is no such account$"):
        ask(worker, "raise Refusal('there is no such account')")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("result = {1, 2}", "TypeError"),
        ("def f(): f()\nf()", "RecursionError"),
        ("sys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("os._exit(0)", "status 0x0000"),
        ("os._exit(7)", "status 0x0700"),
        ("ctypes.string_at(0)", "status 0x000b"),
        ("result = bytearray(8 << 30)", "MemoryError"),
    ],
)
def test_a_failing_script_is_our_failure_and_the_next_request_is_served(worker, code, said):
    with pytest.raises(InfrastructureError, match=said):
        ask(worker, code)
    assert ask(worker, "result = 'well'") == "well"


@pytest.mark.parametrize("code", ["result = float('inf')", "result = [{'balance': float('nan')}]"])
def test_a_number_without_bounds_is_refused_and_no_failure_of_ours(worker, code):
    # Two refuels of 1e308 gigabytes, which any verifier may ask for, ended the scoring of everybody.
    with pytest.raises(EnvironmentRefusal, match="cannot be said in JSON"):
        ask(worker, code)
    assert ask(worker, "result = 2") == 2


def test_an_answer_that_is_too_long_is_refused_and_the_next_request_is_served(worker):
    """It is as long each time, so it is not a failure to be retried."""
    with pytest.raises(EnvironmentRefusal, match="the answer is larger than 67108864 bytes") as refusal:
        ask(worker, "result = 'x' * (70 << 20)")
    assert not isinstance(refusal.value, Overrun)
    assert ask(worker, "result = 'well'") == "well"


def test_a_request_that_takes_too_long_is_an_overrun_and_the_next_is_served(worker):
    """A verifier can ask for what takes too long; as a failure of ours it stopped the scoring."""
    begin = time.monotonic()
    for code in ("while True: pass", "time.sleep(60)", "signal.signal(signal.SIGTERM, signal.SIG_IGN); 10 ** 10 ** 9"):
        with pytest.raises(Overrun, match=r"took longer than 0\.3 s"):
            ask(worker, code, 0.3)
    assert ask(worker, "result = state") == {"loaded": 1, "arguments": {"k": [1, None, "é"]}}
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("value", [float("nan"), {"x": b"bytes"}])
def test_a_request_that_is_not_json_is_refused(worker, value):
    with pytest.raises(EnvironmentRefusal, match="not JSON"):
        worker.request(value, 1.0)


def test_what_packages_print_does_not_reach_the_protocol(worker):
    code = "print('x' * 100000); sys.stderr.write('y'); os.write(1, b'z'); os.write(2, b'{}'); result = 'clean'"
    assert ask(worker, code) == "clean"


def test_threads_and_event_loops_work(worker):
    code = """
    found = []
    threads = [threading.Thread(target=lambda n=n: found.append(n)) for n in range(5)]
    [t.start() for t in threads]; [t.join() for t in threads]
    async def wait():
        await asyncio.sleep(0.02)
        return await asyncio.get_running_loop().run_in_executor(None, lambda: 'waited')
    result = [sorted(found), asyncio.run(wait())]
    """
    assert ask(worker, code) == [[0, 1, 2, 3, 4], "waited"]


# The same answer every time


def test_the_calendar_stands_and_stopwatches_run(worker):
    code = """
    def look():
        return [time.time(), datetime.datetime.now().isoformat(), str(datetime.date.today()), time.strftime('%c')]
    first, begin = look(), time.monotonic()
    time.sleep(0.05)
    result = [look() == first, time.monotonic() - begin >= 0.05, first[0]]
    """
    same, ran, instant = ask(worker, code)
    assert (same, ran) == (True, True)
    assert instant == int(instant)


def test_answers_do_not_depend_on_chance_or_on_earlier_requests(worker):
    code = """
    state['loaded'] += 1; random.shuffle(x := list(range(9)))
    import random as r; r.seeded = getattr(r, 'seeded', 0) + 1
    result = [state['loaded'], r.seeded, x, hash('text'), list({'a', 'b', 'c'}), str(uuid.uuid4()), os.urandom(4).hex()]
    """
    first = ask(worker, code)
    assert first[:2] == [2, 1]
    assert [ask(worker, code) for _ in range(3)] == [first] * 3
    worker.close()
    assert ask(worker, code) == first


# What hostile code cannot do


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        "open('/tmp/x', 'w')",
        "os.stat('/')",
        "os.listdir('/proc')",
        "os.readlink('/proc/self/exe')",
        "os.chdir('/')",
        "os.memfd_create('x')",
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "socket.create_connection(('127.0.0.1', 1))",
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "subprocess.run(['/bin/true'])",
        "os.kill(os.getppid(), 9)",
        "os.kill(1, 9)",
        "os.kill(-1, 9)",
        "os.setuid(0)",
        "os.sched_setaffinity(0, {0})",
        "__import__('fcntl').fcntl(1, 8, 1)",
        "__import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (-1, -1))",
    ],
)
def test_the_machine_is_out_of_reach(worker, attempt):
    code = f"""
    try:
        {attempt}
        result = 'did it'
    except (OSError, ValueError) as error:
        result = 'refused'
    except ImportError:
        result = 'no such module'
    """
    assert ask(worker, code) in ("refused", "no such module")
    assert ask(worker, "result = 'well'") == "well"


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (101, "16, 1, 0, 0"),  # ptrace
        (310, "1, 0, 0, 0, 0, 0"),  # process_vm_readv
        (272, "0x10000000"),  # unshare(CLONE_NEWUSER)
        (165, "0, 0, 0, 0, 0"),  # mount
        (425, "1, 0"),  # io_uring_setup
        (321, "0, 0, 0"),  # bpf
        (434, "1, 0"),  # pidfd_open
        (56, "17, 0, 0, 0, 0"),  # clone without CLONE_THREAD: a fork
    ],
)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="these numbers are x86-64's")
def test_raw_calls_are_refused(worker, call, arguments):
    code = f"libc = ctypes.CDLL(None, use_errno=True); result = [libc.syscall({call}, {arguments}), ctypes.get_errno()]"
    assert ask(worker, code) == [-1, 1]


def test_a_request_cannot_answer_for_a_later_one(worker):
    """All it can write to is its own answer's pipe, which ends with it."""
    forge = """
    import json, struct
    body = json.dumps({'result': 'forged'}).encode()
    for fd in range(3, 64):
        try:
            os.write(fd, struct.pack('=IdQ', 14, 0.0, len(body)) + body)
        except OSError:
            pass
    time.sleep(0.1)
    """
    with pytest.raises(InfrastructureError):
        ask(worker, forge)
    assert ask(worker, "result = 'honest'") == "honest"


def test_a_request_can_lie_in_its_own_answer_only_as_an_answer(worker):
    code = """
    for fd in range(3, 64):
        try:
            os.write(fd, b'{"unconfined": 1}')
        except OSError:
            pass
    os._exit(0)
    """
    with pytest.raises(InfrastructureError, match="failed: 1"):
        ask(worker, code)


def test_in_the_namespaces_tier_it_is_alone_and_nobody(worker, request):
    if request.node.callspec.params["worker"] is not Tier.NAMESPACES:
        pytest.skip("the other tier has no namespaces")
    parent, uid = ask(worker, "result = [os.getppid(), os.getuid()]")
    assert parent == 1
    assert uid != 0


# Loading


def test_it_sees_the_standard_library_and_its_search_path_alone(folder, tmp_path):
    (tmp_path / "helper_package.py").write_text("VALUE = 41\n")
    source = """
    import importlib.util as u
    def load(arguments):
        import helper_package
        names = ["json", "helper_package", "msgspec", "pip", "pytest"]
        return [helper_package.VALUE, [bool(u.find_spec(n)) for n in names]]
    def handle(request): return __import__("helper_package").VALUE + request
    """
    with start(folder, source, search_path=[tmp_path]) as worker:
        assert worker.ready == [41, [True, True, False, False, False]]
        assert worker.request(1, 5.0) == 42


def test_our_own_packages_are_not_on_its_path(folder):
    source = """
    def load(arguments):
        try:
            import verifierbench.core
        except ImportError as error:
            return str(error)
    def handle(request): pass
    """
    with start(folder, source) as worker:
        assert worker.ready == "No module named 'verifierbench.core'"


def test_another_versions_interpreter_can_be_used(folder):
    places = [*Path(sys.base_prefix).parent.glob("3.1[23]*/bin/python"), *map(Path, ("/usr/bin/python3.12",))]
    others = [p for p in places if p.exists() and not p.resolve().is_relative_to(Path(sys.base_prefix).resolve())]
    if not others:
        pytest.skip("no Python 3.12 or 3.13 beside this one")
    with start(folder, python=str(others[0])) as worker:
        assert worker.ready["version"] > [3, 11]
        assert ask(worker, "result = [time.time(), str(datetime.datetime.now())[:4]]") == [1767225600.0, "2026"]


def test_threads_started_by_load_do_not_hinder_it(folder):
    source = """
    import threading, time
    def load(arguments):
        threading.Thread(target=time.sleep, args=(600,)).start()
        return "ready"
    def handle(request): return request
    """
    begin = time.monotonic()
    with start(folder, source) as worker:
        assert worker.request("x", 5.0) == "x"
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def load(a): raise OSError('no data here')\ndef handle(r): pass", "OSError: no data here"),
        ("import no_such_package", "No module named 'no_such_package'"),
        ("def load(a) return", "SyntaxError"),
        ("def load(a): pass", "handle"),
        ("def load(a): return object()\ndef handle(r): pass", "TypeError"),
        ("import os, sys\nsys.stderr.write('last words'); sys.stderr.flush(); os._exit(1)", "last words"),
    ],
)
def test_a_script_that_does_not_load_says_why(folder, source, said):
    with pytest.raises(InfrastructureError, match=said):
        start(folder, source)


def test_a_script_that_loads_for_ever_is_given_up(folder):
    begin = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"no word from it within 0\.5 s"):
        start(folder, "while True: pass", seconds_to_start=0.5)
    assert time.monotonic() - begin < 15


def test_an_interpreter_or_a_script_that_is_not_there_is_named(folder, tmp_path):
    with pytest.raises(Unavailable, match="/nowhere/python does not run"):
        start(folder, python="/nowhere/python")
    with pytest.raises(MalformedInput, match="no such worker script"):
        GuardedWorker(tmp_path / "none.py", tier=Tier.SECCOMP)


# Ends and beginnings


def sleepers(mark):
    """Processes that carry this mark on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in path.read_text(errors="replace"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("tier", list(Tier))
def test_closing_leaves_nothing_and_a_request_starts_it_anew(folder, tier, tmp_path):
    mark = f"{tmp_path}/python"
    Path(mark).symlink_to(sys.executable)
    worker = start(folder, tier=tier, python=mark)
    assert sleepers(mark)
    worker.close()
    assert soon_gone(mark)
    assert ask(worker, "result = 'again'") == "again"
    worker.close()
    worker.close()
    assert soon_gone(mark)


def soon_gone(mark):
    """The kernel ends the processes of a namespace after its first one, not with it."""
    deadline = time.monotonic() + 10
    while sleepers(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not sleepers(mark)


@pytest.mark.parametrize("tier", list(Tier))
def test_a_worker_that_was_killed_is_started_by_the_next_request(folder, tier, tmp_path):
    mark = f"{tmp_path}/python"
    Path(mark).symlink_to(sys.executable)
    with start(folder, tier=tier, python=mark) as worker:
        for pid in sleepers(mark):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="the worker is gone"):
            ask(worker, "result = 1")
        assert ask(worker, "result = 2") == 2
    assert soon_gone(mark)


@pytest.mark.parametrize("tier", list(Tier))
def test_nothing_outlives_a_caller_that_was_killed(folder, tier, tmp_path):
    mark = f"{tmp_path}/python"
    Path(mark).symlink_to(sys.executable)
    script = folder / "for_killed.py"
    script.write_text(EVALUATE)
    caller = f"""
from pathlib import Path
from verifierbench.sandbox.tiers import Tier
from verifierbench.sandbox.worker import GuardedWorker
worker = GuardedWorker(Path({str(script)!r}), tier=Tier({tier.value!r}), python={mark!r})
print("ready", flush=True)
worker.request({{"code": "while True: pass"}}, 600.0)
"""
    with subprocess.Popen([sys.executable, "-c", caller], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        process.kill()
    deadline = time.monotonic() + 10
    while sleepers(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers(mark) == []


AS_SOMEONE = """
import json, sys
from pathlib import Path
from verifierbench.core.errors import Unavailable
from verifierbench.sandbox.tiers import Tier
from verifierbench.sandbox.worker import GuardedWorker
script = Path(sys.argv[1]) / "script.py"
script.write_text(sys.argv[2])
tests = ["open('/etc/passwd')", "os.fork()", "os.kill(os.getppid(), 9)", "result = os.getuid()"]
for tier in Tier:
    try:
        with GuardedWorker(script, tier=tier) as worker:
            answers = []
            for code in tests:
                try:
                    answers.append(worker.request({"code": code}, 10.0))
                except Exception as error:
                    answers.append("PermissionError" in str(error))
            print(json.dumps(answers))
    except Unavailable as error:
        print(json.dumps(str(error)))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become another user; this file has then run as one")
def test_an_ordinary_user_gets_the_same():
    import json

    python = "/usr/bin/python3"
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        source, home = Path(base, "source"), Path(base, "home")
        shutil.copytree(Path(verifierbench.__file__).parent, source / "verifierbench")
        shutil.copytree(Path(msgspec.__file__).parent, source / "msgspec")
        home.mkdir()
        os.chown(home, SOMEONE, SOMEONE)
        environment = {"PYTHONPATH": str(source), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [python, "-c", AS_SOMEONE, str(home), EVALUATE],
            user=SOMEONE,
            group=SOMEONE,
            extra_groups=[],
            env=environment,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    if "import" in done.stderr and "verifierbench.sandbox" not in done.stderr:
        pytest.skip(f"{python} cannot import the package's requirements: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr
    for answers in map(json.loads, done.stdout.splitlines()):
        assert answers == [True, True, True, SOMEONE]
