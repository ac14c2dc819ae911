"""From a task's words and its spec to a candidate: the one door through which tasks of this family are made.

Nothing passes that contradicts itself: gold must fit the tool definitions, every quote occur where it is cited.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifierbench.core import Candidate, Family, Inconsistent, Material, Season, Task

from .conventions import CONVENTIONS
from .operators import cases
from .scene import Scene
from .spans import Brief
from .spec import Spec, clauses, gold_solution, reference


def build(*, id: str, source: str, source_version: str, brief: Brief, spec: Spec, season: Season) -> Candidate:  # noqa: A002
    """A task with all its cases; raises `Inconsistent` where spec and public material contradict each other."""
    task = task_of(id=id, source=source, source_version=source_version, brief=brief, spec=spec)
    return Candidate(task=task, cases=cases(task, spec, season))


def task_of(*, id: str, source: str, source_version: str, brief: Brief, spec: Spec) -> Task:  # noqa: A002
    """The task alone."""
    check_definitions(brief)
    for call in gold_solution(spec)["turns"][0]["calls"]:
        check_call(brief, call)
    check_order(brief, spec)
    found = clauses(spec)
    for span in (span for clause in found for span in clause.spans):
        brief.find(span)
    return Task(
        id=id,
        source=source,
        source_version=source_version,
        family=Family.TOOL_CALL,
        instruction=brief.instruction,
        materials=(Material(name="tools", kind="json", content=brief.tools), *_texts(brief)),
        conventions=CONVENTIONS,
        clauses=found,
        reference=reference(spec),
    )


def _texts(brief: Brief) -> Iterator[Material]:
    for name, text in brief.texts.items():
        yield Material(name=name, kind="text", content=text)


def check_order(brief: Brief, spec: Spec) -> None:
    """Raise `Inconsistent` where a stated order binds a call that another due call could be mistaken for."""
    scene = Scene(brief=brief, spec=spec)
    for place in {place for pair in scene.orders() for place in pair}:
        if scene.rivals(place) != (place,):
            raise Inconsistent(f"the order binds {spec.calls[place].tool}, which another due call could stand in for")


def check_definitions(brief: Brief) -> None:
    """Raise `Inconsistent` unless every tool has a name of its own and a JSON Schema for an object of arguments."""
    import jsonschema  # heavy, and needed only where tasks are made

    names = [tool["name"] for tool in brief.tools]
    if len(set(names)) != len(names):
        raise Inconsistent("two tools share a name")
    for tool in brief.tools:
        try:
            jsonschema.Draft202012Validator.check_schema(tool["parameters"])
        except jsonschema.SchemaError as error:
            raise Inconsistent(f"the parameters of {tool['name']!r} are no JSON Schema: {error.message}") from error
        if tool["parameters"].get("type") != "object":
            raise Inconsistent(f"the parameters of {tool['name']!r} are not an object's")


def check_call(brief: Brief, call: dict[str, Any]) -> None:
    """Raise `Inconsistent` unless a call fits its tool's definition; an unlisted argument never does (C5)."""
    import jsonschema

    schema = {**brief.parameters(call["name"]), "additionalProperties": False}
    if error := next(iter(jsonschema.Draft202012Validator(schema).iter_errors(call["arguments"])), None):
        raise Inconsistent(f"{call['name']} does not fit its definition at {error.json_path}: {error.message}")
