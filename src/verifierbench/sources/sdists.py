"""The source distributions that tasks are made of: pinned by their hashes, read as text, never built, never run.

A release is one `.tar.gz` from a package index. Of its files those are a repository's that are text and lie under a
path the task names; pictures and compiled files are none. The archives lie in a source's home folder, each put
there by one rename after its hash was compared.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path

import msgspec

from verifierbench.core import MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import read_bytes

INDEX_VARIABLE = "PIP_INDEX_URL"
"""Names another package index than the usual one, as it does for pip."""


class Archive(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One release's source distribution."""

    package: str
    version: str
    file: str
    sha256: str


class Sdists:
    """The archives that one source's tasks are made of, as its `archives.toml` pins them."""

    def __init__(self, table: Path) -> None:
        self._table = table

    @cached_property
    def all(self) -> tuple[Archive, ...]:
        """Every archive a task needs."""
        table = tomllib.loads(self._table.read_text(encoding="utf-8"))
        return tuple(msgspec.convert(table["archive"], list[Archive]))

    def named(self, package: str, version: str) -> Archive:
        """The pinned archive of a release; raises `MalformedInput` where there is none."""
        for each in self.all:
            if (each.package, each.version) == (package, version):
                return each
        raise MalformedInput(self._table, "", f"no archive of {package} {version} is pinned")

    def missing(self, folder: Path) -> tuple[Archive, ...]:
        """The archives that are not in a folder; their hashes were compared when they were put there."""
        return tuple(each for each in self.all if not (folder / each.file).is_file())

    def bring(self, folder: Path, origin: Path | None) -> None:
        """Put every missing archive into a folder, from a package index or from a folder that has them."""
        folder.mkdir(parents=True, exist_ok=True)
        wanted = self.missing(folder)
        for each, content in _copied(wanted, origin) if origin else _downloaded(wanted):
            if hash_of(content) != each.sha256:
                raise Unavailable(f"{each.file} is not the file that the tasks were made from (its SHA-256 differs)")
            _put(folder / each.file, content)


@cache
def files(path: Path) -> dict[str, str]:
    """What `unpacked` returns, kept: many tasks are made from one archive."""
    return unpacked(path)


def unpacked(path: Path) -> dict[str, str]:
    """Every text file of an archive, without the one folder that all lie in; raises `MalformedInput`."""
    found = {}
    try:
        with tarfile.open(path) as opened:
            for member in opened:
                name = member.name.partition("/")[2]
                if member.isfile() and name and (content := opened.extractfile(member)):
                    found[name] = content.read()
    except (OSError, tarfile.TarError) as error:
        raise MalformedInput(path, "", f"not an archive that can be read: {error}") from error
    return texts(found)


def texts(found: Mapping[str, bytes]) -> dict[str, str]:
    """Those of some files that are text, in the order of their names."""
    return {name: text for name, raw in sorted(found.items()) if (text := _text(raw)) is not None}


def under(tree: Mapping[str, str], places: Iterable[str]) -> dict[str, str]:
    """The files of a tree that the places name; the last that names a file decides.

    A place is a file, a folder, or a pattern with `*`; behind `!` it names what is left out.
    """
    rules = [(place.removeprefix("!"), not place.startswith("!")) for place in places]
    return {path: text for path, text in tree.items() if _kept(path, rules)}


def _kept(path: str, rules: list[tuple[str, bool]]) -> bool:
    return next((kept for place, kept in reversed(rules) if _within(path, place)), False)


def _within(path: str, place: str) -> bool:
    if "*" in place:
        return fnmatchcase(path, place)
    return path == place or path.startswith(place.rstrip("/") + "/")


def _text(raw: bytes) -> str | None:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _copied(wanted: Iterable[Archive], origin: Path) -> Iterator[tuple[Archive, bytes]]:
    for each in wanted:
        if not (origin / each.file).is_file():
            raise Unavailable(f"{origin} has no {each.file}; give a folder with the archives of `archives.toml`")
        yield each, read_bytes(origin / each.file)


def _downloaded(wanted: tuple[Archive, ...]) -> Iterator[tuple[Archive, bytes]]:
    if not wanted:
        return
    import requests
    from pypi_simple import PYPI_SIMPLE_ENDPOINT, PyPISimple

    try:
        with PyPISimple(os.environ.get(INDEX_VARIABLE) or PYPI_SIMPLE_ENDPOINT) as index:
            for each in wanted:
                found = [p for p in index.get_project_page(each.package).packages if p.filename == each.file]
                if not found:
                    raise Unavailable(f"the package index has no {each.file}; give a folder that has it with --from")
                reply = index.s.get(found[0].url, timeout=60)
                reply.raise_for_status()
                yield each, reply.content
    except (requests.RequestException, LookupError) as error:
        raise Unavailable(
            f"source distributions could not be fetched ({type(error).__name__}); connect to a package index, or give "
            "a folder that has them with --from PATH"
        ) from error


def _put(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).rename(path)
