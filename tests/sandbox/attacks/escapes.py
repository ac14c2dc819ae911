# ruff: noqa: E501  # one attack is one entry; the tables are read across

"""Reaching what is not the verifier's: processes, networks, files, privileges, the kernel."""

from __future__ import annotations

import errno

from verifierbench.sandbox import seccomp

from .kit import ARCH, FILTER, Refused, attack, killed

# Processes
attack(
    "fork in every way",
    FILTER,
    "attempt('os.fork', os.fork); raw('fork'); raw('vfork'); raw('clone', 17, 0, 0, 0, 0); raw('clone3', 0, 0); attempt('forkpty', os.forkpty)",
    Refused({"clone3": errno.ENOSYS, "forkpty": (errno.EPERM, errno.ENOENT)}),
)
attack(
    "execute a program",
    FILTER,
    "attempt('execv', os.execv, '/bin/sh', ['sh']); raw('execve', b'/bin/sh', 0, 0); raw('execveat', -100, b'/bin/sh', 0, 0, 0)",
    Refused(),
)
attack(
    "spawn",
    FILTER,
    """
import multiprocessing, subprocess
attempt('posix_spawn', os.posix_spawn, '/bin/true', ['true'], {})
attempt('subprocess', subprocess.run, ['/bin/true'])
attempt('multiprocessing', multiprocessing.get_context('fork').Process(target=print).start)
attempt('system', lambda: exec("if os.system('true'): raise OSError(1, '')"))
""",
    Refused({"subprocess": (errno.EPERM, errno.EMFILE), "multiprocessing": (errno.EPERM,)}),
)
attack(
    "threads",
    FILTER,
    "import _thread\nattempt('threading', threading.Thread(target=print).start); attempt('_thread', _thread.start_new_thread, print, ())",
    Refused({"threading": "RuntimeError", "_thread": "RuntimeError"}),
)
attack(
    "leave its session",
    FILTER,
    "attempt('setsid', os.setsid); raw('setpgid', 0, 0); raw('wait4', -1, 0, 0, 0)",
    Refused(),
)
attack(
    "signal others",
    FILTER,
    """
for pid in (-1, 0, 1, 2, os.getppid()):
    attempt('kill %d' % pid, os.kill, pid, 9)
    raw('tgkill', pid, pid, 9); raw('tkill', pid, 9); raw('rt_sigqueueinfo', pid, 9, ctypes.create_string_buffer(128))
    raw('rt_tgsigqueueinfo', pid, pid, 9, ctypes.create_string_buffer(128))
raw('pidfd_open', 1, 0); raw('pidfd_send_signal', 0, 9, 0, 0); raw('pidfd_getfd', 0, 1, 0)
""",
    Refused(),
)
attack(
    "read and write other processes",
    FILTER,
    """
b = ctypes.create_string_buffer(64)
for pid in (1, 2):
    raw('ptrace', 16, pid, 0, 0); raw('ptrace', 0x4206, pid, 0, 0); raw('ptrace', 0, 0, 0, 0, label='traceme')
    raw('process_vm_readv', pid, b, 1, b, 1, 0); raw('process_vm_writev', pid, b, 1, b, 1, 0)
raw('kcmp', 1, 2, 0, 0, 0); raw('process_madvise', 0, b, 1, 4, 0); raw('process_mrelease', 0, 0)
""",
    Refused(),
)
attack(
    "change limits and priorities",
    FILTER,
    """
for name in ('AS', 'CPU', 'FSIZE', 'NOFILE', 'NPROC', 'CORE'):
    attempt(name, resource.setrlimit, getattr(resource, 'RLIMIT_' + name), (resource.RLIM_INFINITY,) * 2)
b = (ctypes.c_ulong * 2)(1 << 40, 1 << 40)
raw('prlimit64', 0, 9, b, 0); raw('prlimit64', 1, 7, b, 0, label='parent'); raw('setrlimit', 9, b)
raw('setpriority', 0, 0, -5); raw('sched_setaffinity', 0, 8, b); raw('sched_setscheduler', 0, 1, b); raw('ioprio_set', 1, 0, 7)
""",
    Refused(dict.fromkeys(("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE"), (errno.EPERM, "ValueError"))),
)
attack(
    "have a signal sent by someone else's file",
    FILTER,
    """
for fd in (0, 1, 3, 5):
    for name, command in (('SETOWN', 8), ('SETSIG', 10), ('SETOWN_EX', 15), ('SETLEASE', 1024), ('NOTIFY', 1026), ('SETPIPE_SZ', 1031), ('ADD_SEALS', 1033), ('SETFL', 4), ('OFD_SETLK', 37)):
        attempt(name, fcntl.fcntl, fd, command, 1)
    for name, request in (('TIOCSTI', 0x5412), ('FIOSETOWN', 0x8901), ('SIOCSPGRP', 0x8902), ('FIOASYNC', 0x5452), ('TIOCLINUX', 0x541C), ('FIONREAD', 0x541B)):
        attempt(name, fcntl.ioctl, fd, request, bytes(8))
    attempt('flock', fcntl.flock, fd, 2 | 4)
    attempt('lockf', fcntl.lockf, fd, 1 | 4)
""",
    Refused(),
)

