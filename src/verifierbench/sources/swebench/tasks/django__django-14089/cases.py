"""What is looked at in the patched Django: its ordered sets, from either end."""

import copy
import pickle

from django.utils.datastructures import OrderedSet


class Named(OrderedSet):
    """A set of an application's own kind."""

    kind = "named"


def back(items):
    return list(reversed(OrderedSet(items)))


def emptied(item):
    """What is left, and whether removing twice is an error."""
    kept = OrderedSet("abc")
    kept.remove(item)
    kept.discard(item)
    try:
        kept.remove(item)
    except KeyError:
        return list(kept), "KeyError"
    return list(kept), "nothing"


def case_numbers():
    return back([1, 2, 3]), back(range(10, 4, -1)), back([2, 10, 1])


def case_mixed():
    return back([None, "b", 3, (1, 2), 0, "", 2.5])


def case_one_or_none():
    return back([]), back(None), back(["x"]), back([None])


def case_repeated():
    return back("abracadabra")


def case_by_step():
    items = reversed(OrderedSet("xyz"))
    first = next(items), next(items)
    return first, list(items), list(items), next(items, "end")


def case_apart():
    kept = OrderedSet("ab")
    one, other = reversed(kept), reversed(kept)
    return next(one), next(one), next(other), list(one), list(other)


def case_changed():
    kept = OrderedSet("abc")
    seen = [list(reversed(kept))]
    kept.add("d")
    seen.append(list(reversed(kept)))
    kept.discard("b")
    kept.add("b")
    return [*seen, list(reversed(kept))]


def case_left_alone():
    kept = OrderedSet("abc")
    return list(reversed(kept)), list(kept), len(kept), list(reversed(kept))


def case_own_kind():
    return list(reversed(Named("no"))), list(reversed(copy.copy(Named("yes"))))


def case_forward():
    return list(OrderedSet([3, 1, 2, 1])), [*OrderedSet("cab")], list(OrderedSet()), list(OrderedSet(None))


def case_added():
    kept = OrderedSet("ab")
    for item in "cad":
        kept.add(item)
    return list(kept), len(kept)


def case_removed():
    return emptied("b"), emptied("a")


def case_asked():
    kept = OrderedSet([0, "x"])
    return 0 in kept, "y" in kept, bool(kept), bool(OrderedSet()), len(kept), len(OrderedSet("aaa"))


def case_written():
    return repr(OrderedSet("ba")), repr(OrderedSet()), repr(Named([1]))


def case_copied():
    kept = OrderedSet("ab")
    return list(pickle.loads(pickle.dumps(kept))), list(copy.deepcopy(kept)), kept == OrderedSet("ab")
