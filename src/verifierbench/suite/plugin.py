"""A season's private plug-in: a Python file that adds tasks to a suite, and cases to tasks that are there.

    def candidates(season):            yield `core.Candidate`s whose task names an installed source
    def cases(candidate, random):      yield `core.Case`s for a task; `random("op")` is the generator of operator `op`

Either may be missing. The file runs with the maintainer's rights, as any source does. Its hash is in the season's
commitment, and only bytes with that hash are ever run.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec

from verifierbench.core import Candidate, Case, MalformedInput, Season, sha256
from verifierbench.core.files import read_bytes


class Plugin:
    """A season's plug-in, loaded."""

    def __init__(self, source: bytes, module: ModuleType) -> None:
        self.source = source
        """The file's bytes, which a suite keeps with its season."""
        self._candidates: Callable[[Season], Iterable[Candidate]] | None = getattr(module, "candidates", None)
        self._cases: Callable[..., Iterable[Case]] | None = getattr(module, "cases", None)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The tasks it adds."""
        if self._candidates is not None:
            yield from self._candidates(season)

    def extend(self, candidate: Candidate, season: Season) -> Candidate:
        """A candidate with the cases it adds, whose random choices come from the season as any operator's do."""
        if self._cases is None:
            return candidate

        def drawn(operator: str) -> random.Random:
            return season.random(candidate.task.id, operator)

        added = tuple(self._cases(candidate, drawn))
        return msgspec.structs.replace(candidate, cases=(*candidate.cases, *added))


def open_plugin(season: Season, folder: Path) -> Plugin | None:
    """The plug-in of a season whose file stands in a folder; None where the season has none.

    Raises `MalformedInput` where the file is missing, is not the one that was committed to, or does not load.
    """
    if season.plugin is None:
        return None
    path = folder / season.plugin
    source = read_bytes(path)
    if sha256(source) != season.plugin_hash:
        raise MalformedInput(path, "", f"not the plug-in that season {season.name!r} commits to")
    module = _load(path, source)
    if not {"candidates", "cases"} & vars(module).keys():
        raise MalformedInput(path, "", "defines neither candidates(season) nor cases(candidate, random)")
    return Plugin(source, module)


def _load(path: Path, source: bytes) -> ModuleType:
    """Run the very bytes that were hashed: the file may change meanwhile."""
    module = ModuleType(f"verifierbench_season_{sha256(source)[:16]}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec"), vars(module))  # noqa: S102  # what the season's owner committed to
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        raise MalformedInput(path, "", f"does not load: {type(error).__name__}: {error}") from error
    return module
