"""What a lock needs before it is written, and what it does not tell."""

import json
import os
import shutil

import msgspec
import pytest
from click.testing import CliRunner

from verifierbench import __version__
from verifierbench.cli._verbs import cli
from verifierbench.core import Case, MalformedInput, Record, Season, UserError, canonical_hash, sha256
from verifierbench.core.files import decode_lines, encode, encode_lines
from verifierbench.suite import Suite, fingerprint, lock, read_lock, read_season, verify
from verifierbench.suite.lock import Keys


@pytest.fixture
def copy(built, tmp_path):
    shutil.copytree(built.path, tmp_path / "suite")
    return tmp_path / "suite"


def run(*arguments):
    return CliRunner().invoke(cli, ["suite", *map(str, arguments)])


def audit(place, *, ok=True, files=None, complete=True, version=__version__):
    suite = {"hash": Suite.load(place).hash, "files": files or fingerprint(place)}
    told = {"ok": ok, "suite": suite, "checks": {}, "complete": complete, "version": version}
    (place / "hidden/audit.json").write_text(json.dumps(told))


def test_a_suite_is_locked_once_an_audit_of_exactly_this_suite_has_passed(copy):
    suite = Suite.load(copy)
    with pytest.raises(UserError, match="it was never audited; run `verifierbench audit"):
        lock(copy)
    for told, objection in (
        ({"ok": False}, "found flaws"),
        ({"files": "0" * 64}, "of another state"),
        ({"version": "0.0.0"}, "by another version"),
        ({"complete": False}, "left checks out"),
    ):
        audit(copy, **told)
        with pytest.raises(UserError, match=objection):
            lock(copy)
    assert not (copy / "lock.json").exists()
    audit(copy)
    made = lock(copy)
    assert made.audited
    assert made == read_lock(copy)
    assert (made.suite, made.season, made.commitment) == (suite.hash, suite.manifest.season, suite.manifest.commitment)


def test_what_the_suites_hash_leaves_out_is_not_locked_as_audited_once_it_was_edited(copy):
    audit(copy)
    excluded = copy / "hidden/excluded.jsonl"
    excluded.write_bytes(excluded.read_bytes() + b"\n")
    with pytest.raises(UserError, match="of another state"):
        lock(copy)


def test_a_link_or_a_pipe_in_a_suite_is_named_and_never_read(copy, tmp_path):
    lock(copy, unaudited=True)
    kept, away = copy / "hidden/records.jsonl", tmp_path / "records.jsonl"
    kept.rename(away)
    kept.symlink_to(away)
    assert (verify(copy).moved.file, verify(copy).moved.kind) == ("hidden/records.jsonl", "extra file")
    kept.unlink()
    os.mkfifo(kept)
    assert verify(copy).moved.file == "hidden/records.jsonl"


@pytest.mark.parametrize(
    "path", ["hidden/audit.py", "hidden/evidence.sqliteX", "hidden/audit.d/cases.jsonl", "public/t0"]
)
def test_nothing_hides_beside_what_may_come_and_go(copy, path):
    lock(copy, unaudited=True)
    place = copy / path
    if "." in path:
        place.parent.mkdir(exist_ok=True)
        place.write_text("")
    else:
        place.mkdir()
    assert (verify(copy).moved.file, verify(copy).moved.kind) == (path, "extra file")


def test_an_unaudited_suite_is_locked_on_request_and_its_lock_says_so(copy):
    done = run("lock", copy, "--unaudited", "--json")
    assert done.exit_code == 0
    assert json.loads(done.output)["audited"] is False


def test_a_locked_suite_is_not_locked_again(locked):
    before = (locked / "lock.json").read_bytes()
    with pytest.raises(UserError, match="is locked; `verifierbench suite verify"):
        lock(locked, unaudited=True)
    assert (locked / "lock.json").read_bytes() == before


def test_a_lock_gives_nothing_hidden_away(locked):
    """No hidden id, hash or value stands in it, and equal labels have nothing in common."""
    suite, text = Suite.load(locked), (locked / "lock.json").read_text()
    season = read_season(locked / "hidden/season.json")
    guesses = [season.secret, season.salt]
    for task in suite.tasks:
        guesses += [task.id, task.reference.hash, *(clause.id for clause in task.clauses if len(clause.id) > 4)]
    for case in suite.all_cases:
        guesses += [case.id, case.content_hash, canonical_hash([case.id, case.content_hash, case.label.value])]
        guesses += [sha256(f"{case.id}{case.label.value}".encode()), canonical_hash([case.id, case.label.value])]
    guesses += [sha256((locked / "hidden" / name).read_bytes()) for name in ("cases.jsonl", "season.json")]
    assert [guess for guess in guesses if guess in text] == []
    labels = [case.label for task in read_lock(locked).tasks for case in task.cases]
    assert len(set(labels)) == len(labels) == len(suite.all_cases)


