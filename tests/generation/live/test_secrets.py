"""From inside an attempt, nothing can be found of the provider's key, nor of anything a suite hides.

A scripted agent runs `walker.py` in a real attempt of the command line, and what it reports comes back in the trace.
Everything hidden of the suite carries one word that is nowhere else; the key is where a user may well have it.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import Atom, Candidate, Unavailable
from verifierbench.core.files import decode
from verifierbench.sandbox.cell import Cell, CellPlan

from .. import attempts
from ..attempts import VERIFIER, cli, options
from ..scripted import Script, ScriptedServer

WALKER = Path(__file__).with_name("walker.py").read_text()


@pytest.fixture(scope="module", autouse=True)
def namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


def marked(candidate: Candidate, word: str) -> Candidate:
    """The same with the word in all that is hidden: clauses, reference, labels' grounds, cases, the gold solution."""
    task = candidate.task
    change = msgspec.structs.replace
    atom = Atom(name=f"atom {word}", clause=f"clause {word}", check=f"check {word}", parameters={"value": word})
    clauses = tuple(change(one, id=f"{one.id} {word}", text=f"{one.text} {word}") for one in task.clauses)
    cases = tuple(
        change(
            case,
            id=f"{task.id}#{word}.{n}",
            operator=word,
            content=_marked(case.content, word),
            grounds=tuple(change(one, clause=f"{one.clause} {word}", note=word) for one in case.grounds),
            control_of=None,
        )
        for n, case in enumerate(candidate.cases)
    )
    reference = change(task.reference, root=atom)
    return change(candidate, task=change(task, clauses=clauses, reference=reference), cases=cases)


def _marked(content: Any, word: str) -> Any:
    """Every text of a solution begins with the word."""
    if isinstance(content, str):
        return f"{word} {content}"
    if isinstance(content, list):
        return [_marked(one, word) for one in content]
    return {key: _marked(one, word) for key, one in content.items()} if isinstance(content, dict) else content


def further(word: str) -> str:
    """A word as the walker takes it."""
    return "".join(chr(ord(letter) + 1) for letter in word)


def test_neither_the_key_nor_anything_hidden_is_found_from_inside(tmp_path: Path) -> None:
    name = "renew_refused"
    key, hidden = f"sk-{secrets.token_hex(16)}", f"hidden{secrets.token_hex(8)}"
    (candidate,) = [one for one in attempts.three() if one.task.id == f"handmade/{name}"]
    suite = attempts.write(tmp_path / "suite", [marked(candidate, hidden)])
    assert sum(hidden.encode() in path.read_bytes() for path in (tmp_path / "suite/hidden").iterdir()) >= 2
    home, run = tmp_path / "home", tmp_path / "runs/run"
    for place in (home, run.parent):
        place.mkdir()
    for file in (home / ".netrc", home / ".env", run.parent / "key.txt", tmp_path / "suite/key.txt"):
        file.write_text(f"{key}\n")
    public = candidate.task.instruction.splitlines()[0][:40]
    words = [key, hidden, candidate.task.id, suite.hash, str(tmp_path / "suite"), public, str(run)]
    arguments = " ".join(f"'{further(word)}'".replace("\n", " ") for word in words)
    with ScriptedServer() as server:
        walk = f'MINE="$(head -c 3000 TASK.md)" python3 walker.py {server.port} {arguments} 2>&1 | head -c 15000'
        server.scripts["default"] = Script(
            (
                f"cat > verifier.py <<'END'\n{VERIFIER}END",
                f"cat > walker.py <<'END_OF_WALKER'\n{WALKER}\nEND_OF_WALKER\n{walk}; rm walker.py",
                "submit",
            )
        )
        cli(
            *("generate", suite.path, *options(server), "--key", "PLANTED_KEY", "-o", run),
            PLANTED_KEY=key,
            OPENAI_API_KEY=key,
            HOME=str(home),
        )
        assert {it.headers.get("authorization") for it in server.asked()} == {f"Bearer {key}"}
    told = report(attempts.record_of(run, suite, name))
    where: dict[int, list[str]] = {n: [path for one, path in told["found"] if one == n] for n in range(len(words))}
    # It walked: the task's page, its own environment, the desk and the gateway are found.
    assert told["looked"] > 300
    assert "/workspace/TASK.md" in where[5]
    assert any(path.endswith("/environ") for path in where[5])
    assert "environment MINE" in where[5]
    assert told["memory"] > 10, "it saw no process's memory: it could have missed what is there"
    assert {8080, 8081} <= set(told["open"])
    # And that was all there is.
    for n, what in enumerate(("the key", "what is hidden", "the task's id", "the suite's hash")):
        assert where[n] == [], what
    assert where[4] == [], "the suite's place"
    # The kernel names what a mount was made from; the run's folder is no secret, and out of reach.
    assert {path.rpartition("/")[2] for path in where[6]} <= {"mountinfo"}
    assert set(told["open"]) == {8080, 8081}
    assert not [one for one in told["errors"] if one.startswith(("reached", "resolved"))]
    assert told["interfaces"] == ["lo"]
    assert told["unix"] == []
    assert told["users"] == [1000, 1000]
    assert told["imports"] == []
    kept = [path for path in run.rglob("*") if path.is_file()]
    assert [path for path in kept if key.encode() in path.read_bytes()] == []
    assert [path for path in kept if hidden.encode() in path.read_bytes()] == []


def report(record: Path) -> Any:
    """What the walker printed, as the trace has it."""
    steps = decode(record / "trajectory.json", dict)["steps"]
    seen = [one["content"] for step in steps for one in step.get("observation", {}).get("results", ())]
    (said,) = [text for text in seen if "REPORT {" in text]
    return json.JSONDecoder().raw_decode(said.partition("REPORT ")[2])[0]
