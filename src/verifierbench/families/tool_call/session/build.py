"""From a described executable task to a candidate: the one door through which tasks of this kind are made."""

from __future__ import annotations

from typing import Any

from verifierbench.core import Candidate, Family, Inconsistent, Material, Season, Task

from ..checks import library_version
from ..conventions import SESSION_CONVENTIONS
from .operators import cases
from .scene import Play, Scene
from .spec import Spec, clauses, reference

TOOLS, INITIAL_STATE, SESSION_MATERIAL = "tools", "initial_state", "session"
SAID_BY_THE_USER = (
    "A user talks to an assistant that can call the tools in `tools`. They act on a state that is at first "
    "`initial_state`. Each turn of the user is answered before the next one is known. The user says:"
)
SAID_TO_THE_USER = (
    "An assistant does for a user what the user wants, by calling the tools in `tools`. They act on a state that is at "
    "first `initial_state`. The user has nothing to add to the following words, which are addressed to the user and "
    "which the assistant knows:"
)
"""Where an instruction describes the user, who is then the `you` of its one turn."""


def build(
    *,
    id: str,  # noqa: A002
    source: str,
    source_version: str,
    environment: str,
    said: tuple[str, ...],
    tools: list[dict[str, Any]],
    spec: Spec,
    play: Play,
    season: Season,
    head: str = SAID_BY_THE_USER,
) -> Candidate:
    """A task with all its cases. `said` are the user's turns, `head` what stands above them.

    `play` plays sessions in the source's simulators.

    Raises `Inconsistent` where spec and public material contradict each other, or a proposal that has to hold does not.
    """
    tree = reference(spec, library_version())
    scene = Scene(spec, tools, tree, play)
    task = Task(
        id=id,
        source=source,
        source_version=source_version,
        family=Family.TOOL_CALL,
        instruction=instruction(said, head),
        materials=(
            Material(name=TOOLS, kind="json", content=tools),
            Material(name=INITIAL_STATE, kind="json", content=scene.start["turns"][0]["state"]),
            Material(name=SESSION_MATERIAL, kind="json", content=session_material(spec)),
        ),
        conventions=SESSION_CONVENTIONS,
        clauses=clauses(spec),
        reference=tree,
        environment=environment,
    )
    _check_spans(task)
    return Candidate(task=task, cases=cases(id, scene, season))


def instruction(said: tuple[str, ...], head: str = SAID_BY_THE_USER) -> str:
    """What the user says, numbered."""
    return "\n\n".join([head, *(f"{number}. {text}" for number, text in enumerate(said, 1))])


def session_material(spec: Spec) -> dict[str, Any]:
    """How many turns there are, and which tools are there only from a later turn (counted from 1) on."""
    later = {name: since + 1 for name, since in spec.tools.items() if since}
    return {"turns": len(spec.turns), "available_from_turn": later}


def _check_spans(task: Task) -> None:
    for span in (span for clause in task.clauses for span in clause.spans):
        if span.material == "instruction" and span.quote not in task.instruction:
            raise Inconsistent(f"{task.id}: the instruction does not say {span.quote!r}")
