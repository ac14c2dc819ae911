"""Code tasks: a solution is a diff, and what counts is what the patched repository does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Atom, Check, Convention, Family, Weakening, sha256

from .canonical import canonical
from .checks import CHECKS
from .content import SOLUTION_SCHEMA
from .conventions import CONVENTIONS
from .weaken import weaken

__all__ = ["FAMILY"]

_LIBRARY = ("checks.py", "content.py", "driver.py", "reporter.py", "runtests_reporter.py")
"""What a reference's meaning depends on besides its own spec."""


class CodeFamily:
    """Meets `core.FamilyDefinition`."""

    family: Family = Family.CODE
    solution_schema: Mapping[str, Any] = SOLUTION_SCHEMA
    conventions: tuple[Convention, ...] = CONVENTIONS
    checks: Mapping[str, Check] = CHECKS
    checks_version: str = sha256(b"\0".join((Path(__file__).parent / name).read_bytes() for name in _LIBRARY))

    def request(self, solution: Any, probe: Mapping[str, Any]) -> Any:
        """The `env.run` request that executes a solution under a probe; the probe has the last word."""
        return {"patch": solution["patch"], "files": {}, "commands": [], "read": [], **probe}

    def weaken(self, atom: Atom) -> Iterable[Weakening]:
        """What mutation testing puts in an atom's place, part by part."""
        return weaken(atom)

    def canonical(self, view: Any) -> Any:
        """What a view says, without its presentation."""
        return canonical(view)


FAMILY = CodeFamily()
