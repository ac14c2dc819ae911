"""The desk: an agent's three tools, the budget over them, and the record of what was asked and what stood there."""

from .desk import MOST_REQUESTS, Desk, DeskLog
from .labelled import pick, shown
from .record import DeskEntry, Version, read_desk, read_versions
from .snapshots import Snapshots
from .tools import NAMES, place
from .workbench import Workbench

__all__ = [
    "MOST_REQUESTS",
    "NAMES",
    "Desk",
    "DeskEntry",
    "DeskLog",
    "Snapshots",
    "Version",
    "Workbench",
    "pick",
    "place",
    "read_desk",
    "read_versions",
    "shown",
]
