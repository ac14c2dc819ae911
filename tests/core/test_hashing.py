"""Identity keeps what a verifier can see apart; the canonical form joins what means the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import canonical_bytes, canonical_hash, content_bytes, content_hash

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_golden_bytes_and_hash():
    assert content_bytes({"b": 1, "a": "é"}) == b'{"b":1,"a":"\xc3\xa9"}'
    assert canonical_bytes({"b": 1, "a": "é"}) == b'{"a":"\xc3\xa9","b":1}'
    # sha256 of the three bytes `{}` and of `5`, from `printf '5' | sha256sum`
    assert content_hash(5) == "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d"


@pytest.mark.parametrize(("left", "right"), [(5, 5.0), (1, True), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ("5", 5)])
def test_what_a_verifier_can_tell_apart_has_another_identity(left, right):
    assert content_hash(left) != content_hash(right)


def test_key_order_does_not_change_the_canonical_hash():
    assert canonical_hash({"a": [1, {"x": 1, "y": 2}], "b": 2}) == canonical_hash({"b": 2, "a": [1, {"y": 2, "x": 1}]})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), [float("nan")]])
def test_numbers_json_does_not_have_are_refused(value):
    with pytest.raises(ValueError, match="JSON compliant"):
        content_bytes(value)


@given(values)
def test_content_survives_a_round_trip_to_the_byte(value):
    data = content_bytes(value)
    assert content_bytes(json.loads(data)) == data


@given(values)
def test_canonical_form_is_idempotent(value):
    data = canonical_bytes(value)
    assert canonical_bytes(json.loads(data)) == data


def test_a_lone_surrogate_stays_decodable():
    data = content_bytes("a\ud800é")
    assert data == b'"a\\ud800\xc3\xa9"'
    assert json.loads(data) == "a\ud800é"
