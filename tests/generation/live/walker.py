"""What an agent could do to find what is hidden: look into everything that can be read, and knock at every door.

    python3 walker.py PORT WORD…

Runs inside a cell, with Python's standard library alone. The letters of each word are given one further on, so that
neither the script nor its arguments hold what is looked for. The report is a line with one JSON object.
"""

# Paths are text here: what is walked over is no place of ours.
# ruff: noqa: PTH114, PTH115, PTH118, PTH123, PTH208

from __future__ import annotations

import errno
import json
import os
import re
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress

LARGEST = 1 << 26
SKIPPED = ("/usr", sys.base_prefix, "/proc/sys")
"""The machine's own programs, the same for everybody; and what may be slow to read."""


def main(port: int, words: list[bytes]) -> dict[str, object]:
    looked, found, processes = 0, set(), 0
    for path in places():
        data = content(path)
        looked += data is not None
        for word in words:
            if word in (data or b"") or word in os.fsencode(path):
                found.add((words.index(word), path))
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for where, piece in memory(pid):
            processes += 1
            found.update((words.index(word), where) for word in words if word in piece)
    for name, value in os.environ.items():
        found.update((words.index(word), f"environment {name}") for word in words if word in os.fsencode(value))
    return {
        "looked": looked,
        "memory": processes,
        "found": sorted(found),
        "open": sorted({*ports(port), *listening()}),
        "errors": sorted(outward()),
        "unix": unix_sockets(),
        "interfaces": sorted(name for _, name in socket.if_nameindex()),
        "users": [os.getuid(), os.geteuid()],
        "imports": imports(),
    }


def places() -> Iterator[str]:
    """Every path, those of processes included."""
    for top in ("/", "/proc"):
        for folder, folders, files in os.walk(top):
            inner = {name: os.path.join(folder, name) for name in folders}
            keep = [name for name, path in inner.items() if path not in SKIPPED and (folder != "/" or path != "/proc")]
            folders[:] = keep
            yield from (os.path.join(folder, name) for name in (*folders, *files))


def content(path: str) -> bytes | None:
    """A file's bytes and where a link leads; None where it cannot be read."""
    led = os.fsencode(os.readlink(path)) if os.path.islink(path) else b""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return led or None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return led
        data = led
        while len(data) < LARGEST and (block := os.read(fd, 1 << 20)):
            data += block
        return data
    except OSError:
        return led
    finally:
        os.close(fd)


def memory(pid: str) -> Iterator[tuple[str, bytes]]:
    """What can be read of a process's memory; not our own, which holds the words."""
    if int(pid) == os.getpid():
        return
    with suppress(OSError):
        with open(f"/proc/{pid}/maps", encoding="ascii", errors="replace") as maps:
            regions = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) r", maps.read(), re.MULTILINE)
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
            for start, end in regions:
                with suppress(OSError, ValueError, OverflowError):
                    mem.seek(int(start, 16))
                    yield f"/proc/{pid}/mem", mem.read(min(int(end, 16) - int(start, 16), LARGEST))


def ports(further: int) -> list[int]:
    """Where somebody answers on this machine's own address."""
    found = []
    for port in {*range(1, 1100), *range(3000, 3200), *range(5000, 5500), *range(7900, 9100), further}:
        with socket.socket() as knock:
            knock.settimeout(0.5)
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                found.append(port)
    return found


def listening() -> list[int]:
    """Where somebody listens, by the kernel's own account."""
    found = []
    for name in ("tcp", "tcp6"):
        with suppress(OSError), open(f"/proc/net/{name}", encoding="ascii") as table:
            rows = [line.split() for line in table.readlines()[1:]]
            found += [int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"]
    return found


def outward() -> set[str]:
    """How the way out fails; the name of what is reached where it does not."""
    seen = set()
    for family, address in (
        (socket.AF_INET, ("192.0.2.1", 80)),
        (socket.AF_INET, ("10.0.0.1", 80)),
        (socket.AF_INET, ("172.17.0.1", 80)),
        (socket.AF_INET, ("169.254.169.254", 80)),
        (socket.AF_INET6, ("2001:db8::1", 80)),
    ):
        try:
            with socket.socket(family) as knock:
                knock.settimeout(2)
                knock.connect(address)
            seen.add(f"reached {address[0]}")
        except OSError as error:
            seen.add(errno.errorcode.get(error.errno or 0, repr(error)))
    with suppress(OSError):
        seen.add(f"resolved {socket.gethostbyname('localhost.localdomain.invalid')}")
    return seen


def unix_sockets() -> list[str]:
    """Sockets with a name that somebody listens on."""
    with suppress(OSError), open("/proc/net/unix", encoding="ascii", errors="replace") as table:
        return [line.split()[7] for line in table.readlines()[1:] if len(line.split()) > 7]
    return []


def imports() -> list[str]:
    """Our package and what it stands on, where they could be imported."""
    found = []
    for name in ("verifierbench", "msgspec", "aiohttp"):
        with suppress(ImportError):
            __import__(name)
            found.append(name)
    return found


if __name__ == "__main__":
    told = main(int(sys.argv[1]), ["".join(chr(ord(one) - 1) for one in word).encode() for word in sys.argv[2:]])
    print("REPORT " + json.dumps(told))
