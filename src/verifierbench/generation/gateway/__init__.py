"""The model gateway: the one way from a cell to a model, and the record of everything that was said on it.

A harness speaks its own dialect to a door inside its cell; the request goes on in that dialect to the provider. The
real key, the limits, the retries and the record stay on this side. `server.Gateway` serves, `upstream` answers (a real
provider, or a tape), `tape` is the record, `records` what it is made of. Only the records are imported here: who reads
a tape needs no server.
"""

from .records import Attempt, Calls, Change, Ending, Exchange, Message, Price, Reply, Terms, ToolCall, Usage

__all__ = [
    "Attempt",
    "Calls",
    "Change",
    "Ending",
    "Exchange",
    "Message",
    "Price",
    "Reply",
    "Terms",
    "ToolCall",
    "Usage",
]
