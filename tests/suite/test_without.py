"""Moving tasks out of a suite leaves a suite that is whole, and nothing silent."""

import shutil

import pytest

from verifierbench.core import Inconsistent, UserError
from verifierbench.suite import Excluded, Suite, build, lock, open_plugin, prove, read_season, verify, without


@pytest.fixture
def copy(built, tmp_path):
    shutil.copytree(built.path, tmp_path / "suite")
    return Suite.load(tmp_path / "suite")


def flawed(name):
    return Excluded(task=name, source=name.split("/")[0], reason="mutation", evidence=("nothing notices atom a",))


def test_what_stays_stands_as_it_did_and_what_goes_is_listed(copy, built, season_file):
    evidence = (copy.path / "hidden/evidence.sqlite").read_bytes()
    left = without(copy, [flawed("handmade/telescope")])
    assert [task.id for task in left.tasks] == ["handmade/glasshouse", "shelves/two"]
    assert left.tasks == (built.tasks[0], built.tasks[2])
    assert left.cases(left.tasks[0]) == built.cases(built.tasks[0])
    assert left.records == tuple(record for record in built.records if "telescope" not in record.case)
    assert left.source_records == built.source_records
    assert left.excluded == (*built.excluded, flawed("handmade/telescope"))
    assert left.hash != built.hash
    assert (left.manifest.tasks, left.manifest.excluded) == (2, built.manifest.excluded + 1)
    assert len(list((left.path / "public").glob("*/task.json"))) == 2
    assert (left.path / "hidden/evidence.sqlite").read_bytes() == evidence


def test_it_can_be_locked_verified_proved_and_found_built(copy, season_file):
    left = without(copy, [flawed("handmade/telescope")])
    lock(left.path, unaudited=True)
    assert verify(left.path).ok
    assert prove(left.path, season_file, lambda *_: None) is None
    season = read_season(season_file)
    plugin = open_plugin(season, season_file.parent)
    assert build(left.path, ["handmade", "shelves"], season, plugin=plugin).hash == left.hash


def test_a_locked_suite_an_unknown_task_and_the_last_task_are_refused(copy):
    with pytest.raises(UserError, match="would be left"):
        without(copy, [flawed(task.id) for task in copy.tasks])
    with pytest.raises(Inconsistent, match="handmade/ferry"):
        without(copy, [flawed("handmade/ferry")])
    lock(copy.path, unaudited=True)
    with pytest.raises(UserError, match="is locked"):
        without(copy, [flawed("handmade/telescope")])
    assert verify(copy.path).ok
