"""The command line: one thin module per verb, imported when the verb is used.

A user's mistake prints one sentence and exits 2; a bug prints its traceback and exits 1; Ctrl-C exits 130.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except KeyboardInterrupt:
        print("verifierbench: interrupted; the same command goes on where it stopped", file=sys.stderr)  # noqa: T201
        code = 130
    except OSError as error:
        code = _output_error(error)
    except Exception as error:
        code = _user_error(error)
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    import click

    from ._verbs import cli

    try:
        return cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort as error:
        raise KeyboardInterrupt from error


def _output_error(error: OSError) -> int:
    """Return 2 where standard output cannot be written; let any other failure through."""
    if error.errno not in (errno.ENOSPC, errno.EPIPE, errno.EIO):
        raise error
    with contextlib.suppress(OSError):
        print(f"verifierbench: the output cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered has nowhere to go
    return 2


def _user_error(error: Exception) -> int:
    """Print a user's mistake and return 2; let a bug through with its traceback."""
    from verifierbench.core import UserError

    if not isinstance(error, UserError):
        raise error
    said = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in str(error))  # it may steer a terminal
    print(f"verifierbench: {said}", file=sys.stderr)  # noqa: T201  # the one place where a mistake is told
    return 2
