"""Nearly right values where the usual slips find nothing: closed sets that are all right, scripts without letters."""

from __future__ import annotations

from random import Random

import pytest

from verifierbench.families.tool_call import Exact, SetOf, Wording
from verifierbench.families.tool_call.misses import misses


@pytest.mark.parametrize("text", ["琥珀海滩", "时间"])
def test_a_text_without_letters_of_an_alphabet_loses_one_character(text: str) -> None:
    found = [miss.value for miss in misses(Wording(text), {"type": "string"}, [text], Random(1))]
    assert len(found) == 1
    assert len(found[0]) == len(text) - 1


def test_one_character_alone_has_no_slip() -> None:
    assert not list(misses(Wording("水"), {"type": "string"}, ["水"], Random(1)))


def test_elements_whose_siblings_are_all_right_leave_the_enumeration() -> None:
    schema = {"type": "array", "items": {"type": "string", "enum": ["tail", "reel"]}}
    policy = SetOf((Exact("tail"), Exact("reel")))
    changed = [miss.value for miss in misses(policy, schema, [], Random(1)) if miss.operator == "element_changed"]
    assert changed == [["other tail", "reel"], ["tail", "other reel"]]


def test_null_is_replaced_by_a_value_of_the_definition_and_not_by_its_default() -> None:
    schema = {"type": "string", "default": None}
    (miss,) = misses(Exact(None), schema, [None], Random(1))
    assert (miss.operator, miss.value) == ("null_replaced", "sample")
    assert not list(misses(Exact(None), {"type": "null"}, [None], Random(1)))


def test_a_sibling_is_the_closest_slip_where_there_is_one() -> None:
    schema = {"type": "string", "enum": ["tail", "reel"]}
    assert next(iter(misses(Exact("tail"), schema, ["tail"], Random(1)))).operator == "enum_sibling"
