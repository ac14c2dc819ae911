"""The built-in loop as it runs in the cell: one tool, `bash`, and no library but Python's own.

    python3 -P -m loop_guest SETTINGS.json

Nothing is retried and no history is shortened: the gateway does the one, and an agent that needs the other is another
harness. It ends with an answer that asks for no tool, or once `submit` has succeeded. Each step is printed as a line
of JSON. The token is not in the environment of the commands it runs.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from typing import Any

from .talks import DIALECTS, MOST_SECONDS, NAME, SCHEMA, SECONDS, Talk

OUTPUT = 16_000
"""Bytes of a command's output that a model is shown: its beginning and its end."""
_SUBMIT = re.compile(r"(?:^|[;&|\n])\s*submit(?=[\s;&|]|$)(?![^\n;&|]*\s(?:-h|--help)\b)")
"""A command that hands in; asking `submit` for its help is none."""


def ask(told: dict[str, Any], talk: Talk) -> Any:
    """One request; waits as long as the gateway does."""
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01", talk.header[0]: talk.header[1]}
    request = urllib.request.Request(told["url"] + talk.path, json.dumps(talk.body()).encode(), headers)  # noqa: S310
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return json.load(answer)


def run(arguments: Any) -> tuple[str, bool]:
    """What a call comes to in words, and whether it handed the work in."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
        command, seconds = str(given["command"]), min(int(given.get("timeout") or SECONDS), MOST_SECONDS)
    except (ValueError, TypeError, KeyError):
        return f"The arguments are not what `{NAME}` takes: {json.dumps(SCHEMA)}", False
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["bash", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            ended = f"exit status {process.wait(seconds)}"
        except subprocess.TimeoutExpired:
            ended = f"killed after {seconds} s"
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        text = excerpt(output)
    submitted = process.returncode == 0 and _SUBMIT.search(command) is not None
    return f"{text}[{ended}]", submitted


def excerpt(output: Any) -> str:
    """The beginning and the end of what was written."""
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= OUTPUT:
        text: str = output.read().decode(errors="replace")
    else:
        start = output.read(OUTPUT // 2)
        output.seek(size - OUTPUT // 2)
        left = f"\n[… {size - OUTPUT} bytes left out …]\n"
        text = start.decode(errors="replace") + left + output.read().decode(errors="replace")
    return text if not text or text.endswith("\n") else text + "\n"


def show(**step: Any) -> None:
    """One line of the transcript."""
    print(json.dumps(step), flush=True)  # noqa: T201


def main(told: dict[str, Any]) -> int:
    """Ask, run, give back, until there is nothing more to run; returns the exit status."""
    talk = DIALECTS[told["dialect"]](told)
    while True:
        try:
            text, calls = talk.take(ask(told, talk))
        except urllib.error.HTTPError as error:
            show(error=error.code, body=error.read(4_000).decode(errors="replace"))
            return 1
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
            show(error=repr(error))
            return 1
        show(text=text, calls=[arguments for _, arguments in calls])
        results = [(name, *run(arguments)) for name, arguments in calls]
        if not results:
            return 0
        talk.give([(name, output) for name, output, _ in results])
        show(results=[output for _, output, _ in results])
        if any(submitted for _, _, submitted in results):
            return 0


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as settings:  # noqa: PTH123  # nothing imported that is not needed
        TOLD = json.load(settings)
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main({**TOLD, "token": os.environ.pop("MODEL_TOKEN")}))
