"""What cannot be found in a cell, or reached from it: keys, hidden files, other networks, whoever watches over it."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from verifierbench.core.errors import Unavailable
from verifierbench.sandbox import seccomp
from verifierbench.sandbox.cell import Cell, CellPlan, Mount
from verifierbench.sandbox.cell_guest import filters
from verifierbench.sandbox.commands import base_interpreter

from . import bpf

WALKER = r'''
"""Print the path of everything readable that holds one of the words, whose letters are given one further on."""
import os, stat, sys
words = ["".join(chr(ord(c) - 1) for c in word).encode() for word in sys.argv[1:]]
found, looked = set(), 0
def look(path):
    global looked
    try:
        target = os.readlink(path).encode() if os.path.islink(path) else b""
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return
    try:
        data = target + b" " + path.encode(errors="surrogateescape") + b" "
        if stat.S_ISREG(os.fstat(fd).st_mode):
            looked += 1
            while len(data) < 1 << 24 and (block := os.read(fd, 1 << 20)):
                data += block
    except OSError:
        pass
    finally:
        os.close(fd)
    found.update((words.index(word), path) for word in words if word in data)
SKIPPED = ("/usr", sys.base_prefix, "/proc/sys")
for top in ("/", "/proc"):
    for folder, folders, files in os.walk(top):
        inner = [os.path.join(folder, name) for name in folders]
        folders[:] = [os.path.basename(p) for p in inner if p not in SKIPPED and (folder != "/" or p != "/proc")]
        for name in (*folders, *files):
            look(os.path.join(folder, name))
try:
    regions = [line.split()[0].split("-") for line in open("/proc/1/maps")]
except OSError:
    regions = []
print(len(regions), looked)
for number, path in sorted(found):
    print(number, path)
'''
OWNER = r"""
import ctypes, json, os, sys
from pathlib import Path
from verifierbench.sandbox.cell import Cell, CellPlan, Mount
from verifierbench.sandbox.cell_guest import filters
base, walker, key, hidden = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
mine = "visible-" + hidden[::-1]
for folder in ("workspace", "home", "ours"):
    (base / folder).mkdir()
(base / "workspace/walker.py").write_text(walker)
(base / "workspace/mine.txt").write_text(mine)
(base / "hidden.json").write_text(hidden)
Path(os.environ["HOME"], ".netrc").write_text(key)
libc, session, numbers = ctypes.CDLL(None), -3, filters.NUMBERS[os.uname().machine]
libc.syscall(numbers["keyctl"], 1, None)
libc.syscall(numbers["add_key"], b"user", key.encode(), key.encode(), len(key), session)
assert key in Path("/proc/keys").read_text()
mounts = (
    Mount(outside=base / "workspace", inside="/workspace", writable=True),
    Mount(outside=base / "home", inside="/home/agent", writable=True),
)
further = ["".join(chr(ord(c) + 1) for c in word) for word in (key, hidden, mine)]
with open(base / "hidden.json") as held, Cell(CellPlan(mounts=mounts, ports=(8080, 8081), cwd="/workspace")) as cell:
    os.set_inheritable(held.fileno(), True)
    ending = cell.run(
        ["python3", "walker.py", *further], {"MINE": mine}, base / "out", base / "err", 100.0
    )
print(json.dumps([ending.status, (base / "out").read_text().splitlines(), (base / "err").read_text()]))
"""
KEY, HIDDEN = "sk-planted-0a1b2c3d4e5f", "the hidden case number 7391"


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


def python(script, tmp_path, plan=None, serve=None):
    with Cell(plan or CellPlan()) as cell:
        if serve:
            threading.Thread(target=serve, args=(cell,), daemon=True).start()
        command = ["python3", "-c", textwrap.dedent(script)]
        ending = cell.run(command, {}, tmp_path / "out", tmp_path / "err", 30.0)
    assert ending.status == 0, (tmp_path / "err").read_text()
    return [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]


def check_walk(done):
    assert done.returncode == 0, done.stderr
    status, (first, *found), errors = json.loads(done.stdout)
    assert (status, errors) == (0, "")
    regions, looked = map(int, first.split())
    assert regions == 0, "the memory of pid 1, which knows the plan, can be looked at"
    assert looked > 100
    assert [line for line in found if line.startswith(("0 ", "1 "))] == []
    where = {line.split()[1] for line in found if line.startswith("2 ")}
    assert "/workspace/mine.txt" in where, "the walker does not see what is there"
    assert any(path.endswith("/environ") for path in where), "the walker does not look at processes"


def test_neither_key_nor_hidden_text_is_found_by_reading_everything(tmp_path):
    (tmp_path / "our-home").mkdir()
    command = [sys.executable, "-c", OWNER, str(tmp_path), WALKER, KEY, HIDDEN]
    environment = {**os.environ, "PROVIDER_API_KEY": KEY, "HOME": str(tmp_path / "our-home")}
    check_walk(subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120))


def test_nor_where_an_ordinary_user_runs_it(unprivileged):
    plant = f"""