# Network and other ways to talk
attack(
    "sockets of every family",
    FILTER,
    """
for family, kind in ((2, 1), (2, 2), (2, 3), (10, 1), (16, 3), (40, 1), (1, 1), (17, 3), (38, 5), (15, 3), (44, 3)):
    attempt('%d/%d' % (family, kind), socket.socket, family, kind)
raw('socketpair', 1, 1, 0, 0); raw('accept4', 0, 0, 0, 0); raw('sendto', 5, b'x', 1, 0, 0, 0); raw('sendmsg', 5, 0, 0)
""",
    Refused(),
)
attack(
    "resolve a name",
    FILTER,
    "attempt('dns', socket.getaddrinfo, 'example.com', 80)",
    Refused({"dns": (-2, -3, errno.EPERM)}),
)
attack(
    "System V, queues, keys",
    FILTER,
    "raw('shmget', 1, 4096, 0o1666); raw('semget', 1, 1, 0o1666); raw('msgget', 1, 0o1666); raw('mq_open', b'/q', 66, 0o600, 0); raw('keyctl', 0, -3, 1); raw('add_key', b'user', b'a', b'b', 1, -3); raw('request_key', b'user', b'a', 0, -3)",
    Refused(),
)
attack(
    "files that have no path",
    FILTER,
    """
raw('memfd_create', b'x', 0); raw('memfd_secret', 0); raw('pipe2', ctypes.create_string_buffer(8), 0); raw('eventfd2', 0, 0)
raw('signalfd4', -1, ctypes.create_string_buffer(8), 8, 0); raw('epoll_create1', 0); raw('userfaultfd', 1); raw('io_uring_setup', 8, ctypes.create_string_buffer(256))
raw('vmsplice', 5, 0, 0, 0); raw('splice', 3, 0, 5, 0, 1, 0); raw('tee', 1, 5, 1, 0); raw('sendfile', 1, 3, 0, 1); raw('copy_file_range', 3, 0, 1, 0, 1, 0)
""",
    Refused(),
)

# Files
attack(
    "open files",
    FILTER,
    """
for path in ('/etc/passwd', '/proc/self/environ', '/proc/1/environ', '/dev/shm/x', '/tmp/x', 'x', '/'):
    attempt('open ' + path, open, path); attempt('write ' + path, open, path, 'w'); attempt('list ' + path, os.listdir, path)
raw('open', b'/etc/passwd', 0); raw('openat', -100, b'/etc/passwd', 0); raw('openat2', -100, b'/', ctypes.create_string_buffer(24), 24)
raw('creat', b'/tmp/x', 0o600); raw('open_by_handle_at', -100, ctypes.create_string_buffer(64), 0); raw('name_to_handle_at', -100, b'/', 0, 0, 0)
""",
    Refused(),
)
attack(
    "look at files",
    FILTER,
    """
b = ctypes.create_string_buffer(256)
for path in ('/etc/passwd', '/', '/nowhere'):
    attempt('stat ' + path, os.stat, path); attempt('access', lambda: exec("if not os.access('/', 0): raise OSError(1, '')"))
raw('stat', b'/etc/passwd', b); raw('lstat', b'/', b); raw('statx', -100, b'/', 0, 0xfff, b); raw('access', b'/', 0); raw('faccessat2', -100, b'/', 0, 0)
raw('newfstatat', -100, b'/etc/passwd', b, 0x1000, label='a path disguised by AT_EMPTY_PATH')
raw('fstat', 0, b); raw('statfs', b'/', b); raw('readlinkat', -100, b'/proc/self/exe', b, 200); raw('getcwd', b, 200); raw('getdents64', 0, b, 200); raw('getxattr', b'/', b'user.a', b, 200)
""",
    Refused(),
)
attack(
    "change files",
    FILTER,
    """
p = b'/etc/passwd'
raw('truncate', p, 0); raw('ftruncate', 3, 0); raw('fchmod', 3, 0o777); raw('fchmodat', -100, p, 0o777, 0); raw('fchownat', -100, p, 0, 0, 0)
raw('utimensat', -100, p, 0, 0); raw('futimesat', -100, p, 0); raw('renameat2', -100, p, -100, b'/x', 0); raw('unlinkat', -100, p, 0)
raw('linkat', -100, p, -100, b'/x', 0); raw('symlinkat', p, -100, b'/x'); raw('mkdirat', -100, b'/x', 0o777); raw('chdir', b'/'); raw('fchdir', 0)
raw('pwrite64', 3, b'x', 1, 0); raw('lseek', 3, 0, 0)
""",
    Refused(),
)
attack(
    "write its sealed payload",
    "memfd seals",
    """
libc.mmap.restype = ctypes.c_void_p
def shared(protection):
    if libc.mmap(None, ctypes.c_size_t(4096), protection, 1, 3, ctypes.c_long(0)) == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), 'mmap')
attempt('through memory', shared, 3)
attempt('read only', shared, 1)
attempt('write', os.write, 3, b'x')
raw('ftruncate', 3, 0)
""",
    Refused({"read only": "ESCAPED", "write": (errno.EPERM, errno.EFBIG)}),
)

