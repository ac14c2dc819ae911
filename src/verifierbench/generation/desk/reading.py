"""What an agent sends to the desk, read as what it is: bytes of a stranger.

A body is a small envelope around the text of the agent's own file, so that the place of an error is a place in that
file. Whatever the rest of the house could not handle (deep nesting, lone surrogates, NaN) is refused here, in one
sentence that names the place; nothing is executed for it and nothing is counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from verifierbench.core import Absent, Task, canonical_bytes, content_bytes
from verifierbench.families import family

from .pointer import changed

if TYPE_CHECKING:
    import jsonschema

__all__ = ["DEEPEST", "Malformed", "Reader"]

DEEPEST = 200
"""Lists and objects within one another, as for a verifier's own requests."""
_LONGEST = 300
"""Characters of a complaint that repeats what was sent."""


class Malformed(Exception):
    """What was sent cannot be used; one sentence for the agent."""


class _RunPublic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    request: str


class _SelfTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    solution: str
    vary: tuple[str, str] | None = None
    """A JSON pointer, and the text of the JSON value to set there."""


class Reader:
    """Reads bodies about one task."""

    def __init__(self, task: Task, schema: Mapping[str, Any] | None = None) -> None:
        self._task, self._family = task, family(task.family)
        self._schema = dict(self._family.solution_schema if schema is None else schema)

    def request(self, body: bytes) -> Any:
        """A request of `env.run`; a solution stands for the request that executes it. Raises `Malformed`."""
        sent = value(_envelope(body, _RunPublic).request, "REQUEST")
        # Where any JSON is a solution, nothing tells a solution from a request, and a request it is.
        if self._schema and not self._misfit(sent):
            return self._family.request(sent, {})
        return sent

    def solution(self, body: bytes) -> tuple[Any, tuple[str, Any] | None]:
        """A solution; with it, where asked for, a pointer and the solution as it is changed there."""
        sent = _envelope(body, _SelfTest)
        solution = value(sent.solution, "SOLUTION")
        self._refuse_misfit(solution, "SOLUTION")
        if sent.vary is None:
            return solution, None
        pointer, text = sent.vary
        return solution, (pointer, self._varied(solution, pointer, value(text, "VALUE")))

    def _varied(self, solution: Any, pointer: str, new: Any) -> Any:
        try:
            varied = changed(solution, pointer, new)
        except Absent:
            raise Malformed(f'SOLUTION has no place {pointer!r}; a pointer is like /a/0/b, and "" the whole') from None
        if canonical_bytes(varied) == canonical_bytes(solution):
            raise Malformed(f"VALUE is what stands at {pointer!r} already; give another one")
        self._refuse_misfit(varied, f"SOLUTION with VALUE at {pointer!r}")
        return varied

    def _refuse_misfit(self, solution: Any, name: str) -> None:
        misfit = self._misfit(solution)
        if misfit:
            raise Malformed(f"{name} does not fit solution.schema.json: {misfit}")

    def _misfit(self, solution: Any) -> str:
        """Why a value is no solution, or ""."""
        from jsonschema.exceptions import best_match

        error = best_match(_validator(content_bytes(self._schema)).iter_errors(solution))
        return "" if error is None else f"{error.json_path}: {_short(error.message)}"


def value(text: str, name: str) -> Any:
    """The JSON value a text holds; raises `Malformed` naming the place."""
    try:
        found = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
        depth = _depth(found)
        found_surrogate = not _has_utf8(found)
    except json.JSONDecodeError as error:
        said = f"{error.msg}, line {error.lineno} column {error.colno}"
        raise Malformed(f"{name} is not JSON: {said}") from None
    except RecursionError:
        depth = DEEPEST + 1
    except ValueError as error:
        raise Malformed(f"{name} is not JSON: {_short(str(error))}") from None
    if depth > DEEPEST:
        raise Malformed(f"{name} is nested too deeply: at most {DEEPEST} lists and objects may lie within one another")
    if found_surrogate:
        raise Malformed(f"{name} holds a lone surrogate, which has no UTF-8 form")
    return found


def _envelope(body: bytes, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed(f"this is not what the tools send: {_short(str(error))}") from None


def _depth(found: Any) -> int:
    """How deep lists and objects go; without recursion, whatever was sent."""
    depth, level = 0, [found]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth


def _has_utf8(found: Any) -> bool:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{_short(digits)} is larger than any number that can be sent")
    return number


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


@cache
def _validator(schema: bytes) -> jsonschema.Draft202012Validator:
    import jsonschema
    from referencing import Registry

    return jsonschema.Draft202012Validator(json.loads(schema), registry=Registry())
