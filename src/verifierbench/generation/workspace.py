"""The folder an agent works in: all that is public of one task, and nothing else.

    TASK.md                 the instruction, the conventions, the contract of a verifier, how to hand one in
    task.json               `env.task`, exactly as a verifier will see it
    solution.schema.json    JSON Schema of what `verify` receives
    materials/<name>.json   a material of kind `json`
    materials/<name>.txt    a material of kind `text`
    materials/<name>/…      a material of kind `files`
    examples/<n>.json       where the protocol shows any: a solution and its label, and nothing else of a case

Everything is derived from `Task.public` and the materials. Clauses, references, cases, the task's id and its source's
name may never be read here. Names and paths come from third parties and become paths on this machine, so whatever
could leave the folder is refused before a byte is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from verifierbench.core import (
    Family,
    Limits,
    MalformedInput,
    Material,
    Protocol,
    Task,
    UserError,
    Verdict,
    content_bytes,
)
from verifierbench.core.files import encode, write_atomically
from verifierbench.sandbox.published import PRELOADED, VERIFIER_FILE

__all__ = ["VERIFIER", "Example", "files", "lay_out"]

VERIFIER = VERIFIER_FILE
"""The file an agent leaves in its workspace."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_SUFFIX = {"json": ".json", "text": ".txt", "files": ""}

_SHAPES = {
    Family.TOOL_CALL: (
        'A solution is `{"turns": [{"calls": [{"name", "arguments"}], "message", "answer"}]}`. There is one turn for'
        " each turn of the user; `calls` are the tools the solver called in it, `message` is what it said (or null),"
        " `answer` a structured reply where the task asks for one (or null)."
    ),
    Family.STATE: (
        'A solution is `{"events": […], "answer": …}`. An event is either a message, `{"role": "assistant" | "user",'
        ' "message"}`, or a call, `{"role", "call": {"name", "arguments"}}`. What a call returned is not in the'
        " solution: replay the events with `env.run` to learn it."
    ),
    Family.CODE: 'A solution is `{"patch": "…"}`: a unified diff against the repository.',
    Family.OTHER: "A solution is JSON.",
}

_RUNS = {
    Family.TOOL_CALL: (
        '`env.run({"turns": [{"calls": [{"name", "arguments"}, …]}, …]})` makes the calls of every turn, from the'
        ' initial state, and returns `{"turns": [{"results": [{"name", "arguments", "result" or "error", "changed"},'
        ' one for each call, in order], "state": {the state after the turn}}, …]}`; `changed` says whether a call'
        " changed the state."
    ),
    Family.STATE: (
        '`env.run({"events": […]})` replays events from the initial state and returns `{"results": [{"name",'
        ' "arguments", "result" or "error", "changed"}, one for each call, in order], "changes": [{"path", "how":'
        ' "added" | "removed" | "changed", "old", "new"}, …]}`: `changed` says whether a call changed the state, and'
        " `changes` are all differences between the initial state and the end."
    ),
    Family.CODE: (
        '`env.run({"patch": str, "files": {path: text}, "commands": [[argument, …], …], "read": [path, …]})` works in a'
        " fresh copy of the repository: it applies the patch, writes `files`, runs the commands, and returns"
        ' `{"applied": bool, "error": str, "commands": [{"exit": int or null, "ended", "stdout", "stderr"}],'
        ' "files": {path: text or null}}`. Nothing in that copy is protected from the patch.'
    ),
    Family.OTHER: "",
}

