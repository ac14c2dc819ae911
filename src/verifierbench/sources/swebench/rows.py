"""Upstream's rows: the issue, the repair and the tests of each instance, pinned by hash, in no folder of this package.

`rows.toml` names the instances that tasks are made of, with the hash of what a task takes from each. Rows come from
a file or folder a user has, or from the dataset's public rows; only those that are needed are kept.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from verifierbench.core import MalformedInput, Unavailable, canonical_hash
from verifierbench.core.files import decode_lines, encode_lines, write_atomically

FILE = "test.jsonl"
URL = "https://datasets-server.huggingface.co/rows"
DATASET: Mapping[str, str | int] = {"dataset": "princeton-nlp/SWE-bench_Verified", "config": "default", "split": "test"}
PAGE = 100
"""Rows one request may ask for."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a task takes from one row; other columns are left where they are."""

    instance_id: str
    repo: str
    base_commit: str
    version: str
    problem_statement: str
    patch: str
    test_patch: str
    FAIL_TO_PASS: str
    """A list, as JSON."""

    @property
    def hash(self) -> str:
        """Identity of all of it."""
        return canonical_hash(msgspec.to_builtins(self))

    @property
    def fail_to_pass(self) -> list[str]:
        """Upstream's names of the tests that the repair makes pass."""
        return list(json.loads(self.FAIL_TO_PASS))


@cache
def pinned() -> Mapping[str, str]:
    """Instance → hash of its row, from `rows.toml`."""
    table = tomllib.loads((Path(__file__).parent / "rows.toml").read_text(encoding="utf-8"))
    return msgspec.convert(table["rows"], dict[str, str])


def read(path: Path) -> dict[str, Row]:
    """The rows that were installed, by instance; raises `MalformedInput`."""
    return {row.instance_id: row for row in decode_lines(path, Row)}


def bring(path: Path, origin: Path | None) -> None:
    """Write the rows that tasks need to a file; raises `Unavailable` where one is missing or another than it was."""
    wanted = pinned()
    found = {row.instance_id: row for row in (_given(origin) if origin else _downloaded()) if row.instance_id in wanted}
    for instance, expected in wanted.items():
        if instance not in found:
            raise Unavailable(f"{origin or URL} has no row {instance}; give SWE-bench Verified's rows with --from PATH")
        if found[instance].hash != expected:
            raise Unavailable(f"the row {instance} is not the one that its task was made from (its hash differs)")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, encode_lines(found[instance] for instance in sorted(wanted)))


def is_installed(path: Path) -> bool:
    """Whether the file has the rows that tasks need, those and no others."""
    try:
        return {name: row.hash for name, row in read(path).items()} == dict(pinned())
    except MalformedInput:
        return False


def _given(origin: Path) -> Iterable[Row]:
    path = origin / FILE if origin.is_dir() else origin
    if not path.is_file():
        raise Unavailable(f"there is no {path}; give the rows of SWE-bench Verified as JSON lines, one row each")
    return decode_lines(path, Row)


def _downloaded() -> Iterator[Row]:
    import requests

    try:
        offset = 0
        while True:
            asked: dict[str, str | int] = {**DATASET, "offset": offset, "length": PAGE}
            reply = requests.get(URL, params=asked, timeout=60)
            reply.raise_for_status()
            rows = reply.json()["rows"]
            yield from (msgspec.convert(each["row"], Row) for each in rows)
            if len(rows) < PAGE:
                return
            offset += PAGE
    except (requests.RequestException, LookupError, ValueError) as error:
        raise Unavailable(
            f"the rows of SWE-bench Verified could not be fetched ({type(error).__name__}); connect to a network, or "
            "give them as JSON lines with --from PATH"
        ) from error
