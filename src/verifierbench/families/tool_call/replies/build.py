"""From a task's words and its reply to a candidate: the door through which reply tasks are made."""

from __future__ import annotations

import msgspec

from verifierbench.core import Candidate, CaseKind, Family, Inconsistent, Material, Season, Task

from ..build import check_call, check_definitions
from ..conventions import CONVENTIONS
from ..operators import Operator, assemble
from ..spans import Brief
from . import attacks, invalid, valid
from .form import FORM, MATERIAL, POINTER, Why
from .scene import ReplyScene
from .spec import Reply, reply_clauses, reply_reference

OPERATORS: tuple[Operator[ReplyScene], ...] = (
    Operator("gold", CaseKind.GOLD, valid.gold),
    Operator("wording", CaseKind.COSMETIC, valid.wording),
    Operator("narrated", CaseKind.COSMETIC, valid.named),
    Operator("answer_key_order", CaseKind.COSMETIC, valid.key_order),
    Operator("noted", CaseKind.ALTERNATIVE, valid.noted),
    Operator("name_order", CaseKind.ALTERNATIVE, valid.name_order),
    Operator("all_freedoms", CaseKind.ALTERNATIVE, valid.all_freedoms),
    Operator("nothing", CaseKind.BASE, invalid.nothing),
    Operator("guessed", CaseKind.BASE, invalid.guessed),
    Operator("answer_key_dropped", CaseKind.PARTIAL, invalid.key_dropped),
    Operator("name_dropped", CaseKind.PARTIAL, invalid.name_dropped),
    Operator("other_verdict", CaseKind.NEAR_MISS, invalid.other_verdict),
    Operator("other_tool", CaseKind.NEAR_MISS, invalid.other_tool),
    Operator("name_added", CaseKind.NEAR_MISS, invalid.name_added),
    Operator("other_name", CaseKind.NEAR_MISS, invalid.other_name),
    Operator("other_value", CaseKind.NEAR_MISS, invalid.other_value),
    Operator("flat_detail", CaseKind.NEAR_MISS, invalid.flat_detail),
    Operator("unlisted_key", CaseKind.NEAR_MISS, invalid.unlisted_key),
    Operator("also_called", CaseKind.REGRESSION, invalid.also_called),
    *(Operator(name, CaseKind.HACK, make) for name, make in attacks.HACKS.items()),
)
"""In the order in which content is claimed."""


def build_reply(*, id: str, source: str, source_version: str, brief: Brief, reply: Reply, season: Season) -> Candidate:  # noqa: A002
    """A reply task with all its cases; raises `Inconsistent` where reply and public material contradict each other.

    The form and the words that point to it are added to the brief.
    """
    asked = asking(brief)
    task = reply_task(id=id, source=source, source_version=source_version, brief=asked, reply=reply)
    return Candidate(task=task, cases=assemble(id, OPERATORS, ReplyScene(brief=asked, reply=reply), season))


def asking(brief: Brief) -> Brief:
    """A brief that asks for a structured reply."""
    texts = {MATERIAL: FORM, **brief.texts}
    return msgspec.structs.replace(brief, instruction=f"{brief.instruction}\n\n{POINTER}", texts=texts)


def reply_task(*, id: str, source: str, source_version: str, brief: Brief, reply: Reply) -> Task:  # noqa: A002
    """The task alone, from a brief that asks already."""
    check_definitions(brief)
    check_reply(brief, reply)
    clauses = reply_clauses(brief, reply)
    for span in (span for clause in clauses for span in clause.spans):
        brief.find(span)
    texts = (Material(name=name, kind="text", content=text) for name, text in brief.texts.items())
    return Task(
        id=id,
        source=source,
        source_version=source_version,
        family=Family.TOOL_CALL,
        instruction=brief.instruction,
        materials=(Material(name="tools", kind="json", content=brief.tools), *texts),
        conventions=CONVENTIONS,
        clauses=clauses,
        reference=reply_reference(reply),
    )


def check_reply(brief: Brief, reply: Reply) -> None:
    """Raise `Inconsistent` where the definitions do not bear a reply out."""
    import jsonschema  # heavy, and needed only where tasks are made

    if reply.why is Why.MISSING:
        required = brief.parameters(str(reply.tool)).get("required", ())
        if spare := [name for name in reply.parameters if name not in required]:
            raise Inconsistent(f"{reply.tool} does not require {', '.join(spare)}")
    for name, value in reply.values.items():
        if jsonschema.Draft202012Validator(brief.schema(str(reply.tool), name)).is_valid(value):
            raise Inconsistent(f"{value!r} has the form that {name} demands")
    if reply.guess is not None and reply.why is not Why.MALFORMED:
        check_call(brief, reply.guess)
