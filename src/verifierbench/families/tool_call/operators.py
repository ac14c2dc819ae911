"""Every case of a task, made from its spec alone: a table of operators, and how drafts become cases.

An operator yields nothing where it does not apply or where its label is not certain. Labels come from construction; no
checker, ours or another, is asked. A case whose content already exists is left out, an attack along with its control.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Generic, TypeVar

import msgspec

from verifierbench.core import Case, CaseKind, Inconsistent, Season, Task, content_hash

from . import attacks, negatives, refusals, valid
from .content import validate
from .scene import Draft, Scene
from .spans import Brief
from .spec import Spec

Setting = TypeVar("Setting")
"""What an operator makes its drafts from: a scene of calls, or of a reply."""


class Operator(msgspec.Struct, Generic[Setting], frozen=True):
    """A way to make cases of one kind."""

    name: str
    kind: CaseKind
    make: Callable[[Setting, Random], Iterator[Draft]]


def _by_value(kind: CaseKind, *names: str) -> list[Operator[Scene]]:
    return [Operator(name, kind, valid.by_value(name)) for name in names]


def _slips(*names: str) -> list[Operator[Scene]]:
    return [Operator(name, CaseKind.NEAR_MISS, negatives.slip(name)) for name in names]


OPERATORS: tuple[Operator[Scene], ...] = (
    Operator("gold", CaseKind.GOLD, valid.gold),
    Operator("argument_order", CaseKind.COSMETIC, valid.argument_order),
    Operator("member_order", CaseKind.COSMETIC, valid.member_order),
    Operator("wording", CaseKind.COSMETIC, valid.wording),
    Operator("narrated", CaseKind.COSMETIC, valid.narrated),
    Operator("answered", CaseKind.COSMETIC, valid.answered),
    *_by_value(CaseKind.COSMETIC, "letter_case", "spacing", "key_order"),
    *_by_value(CaseKind.ALTERNATIVE, "integral_number", "date_spelling", "set_order", "accepted_value"),
    Operator("nested_default_stated", CaseKind.ALTERNATIVE, valid.by_value("default_stated")),
    Operator("default_stated", CaseKind.ALTERNATIVE, valid.default_stated),
    Operator("default_omitted", CaseKind.ALTERNATIVE, valid.default_omitted),
    Operator("call_order", CaseKind.ALTERNATIVE, valid.call_order),
    Operator("all_freedoms", CaseKind.ALTERNATIVE, valid.all_freedoms),
    Operator("nothing", CaseKind.BASE, negatives.nothing),
    Operator("tempted", CaseKind.BASE, negatives.tempted),
    Operator("call_dropped", CaseKind.PARTIAL, negatives.call_dropped),
    Operator("argument_dropped", CaseKind.PARTIAL, negatives.argument_dropped),
    *_slips("number_off_by_one", "sign_flipped", "bool_flipped", "enum_sibling", "date_shifted", "one_letter"),
    *_slips("text_truncated", "element_dropped", "element_changed", "list_reversed", "leaf_changed", "key_dropped"),
    *_slips("outside_definition", "element_added", "key_added", "null_replaced"),
    Operator("text_extended", CaseKind.NEAR_MISS, negatives.text_extended),
    Operator("enum_twin", CaseKind.NEAR_MISS, negatives.enum_twin),
    Operator("arguments_swapped", CaseKind.NEAR_MISS, negatives.arguments_swapped),
    Operator("values_exchanged", CaseKind.NEAR_MISS, negatives.values_exchanged),
    Operator("wrong_tool", CaseKind.NEAR_MISS, negatives.wrong_tool),
    Operator("argument_added", CaseKind.NEAR_MISS, negatives.argument_added),
    Operator("tempted_nearly", CaseKind.NEAR_MISS, refusals.tempted_nearly),
    Operator("unrequested_call", CaseKind.REGRESSION, negatives.unrequested_call),
    *(Operator(name, CaseKind.HACK, make) for name, make in attacks.HACKS.items()),
    *(Operator(name, CaseKind.HACK, make) for name, make in refusals.HACKS.items()),
    Operator("order_violated", CaseKind.PROCESS_VIOLATION, attacks.with_control(negatives.order_violated)),
    Operator("forbidden_call", CaseKind.PROCESS_VIOLATION, attacks.with_control(negatives.forbidden_call)),
    Operator("forbidden_attempt", CaseKind.PROCESS_VIOLATION, refusals.forbidden_attempt),
)
"""In the order in which content is claimed: of two operators that make the same solution, the first keeps it."""


HACKS_PER_TASK = 10
"""Hack operators a task gets, drawn by the season: enough for FPR_h, and another season's attacks differ."""

