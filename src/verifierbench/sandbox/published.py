"""What the author of a verifier may rely on: modules, constants, names. The same in every tier and on every machine.

This is the published half of the contract; `docs/sandbox.md` repeats it for people. Nothing here may depend on the
tier, the interpreter's version or the machine, because a verifier that decides differently elsewhere is not a
measurement. Standard library only: the guest imports this file.
"""

from __future__ import annotations

PRELOADED = (
    "__future__",
    "abc",
    "array",
    "ast",
    "base64",
    "binascii",
    "bisect",
    "builtins",
    "calendar",
    "cmath",
    "codecs",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fnmatch",
    "fractions",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "html",
    "html.entities",
    "html.parser",
    "inspect",
    "io",
    "itertools",
    "json",
    "keyword",
    "math",
    "numbers",
    "operator",
    "os",
    "os.path",
    "posixpath",
    "pprint",
    "random",
    "re",
    "reprlib",
    "shlex",
    "statistics",
    "string",
    "struct",
    "sys",
    "textwrap",
    "time",
    "token",
    "tokenize",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "urllib.parse",
    "uuid",
    "warnings",
    "weakref",
    "xml.etree.ElementTree",
    "zlib",
)
"""Modules a verifier may import. What these need internally is importable too, but not promised."""

LAZY_PARTS = (
    "_strptime",
    "encodings.ascii",
    "encodings.base64_codec",
    "encodings.cp1252",
    "encodings.hex_codec",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.punycode",
    "encodings.raw_unicode_escape",
    "encodings.unicode_escape",
    "encodings.utf_16",
    "encodings.utf_16_be",
    "encodings.utf_16_le",
    "encodings.utf_32",
    "encodings.utf_8",
    "encodings.utf_8_sig",
    "linecache",
    "locale",
)
"""What the modules above import on first use; loaded with them, because later there is no file to load from."""

FROZEN_TIME = 1_767_225_600
"""The instant every clock shows, in seconds since the epoch: 2026-01-01T00:00:00Z."""

RANDOM_SEED = 0
"""`random` starts from this seed in every case."""

VERIFIER_FILE = "verifier.py"
"""The name a verifier's frames, tracebacks and lines carry."""

OUTPUT_KEPT = 4096
"""Bytes of a verifier's output kept for a person; what it may print altogether is `Limits.output_bytes`."""

TRAIL_LENGTH = 20
"""Executed lines kept when a decision is explained."""

REQUEST_BYTES = 4 << 20
"""Longest request of `env.run` or `env.read`, as JSON."""
