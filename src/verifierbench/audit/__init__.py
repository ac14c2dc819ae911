"""V4V: is the suite itself right? Checks over tasks, cases and references; the ladder that shows what bites."""

from .findings import Check, Examined, Flaw
from .judges import RecordedJudge, TreeJudge, judge_from
from .ladder import Rung, Side, ladder
from .subject import Fresh, Judge, Mutant, Subject

__all__ = [
    "Check",
    "Examined",
    "Flaw",
    "Fresh",
    "Judge",
    "Mutant",
    "RecordedJudge",
    "Rung",
    "Side",
    "Subject",
    "TreeJudge",
    "judge_from",
    "ladder",
]