import os, sys, tempfile
base = tempfile.mkdtemp(dir=sys.argv[1])
os.mkdir(base + "/our-home")
os.environ.update(PROVIDER_API_KEY={KEY!r}, HOME=base + "/our-home")
sys.argv[1:] = [base, {WALKER!r}, {KEY!r}, {HIDDEN!r}]
"""
    check_walk(unprivileged(plant + OWNER))


def test_the_list_of_mounts_names_no_place_of_the_host_but_what_is_mounted(tmp_path):
    (tmp_path / "w").mkdir()
    plan = CellPlan(mounts=(Mount(outside=tmp_path / "w", inside="/w", writable=True),))
    script = "import json; print(json.dumps([l.split()[3:5] for l in open('/proc/self/mountinfo')]))"
    ((*pairs,),) = python(script, tmp_path, plan)
    prefix, _ = base_interpreter(sys.executable)
    own = {"/", "/.empty", "/tmp", "/home", "/shm"}
    devices = {f"/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty")}
    sources = {root for root, _ in pairs} - own - devices
    ends = ("/usr", prefix, "/etc/alternatives", "/etc/ld.so.cache", "/w", "/bin", "/sbin", "/lib", "/lib64")
    assert [source for source in sources if not source.endswith(ends)] == []


def test_only_a_door_leads_out(tmp_path):
    """A server beside us on the same machine, abstract sockets, other machines and names: none can be reached."""
    beside = socket.create_server(("", 0))
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0verifierbench-{os.getpid()}")
    abstract.listen()
    script = f"""
        import json, socket, subprocess
        def attempt(family, address, kind=socket.SOCK_STREAM):
            try:
                with socket.socket(family, kind) as s:
                    s.settimeout(3)
                    s.connect(address)
                    if kind == socket.SOCK_DGRAM:
                        s.send(b"x")
                    return "reached"
            except OSError as error:
                return error.errno
        print(json.dumps([attempt(socket.AF_INET, (host, {beside.getsockname()[1]})) for host in
            ("127.0.0.1", "127.0.0.2", {outside_address()!r})]))
        print(json.dumps([attempt(socket.AF_INET, ("192.0.2.1", 80)), attempt(socket.AF_INET, ("192.0.2.1", 53),
            socket.SOCK_DGRAM), attempt(socket.AF_INET6, ("2001:db8::1", 80))]))
        print(json.dumps(attempt(socket.AF_UNIX, "\\0verifierbench-{os.getpid()}")))
        try:
            print(json.dumps(socket.getaddrinfo("example.org", 80)))
        except socket.gaierror as error:
            print(json.dumps("no such name"))
        print(json.dumps([name for _, name in socket.if_nameindex()]))
        print(json.dumps(attempt(40, (2, 1024))))
        print(json.dumps(attempt(17, ("lo", 0))))
        print(json.dumps(attempt(socket.AF_INET, ("127.0.0.1", 9999))))
    """
    with beside, abstract:
        here, elsewhere, unix, name, interfaces, vsock, packet, other_port = python(
            script, tmp_path, CellPlan(ports=(8080,))
        )
    assert here == [errno.ECONNREFUSED, errno.ECONNREFUSED, errno.ENETUNREACH]
    assert elsewhere == [errno.ENETUNREACH] * 3
    assert (unix, name, interfaces) == (errno.ECONNREFUSED, "no such name", ["lo"])
    assert (vsock, packet, other_port) == (errno.EAFNOSUPPORT, errno.EAFNOSUPPORT, errno.ECONNREFUSED)


def outside_address():
    """An address of this machine that a network namespace of its own does not have."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        try:
            asker.connect(("192.0.2.1", 9))
        except OSError:
            return "192.0.2.2"
        return asker.getsockname()[0]


def test_a_door_is_served_by_whoever_accepts_on_it_out_here(tmp_path):
    def serve(cell):
        for answer, door in zip((b"first", b"second"), cell.doors, strict=True):
            with door.accept()[0] as connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(answer), answer))

    script = """
        import json, subprocess, urllib.request
        print(json.dumps(urllib.request.urlopen("http://127.0.0.1:8080/").read().decode()))
        print(json.dumps(urllib.request.urlopen("http://localhost:8081/").read().decode()))
        import socket
        try:
            socket.create_server(("127.0.0.1", 8080), reuse_port=True)
        except OSError as error:
            print(json.dumps(error.errno))
    """
    assert python(script, tmp_path, CellPlan(ports=(8080, 8081)), serve) == ["first", "second", errno.EADDRINUSE]


@pytest.mark.skipif(not Path("/usr/bin/curl").exists(), reason="no curl on this machine")
def test_curl_reaches_a_door(tmp_path):
    def serve(cell):
        with cell.doors[0].accept()[0] as connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\ndoor")

    with Cell(CellPlan(ports=(8080,))) as cell:
        threading.Thread(target=serve, args=(cell,), daemon=True).start()
        cell.run(["curl", "-s", "http://127.0.0.1:8080/"], {}, tmp_path / "out", tmp_path / "err", 20.0)
    assert (tmp_path / "out").read_text() == "door"


