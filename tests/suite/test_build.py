"""What a build leaves behind: the season's names, its secret for its owner alone, its additions and its omissions."""

import json
import stat

import msgspec
import pytest

from verifierbench.core import MalformedInput, UserError, content_hash
from verifierbench.suite import Suite, build, open_plugin, read_season


def ids(suite):
    return [task.id for task in suite.tasks]


def test_what_is_held_back_is_left_out_and_counted_and_the_plugin_adds_to_the_rest(built, season_file):
    season = read_season(season_file)
    assert ids(built) == ["handmade/glasshouse", "handmade/telescope", "shelves/two"]
    assert {entry.task for entry in built.excluded} == set(season.withheld_tasks)
    assert {entry.reason for entry in built.excluded} == {"withheld"}
    operators = {case.operator for case in built.all_cases}
    assert "wrong_tool" not in operators
    assert "private" in operators
    assert len(built.source_records) == 3


def test_aliases_are_drawn_from_the_secret_and_nobody_can_compute_them_from_ids(built, season_file):
    season = read_season(season_file)
    for task in built.tasks:
        assert task.alias == season.alias(task.id)
        assert task.alias != "t" + content_hash(["alias", task.id])[:10]
        assert task.public["task"] == task.alias
        public = json.loads((built.path / "public" / task.alias / "task.json").read_bytes())
        assert public == task.public


def test_the_secret_stays_in_the_hidden_half_for_its_owner_alone(built, season_file):
    season = read_season(season_file)
    for path in (built.path / "hidden/season.json", built.path / "hidden" / season.plugin, season_file):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_season(built.path / "hidden/season.json") == season
    assert (built.manifest.season, built.manifest.commitment) == (season.name, season.commitment)
    told = b"".join(path.read_bytes() for path in [built.path / "suite.json", *built.path.glob("public/**/*.json")])
    assert season.secret.encode() not in told
    assert season.salt.encode() not in told


def test_the_same_build_finds_its_work_done_and_another_season_is_another_suite(built, season_file):
    season, before = read_season(season_file), (built.path / "suite.json").stat()
    plugin = open_plugin(season, season_file.parent)
    again = build(built.path, ["handmade", "shelves"], season, plugin=plugin)
    assert again.hash == built.hash
    assert (built.path / "suite.json").stat().st_ino == before.st_ino
    salted = msgspec.structs.replace(season, salt="other")
    with pytest.raises(UserError, match="holds another suite"):
        build(built.path, ["handmade", "shelves"], salted, plugin=plugin)


def test_a_season_with_a_plugin_is_not_built_without_it(season_file, tmp_path):
    with pytest.raises(UserError, match=r"season 'test' has a plug-in, test\.plugin\.py"):
        build(tmp_path / "suite", ["handmade"], read_season(season_file))


def shelf_only(season_file, tmp_path):
    """The season without the bundled source: one task, whose environment may be missing."""
    season = read_season(season_file)
    return season, tmp_path / "suite", open_plugin(season, season_file.parent)


def test_what_a_machine_lacked_when_a_build_was_interrupted_is_tried_again(shelves, season_file, tmp_path, monkeypatch):
    season, place, plugin = shelf_only(season_file, tmp_path)

    def interrupted(stage, done, total):
        if stage.startswith("deciding") and done == total:
            raise KeyboardInterrupt

    monkeypatch.setenv("SHELF_LOCKED", "1")
    with pytest.raises(KeyboardInterrupt):
        build(place, ["shelves"], season, plugin=plugin, progress=interrupted)
    assert not place.exists()
    assert (tmp_path / ".suite.building/judged.sqlite").exists()
    monkeypatch.delenv("SHELF_LOCKED")
    suite = build(place, ["shelves"], season, plugin=plugin)
    assert ids(suite) == ["shelves/two"]
    assert suite.excluded == ()
    assert sorted(path.name for path in (place / "hidden").iterdir()) == [
        "build.jsonl",
        "cases.jsonl",
        "evidence.sqlite",
        "evidence.sqlite.flights",
        "excluded.jsonl",
        "records.jsonl",
        "season.json",
        "source_records.jsonl",
        "tasks.jsonl",
        "test.plugin.py",
    ]


def test_what_another_environment_decided_is_decided_again(shelves, season_file, tmp_path, monkeypatch):
    # An interrupted build was resumed, and a finished one found done, although the simulators had changed meanwhile.
    season, place, plugin = shelf_only(season_file, tmp_path)

    def interrupted(stage, done, total):
        if stage.startswith("deciding") and done == total:
            raise KeyboardInterrupt

    def versions():
        return {record.environment_version for record in Suite.load(place).records}

    with pytest.raises(KeyboardInterrupt):
        build(place, ["shelves"], season, plugin=plugin, progress=interrupted)
    for version in ("shelf 2", "shelf 3"):
        monkeypatch.setenv("SHELF_VERSION", version)
        build(place, ["shelves"], season, plugin=plugin)
        assert versions() == {version}


def test_a_locked_suite_is_not_built_anew_in_silence(shelves, season_file, tmp_path):
    season, place, plugin = shelf_only(season_file, tmp_path)
    build(place, ["shelves"], season, plugin=plugin)
    (place / "lock.json").write_text("{}")
    (place / "hidden/cases.jsonl").write_text("")
    with pytest.raises(UserError, match="is locked and would be built anew"):
        build(place, ["shelves"], season, plugin=plugin)
    suite = build(place, ["shelves"], season, plugin=plugin, replace=True)
    assert len(suite.all_cases) == 3
    assert not (place / "lock.json").exists()


def test_a_suite_of_an_earlier_version_is_built_again_where_it_may_be_replaced(shelves, season_file, tmp_path):
    season, place, plugin = shelf_only(season_file, tmp_path)
    build(place, ["shelves"], season, plugin=plugin)
    manifest = json.loads((place / "suite.json").read_bytes())
    (place / "suite.json").write_text(json.dumps({**manifest, "schema": 1}))
    with pytest.raises(MalformedInput, match="version 1 is older than this program's 2: build it again"):
        build(place, ["shelves"], season, plugin=plugin)
    suite = build(place, ["shelves"], season, plugin=plugin, replace=True)
    assert suite.manifest.schema == 2
    assert suite.task("shelves/two").material("goal").content == {"shelf": [1, 2]}


def test_a_suite_that_names_no_commitment_still_loads(built, tmp_path):
    manifest = json.loads((built.path / "suite.json").read_bytes())
    del manifest["commitment"]
    (tmp_path / "suite.json").write_text(json.dumps(manifest))
    for half in ("hidden", "public"):
        (tmp_path / half).symlink_to(built.path / half)
    assert Suite.load(tmp_path).manifest.commitment == ""
