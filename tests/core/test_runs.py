from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Spent

counts = st.integers(0, 10**9)
spent = st.builds(Spent, model_calls=counts, input_tokens=counts, blocked=counts, cost_usd=st.none() | st.floats(0, 9))


@given(spent, spent)
def test_what_two_attempts_took_is_counted_together_and_a_cost_not_known_of_one_is_not_known(one, other):
    both = one + other
    assert (both.model_calls, both.input_tokens) == (
        one.model_calls + other.model_calls,
        one.input_tokens + other.input_tokens,
    )
    known = one.cost_usd is not None and other.cost_usd is not None
    assert both.cost_usd == (one.cost_usd + other.cost_usd if known else None)
    assert both == other + one