def test_the_order_in_a_lock_says_nothing(locked):
    suite, keys = Suite.load(locked), Keys(read_season(locked / "hidden/season.json"))
    for task in read_lock(locked).tasks:
        shown = [case.id for case in task.cases]
        assert shown == sorted(shown)
        assert list(task.clauses) == sorted(task.clauses)
        made = [keys.name(case.id) for case in suite.cases(suite.task(task.alias))]
        assert shown != made or len(made) < 10


def test_without_the_secret_no_entry_can_be_computed(locked):
    suite, lock_ = Suite.load(locked), read_lock(locked)
    guessed = Keys(Season(name=lock_.season, secret="public"))
    told = {value for task in lock_.tasks for case in task.cases for value in msgspec.to_builtins(case).values()}
    for case in suite.all_cases:
        assert not told & {guessed.name(case.id), guessed.content(case), guessed.label(case), guessed.case(case)}


def removed(path):
    path.unlink()


def lines(place, name, form, change):
    path = place / "hidden" / name
    path.write_bytes(encode_lines(change(list(decode_lines(path, form)))))


def relabelled(entries):
    other = "FAIL" if entries[0].verdict == "PASS" else "PASS"
    return [msgspec.structs.replace(entries[0], verdict=other), *entries[1:]]


def miscounted(place):
    manifest = Suite.load(place).manifest
    (place / "suite.json").write_bytes(encode(msgspec.structs.replace(manifest, cases=manifest.cases + 1)))


HARM = {
    "a record is missing": (
        lambda place: lines(place, "records.jsonl", Record, lambda entries: entries[1:]),
        "records.jsonl: does not hold one record for each case",
    ),
    "a record is of another decision": (
        lambda place: lines(place, "records.jsonl", Record, relabelled),
        "records.jsonl, line 1: is not a record of case .* as it is",
    ),
    "a case is missing": (
        lambda place: lines(place, "cases.jsonl", Case, lambda entries: entries[1:]),
        "not the tasks and cases that suite.json names",
    ),
    "the ledger is cut": (
        lambda place: (place / "hidden/build.jsonl").write_text(""),
        "build.jsonl: is not the ledger of a build",
    ),
    "a public file is edited": (
        lambda place: next(place.glob("public/*/task.json")).write_text("{}"),
        "task.json: is not what its task in hidden/tasks.jsonl says",
    ),
    "the names of what is read in parts are edited": (
        lambda place: next(place.glob("public/*/materials.json")).write_text("{}"),
        "materials.json: is not what its task in hidden/tasks.jsonl says",
    ),
    "what is read in parts is edited": (
        lambda place: next(place.glob("public/materials/*.json")).write_text("{}"),
        "its content is not the one that it is named after",
    ),
    "a public file is missing": (
        lambda place: removed(next(place.glob("public/*/task.json"))),
        "task.json: is missing",
    ),
    "a file is too many": (
        lambda place: (place / "notes.txt").write_text(""),
        "notes.txt: does not belong to a suite",
    ),
    "the season is missing": (lambda place: removed(place / "hidden/season.json"), "does not hold its season"),
    "the season is another": (
        lambda place: (place / "hidden/season.json").write_text('{"name": "test", "secret": "x"}'),
        "season.json: not the season that suite.json commits to",
    ),
    "the counts are wrong": (miscounted, r"suite\.json, \$\.cases: says \d+, and there are \d+"),
}


@pytest.mark.parametrize(("harm", "sentence"), HARM.values(), ids=HARM.keys())
def test_a_suite_that_is_not_whole_is_not_locked(copy, harm, sentence):
    harm(copy)
    with pytest.raises(MalformedInput, match=sentence):
        lock(copy, unaudited=True)
    assert not (copy / "lock.json").exists()


def test_verify_exits_0_1_or_2_and_says_why(copy, tmp_path):
    assert isinstance(run("verify", tmp_path / "nothing").exception, UserError)
    refusal = run("verify", copy).exception
    assert isinstance(refusal, UserError)
    assert "is not locked; `verifierbench suite lock" in str(refusal)
    lock(copy, unaudited=True)
    done = run("verify", copy, "--json")
    found = json.loads(done.output)
    assert (done.exit_code, found["ok"], found["moved"]) == (0, True, None)
    (copy / "hidden/excluded.jsonl").write_text("")
    done = run("verify", copy, "--json")
    found = json.loads(done.output)["moved"]
    assert done.exit_code == 1
    assert (found["kind"], found["file"], found["says"]) == (
        "excluded list",
        "hidden/excluded.jsonl",
        "an entry is missing",
    )
    plain = run("verify", copy)
    assert plain.exit_code == 1
    assert plain.output.splitlines()[0].endswith(found["sentence"])
