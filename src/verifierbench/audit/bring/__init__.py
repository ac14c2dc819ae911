"""Bring your own: a suite that somebody wrote down in plain files, ready to be audited without a source.

`load` reads and checks a directory and executes nothing of it; `subjects` makes the subjects of its audit. The format
is documented in `docs/bring-your-own.md`, with a worked example in `examples/own-suite`.
"""

from .gather import OwnGatherer, freeze, judge_from, subjects
from .own import OwnSuite, OwnTask
from .program import NO_DECISION, ProgramJudge, Runner
from .read import is_own, load
from .recorded import Recorded

__all__ = [
    "NO_DECISION",
    "OwnGatherer",
    "OwnSuite",
    "OwnTask",
    "ProgramJudge",
    "Recorded",
    "Runner",
    "freeze",
    "is_own",
    "judge_from",
    "load",
    "subjects",
]
