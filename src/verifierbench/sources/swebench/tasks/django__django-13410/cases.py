"""What is looked at in the patched Django: locks on files, and what is said of them."""

import contextlib
import fcntl
import os
import tempfile
import threading
from pathlib import Path

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import base, locks, move, storage, temp

EX, SH, NB = locks.LOCK_EX, locks.LOCK_SH, locks.LOCK_NB


@contextlib.contextmanager
def opened(times):
    """One file, opened so many times for reading and writing."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        path = Path(folder, "file")
        path.write_text("text")
        yield [stack.enter_context(path.open("r+")) for _ in range(times)]


def locked(path):
    """Who could have it from outside: nobody, readers, anyone."""
    with open(path, "r+") as other:
        for operation, who in ((fcntl.LOCK_EX, "anyone"), (fcntl.LOCK_SH, "readers")):
            try:
                fcntl.flock(other, operation | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            return who
    return "nobody"


def kind(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__


def case_exclusive():
    with opened(1) as (one,):
        return locks.lock(one, EX), locks.lock(one, EX | NB), locked(one.name)


def case_shared():
    with opened(3) as (one, two, three):
        return locks.lock(one, SH), locks.lock(two, SH | NB), locks.lock(three, SH), locked(one.name)


def case_unlocked():
    with opened(2) as (one, two):
        locks.lock(one, EX)
        locks.lock(one, SH)
        return locks.unlock(one), locks.unlock(one), locks.unlock(two), locked(one.name)


def case_in_turn():
    with opened(2) as (one, two):
        said = [locks.lock(one, EX), locks.unlock(one), locks.lock(two, EX | NB), locks.unlock(two)]
        return said, locks.lock(one, SH | NB)


def case_descriptors():
    with opened(2) as (one, two):
        said = locks.lock(one.fileno(), SH), locks.lock(two.fileno(), SH | NB), locked(one.name)
        return said, locks.unlock(one.fileno()), locks.unlock(two.fileno())


def case_files():
    with opened(1) as (one,), temp.NamedTemporaryFile() as two:
        return locks.lock(base.File(one), EX), locks.unlock(base.File(one)), locks.lock(two, EX | NB), locks.unlock(two)


def case_held():
    with opened(3) as (one, two, three):
        locks.lock(one, EX)
        return locks.lock(two, EX | NB), locks.lock(three, EX | NB)


def case_held_from_descriptors():
    with opened(2) as (one, two):
        locks.lock(one, EX)
        return locks.lock(two.fileno(), EX | NB), locked(one.name)


def case_held_from_readers():
    with opened(2) as (one, two):
        locks.lock(one, EX)
        return locks.lock(two, SH | NB), locked(one.name)


def case_held_by_readers():
    with opened(3) as (one, two, three):
        locks.lock(one, SH)
        return locks.lock(two, EX | NB), locks.lock(three, EX | NB), locked(one.name)


def case_still_held():
    with opened(2) as (one, two):
        locks.lock(one, EX)
        refused = [locks.lock(two, EX | NB) for _ in range(3)]
        locks.unlock(two)
        return refused, locked(one.name)


def case_not_raised():
    with opened(3) as (one, two, three):
        for each in (one, two, three):
            locks.lock(each, SH)
        return locks.lock(one, EX | NB), locks.lock(base.File(two), EX | NB)


def case_really_locked():
    seen = []
    with opened(1) as (one,):
        for operation in (EX, SH, EX | NB, SH | NB):
            locks.lock(one, operation)
            seen.append(locked(one.name))
        locks.unlock(one)
        return seen, locked(one.name)


def case_waits():
    seen = []
    with opened(2) as (one, two):
        locks.lock(one, EX)

        def release():
            seen.append("released")
            locks.unlock(one)

        later = threading.Timer(0.05, release)
        later.start()
        locks.lock(two, EX)
        seen.append("locked")
        later.join()
        return seen, locked(two.name)


def case_not_files():
    with opened(1) as (one,):
        closed = one
    return [kind(lambda f=f: locks.lock(f, EX)) for f in (closed, "name", None, 1.5)]


def case_nothing_to_unlock():
    with opened(1) as (one,):
        closed = one
    return [kind(lambda f=f: locks.unlock(f)) for f in (closed, "name", None)]


def case_names():
    same = (locks.LOCK_EX, locks.LOCK_SH, locks.LOCK_NB) == (fcntl.LOCK_EX, fcntl.LOCK_SH, fcntl.LOCK_NB)
    return same, sorted(set(locks.__all__) & {"LOCK_EX", "LOCK_SH", "LOCK_NB", "lock", "unlock"})


def case_content_left():
    with opened(1) as (one,):
        one.seek(2)
        locks.lock(one, EX)
        locks.unlock(one)
        return one.tell(), one.read(), one.closed


def case_users():
    with tempfile.TemporaryDirectory() as folder:
        store = storage.FileSystemStorage(location=folder)
        names = [store.save("a.txt", base.ContentFile(b"one")), store.open("a.txt").read()]
        old, new = os.path.join(folder, "a.txt"), os.path.join(folder, "b.txt")
        move.file_move_safe(old, new)
        cache = FileBasedCache(os.path.join(folder, "cache"), {})
        cache.set("k", 1)
        return names, Path(new).read_text(), cache.get("k"), cache.touch("k")