_PAGE = """\
# Write a verifier

Below is a task that was given to a solver. Do not solve it: write a program that judges solutions of it. It will be run
on solutions you never see, right ones and wrong ones, and each of its verdicts counts. Right solutions may
differ from the one you have in mind in any way the task leaves open; wrong ones may be built to look right.

## The task

{instruction}

## Conventions

{conventions}

## Materials

{materials}

## What a solution looks like

{shape} The exact schema is in `solution.schema.json`.

## What to write

One file, `verifier.py`, in this folder:

    def verify(solution, env):
        \"\"\"Return "PASS" or "FAIL".\"\"\"

* `solution` is plain JSON data.
* `env.task` is the content of `task.json`.
* `env.read(material, pointer)` returns a part of a material: `pointer` is a JSON pointer (RFC 6901), "" the whole; for
  a material of files it is "/" and a path, and "" lists the paths.
* {run}
* Anything but exactly the string "PASS" or "FAIL" is no decision, and earns nothing; neither does an exception.

Limits for each solution: {calls} calls of `env.run`, {seconds:g} s of the verifier's own time (time spent in
`env.run` is not counted), {memory} MB of memory, {output:,} bytes of output. A request that is declined raises
`env.EnvError`; a call of `env.run` past the limit raises `env.BudgetExhausted`, and if you catch it, the verdict you
return counts. The verifier is one process without files, network or sub-processes. It may import these modules of
Python's standard library and nothing else: {modules}.

{rest}"""

_HAND_IN = """\
## How to hand it in

Leave `verifier.py` in this folder when you finish. One file, at most 1 MB, is taken as it stands; nothing else here is.
"""

_TOOLS = """\
## Tools

These commands are on your PATH; each has `--help`. SOLUTION and REQUEST are files of JSON, or `-` for standard input.

{tools}

{budget}

Exit status: 0 for an answer, 1 when the verifier gave no decision, 2 for bad input, 3 past the budget, 4 when our side
failed and nothing was counted.
{examples}
## How to hand it in

`submit` hands in `verifier.py` as it stands: one file, at most 1 MB. It is final, and later changes do not count.
Nothing judges it then, so try it with `selftest` before. If you never submit, what stands in this folder when you
finish or when time is up is handed in.

You have {time} in all, and at most {model_calls:,} answers of the model. There is no network.
"""

_SELFTEST = """\
* `selftest SOLUTION` runs the `verifier.py` of this folder, as it stands, on a solution that you make up, exactly as it
  will be run on those you never see. It prints the verdict, or why there is none, and what the verifier printed."""

_VARY = """\
* `selftest SOLUTION --vary POINTER VALUE` also runs it on a copy of the solution with another VALUE (JSON) at POINTER
  (a JSON pointer), and says whether the verdict is the same. Where the task leaves that property open, a right
  verifier says the same of both. Before you hand in, do this for the properties that your verifier depends on."""

_RUNPUBLIC = """\
* `runpublic REQUEST` executes the task's environment once and prints what `env.run` would return. REQUEST is a request
  of `env.run` as described above, or a solution{bare}."""

_SUBMIT = "* `submit` hands in your verifier; see below."

_BUDGET = """\
The environment can be executed {executions} times in all while you work. Each `runpublic` counts, and so does each
call of `env.run` that your verifier makes in a self-test; repeats count too.
{reserved}Past that you are told "budget exhausted", which says nothing about the solution; nor does a verdict that your
verifier returned after it."""

_RESERVED = "The last {reserved} are kept for self-tests: `runpublic` is declined when only they are left.\n"

_FREE = "Self-tests are not limited in number."

_EXAMPLES = """
## Examples

`examples/` holds {count} solutions with the right verdict, each as `{{"solution": …, "label": "PASS" or "FAIL"}}`. They
are not among those that your verifier is judged on.
"""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A solution with its label, as an experiment may show it."""

    solution: Any
    label: Verdict


def lay_out(
    task: Task,
    schema: Mapping[str, Any],
    folder: Path,
    limits: Limits | None = None,
    *,
    protocol: Protocol | None = None,
    examples: Sequence[Example] = (),
) -> None:
    """Write a task's workspace into a new or empty folder.

    `schema` is its family's solution schema; `protocol` is None where there are no tools, and `examples` are laid
    where it shows any. Raises `MalformedInput` for a material that could not stay inside the folder, and `UserError`
    for a folder with something in it; either way nothing was written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not an empty folder: a workspace is made from nothing")
    for path, data in files(task, schema, limits or Limits(), protocol, examples).items():
        write_atomically(folder / path, data)


