"""Making, publishing, revealing and checking a season, from the command line as a maintainer would."""

import errno
import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from verifierbench.cli._verbs import cli
from verifierbench.core import DEVELOPMENT, MalformedInput, Season, Unavailable, UserError
from verifierbench.sources import source
from verifierbench.suite import new_season, open_plugin, read_published, read_season


def run(*arguments):
    return CliRunner().invoke(cli, ["season", *map(str, arguments)])


@pytest.fixture
def made(tmp_path):
    (tmp_path / "mine.py").write_text("def cases(candidate, random):\n    return ()\n")
    options = ["--withhold-task", "bfcl/a", "--withhold-task", "bfcl/b", "--withhold-operator", "hack", "--json"]
    done = run("new", "autumn", "-o", tmp_path / "seasons", "--plugin", tmp_path / "mine.py", *options)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_a_new_season_is_a_secret_for_its_owner_and_a_commitment_for_everybody(made, tmp_path):
    secret, public = tmp_path / "seasons/autumn.secret.json", tmp_path / "seasons/autumn.json"
    assert (made["secret"], made["published"]) == (str(secret), str(public))
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "seasons/autumn.plugin.py").stat().st_mode) == 0o600
    season = read_season(secret)
    assert season.withheld_tasks == ("bfcl/a", "bfcl/b")
    assert season.withheld_operators == ("hack",)
    assert len(bytes.fromhex(season.secret)) == len(bytes.fromhex(season.salt)) == 32
    assert json.loads(public.read_text()) == {"schema": 1, "name": "autumn", "commitment": season.commitment}
    assert made["commitment"] == season.commitment


def test_secrets_are_drawn_anew_and_never_written_over(made, tmp_path):
    before = (tmp_path / "seasons/autumn.secret.json").read_bytes()
    again = run("new", "autumn", "-o", tmp_path / "seasons")
    assert isinstance(again.exception, UserError)
    assert "never written over" in str(again.exception)
    assert (tmp_path / "seasons/autumn.secret.json").read_bytes() == before
    run("new", "autumn", "-o", tmp_path / "elsewhere")
    other = read_season(tmp_path / "elsewhere/autumn.secret.json")
    assert other.secret != read_season(tmp_path / "seasons/autumn.secret.json").secret


@pytest.mark.parametrize("name", ["../autumn", "a/b", "", ".hidden", "a b"])
def test_a_name_that_is_no_file_name_is_refused(name, tmp_path):
    done = run("new", name, "-o", tmp_path / "seasons")
    assert isinstance(done.exception, UserError)
    assert not (tmp_path / "seasons").exists()


def test_a_revealed_season_is_checked_against_what_was_published(made, tmp_path):
    done = run("check", made["published"], made["secret"])
    assert done.exit_code == 0
    assert made["commitment"] in done.output
    run("new", "autumn", "-o", tmp_path / "other")
    done = run("check", made["published"], tmp_path / "other/autumn.secret.json", "--json")
    assert done.exit_code == 1
    found = json.loads(done.output)
    assert (found["ok"], found["published"]) == (False, made["commitment"])
    assert "the secret is another, or was changed" in found["reason"]


def test_a_season_under_another_name_is_not_the_published_one(made, tmp_path):
    run("new", "winter", "-o", tmp_path / "other")
    done = run("check", made["published"], tmp_path / "other/winter.secret.json")
    assert done.exit_code == 1
    assert done.output == "what was published is of season 'autumn', the secret is of 'winter'\n"


def test_a_plugin_that_is_not_the_one_committed_to_is_never_run(made, tmp_path):
    plugin = tmp_path / "seasons/autumn.plugin.py"
    plugin.write_text("raise SystemExit('it ran')\n")
    done = run("check", made["published"], made["secret"])
    assert isinstance(done.exception, MalformedInput)
    assert "not the plug-in that season 'autumn' commits to" in str(done.exception)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def cases(:\n", "does not load: SyntaxError"),
        ("x = 1\n", "defines neither candidates"),
        ("raise SystemExit(0)\n", "does not load: SystemExit"),
        (None, "No such file"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_refused_in_one_sentence(source, sentence, tmp_path):
    from verifierbench.core import sha256

    data = (source or "").encode()
    if source is not None:
        (tmp_path / "p.py").write_bytes(data)
    season = Season(name="a", secret="b", plugin="p.py", plugin_hash=sha256(data))
    with pytest.raises(MalformedInput, match=sentence):
        open_plugin(season, tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"name": "a", "secret": ""}', r"\$\.secret: is empty"),
        ('{"name": "a", "secret": "b", "schema": 99}', r"\$\.schema: version 99 is newer"),
        ('{"name": "a", "secret": "b", "plugin": "p.py"}', "needs both its name and its hash"),
        ('{"name": "a", "secret": "b", "plugin": "../p.py", "plugin_hash": "0"}', "not the bare name"),
        ('{"name": "a"}', "missing required field `secret`"),
    ],
)
def test_a_season_file_that_cannot_be_used_is_refused_by_its_place(text, sentence, tmp_path):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(MalformedInput, match=sentence):
        read_season(tmp_path / "s.json")


def test_what_is_published_is_read_back(made):
    assert read_published(Path(made["published"])).commitment == made["commitment"]


def test_a_plugins_choices_are_drawn_from_the_season_and_repeat(shelves, season_file):
    season = read_season(season_file)
    plugin = open_plugin(season, season_file.parent)

    first = next(source("handmade").candidates(season))

    def said(drawn_in):
        return [
            case.content["turns"][0]["message"] for case in plugin.extend(first, drawn_in).cases[len(first.cases) :]
        ]

    assert len(said(season)) == 1
    assert said(season) == said(season)
    assert said(DEVELOPMENT) != said(season)


def test_a_full_disk_leaves_no_empty_secret_in_the_way_of_the_next_attempt(tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("verifierbench.suite.seasons.os.fsync", full)
        with pytest.raises(Unavailable, match="No space left"):
            new_season(tmp_path, "spring")
    assert list(tmp_path.iterdir()) == []
    new_season(tmp_path, "spring")
