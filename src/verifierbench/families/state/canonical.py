"""The view without what carries no information: equal for views that no verifier should tell apart.

Nothing goes. The conventions make wording and the way free *within the rules* of a task, so a message, the order of
calls, a repeated or a failed one, and every identifier the environment made up can be what a rule forbids or asks
for, and telling so is the verifier's work. A call's 5 and 5.0 are two things as well: what they do is for the
environment to say, which may refuse one of them. The order of keys means nothing in JSON, and whoever compares views
ignores it.
"""

from __future__ import annotations

from typing import Any


def canonical(view: Any) -> Any:
    """The view as it is."""
    return view
