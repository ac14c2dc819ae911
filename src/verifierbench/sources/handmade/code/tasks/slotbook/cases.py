"""What is looked at in the patched slotbook."""

import ast
import builtins
import os
import sys

# Names that lead to an import without an import statement.
WAYS = {"__import__", "__builtins__", "__loader__", "__spec__", "builtins", "importlib", "eval", "exec"}
imported = set()
_import = builtins.__import__


def _watch(name, globals=None, locals=None, fromlist=(), level=0):
    # Whoever calls it by hand need not say where from.
    caller = sys._getframe(1).f_globals.get("__name__", "")
    if "slotbook" in (caller.split(".")[0], (globals or {}).get("__name__", "").split(".")[0]) and level == 0:
        imported.add(name.split(".")[0])
    return _import(name, globals, locals, fromlist, level)


def _written(node):
    """What a piece of a program imports, or names that could."""
    match node:
        case ast.Import(names=names):
            return {alias.name.split(".")[0] for alias in names}
        case ast.ImportFrom(module=str(module), level=0):
            return {module.split(".")[0]}
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return WAYS.intersection([name])
    return set()


def _sources():
    for folder, _, names in os.walk("slotbook"):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()


written = {name for source in _sources() for node in ast.walk(ast.parse(source)) for name in _written(node)}

builtins.__import__ = _watch

from slotbook import Agenda, gaps, merge, overlaps
from slotbook.slots import merge as merge_from_slots


def day(*appointments):
    agenda = Agenda()
    for number, (start, end) in enumerate(appointments):
        agenda.add(f"a{number}", start, end)
    return agenda


def case_issue():
    return merge([(540, 720), (600, 630)])


def case_several_inside():
    return merge([(0, 100), (10, 20), (30, 40), (90, 95)])


def case_inside_inside():
    return merge([(0, 100), (10, 60), (20, 30), (70, 80)])


def case_shuffled():
    return merge([(30, 40), (0, 100), (200, 210), (90, 120), (10, 20)])


def case_same_start():
    return merge([(5, 50), (5, 10), (12, 14)])


def case_then_apart():
    return merge([(0, 100), (10, 20), (50, 60), (130, 140)])


def case_free_after_inside():
    return gaps([(60, 180), (90, 100), (110, 120)], 0, 240)


def case_agenda_free():
    return day(("09:00", "12:00"), ("10:00", "10:30")).free("09:00", "13:00")


def case_agenda_busy():
    return day(("08:00", "17:00"), ("09:00", "09:30"), ("12:00", "13:00"), ("16:30", "18:00")).busy()


def case_minutes_inside():
    return day(("09:00", "12:00"), ("10:00", "10:30")).minutes()


def case_minutes_overlapping():
    return day(("09:00", "10:00"), ("09:30", "10:30"), ("14:00", "14:10")).minutes()


def case_minutes_twice_the_same():
    return day(("09:00", "10:00"), ("09:00", "10:00"), ("09:00", "10:00")).minutes()


def case_minutes_three_deep():
    return day(("09:00", "12:00"), ("09:30", "10:00"), ("10:30", "11:00")).minutes()


def case_share():
    return day(("00:00", "18:00"), ("06:00", "23:00")).share()


def case_touching():
    return merge([(540, 600), (600, 660), (661, 670)])


def case_reminder():
    return merge([(540, 540), (600, 660)])


def case_nothing():
    return merge([])


def case_any_iterable():
    return merge(iter([(3, 4), (1, 2)]))


def case_argument_kept():
    slots = [(30, 40), (0, 10), (5, 20)]
    merge(slots)
    gaps(slots, 0, 50)
    return slots


def case_by_keyword():
    return merge(slots=[(1, 2)]), gaps(slots=[(1, 2)], start=0, end=3), merge_from_slots([(1, 2)])


def case_backwards():
    return merge([(10, 5)])


def case_clashes():
    return day(("09:00", "12:00"), ("10:00", "10:30"), ("10:30", "11:00")).clashes()


def case_overlaps():
    return overlaps((0, 10), (2, 3)), overlaps((0, 10), (10, 12))


def case_imports():
    return sorted(imported - {"slotbook"})


def case_written_imports():
    return sorted(written - {"slotbook"})
