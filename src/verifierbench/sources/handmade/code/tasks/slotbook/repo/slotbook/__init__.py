"""Busy and free time.

>>> merge([(540, 600), (590, 660)])
[(540, 660)]
"""

from .agenda import Agenda
from .clock import format_time, parse_time
from .slots import gaps, merge, overlaps

__all__ = ["Agenda", "format_time", "gaps", "merge", "overlaps", "parse_time"]
