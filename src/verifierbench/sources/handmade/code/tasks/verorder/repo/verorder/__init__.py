"""Version numbers.

>>> Version("1.0.0-rc.1") < Version("1.0.0")
True
"""

from .choose import latest, satisfies
from .version import Version

__all__ = ["Version", "latest", "satisfies"]
