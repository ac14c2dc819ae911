"""What workers import as well as we do: standard library only, and nothing of the packages around it.

A guarded worker has `SEARCH_PATH` on its search path and imports these modules as `guest.<name>`.
"""

from pathlib import Path

SEARCH_PATH = Path(__file__).parent.parent
