"""The auditor is audited: defects planted in sound tasks, and odd but sound ones that must raise no alarm."""

from .edits import with_runs
from .plant import Plant, plants

__all__ = ["Plant", "plants", "with_runs"]
