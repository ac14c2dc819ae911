"""What is said about a task's writes: the question for consent, the report at the end, and other words for both.

All of it is made of a row's parts, so that gold, its other wordings and its incomplete ones name the same things.
"""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.families.state.operators import Fact, Variant

from .curation import Row
from .wording import leaving_out, names, plain

YES = "Yes, please go ahead."


def tag_of(place: int) -> str:
    """The tag of gold's n-th write."""
    return f"write_{place}"


def asking(row: Row, more: str = "") -> str:
    """The question for consent, its names marked; `more` is said before the last sentence."""
    listed = ", and ".join(write.says for write in row.write)
    return row.ask or f"To be sure that we mean the same: I will {listed}. {more}Do you agree (yes/no)?"


def question(row: Row, more: str = "") -> str:
    """The question in other words."""
    listed = "; ".join(plain(write.says) for write in row.write)
    return f"Here is what I would do: {listed}. {more}Shall I go ahead, yes or no?"


def itemised(row: Row, more: str = "") -> str:
    """The question as a list."""
    listed = "\n".join(f"- {plain(write.says)}" for write in row.write)
    return f"Let me read it back to you. I am going to\n{listed}\n{more}Is that what you want?"


def closing(row: Row) -> str:
    """The last message: what was done, and what the customer wants to be told."""
    told = (fact.says or f"{fact.about[:1].upper()}{fact.about[1:]} is {fact.value}." for fact in row.tell)
    return row.final or " ".join((*(write.done for write in row.write), *told))


def vague(ask: str) -> Iterator[Variant]:
    """The question with one name after the other left out."""
    for name in names(ask):
        yield Variant("ask", leaving_out(ask, name), "consent", f"{name} is not named")


def other_words(row: Row, more: str = "") -> Iterator[Variant]:
    """Other words of gold's messages."""
    if row.write:
        yield Variant("yes", "YES! That is all correct.", "consent", "another yes")
        yield Variant("ask", itemised(row, more), "consent", "a list instead of a sentence")
    for other in row.other:
        yield Variant(other.tag, other.says, other.clause, other.note)


def facts(row: Row) -> Iterator[Fact]:
    """What the customer has to be told."""
    for fact in row.tell:
        yield Fact(clause=fact.clause, value=fact.value, about=fact.about, wrong=fact.wrong, spellings=fact.spellings)
