"""Operators that keep a conversation right: other words, other ways.

Each uses one freedom the public material leaves. Where being right depends on what a call does, the call is executed
and the label follows from what was seen, never from the tool's name.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifierbench.core import CaseKind, Inconsistent

from .described import Described, Draft, grounds, same_end, succeeds
from .script import Call, Say, Script, after, before, call_of, tagged, text_of, with_text


def gold(d: Described) -> Iterator[Draft]:
    """The conversation as it was written."""
    note = "does what was asked, the way the rules want it"
    yield _valid("gold", CaseKind.GOLD, d.gold, d.frame, note, d)


def reworded(d: Described) -> Iterator[Draft]:
    """One message in other words."""
    for variant in d.words:
        assert isinstance(variant.new, str)
        script = with_text(d.gold, variant.tag, variant.new)
        yield _valid("reworded", CaseKind.COSMETIC, script, variant.clause, variant.note, d)


def polite(d: Described) -> Iterator[Draft]:
    """A greeting before and a farewell after."""
    greeting = Say("assistant", "Good morning, and welcome! Of course I will help you with that.")
    farewell = (Say("user", "Thanks, that was quick."), Say("assistant", "With pleasure. Have a lovely day!"))
    script = (*after(d.gold, d.opening, greeting), *farewell)
    yield _valid("polite", CaseKind.COSMETIC, script, d.frame, "politeness changes nothing", d)


def lower_case(d: Described) -> Iterator[Draft]:
    """The last message in lower case."""
    # A quote keeps its case: it is filled in later, and records spell identifiers in capitals.
    script = with_text(d.gold, d.final, text_of(d.gold, d.final).lower())
    yield _valid("lower_case", CaseKind.COSMETIC, script, d.told, "upper and lower case are free", d)


def split_message(d: Described) -> Iterator[Draft]:
    """The last message sentence by sentence."""
    sentences = text_of(d.gold, d.final).replace("! ", ".\0").replace(". ", ".\0").split("\0")
    if len(sentences) > 1:
        script = (*(e for e in d.gold if e.tag != d.final), *(Say("assistant", sentence) for sentence in sentences))
        note = "one message or several, what must be told is told"
        yield _valid("split_message", CaseKind.COSMETIC, script, d.told, note, d)


def asked_back(d: Described) -> Iterator[Draft]:
    """The consent comes after a question back, or something is said between it and what it covers."""
    if d.ask and d.yes:
        chat = (Say("user", "Will that take long?"), Say("assistant", "Not at all, it is done in a moment."))
        note = "the question was asked in full, and the answer to it is a yes"
        yield _valid("asked_back", CaseKind.ALTERNATIVE, after(d.gold, d.ask, *chat), d.consent, note, d)
        remark = Say("user", "And thank you for explaining it so well.")
        note = "a remark after the yes takes nothing back"
        yield _valid("asked_back", CaseKind.ALTERNATIVE, after(d.gold, d.yes, remark), d.consent, note, d)
    for tag in d.consented[1:] if d.ask and d.yes else ():
        remark = Say("user", "Great, go on.")
        note = "one yes serves several calls, whatever is said between them"
        yield _valid("asked_back", CaseKind.ALTERNATIVE, before(d.gold, tag, remark), d.consent, note, d)


def extra_call(d: Described) -> Iterator[Draft]:
    """A call nobody asked for: free if it changes nothing, a regression if it does."""
    for extra in d.extra_calls:
        script = before(d.gold, d.final, extra)
        if same_end(d, script):
            note = f"{extra.name} was executed and changes nothing"
            yield _valid("extra_call", CaseKind.ALTERNATIVE, script, d.frame, note, d)
        else:
            cause = grounds(d.frame, f"{extra.name} was executed and changes what nobody asked for")
            yield Draft(
                operator="extra_call",
                kind=CaseKind.REGRESSION,
                script=script,
                grounds=cause,
                effect="different",
                answer=d.answer,
            )


def repeated_reads(d: Described) -> Iterator[Draft]:
    """Everything that was looked at, looked at again at the end."""
    again = [msgspec.structs.replace(call_of(d.gold, tag), tag="") for tag in d.reads]
    if again:
        script = before(d.gold, d.final, *again)
        note = "looking twice changes nothing"
        yield _valid("repeated_reads", CaseKind.ALTERNATIVE, script, d.frame, note, d)


def failed_probe(d: Described) -> Iterator[Draft]:
    """A call that fails, then the right one."""
    for variant in d.probes:
        assert isinstance(variant.new, Call)
        script = before(d.gold, variant.tag, variant.new)
        if succeeds(d, script, variant.new):
            raise Inconsistent(f"{d.task}: the probe {variant.new.name} was to fail and did not")
        yield _valid("failed_probe", CaseKind.ALTERNATIVE, script, variant.clause, variant.note, d)


def unknown_tool(d: Described) -> Iterator[Draft]:
    """A tool that does not exist, then the right ones."""
    wrong = Call("open_account_overview", {"query": "everything"})
    script = after(d.gold, d.opening, wrong)
    if succeeds(d, script, wrong):
        raise Inconsistent(f"{d.task}: {wrong.name} was not to exist")
    yield _valid("unknown_tool", CaseKind.ALTERNATIVE, script, d.frame, "a call that fails does nothing", d)


def reordered(d: Described) -> Iterator[Draft]:
    """Two calls that do not depend on each other, the other way round."""
    for one, other in d.independent:
        first, second = tagged(d.gold, one), tagged(d.gold, other)
        swap = {id(first): second, id(second): first}
        script: Script = tuple(swap.get(id(event), event) for event in d.gold)
        note = "the two steps do not depend on each other, so their order is free"
        yield _valid("reordered", CaseKind.ALTERNATIVE, script, d.goals.get(one, d.frame), note, d)


def _valid(operator: str, kind: CaseKind, script: Script, clause: str, note: str, d: Described) -> Draft:
    return Draft(
        operator=operator, kind=kind, script=script, grounds=grounds(clause, note), effect="same", answer=d.answer
    )
