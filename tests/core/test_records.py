"""What the records promise: labels follow kinds, decisions are never half, the public half is silent."""

import msgspec
import pytest

from verifierbench import core
from verifierbench.core import (
    Atom,
    CaseKind,
    Clause,
    Convention,
    Decision,
    Family,
    Material,
    Reason,
    Reference,
    Span,
    Task,
    Verdict,
    content_hash,
    sha256,
)
from verifierbench.core.season import DEVELOPMENT, Season


def task(**changes):
    fields = {
        "id": "handmade/secret-name",
        "source": "handmade",
        "source_version": "1",
        "family": Family.TOOL_CALL,
        "instruction": "Turn on the lamp.",
        "materials": (
            Material(name="tools", kind="json", content=[{"name": "lamp"}]),
            Material(name="database", kind="json", content={"big": 1}, inline=False),
        ),
        "conventions": (Convention(id="C1", text="Order is free."),),
        "clauses": (Clause(id="hidden-1", text="the lamp", spans=(Span(material="instruction", quote="the lamp"),)),),
        "reference": Reference(root=Atom(name="a", clause="hidden-1", check="x")),
    }
    return Task(**(fields | changes))


def test_labels_follow_kinds():
    passing = {kind for kind in CaseKind if kind.label is Verdict.PASS}
    assert passing == {CaseKind.GOLD, CaseKind.COSMETIC, CaseKind.ALTERNATIVE}
    assert {kind for kind in CaseKind if kind.is_attack} == {CaseKind.HACK, CaseKind.PROCESS_VIOLATION}


def test_a_decision_has_a_verdict_or_a_reason():
    Decision(verdict=Verdict.PASS)
    Decision(reason=Reason.TIMEOUT)
    for fields in ({}, {"verdict": Verdict.PASS, "reason": Reason.TIMEOUT}):
        with pytest.raises(ValueError, match="a verdict or a reason"):
            Decision(**fields)


def test_records_cannot_be_changed():
    with pytest.raises(AttributeError):
        task().id = "other"


def test_the_public_half_says_nothing_hidden():
    seen = msgspec.json.encode(task().public).decode()
    for hidden in ("secret-name", "handmade", "hidden-1", "reference", "big"):
        assert hidden not in seen
    assert task().public["readable"] == ["database"]
    assert task().public["runnable"] is False


def test_the_public_hash_covers_materials_read_in_parts():
    changed = task(
        materials=(task().materials[0], Material(name="database", kind="json", content={"big": 2}, inline=False))
    )
    assert changed.public == task().public
    assert changed.public_hash != task().public_hash


def test_the_public_hash_is_the_same_whoever_computed_the_digest():
    given = Material(name="database", kind="json", content={"big": 1}, inline=False, digest=content_hash({"big": 1}))
    tools = task().materials[0]
    expected = task().public_hash
    assert task(materials=(tools, given)).public_hash == expected
    assert task().stored.public_hash == expected
    assert task().stored.stored == task().stored
    assert task(materials=(tools, msgspec.structs.replace(given, name="base"))).public_hash != expected


def test_what_is_read_in_parts_is_hashed_and_encoded_once_for_every_task_that_shares_it():
    class Counted(dict):
        looks = 0

        def items(self):
            Counted.looks += 1
            return super().items()

    shared = Material(name="database", kind="json", content=Counted(big=1), inline=False)
    hashes = {task(id=f"handmade/{n}", materials=(shared,)).material("database").hash for n in range(3)}
    assert hashes == {sha256(shared.encoded)} == {sha256(shared.encoded)}
    assert Counted.looks == 2  # once for the hash, once for the bytes


def test_a_stored_task_holds_no_content_that_is_read_in_parts():
    tools, database = task().stored.materials
    assert tools == task().materials[0]
    assert (database.content, database.digest) == (None, content_hash({"big": 1}))


def test_aliases_are_stable_and_tell_tasks_apart():
    assert task().alias == task().alias
    assert task().alias != task(id="handmade/other").alias
    assert task().alias.startswith("t")


def test_choices_follow_season_task_and_operator():
    draws = {
        (season.name, name, operator): season.random(name, operator).random()
        for season in (DEVELOPMENT, Season(name="s", secret="x"))
        for name in ("a", "b")
        for operator in ("o", "p")
    }
    assert len(set(draws.values())) == len(draws)
    assert DEVELOPMENT.random("a", "o").random() == draws["development", "a", "o"]


def test_public_names_are_those_re_exported():
    assert core.__all__ == sorted(core.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(core, name) for name in core.__all__)
