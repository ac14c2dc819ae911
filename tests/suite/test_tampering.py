"""Whatever is changed in a locked suite is caught, and named: file, place and kind."""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from verifierbench.core import Case, Record
from verifierbench.core.files import decode_lines, encode, encode_lines
from verifierbench.suite import Suite, new_season, read_lock, read_season, verify
from verifierbench.suite.layout import lasting
from verifierbench.suite.lock import Keys

KINDS = {
    "hidden/cases.jsonl": {"case", "case content", "label"},
    "hidden/tasks.jsonl": {"task", "public half", "clause", "reference"},
    "hidden/records.jsonl": {"record"},
    "hidden/source_records.jsonl": {"source record"},
    "hidden/excluded.jsonl": {"excluded list"},
    "hidden/build.jsonl": {"build ledger"},
    "hidden/season.json": {"season"},
    "hidden/test.plugin.py": {"plug-in"},
    "suite.json": {"manifest"},
    "lock.json": {"lock"},
    "public task.json": {"public half"},
    "public materials.json": {"public half"},
    "public material": {"public material"},
}
"""Kind of file → the kinds of things a changed byte in it may be told as."""


@contextmanager
def changed(path, data):
    """The file with other content (None: without it), for a while."""
    before = path.read_bytes()
    try:
        path.unlink() if data is None else path.write_bytes(data)
        yield
    finally:
        path.write_bytes(before)


def file_of(suite, kind):
    if kind in ("public task.json", "public materials.json"):
        return next((suite / "public").glob(f"*/{kind.partition(' ')[2]}"))
    if kind == "public material":
        return next((suite / "public").glob("materials/*.json"))
    return suite / kind


def told(suite):
    moved = verify(suite).moved
    assert moved is not None
    assert "\n" not in str(moved)
    return moved


def lines(suite, name, form):
    return list(decode_lines(suite / "hidden" / name, form))


def test_every_kind_of_thing_that_moves_is_on_the_page():
    page = (Path(__file__).parents[2] / "docs/seasons.md").read_text()
    for kind in {"missing file", "extra file", "environment"}.union(*KINDS.values()):
        assert f"`{kind}`" in page, kind


def test_an_untouched_suite_stands(locked):
    found = verify(locked)
    assert found.ok, found.moved
    assert found.checked["cases"] == found.checked["records"] == len(Suite.load(locked).all_cases)
    assert found.checked["files"] == len(list(lasting(locked)))
    assert found.checked["environments"] == 1
    assert found.notes == ("it was locked without an audit",)


def test_every_kind_of_file_of_a_suite_is_in_the_table(locked):
    def kind(path):
        if path.startswith("public/materials/"):
            return "public material"
        return f"public {Path(path).name}" if path.startswith("public/") else path

    found = {kind(path) for path in lasting(locked)} | {"lock.json"}
    assert found == set(KINDS)
    assert all(file_of(locked, kind).stat().st_size for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", [0.0, 0.13, 0.31, 0.5, 0.77, 0.9, 1.0])
@pytest.mark.parametrize("bit", [0x01, 0x20, 0x80])
def test_a_flipped_bit_is_caught_and_named(locked, kind, where, bit):
    path = file_of(locked, kind)
    data = bytearray(path.read_bytes())
    data[int(where * (len(data) - 1))] ^= bit
    with changed(path, bytes(data)):
        moved = told(locked)
    assert moved.file == path.relative_to(locked).as_posix()
    assert moved.kind in KINDS[kind]
    assert verify(locked).ok


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "lock.json"])
def test_a_missing_file_is_named(locked, kind):
    path = file_of(locked, kind)
    with changed(path, None):
        moved = told(locked)
    assert moved.file == path.relative_to(locked).as_posix()
    assert moved.kind == ("season" if kind == "hidden/season.json" else "missing file")


@pytest.mark.parametrize("name", ["notes.txt", "hidden/cases.jsonl.bak", "public/t0000000000/task.json"])
def test_an_extra_file_is_named(locked, name):
    path = locked / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    moved = told(locked)
    path.unlink()
    if name.startswith("public"):
        path.parent.rmdir()
    assert (moved.kind, moved.file) == ("extra file", name)


def test_evidence_and_audits_may_come_and_go(locked, tmp_path):
    copy = tmp_path / "suite"
    shutil.copytree(locked, copy)
    for path in copy.glob("hidden/evidence.sqlite*"):
        path.unlink()
    (copy / "hidden/audit.json").write_text("{}")
    assert verify(copy).ok


def edited(cases, index, **changes):
    return [*cases[:index], msgspec.structs.replace(cases[index], **changes), *cases[index + 1 :]]


