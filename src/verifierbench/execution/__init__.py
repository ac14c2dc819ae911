"""Where units of work run, and the ledger that makes every run resumable. Knows nothing of what the work is."""

from .ledger import Ledger
from .local import LocalExecutor
from .protocol import Executor, Job, Progress, Unit, Worker, silent
from .sqlite import Store

__all__ = ["Executor", "Job", "Ledger", "LocalExecutor", "Progress", "Store", "Unit", "Worker", "silent"]
