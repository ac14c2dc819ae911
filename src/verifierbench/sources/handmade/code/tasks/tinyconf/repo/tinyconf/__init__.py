"""Settings in sections.

>>> loads("[a]\\nx = yes\\n")
{'a': {'x': True}}
"""

from .reader import ConfigError, loads
from .writer import dumps

__all__ = ["ConfigError", "dumps", "loads"]
