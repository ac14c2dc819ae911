"""Whatever bytes a child writes, the trusted side reads a request, a frame or a violation, and raises nothing else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifierbench.core.decision import Limits, Reason
from verifierbench.sandbox import channel, outcome
from verifierbench.sandbox.box import _order
from verifierbench.sandbox.guest import wire
from verifierbench.sandbox.watch import Observation

NONCE = b"0123456789abcdef"
ORDER = _order(wire.MODE_RUN, Limits(), 0, 0, 0)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**400)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
keys = st.sampled_from(["id", "op", "material", "pointer", "request", "kind", "detail", "line", "trail"])
words = st.sampled_from(
    ["read", "run", "labels", "PASS", "FAIL", "exception", "timeout", 1, 2, -1, 10**30, True, [1], [0]]
)
shaped = st.dictionaries(keys, words | values, max_size=7).map(
    lambda value: json.dumps(value).encode(errors="surrogatepass")
)
lines = (
    shaped
    | st.binary(max_size=200)
    | st.builds(lambda text, n: text * n, st.sampled_from([b"[", b"9", b'{"', b'"\\u']), st.integers(1, 5000))
)


@given(line=lines, turn=st.integers(1, 3))
@example(line=b'{"op":"run","request":1,"id":' + b"9" * 5000 + b"}", turn=1)
@example(line=b'{"op":"run","request":{"\\ud800":1},"id":1}', turn=1)
@example(line=b'{"op":"\\udfff","\\ud800":1,"id":1}', turn=1)
@settings(max_examples=400, deadline=None, database=None)
def test_a_line_is_a_request_or_a_violation(line: bytes, turn: int) -> None:
    try:
        if channel._unfit(line):
            return
        request = channel._parse(line, turn)
    except channel.Violation:
        return
    assert request.id == turn


@given(body=lines)
@example(body=b'{"kind":"FAIL","line":' + b"9" * 5000 + b"}")
@example(body=b'{"kind":"exception","detail":"\\ud800\\u202e\\u001b"}')
@settings(max_examples=400, deadline=None, database=None)
def test_a_frame_gives_a_decision_that_can_be_printed(body: bytes) -> None:
    seen = Observation(wire.Ending(0, 0, 0.0), None, "", NONCE + b" " + body + b"\n", b"", 0.0)
    answer = outcome.read_answer(seen, ORDER, NONCE, budget_refused=False)
    decision: Any = answer.decision(seen)
    assert decision.reason is not Reason.TIMEOUT
    assert decision.detail.isprintable()
    decision.detail.encode()


@given(value=values)
@settings(max_examples=200, deadline=None, database=None)
def test_nesting_is_counted_as_a_reader_would(value: Any) -> None:
    def depth(part: Any) -> int:
        inner = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else None
        return 0 if inner is None else 1 + max(map(depth, inner), default=0)

    # So many brackets that the short way out is not taken, and strings that hold brackets, quotes and backslashes.
    line = json.dumps([value, "[[[", '\\"{{', "\\", [[]] * 300]).encode()
    assert channel._nesting(line) == 1 + max(depth(value), 2)
