"""Hostile verifiers, as data: what each tries, which mechanism must stop it, and how that mechanism shows.

An attack has only been run if its code ran: raw calls are made by number through ctypes, which the attacked box
preloads for this purpose (with the other modules in EXTRA), so that none dies because a module cannot be imported.
A refusal counts only with the errno that the filter gives; a name error or a missing file would be an accident.
"""

from . import answers, bounds, escapes, neighbours
from .kit import ATTACKS, EXTRA, LIMITS, NUMBERS, Attack

__all__ = ["ATTACKS", "EXTRA", "LIMITS", "NUMBERS", "Attack", "answers", "bounds", "escapes", "neighbours"]
