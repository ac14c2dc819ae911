"""What may be asked of the command sandbox; the rest is refused before a process is started for it.

The bounds exist so that no request can cost the sandbox its memory, its time or its answer's frame: a verifier
writes the requests, and may bring down nothing but its own case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifierbench.core.errors import EnvironmentRefusal
from verifierbench.sandbox.trees import is_inner_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_COMMANDS, MOST_PATHS = 50, 100
"""Commands of a request, and files it may read back."""
PATH_BYTES = 4096
"""The longest path Linux takes."""
WORDS_BYTES = 1 << 20
"""All words of all commands, each with the NUL that ends it."""


def check_request(
    files: Mapping[str, str | None], patch: str, commands: Sequence[Sequence[str]], read: Sequence[str]
) -> None:
    """Raise EnvironmentRefusal for what no sandbox would be started for."""
    _check_sizes(files, commands, read)
    for path in [*files, *read]:
        if not is_inner_path(path):
            raise EnvironmentRefusal(f"{path!r} is not a path inside the repository: relative, without '..'")
    for command in commands:
        if not command or not command[0] or any("\0" in word for word in command):
            raise EnvironmentRefusal("a command is a list of words, not empty and without NUL")
    texts = [patch, *read, *files, *(text or "" for text in files.values())]
    for text in [*texts, *(word for command in commands for word in command)]:
        if not text.isascii() and not _has_utf8(text):
            raise EnvironmentRefusal("the request holds a lone surrogate, which has no UTF-8 form")


def _check_sizes(files: Iterable[str], commands: Sequence[Sequence[str]], read: Sequence[str]) -> None:
    if len(commands) > MOST_COMMANDS:
        raise EnvironmentRefusal(f"a request has at most {MOST_COMMANDS} commands; this one has {len(commands)}")
    if len(read) > MOST_PATHS:
        raise EnvironmentRefusal(f"a request reads at most {MOST_PATHS} files; this one reads {len(read)}")
    words = sum(_size(word) + 1 for command in commands for word in command)
    if words > WORDS_BYTES:
        raise EnvironmentRefusal(f"the commands' words have {words} bytes; at most {WORDS_BYTES} are allowed")
    for path in [*files, *read]:
        if _size(path) > PATH_BYTES:
            raise EnvironmentRefusal(f"a path has at most {PATH_BYTES} bytes; {path[:40]!r}… has {_size(path)}")


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _has_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