def test_a_changed_solution_is_named_by_its_case(locked):
    cases = lines(locked, "cases.jsonl", Case)
    changed_cases = edited(cases, 7, content={**cases[7].content, "turns": []})
    with changed(locked / "hidden/cases.jsonl", encode_lines(changed_cases)):
        moved = told(locked)
    assert str(moved) == f"hidden/cases.jsonl, line 8: the content of case {cases[7].id} moved (case content)"


def test_a_changed_label_is_named_by_its_case(locked):
    cases = lines(locked, "cases.jsonl", Case)
    number, case = next((n, case) for n, case in enumerate(cases) if case.kind == "near_miss")
    with changed(locked / "hidden/cases.jsonl", encode_lines(edited(cases, number, kind="alternative"))):
        moved = told(locked)
    assert (moved.kind, moved.place) == ("label", f"line {number + 1}")
    assert moved.says == f"the label of case {case.id} moved"


def test_a_changed_ground_is_named_by_its_case(locked):
    cases = lines(locked, "cases.jsonl", Case)
    ground = msgspec.structs.replace(cases[3].grounds[0], note="because")
    with changed(locked / "hidden/cases.jsonl", encode_lines(edited(cases, 3, grounds=(ground,)))):
        moved = told(locked)
    assert (moved.kind, moved.place) == ("case", "line 4")
    assert cases[3].id in moved.says


def test_a_case_that_changed_its_task_is_named_with_both(locked):
    cases = lines(locked, "cases.jsonl", Case)
    other = cases[-1].task
    with changed(locked / "hidden/cases.jsonl", encode_lines(edited(cases, 2, task=other))):
        moved = told(locked)
    assert moved.says == f"case {cases[2].id} has gone to another task, {other}"


def test_two_cases_that_changed_places_between_tasks_are_caught_by_their_contents(locked):
    cases = lines(locked, "cases.jsonl", Case)
    last, first = cases[-1], cases[0]
    swapped = edited(edited(cases, 0, content=last.content), len(cases) - 1, content=first.content)
    with changed(locked / "hidden/cases.jsonl", encode_lines(swapped)):
        moved = told(locked)
    assert (moved.kind, moved.says) == ("case content", f"the content of case {first.id} moved")


def test_cases_in_another_order_are_not_what_was_locked(locked):
    cases = lines(locked, "cases.jsonl", Case)
    with changed(locked / "hidden/cases.jsonl", encode_lines(cases[::-1])):
        moved = told(locked)
    assert (moved.kind, moved.file) == ("case", "hidden/cases.jsonl")
    assert moved.says == "what it says stands, but not byte for byte as it was locked"


@pytest.mark.parametrize(("name", "form", "kind"), [("cases.jsonl", Case, "case"), ("records.jsonl", Record, "record")])
def test_a_removed_line_is_named_by_its_case_and_so_is_one_that_stands_twice(locked, name, form, kind):
    entries = lines(locked, name, form)
    case = getattr(entries[5], "case", None) or entries[5].id
    for kept in (entries[:5] + entries[6:], [*entries, entries[5]]):
        with changed(locked / "hidden" / name, encode_lines(kept)):
            moved = told(locked)
        assert (moved.kind, moved.file) == (kind, f"hidden/{name}")
        assert case in moved.says


def test_a_changed_clause_reference_and_instruction_are_each_named(locked):
    tasks = list(Suite.load(locked).tasks)
    task = tasks[0]
    clauses = (msgspec.structs.replace(task.clauses[0], text="something else"), *task.clauses[1:])
    library = msgspec.structs.replace(task.reference, library="another")
    changes = {
        "clause": ({"clauses": clauses}, f"clause {task.clauses[0].id} of task {task.id} moved"),
        "reference": ({"reference": library}, f"the reference of task {task.id} moved"),
        "public half": (
            {"instruction": task.instruction + " Please."},
            f"the public half (task.json, $.instruction) of task {task.id} moved",
        ),
        "task": ({"source_version": "0"}, None),
    }
    for kind, (change, says) in changes.items():
        with changed(locked / "hidden/tasks.jsonl", encode_lines(task.stored for task in edited(tasks, 0, **change))):
            moved = told(locked)
        assert (moved.kind, moved.place) == (kind, "line 1")
        assert says is None or moved.says == says


def test_a_changed_public_file_is_named_by_its_place_and_task(locked):
    task = Suite.load(locked).task("shelves/two")
    path = locked / "public" / task.alias / "materials.json"
    with changed(path, path.read_bytes().replace(b"goal", b"gaol")):
        moved = told(locked)
    assert (moved.kind, moved.place) == ("public half", "$.gaol")
    assert moved.says == "it is not what task shelves/two says"


