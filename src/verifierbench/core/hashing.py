"""Two forms of JSON and their SHA-256: what a verifier sees, and what it means.

`content_*` is identity: the exact bytes a verifier is given. Key order is kept and 5 differs from 5.0, because a
verifier can tell them apart. `canonical_*` is sameness of meaning, with sorted keys, for cache keys and
consistency checks. NaN and infinities are refused in both: they are not JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"


_SURROGATE = re.compile("[\ud800-\udfff]")


def content_bytes(value: JSON) -> bytes:
    """Compact UTF-8 JSON with the key order kept; raises ValueError on NaN and infinities."""
    return _dump(value, sort_keys=False)


def canonical_bytes(value: JSON) -> bytes:
    """Compact UTF-8 JSON with sorted keys; raises ValueError on NaN and infinities."""
    return _dump(value, sort_keys=True)


def content_hash(value: JSON) -> str:
    """SHA-256 of `content_bytes`, in hexadecimal."""
    return sha256(content_bytes(value))


def canonical_hash(value: JSON) -> str:
    """SHA-256 of `canonical_bytes`, in hexadecimal."""
    return sha256(canonical_bytes(value))


def sha256(data: bytes) -> str:
    """SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _dump(value: JSON, *, sort_keys: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate is legal in JSON text but has no UTF-8 form: escaped, it stays decodable.
        return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()
