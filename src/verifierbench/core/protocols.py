"""The seams between rooms: what a family, a source, an environment and a checker must offer.

Each is small, and each is met by plain objects; nothing here is inherited from. `PLUGIN_API` changes when one of
them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from .decision import Decision
from .records import Candidate, Case, Convention, Family, Task
from .reference import Atom, Check, Weakening
from .season import Season

PLUGIN_API = 2
"""Version of the protocols below, checked when a third party's source is loaded."""


class PublicEnvironment(Protocol):
    """What a running verifier reaches through `env`; called on the trusted side."""

    def read(self, material: str, pointer: str) -> Any:
        """Return a part of a public material; raises `EnvironmentRefusal` where there is none."""

    def run(self, request: Any) -> Any:
        """Execute the environment; raises `EnvironmentRefusal`, `BudgetExhausted` or `InfrastructureError`."""


class Environment(Protocol):
    """A public environment without budget or cache: a pure function of its request.

    A deterministic error a verifier may see is an `EnvironmentRefusal`.
    """

    @property
    def version(self) -> str:
        """Identity of everything the answers depend on besides the request."""

    def execute(self, request: Any) -> Any:
        """Answer one request, from a reset state; the same request always gets the same answer."""

    def close(self) -> None:
        """Release processes and files."""


class SourceChecker(Protocol):
    """Upstream's own checker, measured like any verifier."""

    @property
    def version(self) -> str:
        """Upstream version and ours around it."""

    def decide(self, task: Task, solution: Any) -> Decision:
        """Its decision on one solution."""

    def close(self) -> None:
        """Release processes."""


class FamilyDefinition(Protocol):
    """What one family of tasks shares."""

    family: Family
    solution_schema: Mapping[str, Any]
    """JSON Schema (2020-12) of what `verify` receives."""
    conventions: tuple[Convention, ...]
    checks: Mapping[str, Check]
    """The library its references are composed of."""
    checks_version: str
    """Hash of the library's source."""

    def request(self, solution: Any, probe: Mapping[str, Any]) -> Any:
        """The `env.run` request that executes a solution under a probe."""

    def weaken(self, atom: Atom) -> Iterable[Weakening]:
        """Ways to make an atom of this family's library less strict, part by part; dropping it is not among them."""

    def canonical(self, view: Any) -> Any:
        """The view without what carries no information, as JSON: equal for views no verifier should tell apart."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why an upstream checker disagrees with a label."""

    defect: str
    """Its id in the source's ledger of defects."""
    what: str
    """One sentence that holds of this very case."""


class SourceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What a source needs on this machine."""

    name: str
    ready: bool
    needs: str
    """One sentence: what is missing and the command that brings it; empty when ready."""
    version: str
    licence: str
    families: tuple[Family, ...]
    note: str = ""
    """One line more about what is there; may be empty."""


class Source(Protocol):
    """An upstream benchmark turned into tasks."""

    name: str

    def status(self) -> SourceStatus:
        """What is there, without touching the network."""

    def install(self, origin: Path | None) -> None:
        """Bring what it needs, from the network or from files already on disk; raises `Unavailable`."""

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """Its tasks with their labelled cases; labels never depend on a checker."""

    def environment(self, task: Task) -> Environment | None:
        """The public environment of one of its tasks."""

    def checker(self) -> SourceChecker | None:
        """Upstream's own checker, where there is one."""

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The known defect behind the checker's decision on a case it gets wrong; None where no entry holds of it."""
