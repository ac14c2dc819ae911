"""Submission x hidden cases -> decisions; and the same for what is decided on the trusted side."""

from .bench import Bench
from .check import Checked, check, open_bench
from .folder import RunFolder
from .public import PublicEnvironments, environment_version
from .score import score
from .trusted import score_reference, score_source_checker, score_trusted, write_trusted_run

__all__ = [
    "Bench",
    "Checked",
    "PublicEnvironments",
    "RunFolder",
    "check",
    "environment_version",
    "open_bench",
    "score",
    "score_reference",
    "score_source_checker",
    "score_trusted",
    "write_trusted_run",
]
