"""Season files: making, publishing, reading and checking them.

A season file holds a secret: it is written once, for its owner's eyes alone, and never over another. The commitment
beside it may be published at once. To reveal a season is to publish its file, with its plug-in where it has one.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from verifierbench.core import SCHEMA_VERSION, MalformedInput, Season, Unavailable, UserError, sha256
from verifierbench.core.files import decode, encode, read_bytes
from verifierbench.core.season import Published

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PLUGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\.py")
_RANDOM_BYTES = 32


def new_season(
    directory: Path,
    name: str,
    *,
    withheld_tasks: tuple[str, ...] = (),
    withheld_operators: tuple[str, ...] = (),
    plugin: Path | None = None,
) -> tuple[Season, Path, Path]:
    """Draw a season's secret; returns it with its secret file and the file to publish.

    Writes `NAME.secret.json` and `NAME.json`, and a copy of the plug-in as `NAME.plugin.py`. Raises `UserError` for a
    name that is no file name, and where one of the files is there already.
    """
    if not _NAME.fullmatch(name):
        raise UserError(f"a season's name is made of letters, digits, dots, dashes and underscores, not {name!r}")
    source = None if plugin is None else read_bytes(plugin)
    season = Season(
        name=name,
        secret=secrets.token_hex(_RANDOM_BYTES),
        salt=secrets.token_hex(_RANDOM_BYTES),
        withheld_tasks=withheld_tasks,
        withheld_operators=withheld_operators,
        plugin=None if source is None else f"{name}.plugin.py",
        plugin_hash=None if source is None else sha256(source),
    )
    secret, public = directory / f"{name}.secret.json", directory / f"{name}.json"
    copy = directory / f"{name}.plugin.py"
    _refuse_to_overwrite(secret, public, *([copy] if source is not None else []))
    if source is not None:
        write_private(copy, source)
    write_private(secret, encode(season))
    _write_new(public, encode(season.published), 0o644)
    return season, secret, public


def read_season(path: Path) -> Season:
    """A season from its secret file; raises `MalformedInput` naming the place and the cause."""
    season = decode(path, Season)
    _refuse_newer(path, season.schema)
    if not season.name or not season.secret:
        raise MalformedInput(path, "$.name" if not season.name else "$.secret", "is empty")
    if (season.plugin is None) is not (season.plugin_hash is None):
        raise MalformedInput(path, "$.plugin", "a plug-in needs both its name and its hash")
    if season.plugin is not None and not _PLUGIN.fullmatch(season.plugin):
        raise MalformedInput(path, "$.plugin", "not the bare name of a Python file beside the season's")
    return season


def read_published(path: Path) -> Published:
    """What was published of a season; raises `MalformedInput`."""
    published = decode(path, Published)
    _refuse_newer(path, published.schema)
    return published


def why_not(published: Published, season: Season) -> str | None:
    """Why a season is not the one that was published, in one sentence; None where it is."""
    if published.name != season.name:
        return f"what was published is of season {published.name!r}, the secret is of {season.name!r}"
    if published.commitment != season.commitment:
        return (
            f"season {season.name!r} commits to {season.commitment[:12]}…, "
            f"but {published.commitment[:12]}… was published: the secret is another, or was changed"
        )
    return None


def write_private(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, so that only its owner can read it; raises `UserError` where it is."""
    _write_new(path, data, 0o600)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    """All of it or nothing: a file that is cut short would be in the way of the next attempt."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
    except FileExistsError as error:
        raise UserError(f"{path} is there already, and a secret is never written over") from error
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror or error}") from error


def _refuse_to_overwrite(*paths: Path) -> None:
    for path in paths:
        if path.exists():
            raise UserError(f"{path} is there already, and a secret is never written over")


def _refuse_newer(path: Path, schema: int) -> None:
    if schema > SCHEMA_VERSION:
        raise MalformedInput(path, "$.schema", f"version {schema} is newer than this program's {SCHEMA_VERSION}")
