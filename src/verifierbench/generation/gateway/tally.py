"""How much of a line's budget is used: the totals so far, and what may no longer be asked.

A request counts from the moment it is let through, so that requests made at once cannot pass a budget together; one
that the model did not answer is given back. The words avoid those that harnesses take for a full context or a busy
server: what is used up must end a harness, not make it compact or wait.

What a request costs is known when it is answered. So under a limit of cost one request at a time is on its way, and a
cost that nobody knows ends the run: it could not be kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from .records import REPLIES, TIME_USED, Calls, Exchange, Terms, Usage

_IN_VAIN = 1_000
"""So many requests that the model did not answer are sent on: a program in the cell may send them without end."""


class Tally:
    """The totals of one line; read by other threads, which always see one whole `Calls`."""

    def __init__(self, terms: Terms, before: Iterable[Exchange] = ()) -> None:
        self._terms = terms
        self._open = 0
        self._last = 0
        self._spent = 0.0
        self._in_vain = 0
        self.calls = Calls()
        for exchange in before:
            self._count(exchange)

    def number(self) -> int:
        """The number of a request that arrived."""
        self._last += 1
        return self._last

    def let_through(self) -> None:
        """A request is on its way to the model."""
        self._open += 1

    def settle(self, exchange: Exchange) -> None:
        """A request that was let through is over."""
        self._open -= 1
        self._count(exchange)

    def decline(self, exchange: Exchange) -> None:
        """A request was over before it was let through."""
        self._count(exchange)

    def used_up(self, now: float) -> str | None:
        """What is used up, in a sentence for the harness; None while another request may be made."""
        terms = self._terms
        if now >= terms.deadline:
            return TIME_USED
        if self.calls.answered + self._open >= terms.model_calls:
            return f"This run's budget of {terms.model_calls} model calls is used up."
        if self._in_vain >= _IN_VAIN:
            return f"This run's budget of {_IN_VAIN} requests without an answer is used up."
        return self.spent()

    def spent(self) -> str | None:
        """The same of the cost alone, for a request that was let through and has waited for those before it."""
        limit = self._terms.cost_usd
        if limit is None:
            return None
        if self.calls.cost_usd is None:
            return (
                f"This run has a budget of {limit:g} USD, but the cost of its requests is not known: a price is needed."
            )
        return f"This run's budget of {limit:g} USD is used up." if self._spent >= limit else None

    def _count(self, exchange: Exchange) -> None:
        answered = exchange.ended in REPLIES
        reply = exchange.reply
        usage = (reply.usage if reply else None) or Usage()
        was, self._last = self.calls, max(self._last, exchange.n)
        self._spent += exchange.cost_usd or 0.0
        self._in_vain += not answered and exchange.request is not None
        known = was.cost_usd is not None and (exchange.cost_usd is not None or not answered)
        self.calls = Calls(
            answered=was.answered + answered,
            requests=was.requests + 1,
            input=was.input + usage.input,
            cached=was.cached + usage.cached,
            output=was.output + usage.output,
            reasoning=was.reasoning + usage.reasoning,
            cost_usd=self._spent if known else None,
            ended=exchange.ended,
        )
