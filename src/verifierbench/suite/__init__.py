"""Build, store and load suites: the public half an agent sees, the hidden half that scores it; lock and verify them."""

from .build import build
from .collect import Collected, collect
from .judge import Judged, judge, judge_one
from .layout import fingerprint
from .lock import Lock, lock, read_lock
from .materials import read_tasks, write_tasks
from .moved import Moved
from .overlap import overlap
from .plugin import Plugin, open_plugin
from .prove import prove
from .seasons import new_season, read_published, read_season, why_not
from .stats import case_counts, stats
from .store import BuildEvent, Excluded, Manifest, Suite, read_manifest, suite_hash
from .validate import span_occurs, validate
from .verify import Verified, verify
from .without import without

__all__ = [
    "BuildEvent",
    "Collected",
    "Excluded",
    "Judged",
    "Lock",
    "Manifest",
    "Moved",
    "Plugin",
    "Suite",
    "Verified",
    "build",
    "case_counts",
    "collect",
    "fingerprint",
    "judge",
    "judge_one",
    "lock",
    "new_season",
    "open_plugin",
    "overlap",
    "prove",
    "read_lock",
    "read_manifest",
    "read_published",
    "read_season",
    "read_tasks",
    "span_occurs",
    "stats",
    "suite_hash",
    "validate",
    "verify",
    "why_not",
    "without",
    "write_tasks",
]
