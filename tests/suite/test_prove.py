"""A revealed season proves itself: the commitment is the published one, and a rebuild gives this very suite."""

import json
import shutil

import msgspec
import pytest
from click.testing import CliRunner

from verifierbench.cli._verbs import cli
from verifierbench.core import MalformedInput, Unavailable
from verifierbench.core.files import encode
from verifierbench.suite import new_season, prove, read_season
from verifierbench.suite.store import Manifest


def silent(stage, done, total):
    pass


def test_the_revealed_season_makes_this_very_suite(locked, season_file):
    assert prove(locked, season_file, silent) is None
    done = CliRunner().invoke(cli, ["suite", "verify", str(locked), "--season", str(season_file), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["notes"][-1] == "the season is the one committed to, and makes this very suite"


def test_the_season_a_suite_keeps_proves_it_as_well(locked):
    assert prove(locked, locked / "hidden/season.json", silent) is None


def test_another_season_of_the_same_name_does_not(locked, tmp_path):
    _, secret, _ = new_season(tmp_path, "test")
    moved = prove(locked, secret, silent)
    assert (moved.kind, moved.place) == ("season", "$.commitment")
    done = CliRunner().invoke(cli, ["suite", "verify", str(locked), "--season", str(secret), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["moved"]["kind"] == "season"


def made_by_another_season(locked, season_file, tmp_path, **changes):
    """A suite that claims a season which is not the one it was made with."""
    copy = tmp_path / "suite"
    shutil.copytree(locked, copy)
    season = msgspec.structs.replace(read_season(season_file), **changes)
    file = tmp_path / "claimed.json"
    file.write_bytes(encode(season))
    shutil.copy(season_file.parent / "test.plugin.py", tmp_path)
    manifest = msgspec.json.decode((copy / "suite.json").read_bytes(), type=Manifest)
    (copy / "suite.json").write_bytes(encode(msgspec.structs.replace(manifest, commitment=season.commitment)))
    return copy, file


LIES = {
    "another secret": (
        lambda season: {"secret": "other"},
        "makes task handmade/glasshouse otherwise: another drawn alias",
    ),
    "an operator that is not held back": (
        lambda season: {"withheld_operators": ()},
        "makes task handmade/glasshouse otherwise: with case handmade/glasshouse#wrong_tool.0",
    ),
    "one task more held back": (
        lambda season: {"withheld_tasks": (*season.withheld_tasks, "shelves/two")},
        "does not make task shelves/two",
    ),
    "one task less held back": (
        lambda season: {"withheld_tasks": season.withheld_tasks[1:]},
        "makes task handmade/ferry, which the suite says is held back",
    ),
}


@pytest.mark.parametrize(("lie", "says"), LIES.values(), ids=LIES.keys())
def test_a_suite_that_was_made_otherwise_is_told_by_the_first_task(locked, season_file, tmp_path, lie, says):
    changes = lie(read_season(season_file))
    copy, file = made_by_another_season(locked, season_file, tmp_path, **changes)
    moved = prove(copy, file, silent)
    assert moved.kind == "rebuild"
    assert says in moved.says


def test_a_source_that_is_missing_or_of_another_version_is_told_and_is_not_a_difference(
    locked, season_file, monkeypatch
):
    monkeypatch.setenv("SHELVES_VERSION", "2")
    with pytest.raises(Unavailable, match="the suite is made of shelves 1; here it is 2"):
        prove(locked, season_file, silent)
    monkeypatch.setenv("SHELF_GONE", "1")
    with pytest.raises(Unavailable, match="source 'shelves', which is not ready: the shelf is gone"):
        prove(locked, season_file, silent)


def test_a_revealed_season_without_its_plugin_is_refused(locked, season_file, tmp_path):
    shutil.copy(season_file, tmp_path / "alone.json")
    with pytest.raises(MalformedInput, match=r"test\.plugin\.py"):
        prove(locked, tmp_path / "alone.json", silent)
