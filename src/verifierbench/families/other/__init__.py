"""Tasks of no other family: a solution is whatever JSON the suite that brings them says it is.

There is no schema, no convention and no environment of its own here; a suite gives its own. What is here is a small
library of checks at a JSON pointer, enough to write most references down as data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Atom, Check, Convention, Family, Weakening, sha256

from .canonical import canonical
from .checks import CHECKS
from .weaken import weaken

__all__ = ["FAMILY"]


class OtherFamily:
    """Meets `core.FamilyDefinition`."""

    family: Family = Family.OTHER
    solution_schema: Mapping[str, Any] = {}
    conventions: tuple[Convention, ...] = ()
    checks: Mapping[str, Check] = CHECKS
    checks_version: str = sha256(Path(__file__).with_name("checks.py").read_bytes())

    def request(self, solution: Any, probe: Mapping[str, Any]) -> Any:
        """The `env.run` request that executes a solution under a probe; the probe has the last word."""
        return {"solution": solution, **probe}

    def weaken(self, atom: Atom) -> Iterable[Weakening]:
        """What mutation testing puts in an atom's place, part by part."""
        return weaken(atom)

    def canonical(self, view: Any) -> Any:
        """What a view says, without its presentation."""
        return canonical(view)


FAMILY = OtherFamily()