def files(
    task: Task,
    schema: Mapping[str, Any],
    limits: Limits,
    protocol: Protocol | None = None,
    examples: Sequence[Example] = (),
) -> dict[str, bytes]:
    """Every file of a workspace by its relative path; raises `MalformedInput`."""
    examples = examples[: protocol.labelled] if protocol else ()
    laid = {
        "TASK.md": _page(task, limits, protocol, len(examples)).encode("utf-8", "surrogatepass"),
        "task.json": encode(task.public),
        "solution.schema.json": encode(dict(schema)),
        **{f"examples/{n}.json": _example(example) for n, example in enumerate(examples, 1)},
    }
    folders: set[str] = {"materials"}
    for material in task.materials:
        for path, data in _material(material):
            if path in laid or path in folders or laid.keys() & _parents(path):
                raise MalformedInput(path, "", "two materials would share this place")
            laid[path] = data
            folders |= _parents(path)
    return laid


def _page(task: Task, limits: Limits, protocol: Protocol | None, examples: int) -> str:
    # Filled in one pass, so that a brace in an instruction stays a brace.
    return _PAGE.format(
        instruction=task.instruction,
        conventions="\n".join(f"* {convention.text}" for convention in task.conventions) or "None.",
        materials="\n".join(_line(material) for material in task.materials) or "None.",
        shape=_SHAPES[task.family],
        run=_run(task),
        calls=limits.environment_calls,
        seconds=limits.seconds,
        memory=limits.memory_mb,
        output=limits.output_bytes,
        modules=", ".join(PRELOADED),
        rest=_HAND_IN if protocol is None else _tools(task, protocol, examples),
    )


def _tools(task: Task, protocol: Protocol, examples: int) -> str:
    runs = task.environment is not None
    bare = " (its patch, with no commands)" if task.family is Family.CODE else ""
    offered = (
        _SELFTEST,
        _VARY if protocol.necessity else "",
        _RUNPUBLIC.format(bare=bare) if runs else "",
        _SUBMIT,
    )
    return _TOOLS.format(
        tools="\n".join(filter(None, offered)),
        budget=_budget(protocol) if runs else _FREE,
        examples=_EXAMPLES.format(count=examples) if examples else "",
        time=_duration(protocol.seconds),
        model_calls=protocol.model_calls,
    )


def _budget(protocol: Protocol) -> str:
    reserved = _RESERVED.format(reserved=protocol.reserved) if protocol.reserved else ""
    return _BUDGET.format(executions=protocol.executions, reserved=reserved)


def _duration(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 120 and not seconds % 30 else f"{seconds:g} s"


def _example(example: Example) -> bytes:
    shown = content_bytes({"solution": example.solution, "label": example.label.value})
    return msgspec.json.format(shown, indent=1) + b"\n"


def _run(task: Task) -> str:
    if task.environment is None:
        return "`env.run` does not exist for this task."
    return _RUNS[task.family] or "`env.run(request)` executes the task's environment."


def _line(material: Material) -> str:
    where = f"materials/{material.name}{_SUFFIX[material.kind] or '/'}"
    reach = f'env.task["materials"]["{material.name}"]' if material.inline else f'env.read("{material.name}", pointer)'
    return f"* `{where}`: `{reach}`"


def _material(material: Material) -> Iterator[tuple[str, bytes]]:
    if not _NAME.fullmatch(material.name):
        raise MalformedInput(f"materials/{material.name}", "", "the name of a material is letters, digits, . _ and -")
    base = f"materials/{material.name}{_SUFFIX[material.kind]}"
    if material.kind == "json":
        yield base, encode(material.content)
    elif material.kind == "text":
        yield base, _text(base, material.content)
    else:
        yield from _tree(base, material.content)


def _tree(base: str, content: Any) -> Iterator[tuple[str, bytes]]:
    if not isinstance(content, dict):
        raise MalformedInput(base, "", "a material of files maps paths to text")
    for path, text in content.items():
        if not _stays_inside(path):
            raise MalformedInput(base, repr(path), "not a plain relative path")
        yield f"{base}/{path}", _text(f"{base}/{path}", text)


def _text(path: str, text: Any) -> bytes:
    if not isinstance(text, str):
        raise MalformedInput(path, "", "its content is not text")
    return text.encode("utf-8", "surrogatepass")


def _stays_inside(path: str) -> bool:
    parts = path.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts)


def _parents(path: str) -> set[str]:
    return {parent.as_posix() for parent in PurePosixPath(path).parents}
