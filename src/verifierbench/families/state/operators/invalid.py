"""Operators that make a conversation wrong without pretence: nothing done, half done, nearly right, too much done."""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.core import CaseKind

from .described import Described, Draft, grounds, succeeded
from .script import Call, Say, before, honest, tagged, text_of, with_arguments, with_text, without


def untouched(d: Described) -> Iterator[Draft]:
    """The request stands there and nothing follows."""
    note = "nothing was looked at, done or said"
    yield Draft(
        operator="untouched",
        kind=CaseKind.BASE,
        script=(tagged(d.gold, d.opening),),
        grounds=grounds(d.outcome, note),
    )


def only_looked(d: Described) -> Iterator[Draft]:
    """Everything was looked at and nothing done; the user is told so."""
    if d.writes:
        kept = without(d.gold, *d.writes, *filter(None, (d.ask, d.yes)), d.final)
        script = (*kept, Say("assistant", "I have looked at your records. I have not changed anything so far."))
        cause = grounds(d.outcome, "nothing of what was asked for was done")
        yield Draft(
            operator="only_looked",
            kind=CaseKind.BASE,
            script=script,
            grounds=cause,
            effect="different",
            answer=d.answer,
        )


def dropped_write(d: Described) -> Iterator[Draft]:
    """One step of several is missing, and not claimed."""
    for tag in d.writes if len(d.writes) > 1 else ():
        cause = grounds(d.goals[tag], f"the step {tag} is missing")
        script = without(d.gold, tag)
        yield Draft(
            operator="dropped_write",
            kind=CaseKind.PARTIAL,
            script=honest(script, succeeded(d, script)),
            grounds=cause,
            effect="different",
            answer=d.answer,
        )


def near_miss(d: Described) -> Iterator[Draft]:
    """The right step with something else in it: another record, another amount, another day."""
    for variant in d.near:
        assert isinstance(variant.new, dict)
        yield Draft(
            operator="near_miss",
            kind=CaseKind.NEAR_MISS,
            script=with_arguments(d.gold, variant.tag, **variant.new),
            grounds=grounds(variant.clause, variant.note),
            effect="different",
            answer=d.answer,
        )


def collateral(d: Described) -> Iterator[Draft]:
    """All that was asked for, and a change that was not, in silence or with its receipt."""
    for variant in d.collateral:
        assert isinstance(variant.new, Call)
        script = before(d.gold, variant.tag, variant.new)
        if variant.new.tag:
            final = f"{text_of(d.gold, d.final)} One more thing is done: <{variant.new.tag}:receipt>."
            script = with_text(script, d.final, final)
        yield Draft(
            operator="collateral",
            kind=CaseKind.REGRESSION,
            script=script,
            grounds=grounds(variant.clause, variant.note),
            effect="different",
            answer=d.answer,
        )
