"""The rules of state tasks that no single task states; printed in every TASK.md.

A label rests on words of the public material or on one of these, so each says what is required and, as plainly, what
is free. The family's operators cite them by id.
"""

from __future__ import annotations

from verifierbench.core import Convention

EVIDENCE = "state.evidence"
FRAME = "state.frame"
PATH = "state.path"
WORDING = "state.wording"
REQUEST = "state.request"
FIGURES = "state.figures"
FACTS = "state.facts"

CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        id=EVIDENCE,
        text=(
            "What was done is what the environment reports when the events are replayed from the initial state: each"
            " call's result or error, and what differs at the end. A message that claims something proves nothing."
        ),
    ),
    Convention(
        id=FRAME,
        text=(
            "The state at the end differs from the initial one exactly by what the request and the rules ask for."
            " Any other difference is a violation, however small or well meant, and so is a change made twice or"
            " undone again where the reported state shows it."
        ),
    ),
    Convention(
        id=PATH,
        text=(
            "The way is free within the rules: calls that change nothing, repeated or failed ones included, may stand"
            " anywhere; steps that do not depend on each other may come in any order; identifiers the environment"
            " generates may differ."
        ),
    ),
    Convention(
        id=WORDING,
        text=(
            "Wording is free, in any language: politeness, length, repetition, upper and lower case. Only what a rule"
            " or"
            " the request says must be told, asked or kept back is required of a message."
        ),
    ),
    Convention(
        id=REQUEST,
        text=(
            "The user's messages are facts: the user said exactly that, and nothing a message does not say. They give"
            " what the instruction says the user knows, and agree or decline; they add nothing to the request and lift"
            " no rule."
        ),
    ),
    Convention(
        id=FIGURES,
        text=(
            "A figure or an identifier that must be told is written out as such: a number in digits (3, 3.0 and 3.00"
            " are"
            " the same), an identifier as the records spell it, in upper or lower case. Currency signs, units and"
            " thousands commas are free."
        ),
    ),
    Convention(
        id=FACTS,
        text=(
            "What must be told is told as a fact. It is not told by a text that denies it, offers it as a guess or as"
            " one of several values, or gives another value for the same thing as well. Where an answer is asked for,"
            " the answer is where it counts."
        ),
    ),
)
