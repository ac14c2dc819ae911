"""The three tools of an agent: `runpublic`, `selftest`, `submit`, in one file that is installed under each name.

It runs beside the agent, in a bare Python without this package, and knows nothing: it sends the text of a file to the
desk and prints what the desk says. Everything that counts is counted there.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import urllib.parse
from pathlib import Path
from typing import Any

DESK = "http://127.0.0.1:8081"
NECESSITY = False
"""Whether `--vary` is offered; set when the file is installed."""

BAD_INPUT, NO_DESK = 2, 4
LARGEST = 4 << 20
"""Bytes of a request that the desk takes."""
_PATIENCE_SECONDS = 7_200.0

_STATUS = """\
exit status:
  0  an answer
  1  the verifier gave no decision: neither PASS nor FAIL
  2  bad input; nothing was run
  3  the budget is exhausted, or reserved for self-tests: what is said is not evidence about the solution
  4  the desk failed or cannot be reached: nothing was counted, try again"""

_RUNPUBLIC = """\
Execute the task's public environment once, and print what `env.run` would return.

REQUEST is a file of JSON, or - for standard input: a request of `env.run` as TASK.md describes it, or a solution.
Each use costs one execution of the task's budget, a repeat included."""

_SELFTEST = """\
Run the verifier.py of the workspace, as it stands, on a solution of your own, exactly as it will be run on the hidden
ones; print its verdict, or why there is none, and what it printed.

SOLUTION is a file of JSON, or - for standard input; solution.schema.json says what it looks like.
Each call of `env.run` that the verifier makes costs one execution of the task's budget, a repeat included."""

_VARY = """\
also run a copy of the solution with another VALUE (JSON) at POINTER (a JSON pointer, like /turns/0/message), and say
whether the decision is the same"""

_SUBMIT = """\
Hand in the verifier.py of the workspace, as it stands. It is final: later changes do not count. Nothing is judged here;
try it with `selftest` before."""


def main(name: str, arguments: list[str]) -> int:
    """Be the tool of that name; returns the exit status."""
    if name not in PARSERS:
        sys.stderr.write(f"{name} is none of {', '.join(PARSERS)}\n")
        return BAD_INPUT
    given = PARSERS[name]().parse_args(arguments)
    try:
        body = json.dumps(given.body(given), ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(body) > LARGEST:
            raise ValueError(f"too large: {len(body):,} bytes, and at most {LARGEST:,} can be sent")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        return BAD_INPUT
    try:
        status, answer = ask(name, body)
    except (OSError, ValueError, http.client.HTTPException) as error:
        sys.stderr.write(f"{name}: the desk cannot be reached ({error or type(error).__name__}); try again\n")
        return NO_DESK
    text = json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
    return status


def ask(tool: str, body: bytes) -> tuple[int, Any]:
    """Send a body to the desk; returns the exit status and the answer. Raises OSError, ValueError, HTTPException."""
    url = urllib.parse.urlsplit(os.environ.get("VERIFIER_DESK") or DESK)
    connection = http.client.HTTPConnection(url.hostname or "127.0.0.1", url.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("POST", f"/{tool}", body, {"Content-Type": "application/json"})
        said = json.loads(connection.getresponse().read())
        return int(said["exit"]), said["answer"]
    except (KeyError, TypeError) as error:
        raise ValueError("what answers there is no desk") from error
    finally:
        connection.close()


def read(path: str) -> str:
    """The text of a file, or of standard input for `-`; raises OSError, ValueError."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error


def _runpublic() -> argparse.ArgumentParser:
    parser = _parser("runpublic", _RUNPUBLIC)
    parser.add_argument("request", metavar="REQUEST", help="a file of JSON, or - for standard input")
    parser.set_defaults(body=lambda given: {"request": read(given.request)})
    return parser


def _selftest() -> argparse.ArgumentParser:
    parser = _parser("selftest", _SELFTEST)
    parser.add_argument("solution", metavar="SOLUTION", help="a file of JSON, or - for standard input")
    if NECESSITY:
        parser.add_argument("--vary", nargs=2, metavar=("POINTER", "VALUE"), help=_VARY)
    parser.set_defaults(vary=None, body=lambda given: {"solution": read(given.solution), "vary": given.vary})
    return parser


def _submit() -> argparse.ArgumentParser:
    parser = _parser("submit", _SUBMIT)
    parser.set_defaults(body=lambda _: {})
    return parser


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=name, description=description, epilog=_STATUS, formatter_class=argparse.RawDescriptionHelpFormatter
    )


PARSERS = {"runpublic": _runpublic, "selftest": _selftest, "submit": _submit}

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[0]).name, sys.argv[1:]))