def test_a_changed_material_is_named_by_its_name_and_task(locked):
    task = Suite.load(locked).task("shelves/two")
    path = locked / "public/materials" / f"{task.material('goal').hash}.json"
    with changed(path, path.read_bytes().replace(b"2", b"3")):
        moved = told(locked)
    assert (moved.kind, moved.place) == ("public material", "")
    assert moved.says == "it is not the 'goal' of task shelves/two any more"


def test_a_task_that_reads_another_material_is_named(locked):
    path = locked / "hidden/tasks.jsonl"
    task = Suite.load(locked).task("shelves/two")
    with changed(path, path.read_bytes().replace(task.material("goal").hash.encode(), b"0" * 64)):
        moved = told(locked)
    assert (moved.kind, moved.file) == ("public half", "hidden/tasks.jsonl")
    assert moved.says == "the public half (materials.json, $.goal) of task shelves/two moved"


def test_hidden_and_public_half_changed_together_are_still_caught(locked, tmp_path):
    """Somebody who edits a task, rebuilds its public half and mends suite.json has still not the season's seal."""
    from verifierbench.core import Candidate
    from verifierbench.suite import suite_hash, write_tasks
    from verifierbench.suite.layout import public_files

    copy = tmp_path / "suite"
    shutil.copytree(locked, copy)
    suite = Suite.load(copy)
    tasks = edited(list(suite.tasks), 0, instruction="Do nothing.")
    write_tasks(copy, tasks)
    for path, data in public_files(tasks[0]).items():
        (copy / path).write_bytes(data)
    digest = suite_hash(Candidate(task=task, cases=suite.cases(task)) for task in tasks)
    (copy / "suite.json").write_bytes(encode(msgspec.structs.replace(suite.manifest, hash=digest)))
    Suite.load(copy)
    moved = told(copy)
    assert (moved.kind, moved.file, moved.place) == ("public half", "hidden/tasks.jsonl", "line 1")


@pytest.mark.parametrize("field", ["season", "tasks", "cases", "excluded", "hash", "made_of", "sources", "commitment"])
def test_a_changed_manifest_is_named_by_its_field(locked, field):
    path = locked / "suite.json"
    manifest = json.loads(path.read_bytes())
    value = manifest[field]
    manifest[field] = (
        value + 1 if isinstance(value, int) else {**value, "x": "1"} if field == "sources" else value[::-1]
    )
    with changed(path, json.dumps(manifest).encode()):
        moved = told(locked)
    assert (moved.kind, moved.file, moved.place) == ("manifest", "suite.json", f"$.{field}")


def test_an_edited_lock_breaks_its_seal_even_where_it_agrees_with_an_edited_suite(locked):
    cases = lines(locked, "cases.jsonl", Case)
    data = encode_lines(edited(cases, 7, content={"turns": []}))
    edited_lock = json.loads((locked / "lock.json").read_bytes())
    edited_lock["files"]["hidden/cases.jsonl"] = Keys(read_season(locked / "hidden/season.json")).file(
        "hidden/cases.jsonl", data
    )
    with (
        changed(locked / "hidden/cases.jsonl", data),
        changed(locked / "lock.json", encode(edited_lock)),
    ):
        moved = told(locked)
    assert (moved.kind, moved.file) == ("lock", "lock.json")


def test_a_lock_that_names_another_season_is_told_from_a_season_that_was_swapped(locked, tmp_path):
    lock = read_lock(locked)
    with changed(locked / "lock.json", encode(msgspec.structs.replace(lock, commitment="0" * 64))):
        assert told(locked).kind == "lock"
    other, _, _ = new_season(tmp_path, "test")
    with changed(locked / "hidden/season.json", encode(other)):
        moved = told(locked)
    assert (moved.kind, moved.file) == ("season", "hidden/season.json")
    assert moved.says == "it is not the season that was committed to"


def test_another_environment_on_this_machine_is_named(locked, monkeypatch):
    monkeypatch.setenv("SHELF_VERSION", "shelf 2")
    moved = told(locked)
    assert (moved.kind, moved.place) == ("environment", "task shelves/two")


def test_an_environment_that_cannot_be_opened_here_is_noted_and_not_compared(locked, monkeypatch):
    monkeypatch.setenv("SHELF_LOCKED", "1")
    found = verify(locked)
    assert found.ok
    assert "environments" not in found.checked
    assert any("not compared: the shelf is locked" in note for note in found.notes)