def test_two_cells_have_the_same_ports_and_nothing_in_common(tmp_path):
    with Cell(CellPlan(ports=(8080,))) as one, Cell(CellPlan(ports=(8080,))) as other:
        script = "(echo > /tmp/x; sleep 7 & exec 3<>/dev/tcp/127.0.0.1/8080) && ls -d /proc/[0-9]* | wc -l; ls -A /tmp"
        for number, cell in enumerate((one, other)):
            cell.run(["bash", "-c", script], {}, tmp_path / f"{number}", tmp_path / "err", 20.0)
            assert cell.doors[0].accept()[0].close() is None
        other.doors[0].settimeout(0.1)
        with pytest.raises(TimeoutError):
            other.doors[0].accept()
    assert (tmp_path / "0").read_text() == (tmp_path / "1").read_text()


def test_there_is_no_privilege_and_none_to_gain(tmp_path):
    script = """
        import ctypes, json, os, subprocess
        libc = ctypes.CDLL(None, use_errno=True)
        def call(name, *arguments):
            return ctypes.get_errno() if getattr(libc, name)(*arguments) < 0 else 0
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        print(json.dumps([status[f"Cap{kind}"].strip("\\t\\n0") for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")]))
        print(json.dumps([status["NoNewPrivs"].strip(), status["Seccomp"].strip()]))
        print(json.dumps([call("unshare", flag) != 0 for flag in (0x10000000, 0x20000, 0x40000000)]))
        mounting = call("mount", b"none", b"/tmp", b"tmpfs", 0, None), call("umount2", b"/usr/local", 2)
        print(json.dumps([number != 0 for number in mounting]))
        print(json.dumps([call("syscall", 425, 8, ctypes.create_string_buffer(120))]))
        print(json.dumps([call("kill", 1, 9), call("kill", 1, 19), call("ptrace", 16, 1, 0, 0)]))
        print(json.dumps([os.path.exists(f"/proc/1/{name}") for name in ("environ", "cmdline", "root", "fd")]))
        print(json.dumps([os.access(place, os.W_OK) for place in ("/", "/usr", "/etc", "/opt", "/dev", "/proc/sys")]))
        print(json.dumps(sorted(set(os.listdir("/")) - {"lib32", "lib64", "libx32", "root", "opt"})))
        print(json.dumps(sorted(map(int, os.listdir("/proc/self/fd")))[:4]))
        print(json.dumps(open("/proc/self/oom_score_adj").read().strip()))
    """
    answers = python(script, tmp_path)
    assert answers[:4] == [[""] * 5, ["1", "2"], [True] * 3, [True] * 2]
    assert answers[4] == [errno.ENOSYS]
    assert answers[5][2] != 0
    assert answers[6:8] == [[False] * 4, [False] * 6]
    assert answers[8] == [
        *(".empty", "bin", "dev", "etc", "home", "interpreter", "lib", "proc", "sbin", "tmp", "usr"),
    ]
    assert answers[9:] == [[0, 1, 2, 3], "1000"]


def test_installed_packages_are_not_importable(tmp_path):
    script = """
        import importlib.util, json
        print(json.dumps([n for n in ("pip", "msgspec", "verifierbench", "requests") if importlib.util.find_spec(n)]))
    """
    assert python(script, tmp_path) == [[]]


@pytest.mark.parametrize("arch", [seccomp.X86_64, seccomp.AARCH64])
@pytest.mark.parametrize(
    ("name", "first", "verdict"),
    [
        ("socket", socket.AF_UNIX, seccomp.ALLOW),
        ("socket", socket.AF_INET, seccomp.ALLOW),
        ("socket", socket.AF_INET6, seccomp.ALLOW),
        ("socket", socket.AF_NETLINK, seccomp.ALLOW),
        ("socket", socket.AF_VSOCK, seccomp.refuse(errno.EAFNOSUPPORT)),
        ("socket", socket.AF_PACKET, seccomp.refuse(errno.EAFNOSUPPORT)),
        ("socket", socket.AF_ALG, seccomp.refuse(errno.EAFNOSUPPORT)),
        ("io_uring_setup", 8, seccomp.refuse(errno.ENOSYS)),
        ("add_key", 0, seccomp.refuse(errno.ENOSYS)),
        ("request_key", 0, seccomp.refuse(errno.ENOSYS)),
        ("keyctl", 11, seccomp.refuse(errno.ENOSYS)),
        (None, 40, seccomp.ALLOW),
    ],
)
def test_the_filter_judges_sockets_rings_and_keys_alone(arch, name, first, verdict):
    number = filters.NUMBERS[arch][name] if name else 1
    found, _ = bpf.run(filters.instructions(arch), arch=seccomp.AUDIT_ARCH[arch], number=number, arguments=[first])
    assert found == verdict
