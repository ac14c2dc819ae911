"""Build, store and load suites: the public half an agent sees, the hidden half that scores it."""

from .build import build, collect
from .judge import Judged, judge, judge_one
from .stats import case_counts, stats
from .store import BuildEvent, Excluded, Manifest, Suite, read_manifest, suite_hash
from .validate import span_occurs, validate

__all__ = [
    "BuildEvent",
    "Excluded",
    "Judged",
    "Manifest",
    "Suite",
    "build",
    "case_counts",
    "collect",
    "judge",
    "judge_one",
    "read_manifest",
    "span_occurs",
    "stats",
    "suite_hash",
    "validate",
]
