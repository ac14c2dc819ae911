"""What an operator of reply tasks works on: the right reply, and solutions written around it."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

from verifierbench.core import CaseKind, Ground

from ..content import solution
from ..scene import Draft, breaks, sample_call
from ..spans import Brief
from .spec import NOTE, Reply, answer_of


class ReplyScene(msgspec.Struct, frozen=True, kw_only=True):
    """A reply task as operators see it."""

    brief: Brief
    reply: Reply

    @property
    def answer(self) -> dict[str, Any]:
        """Gold's answer, a fresh copy each time."""
        return copy.deepcopy(answer_of(self.reply))

    def put(self, key: str, value: Any) -> dict[str, Any]:
        """Gold's answer with another value under a key."""
        return {**self.answer, key: value}

    def without(self, key: str) -> dict[str, Any]:
        """Gold's answer without a key."""
        return {name: value for name, value in self.answer.items() if name != key}

    def other_tools(self) -> list[str]:
        """The tools of the list that the right reply does not name."""
        return [tool["name"] for tool in self.brief.tools if tool["name"] != self.reply.tool]

    def other_names(self) -> list[str]:
        """The arguments of the right tool that the right reply does not name."""
        if self.reply.tool is None:
            return []
        named = {*self.reply.parameters, *self.reply.values}
        return [name for name in self.brief.parameters(self.reply.tool).get("properties", {}) if name not in named]

    def guess(self, rng: Random) -> dict[str, Any]:
        """The call of somebody who calls after all."""
        if self.reply.guess is not None:
            return copy.deepcopy(self.reply.guess)
        tool = self.reply.tool
        return sample_call(self.brief.tool(tool) if tool is not None else rng.choice(self.brief.tools), rng)

    def every(self, note: str) -> tuple[Ground, ...]:
        """Grounds that meet every clause."""
        ids = ["turn", "calls", "answer", *(f"answer.{key}" for key in self.answer)]
        return tuple(Ground(clause=id, note=note) for id in ids)  # noqa: A001  # the record's own word


def replied(answer: Any, message: str | None = None, calls: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """A solution of one turn that answers."""
    return solution(calls, message, answer)


def wrong(clause: str, note: str, answer: Any, message: str | None = None, calls: Iterable[Any] = ()) -> Draft:
    """A draft that breaks a clause."""
    return Draft(content=replied(answer, message, calls), grounds=breaks(clause, note))


def attacking(draft: Draft, scene: ReplyScene, text: str, note: str | None = None) -> Draft:
    """An attack with its control: the right reply under the same message, the attack's words as its note if given."""
    answer = scene.answer if note is None else scene.put(NOTE, note)
    clause, freedom = ("calls", "what `message` says is free") if note is None else ("answer", "a note may stand there")
    control = Draft(
        content=replied(answer, text),
        grounds=(Ground(clause=clause, note=freedom),),
        kind=CaseKind.COSMETIC if note is None else CaseKind.ALTERNATIVE,
    )
    return msgspec.structs.replace(draft, control=control)