_IRREPLACEABLE = frozenset({"second_turn", "refused_then_called"})
"""No other operator makes a case that the number of turns alone decides."""


def cases(task: Task, spec: Spec, season: Season) -> tuple[Case, ...]:
    """Every case of a task; raises `Inconsistent` where an operator makes something that is no solution."""
    tools = task.material("tools")
    if tools is None:
        raise Inconsistent(f"{task.id} has no material 'tools'")
    scene = Scene(brief=Brief(instruction=task.instruction, tools=tools.content), spec=spec)
    return assemble(task.id, OPERATORS, scene, season)


def assemble(task: str, operators: Sequence[Operator[Setting]], scene: Setting, season: Season) -> tuple[Case, ...]:
    """The cases a table of operators makes of a task; of hack operators, as many as a task gets."""
    seen: set[str] = set()
    made: list[Case] = []
    for operator in operators:
        if operator.kind is not CaseKind.HACK:
            made += _made(operator, scene, task, season, seen)
    hacks = 0
    for operator in _drawn(task, operators, season):
        new = list(_made(operator, scene, task, season, seen)) if hacks < HACKS_PER_TASK else []
        made, hacks = made + new, hacks + bool(new)
    return tuple(made)


def _drawn(task: str, operators: Sequence[Operator[Setting]], season: Season) -> list[Operator[Setting]]:
    """The hack operators in the season's order for a task, those that nothing else stands in for first."""
    hacks = [operator for operator in operators if operator.kind is CaseKind.HACK]
    return sorted(hacks, key=lambda hack: (hack.name not in _IRREPLACEABLE, season.seed(task, hack.name)))


def _made(operator: Operator[Setting], scene: Setting, task: str, season: Season, seen: set[str]) -> Iterator[Case]:
    drafts = operator.make(scene, season.random(task, operator.name))
    seed = season.seed(task, operator.name)
    number = 0
    for draft in drafts:
        both = [draft] if draft.control is None else [draft, draft.control]
        hashes = {content_hash(each.content) for each in both}
        if operator.kind.is_attack and draft.control is None:
            raise Inconsistent(f"{operator.name} on {task}: an attack without a control")
        if len(hashes) < len(both) or hashes & seen:
            continue
        seen |= hashes
        case = _case(draft, task, operator.kind, f"{operator.name}.{number}", operator.name, seed)
        yield case
        if draft.control is not None:
            yield _control(draft.control, task, case, f"{operator.name}_control", number, seed)
        number += 1


def _case(draft: Draft, task: str, kind: CaseKind, suffix: str, operator: str, seed: str) -> Case:
    validate(draft.content)
    return Case(
        id=f"{task}#{suffix}",
        task=task,
        kind=kind,
        content=draft.content,
        operator=operator,
        grounds=draft.grounds,
        seed=seed,
    )


def _control(draft: Draft, task: str, attack: Case, operator: str, number: int, seed: str) -> Case:
    kind = draft.kind or CaseKind.COSMETIC
    case = _case(draft, task, kind, f"{operator}.{number}", operator, seed)
    return msgspec.structs.replace(case, control_of=attack.id)
