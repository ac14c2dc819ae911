"""What a season draws, what it commits to, and what neither gives away."""

import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import DEVELOPMENT, Season
from verifierbench.core.season import Published

GOLDEN_SEED = "5bf9d543dff3e1faa7daaef63126344f1be61e33ad68efc330ba21b055267b49"
GOLDEN_COMMITMENT = "f4dadd66c94345d88f00ef51dc8bec422b970df5134d1c987d1f57933fd5be4c"

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
seasons = st.builds(
    Season,
    name=texts,
    secret=texts,
    salt=st.text(max_size=8),
    withheld_tasks=st.lists(texts, max_size=2).map(tuple),
    withheld_operators=st.lists(texts, max_size=2).map(tuple),
)


def test_the_development_season_draws_what_it_always_drew():
    # hmac.new(b"public", b"handmade/ferry\0one_letter", hashlib.sha256).hexdigest(), worked out apart
    assert DEVELOPMENT.seed("handmade/ferry", "one_letter") == GOLDEN_SEED
    assert hmac.new(b"public", b"handmade/ferry\0one_letter", hashlib.sha256).hexdigest() == GOLDEN_SEED


def test_the_commitment_is_the_hash_of_the_canonical_json_of_what_is_not_empty():
    text = b'{"name":"development","schema":1,"secret":"public"}'
    assert DEVELOPMENT.commitment == hashlib.sha256(text).hexdigest() == GOLDEN_COMMITMENT
    held = Season(name="a", secret="b", salt="c", withheld_tasks=("t/1",), plugin="p.py", plugin_hash="00")
    text = (
        b'{"name":"a","plugin":"p.py","plugin_hash":"00","salt":"c","schema":1,"secret":"b","withheld_tasks":["t/1"]}'
    )
    assert held.commitment == hashlib.sha256(text).hexdigest()


@given(seasons, seasons)
def test_a_commitment_binds_two_seasons_have_one_only_if_they_are_the_same(one, other):
    assert (one.commitment == other.commitment) is (one == other)


@given(seasons, st.sampled_from(["name", "secret", "salt"]), texts)
def test_whatever_is_changed_changes_the_commitment(season, field, more):
    assert msgspec.structs.replace(season, **{field: getattr(season, field) + more}).commitment != season.commitment
    for held in ("withheld_tasks", "withheld_operators"):
        longer = msgspec.structs.replace(season, **{held: (*getattr(season, held), more)})
        assert longer.commitment != season.commitment


@given(seasons)
def test_a_season_survives_storage_with_its_commitment(season):
    stored = msgspec.json.decode(msgspec.json.encode(season), type=Season)
    assert stored == season
    assert stored.commitment == season.commitment


@given(st.tuples(texts, texts), st.tuples(texts, texts))
def test_seeds_are_one_to_one_with_task_and_operator(one, other):
    assert (DEVELOPMENT.seed(*one) == DEVELOPMENT.seed(*other)) is (one == other)


@given(texts, texts, texts, texts)
def test_another_secret_draws_other_seeds_and_aliases_whatever_else_is_the_same(secret, more, task, operator):
    one, other = Season(name="a", secret=secret), Season(name="a", secret=secret + more)
    assert one.seed(task, operator) != other.seed(task, operator)
    assert one.alias(task) != other.alias(task)


@given(texts, texts, texts)
def test_an_operators_choices_do_not_depend_on_what_others_drew(secret, first, second):
    season = Season(name="a", secret=secret)
    alone = season.random("t", first).random()
    drawn, another = season.random("t", second), season.random("t", second)
    assert [drawn.random() for _ in range(3)] == [another.random() for _ in range(3)]
    assert season.random("t", first).random() == alone


@given(seasons, texts)
def test_what_seasons_draw_does_not_depend_on_what_they_hold_back_or_are_called(season, task):
    bare = Season(name="other", secret=season.secret)
    assert season.seed(task, "x") == bare.seed(task, "x")
    assert season.alias(task) == bare.alias(task)


@given(texts, texts, texts)
def test_keyed_values_of_different_kinds_or_parts_have_nothing_in_common(kind, other, part):
    season = Season(name="a", secret="b")
    assert (season.keyed(kind, part) == season.keyed(other, part)) is (kind == other)
    assert season.keyed(kind, part, other) != season.keyed(kind, part + other)
    assert season.keyed(kind, part) not in (season.seed(kind, part), season.seed("", kind), season.seed(part, ""))


def test_what_is_published_tells_neither_secret_nor_salt_nor_what_is_held_back():
    season = Season(name="autumn", secret="s3cret", salt="s4lt", withheld_tasks=("bfcl/1",), withheld_operators=("op",))
    told = msgspec.json.encode(season.published).decode()
    assert msgspec.json.decode(told, type=Published) == Published(name="autumn", commitment=season.commitment)
    for hidden in ("s3cret", "s4lt", "bfcl/1", "op"):
        assert hidden not in told.replace(season.commitment, "")


def test_a_traceback_does_not_tell_the_secret():
    season = Season(name="autumn", secret="s3cret", salt="s4lt")
    assert "s3cret" not in f"{season!r} {season}"
    assert "s4lt" not in f"{season!r} {season}"


def test_a_file_with_a_name_and_a_secret_alone_is_still_a_season():
    season = msgspec.json.decode(b'{"name": "mine", "secret": "x"}', type=Season)
    assert season == Season(name="mine", secret="x")


def test_a_misspelt_field_is_refused_rather_than_ignored():
    with pytest.raises(msgspec.ValidationError, match="withold_tasks"):
        msgspec.json.decode(b'{"name": "mine", "secret": "x", "withold_tasks": ["bfcl/1"]}', type=Season)
