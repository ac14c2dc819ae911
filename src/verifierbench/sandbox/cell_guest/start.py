"""How a cell comes to be: namespaces, a root, a network with nothing but its doors; then no privilege is left.

Two processes. The first enters the namespaces and waits, so that whoever started it learns when everything below is
gone. The second is pid 1 of the cell. It listens on the doors' ports, hands the listening sockets out, keeps none,
gives everything up and serves. It ends, and with it every process of the cell, when the caller hangs up or dies.

Before the one packet that says so, nothing untrusted has run; where a step fails there is no cell.
"""

# Every import costs a guest time, and pathlib is a dear one.

from __future__ import annotations

import array  # noqa: F401  # socket.send_fds imports it, when this interpreter's files are out of reach
import json
import os
import socket
from typing import Any, NoReturn

from .. import syscalls as sc
from ..guest.run_commands import (
    INNER_UID,
    bring_up_loopback,
    count_processes,
    forbid_user_namespaces,
    has_own_processes_limit,
    read_json,
)
from ..guest.serve_commands import enter, leave_signals_to_the_kernel
from . import root
from .filters import leave_session_keyring
from .init import Init

NAMESPACES = sc.CLONE_NEWNET | sc.CLONE_NEWIPC | sc.CLONE_NEWUTS | sc.CLONE_NEWCGROUP
"""Beside the mount and pid namespaces that come before, and the user namespace that follows."""
BACKLOG = 128
MOST_KILLABLE = b"1000"
"""When the machine runs out of memory, a cell goes before anything else does: nothing else limits it as a whole."""


def main(control: str) -> NoReturn:
    """Enter the namespaces, leave the work to their pid 1, and wait."""
    channel = socket.socket(fileno=int(control))
    try:
        caller = sc.pidfd_open(os.getppid())
        plan = read_json(0)
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        enter(plan, proc)
    except OSError as error:
        channel.send(json.dumps({"unavailable": str(error)}).encode())
        os._exit(0)
    pid = os.fork()
    if pid == 0:
        become_init(channel, caller, plan, proc)
    channel.close()
    os.waitpid(pid, 0)  # returns when everything below it is gone
    os._exit(0)


def become_init(channel: socket.socket, caller: int, plan: dict[str, Any], proc: int) -> NoReturn:
    """Be pid 1: build the cell, hand out its doors, serve; never returns."""
    try:
        sc.die_with_parent()
        doors = build(plan, proc)
        leave_signals_to_the_kernel()
        socket.send_fds(channel, [b"{}"], [door.fileno() for door in doors])
        for door in doors:
            door.close()
        Init(channel, caller, plan).serve()
    except BaseException as error:
        channel.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()[:4000])
    finally:
        os._exit(1)


def build(plan: dict[str, Any], proc: int) -> list[socket.socket]:
    """Make the root and the network, then drop every privilege for good; return the doors."""
    privileged = plan["privileged"]
    outer = plan["uid"] if privileged else INNER_UID
    root.build(plan, outer)
    sc.unshare(NAMESPACES)
    plan["limits"]["processes"] += 1  # this process counts
    if not has_own_processes_limit():
        plan["limits"]["processes"] += count_processes(outer)
    bring_up_loopback()
    socket.sethostname("sandbox")
    doors = [listen(port) for port in plan["ports"]]
    root.let_go_of_the_host()
    give_up(outer, proc, privileged=privileged)
    return doors


def listen(port: int) -> socket.socket:
    """A door: a listening socket of this network namespace, whoever holds it."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    door.bind(("127.0.0.1", port))
    door.listen(BACKLOG)
    return door


def give_up(outer: int, proc: int, *, privileged: bool) -> None:
    """Become the cell's user in a user namespace that has no other, with no capability and none to gain."""
    if privileged:
        os.setgroups([])
        os.setresgid(outer, outer, outer)
        os.setresuid(outer, outer, outer)
        sc.prctl(sc.PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map belongs to root
    sc.unshare(sc.CLONE_NEWUSER)
    sc.write_id_maps(proc, inner=INNER_UID, uid=outer, gid=outer)
    forbid_user_namespaces(proc)
    go_first(proc)
    leave_session_keyring()
    os.close(proc)
    sc.drop_bounding_set()
    sc.no_new_privileges()
    sc.drop_capabilities()
    sc.prctl(sc.PR_SET_DUMPABLE, 0)
    sc.die_with_parent()


def go_first(proc: int) -> None:
    """Tell the kernel whom to kill when memory is short."""
    fd = os.open("self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
    try:
        os.write(fd, MOST_KILLABLE)
    finally:
        os.close(fd)
