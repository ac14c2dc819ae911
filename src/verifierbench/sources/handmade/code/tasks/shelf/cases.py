"""What is looked at in the patched shelf."""

import _thread
import signal
import sys
import threading

started = set()


def watched(name, start):
    def watching(*arguments, **named):
        started.add(name)
        return start(*arguments, **named)

    return watching


# Every name a thread can be started by; not all versions of Python have all of them, or audit them.
for name in ("start_new_thread", "start_new", "start_joinable_thread"):
    for module, known in ((_thread, name), (threading, f"_{name}")):
        if hasattr(module, known):
            setattr(module, known, watched(name, getattr(module, known)))

PROCESSES = ("os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen")
sys.addaudithook(lambda event, _: started.add(event) if event in PROCESSES else None)

from shelf import Cache, ManualClock, Stats, SystemClock


def cache_of(capacity=3, lifetime=10):
    clock = ManualClock()
    return Cache(capacity, lifetime, clock), clock


def use_up(cache, clock):
    for key in "abcab":
        cache.set(key, 1)
        cache.get(key)
        key in cache, len(cache), cache.keys()
        clock.advance(5e9)
    cache.delete("a")


def case_set_again():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(6)
    cache.set("a", 2)
    clock.advance(6)
    return cache.get("a"), "a" in cache, len(cache)


def case_set_same_value():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(9)
    cache.set("a", 1)
    clock.advance(9)
    return cache.get("a")


def case_set_again_and_again():
    cache, clock = cache_of()
    for _ in range(8):
        cache.set("a", None)
        clock.advance(7)
    before = "a" in cache
    clock.advance(3)
    return before, "a" in cache


def case_set_when_stale():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(12)
    cache.set("a", 2)
    clock.advance(9)
    return cache.get("a")


def case_set_again_in_full_cache():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    cache.set("b", 2)
    clock.advance(5)
    cache.set("a", 3)
    clock.advance(6)
    return cache.keys(), cache.stats.as_tuple()


def case_stale_makes_room():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    clock.advance(5)
    cache.set("b", 2)
    cache.get("a")
    clock.advance(5)
    cache.set("c", 3)
    return cache.keys(), cache.stats.as_tuple()


def case_stale_in_the_middle():
    cache, clock = cache_of(capacity=3)
    cache.set("old", 0)
    clock.advance(4)
    cache.set("x", 1)
    cache.set("y", 2)
    cache.get("old")
    cache.get("y")
    clock.advance(6)
    cache.set("z", 3)
    return cache.keys(), cache.stats.as_tuple()


def case_stale_first_is_no_eviction():
    cache, clock = cache_of(capacity=1)
    cache.set("a", 1)
    clock.advance(10)
    cache.set("b", 2)
    return cache.keys(), cache.stats.as_tuple()


def case_all_stale():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    cache.set("b", 1)
    clock.advance(11)
    cache.set("c", 1)
    cache.set("d", 1)
    return cache.keys(), cache.stats.as_tuple()


def case_then_fresh_ones():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    clock.advance(5)
    cache.set("b", 2)
    cache.get("a")
    clock.advance(5)
    cache.set("c", 3)
    cache.set("d", 4)
    return cache.keys(), cache.stats.as_tuple()


def case_stale_after_renewal():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    cache.set("b", 2)
    clock.advance(5)
    cache.set("a", 3)
    clock.advance(5)
    cache.set("c", 4)
    return cache.keys(), cache.stats.as_tuple()


def case_least_recently_used():
    cache, clock = cache_of(capacity=2)
    cache.set("a", 1)
    cache.set("b", 2)
    clock.advance(1)
    cache.get("a")
    "b" in cache
    cache.set("c", 3)
    return cache.keys(), cache.stats.as_tuple()


def case_for_ever():
    clock = ManualClock()
    cache = Cache(2, clock=clock)
    cache.set("a", 1)
    clock.advance(1e9)
    cache.set("b", None)
    cache.set("c", 3)
    return cache.keys(), cache.get("b", "gone"), cache.stats.as_tuple()


def case_reading_does_not_refresh():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(6)
    first = cache.get("a")
    clock.advance(4)
    return first, cache.get("a"), cache.stats.as_tuple()


def case_deadline_is_sharp():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(9.75)
    fresh = "a" in cache
    clock.advance(0.25)
    return fresh, "a" in cache, cache.delete("a")


def case_deleted_then_set():
    cache, clock = cache_of()
    cache.set("a", 1)
    clock.advance(8)
    cache.delete("a")
    cache.set("a", 2)
    clock.advance(8)
    return cache.get("a")


def case_looking_is_no_use():
    cache, _ = cache_of(capacity=2)
    cache.set("a", 1)
    cache.set("b", 2)
    looked = "a" in cache, len(cache), cache.keys()
    cache.set("c", 3)
    return looked, cache.keys(), cache.stats.as_tuple()


def case_no_lifetime_at_all():
    cache, clock = cache_of(lifetime=0)
    cache.set("a", 1)
    return "a" in cache, len(cache)


def case_by_keyword():
    cache = Cache(capacity=1, lifetime=5, clock=ManualClock(start=3))
    cache.set(key="a", value=1)
    return cache.get(key="a", default=0), cache.get(key="b", default=0), cache.delete(key="a")


def case_system_clock():
    cache = Cache(1, 3600)
    cache.set("a", 1)
    return cache.get("a"), SystemClock().now() <= SystemClock().now(), Stats().ratio()


def case_threads():
    for lifetime in (None, 0, 0.01, 1, 60, 3600, 7200, 86400, 4e6, 4e9):
        for clock in (None, ManualClock(), SystemClock()):
            use_up(Cache(2, lifetime, clock), clock if isinstance(clock, ManualClock) else ManualClock())
    return sorted(started), signal.getitimer(signal.ITIMER_REAL)