# Namespaces, privileges, the kernel
attack(
    "namespaces and mounts",
    FILTER,
    """
for name, flag in (('user', 0x10000000), ('mount', 0x20000), ('pid', 0x20000000), ('net', 0x40000000), ('files', 0x400)):
    raw('unshare', flag, label=name)
raw('setns', 0, 0); raw('mount', b'none', b'/tmp', b'tmpfs', 0, 0); raw('umount2', b'/', 2); raw('chroot', b'/'); raw('pivot_root', b'/', b'/')
raw('open_tree', -100, b'/', 1); raw('fsopen', b'tmpfs', 0); raw('move_mount', 0, b'', 0, b'', 0); raw('mount_setattr', -100, b'/', 0, 0, 32)
""",
    Refused(),
)
attack(
    "privileges",
    FILTER,
    """
raw('setresuid', 0, 0, 0); raw('capset', ctypes.create_string_buffer(8), ctypes.create_string_buffer(24)); raw('capget', ctypes.create_string_buffer(8), 0)
for name, option in (('pdeathsig', 1), ('dumpable', 4), ('keepcaps', 8), ('seccomp', 22), ('securebits', 28), ('subreaper', 36), ('speculation', 53), ('name', 15), ('ptracer', 0x59616d61)):
    attempt('prctl ' + name, lambda: exec('if libc.prctl(%d, 1, 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), "")' % option, globals()))
raw('seccomp', 1, 0, 0); raw('personality', 0x0040000); raw('arch_prctl', 0x1001, 0); raw('modify_ldt', 0, 0, 0); raw('landlock_create_ruleset', 0, 0, 1)
""",
    Refused(),
)
attack(
    "the kernel's rarer doors",
    FILTER,
    """
b = ctypes.create_string_buffer(256)
raw('bpf', 0, b, 64); raw('perf_event_open', b, 0, -1, -1, 0); raw('inotify_init1', 0); raw('fanotify_init', 0, 0)
raw('init_module', 0, 0, b''); raw('delete_module', b'x', 0); raw('kexec_load', 0, 0, 0, 0); raw('reboot', 0, 0, 0, 0); raw('swapon', b'/', 0); raw('quotactl', 0, 0, 0, 0)
raw('sethostname', b'x', 1); raw('settimeofday', b, 0); raw('clock_settime', 0, b); raw('adjtimex', b); raw('syslog', 2, b, 10); raw('acct', 0)
raw('iopl', 3); raw('ioperm', 0, 1, 1)
""",
    Refused(),
)
attack(
    "learn about the machine and its neighbours",
    FILTER,
    """
b = ctypes.create_string_buffer(512)
raw('sysinfo', b); raw('uname', b); raw('getcpu', b, b, 0); raw('sched_getaffinity', 0, 64, b); raw('mincore', 0, 4096, b); raw('membarrier', 0, 0, 0)
raw('getpid'); raw('getppid')
""",
    Refused(),
)
# Since Linux 6.14 filters do not see uretprobe and uprobe (335, 336 on x86-64); called by hand they end the caller.
_UNFILTERED = (335, 336) if ARCH == seccomp.X86_64 else ()
attack(
    "every call that is not on the list",
    FILTER,
    f"""
allowed = {sorted(seccomp.numbers(seccomp.VERIFIER, ARCH) | set(_UNFILTERED))!r}
for number in range(0, 700):
    if number not in allowed:
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
        if result != -1 or ctypes.get_errno() != 1: seen[str(number)] = (result, ctypes.get_errno())
        seen['refused'] = seen.get('refused', 0) + 1
seen['refused'] = seen['refused'] > 600
""",
    Refused({"435": ([-1, errno.ENOSYS],), "refused": True}),
)
attack(
    "the 32-bit entry",
    FILTER,
    """
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex('b814000000cd80c3'))
ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
return 'FAIL'""",
    killed("signal 31"),
    arch=seccomp.X86_64,
)
attack(
    "x32 call numbers",
    FILTER,
    "libc.syscall(ctypes.c_long(0x40000000 + 39)); return 'FAIL'",
    killed("signal 31"),
    arch=seccomp.X86_64,
)
attack(
    "call numbers beyond 32 bits",
    FILTER,
    "raw('getppid')\nctypes.set_errno(0)\nr = libc.syscall(ctypes.c_long((1 << 32) + 41), 2, 1, 0)\nseen['wide'] = ctypes.get_errno() if r == -1 else 'ESCAPED'",
    Refused({"wide": (errno.EPERM, errno.ENOSYS)}),
)
