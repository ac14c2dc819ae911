"""`audit` and `explain-check` as a maintainer and their CI use them: real suites, real processes, real exit codes."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from verifierbench.audit.checks import NAMES, check
from verifierbench.cli import explain_check
from verifierbench.core import DEVELOPMENT, CaseKind
from verifierbench.core.files import encode, encode_lines, write_atomically
from verifierbench.sources.handmade import HANDMADE
from verifierbench.suite import Excluded, Manifest, Suite, suite_hash, write_tasks

TASKS = ("handmade/telescope", "handmade/kiln")


def verifierbench(*arguments, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "verifierbench", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def write_suite(path, candidates, excluded=()):
    """What the checks of these tests read of a suite: `replay` looks at tasks and cases alone."""
    digest = suite_hash(candidates)
    manifest = Manifest(
        season="development",
        sources={"handmade": "1"},
        tasks=len(candidates),
        cases=sum(len(one.cases) for one in candidates),
        excluded=len(excluded),
        hash=digest,
        made_of=digest,
    )
    write_tasks(path, [one.task for one in candidates])
    write_atomically(path / "hidden/cases.jsonl", encode_lines(case for one in candidates for case in one.cases))
    for name in ("records", "source_records"):
        write_atomically(path / f"hidden/{name}.jsonl", b"")
    write_atomically(path / "hidden/excluded.jsonl", encode_lines(excluded))
    write_atomically(path / "suite.json", encode(manifest))
    return path


def mislabelled(candidate):
    """The same with the gold solution labelled FAIL."""
    cases = tuple(
        msgspec.structs.replace(case, kind=CaseKind.BASE) if case.kind is CaseKind.GOLD else case
        for case in candidate.cases
    )
    return msgspec.structs.replace(candidate, cases=cases)


@pytest.fixture(scope="module")
def candidates():
    return [one for one in HANDMADE.candidates(DEVELOPMENT) if one.task.id in TASKS]


@pytest.fixture(scope="module")
def healthy(candidates, tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("healthy") / "suite", candidates)


@pytest.fixture(scope="module")
def flawed(candidates, tmp_path_factory):
    gone = Excluded(task="handmade/gone", source="handmade", reason="reference_disagrees", evidence=("gone#gold.0",))
    first, *others = candidates
    return write_suite(tmp_path_factory.mktemp("flawed") / "suite", [mislabelled(first), *others], (gone,))


@pytest.fixture(scope="module")
def report(flawed):
    """What `--json` says of the flawed suite."""
    return json.loads(verifierbench("audit", flawed, "--check", "replay", "--json", code=1).stdout)


def test_a_suite_without_flaws_ends_with_0_and_says_what_was_not_asked(healthy):
    done = verifierbench("audit", healthy, "--check", "replay")
    cases = len(Suite.load(healthy).all_cases)
    assert done.stdout.startswith(f"No flaw was found: {cases} assertions hold on 2 tasks and {cases} cases.")
    assert "Only 1 of the 9 checks were run." in done.stdout
    assert "examining: 2" in done.stderr


def test_flaws_end_with_1_and_stand_in_the_document(report, flawed):
    assert (report["ok"], report["complete"]) == (False, False)
    assert report["suite"]["hash"] == Suite.load(flawed).hash
    (finding,) = report["checks"]["replay"]["findings"]
    assert finding["reason"] == "reference_disagrees"
    assert finding["meaning"] == check("replay").reasons["reference_disagrees"]
    assert finding["evidence"]["label"] == "FAIL"
    excluded = report["tasks"]["excluded"]
    assert excluded == {"reference_disagrees": 1, "replay.reference_disagrees": 1}
    assert (report["tasks"]["candidates"], report["tasks"]["retained"]) == (3, 1)


def test_text_tells_the_same(report, flawed):
    told = verifierbench("audit", flawed, "--check", "replay", code=1).stdout
    (finding,) = report["checks"]["replay"]["findings"]
    assert f"replay.reference_disagrees  {finding['id']}" in told
    assert "tasks: 3 candidates, 1 retained" in told


def test_json_alone_stands_on_standard_output(healthy):
    done = verifierbench("audit", healthy, "--check", "replay", "--json")
    assert json.loads(done.stdout)["ok"] is True
    assert done.stderr == ""


def test_a_part_of_an_audit_is_not_kept_for_the_whole(report, flawed):
    assert not (flawed / "hidden/audit.json").exists()


def test_the_flaws_own_script_shows_it(report, flawed, tmp_path):
    (finding,) = report["checks"]["replay"]["findings"]
    arguments = ("audit", flawed, "--check", "replay", "--reproduce", finding["id"])
    done = verifierbench(*arguments, "-o", tmp_path / "flaw.py")
    assert "exits 1 while the flaw stands" in done.stderr
    assert (tmp_path / "flaw.py").read_text() == finding["reproduction"] == verifierbench(*arguments).stdout
    ran = subprocess.run([sys.executable, tmp_path / "flaw.py"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "the flaw stands" in ran.stdout


def test_a_script_is_found_in_the_audit_beside_the_suite_without_another_audit(report, flawed):
    (finding,) = report["checks"]["replay"]["findings"]
    kept = flawed / "hidden/audit.json"
    kept.write_text(json.dumps(report))
    try:
        done = verifierbench("audit", flawed, "--reproduce", finding["id"])
        assert (done.stdout, done.stderr) == (finding["reproduction"], "")
        assert "did you mean" in verifierbench("audit", flawed, "--reproduce", finding["id"][:-1], code=2).stderr
    finally:
        kept.unlink()


def test_a_page_is_always_a_file_and_by_itself_under_hidden(flawed, tmp_path):
    done = verifierbench("audit", flawed, "--check", "replay", "--format", "html", code=1)
    page = flawed / "hidden/audit.html"
    assert done.stdout == ""
    assert f"{page}: holds hidden cases, do not publish it" in done.stderr
    assert page.read_text().startswith("<!doctype html>")
    verifierbench("audit", flawed, "--check", "replay", "--format", "html", "-o", tmp_path / "a/page.html", code=1)
    assert "replay.reference_disagrees" in (tmp_path / "a/page.html").read_text()


def test_formats_for_machines_go_where_they_are_sent(flawed, tmp_path):
    sarif = json.loads(verifierbench("audit", flawed, "--check", "replay", "--format", "sarif", code=1).stdout)
    (result,) = sarif["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    line = (flawed / place["artifactLocation"]["uri"]).read_text().splitlines()[place["region"]["startLine"] - 1]
    assert json.loads(line)["id"] == result["properties"]["case"]
    verifierbench("audit", flawed, "--check", "replay", "--format", "junit", "-o", tmp_path / "junit.xml", code=1)
    assert ElementTree.parse(tmp_path / "junit.xml").getroot().get("failures") == "1"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["/nonexistent"], "no suite here"),
        (["SUITE", "--check", "relay"], "no check is called 'relay'; did you mean replay?"),
        (["SUITE", "--format", "pdf"], "'pdf' is not one of"),
        (["SUITE", "--json", "--format", "sarif"], "ask for two things"),
        (["SUITE", "--exclude", "--reproduce", "x"], "leave out --exclude"),
        (["SUITE", "--check", "replay", "--reproduce", "nothing"], "no flaw is called 'nothing'"),
        (["/nonexistent", "--reproduce", "nothing"], "no suite here"),
        (["SUITE", "--check", "replay", "-o", "/proc/nowhere/report"], "cannot be written"),
    ],
)
def test_a_mistake_ends_with_2(healthy, arguments, sentence):
    done = verifierbench("audit", *[healthy if one == "SUITE" else one for one in arguments], code=2)
    assert sentence in done.stderr
    assert done.stdout == ""


def test_explain_check_lists_every_check_with_its_question():
    told = verifierbench("explain-check").stdout
    assert [line.split()[0] for line in told.splitlines()] == list(NAMES)
    for name in NAMES:
        assert check(name).question in told


@pytest.mark.parametrize("name", NAMES)
def test_explain_check_tells_what_a_check_is_for(name):
    told = CliRunner().invoke(explain_check.command, [name]).output
    assert check(name).prose.strip() in told
    for reason, meaning in check(name).reasons.items():
        assert f"  {name}.{reason}: {meaning}" in told
    (found,) = json.loads(CliRunner().invoke(explain_check.command, [name, "--json"]).output)["checks"]
    assert found["reasons"] == check(name).reasons


def test_explain_check_offers_a_name():
    assert "did you mean mutation?" in verifierbench("explain-check", "mutations", code=2).stderr
