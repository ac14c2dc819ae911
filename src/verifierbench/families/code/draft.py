"""A code task before it has cases: its repository, the gold change, and solutions written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from verifierbench.core import CaseKind, Ground

from .content import Tree, patched
from .probes import test_ids
from .runners import runner
from .suites import Suite

Changes: TypeAlias = Mapping[str, str | None]
"""Path → new text, None where the file goes."""


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One solution written by hand, and why it has its label."""

    name: str
    kind: CaseKind
    grounds: tuple[Ground, ...]
    files: dict[str, str | None]
    on: Literal["repository", "gold"] = "repository"
    """What the files replace those of."""
    control_of: str | None = None
    """The operator whose attack this is the control of."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What operators make cases from."""

    task: str
    """The task's id."""
    main: str
    """The clause that asks for the fix: what an unrepaired repository violates."""
    package: str
    """Folder of the package, which has an `__init__.py`; unless `suite` says otherwise, the tests are in `tests`."""
    repository: Tree
    gold: Changes
    variants: tuple[Variant, ...]
    operators: tuple[str, ...]
    """Names of generic operators to use."""
    suite: Suite | None = None
    """How its tests are run; None where `python -m unittest` does it."""

    @property
    def fixed(self) -> dict[str, str]:
        """The repository with the gold change."""
        return patched(self.repository, self.gold)

    @property
    def module(self) -> str:
        """The first Python file of the package that the gold change edits."""
        return next(path for path in self.gold if path.endswith(".py") and path.startswith(self.package))

    def named(self, text: str) -> str:
        """A text with what it names in braces: the package, its folder, its tests, how many they are."""
        return text.format(
            package=self.package.rpartition("/")[2],
            folder=self.package,
            tests="\n".join(self.tests),
            count=self.test_count,
            suite=self.suite.folder if self.suite else "tests",
        )

    @property
    def tests(self) -> tuple[str, ...]:
        """What a patch that knows the repository's tests would call them."""
        return runner(self.suite).known_tests(self.repository, self.suite) if self.suite else test_ids(self.repository)

    @property
    def test_count(self) -> int:
        """How many tests the repository has."""
        if self.suite:
            return len(self.tests)
        tests = [text for path, text in self.repository.items() if path.startswith("tests/")]
        return sum(text.count("    def test_") for text in tests)
