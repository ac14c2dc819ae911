"""Terminal-Bench: folders in its format, upstream's real parser, and what a look at a test file finds.

What needs upstream's wheel uses what `verifierbench sources install terminal-bench` left, or installs it for this run;
without either it is skipped, and the rest runs.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from verifierbench.core import DEVELOPMENT, Candidate, MalformedInput, Unavailable
from verifierbench.families.code.environment import CodeEnvironment
from verifierbench.families.code.operators import cases
from verifierbench.sources.terminal_bench import COMMAND, NEEDS, TERMINAL_BENCH
from verifierbench.sources.terminal_bench.__main__ import main
from verifierbench.sources.terminal_bench.folder import TaskFolder, task_folders, tree
from verifierbench.sources.terminal_bench.looking import DEFECTS, Look, look, looks, ways_in
from verifierbench.sources.terminal_bench.reading import READERS, TASKS, canaries, own_folder, own_folders
from verifierbench.sources.terminal_bench.report import exhibit, table
from verifierbench.sources.terminal_bench.upstream import ASK, WHEEL, Parser, WithParser
from verifierbench.suite.judge import judge_one
from verifierbench.suite.validate import validate

PAGE = Path(__file__).parents[2] / "docs/terminal_bench.md"
FOLDERS = {folder.name: folder for folder in own_folders()}
EACH = pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A home with upstream's wheel and the packages: the user's, or one for this run."""
    with pytest.MonkeyPatch.context() as patch:
        if not TERMINAL_BENCH.status().ready:
            patch.setenv("VERIFIERBENCH_HOME", str(tmp_path_factory.mktemp("home")))
            try:
                TERMINAL_BENCH.install(None)
            except Unavailable as error:
                pytest.skip(f"needs `{COMMAND}`: {error}")
        yield


@pytest.fixture(scope="module")
def parser(installed):
    made = Parser(TERMINAL_BENCH.archives)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shown(installed):
    """Every exhibit of our folders, and each author's solution, as executed here: folder → operator → exhibit."""
    found = {}
    for folder in own_folders():
        environments = {reader: TERMINAL_BENCH.environment(folder.task(reader)) for reader in READERS}
        wanted = ["gold", *folder.cases.exhibits]
        found[folder.name] = {operator: exhibit(folder, operator, environments) for operator in wanted}
        for environment in environments.values():
            environment.close()
    return found


def candidate(folder, reader):
    return Candidate(task=folder.task(reader), cases=tuple(cases(folder.draft(reader), DEVELOPMENT)))


# What upstream's parser makes of a text -----------------------------------------------------------------------------

HEADER = "=== short test summary info ===\n"


@pytest.mark.parametrize(
    ("printed", "tests", "resolved"),
    [
        (HEADER + "PASSED t.py::a\n", {"a": "passed"}, True),
        (HEADER + "PASSED t.py::a\nFAILED t.py::b - assert 1 == 2\n", {"a": "passed", "b": "failed"}, False),
        (
            HEADER + "PASSED t.py::a\nSKIPPED [1] t.py:3: no file\n",
            {"a": "passed", "[1] t.py:3: no file": "passed"},
            True,
        ),
        (HEADER + "XFAIL t.py::a - old\n", {"a - old": "passed"}, True),
        (HEADER + "XPASS t.py::a - old\n", {"a - old": "failed"}, False),
        (HEADER + "ERROR t.py::a - boom\n", {"a - boom": "failed"}, False),
        (HEADER + "PASSED t.py::a\nSUBFAIL t.py::a - assert 1 == 2\n", {"a": "passed"}, True),
        (HEADER + "nothing that is known\n", {}, True),
        ("3 passed in 0.1s\n", None, False),
        # The first header counts, whoever printed it, and the lines of both.
        (HEADER + "PASSED t.py::a\n" + HEADER + "FAILED t.py::a - x\n", {"a": "failed"}, False),
    ],
)
def test_upstreams_parser_reads_text_as_it_always_did(parser, printed, tests, resolved):
    reading = parser.read(printed)
    assert (reading.tests, reading.resolved) == (tests, resolved)
    assert bool(reading.error) == (tests is None)


def test_the_parser_is_asked_by_a_command_behind_the_tests(parser):
    environment = WithParser(CodeEnvironment({"a.txt": "a\n"}), parser)
    said = ["echo", HEADER + "SKIPPED [1] t.py:3: no file"]
    answer = environment.execute({"patch": "", "files": {}, "commands": [said, ASK], "read": []})
    assert [ran["exit"] for ran in answer["commands"]] == [0, 0]
    assert answer["commands"][1]["stdout"].splitlines() == [
        '=> ["resolved", "True"]',
        '=> ["test [1] t.py:3: no file", "passed"]',
    ]
    plain = {"patch": "", "files": {}, "commands": [said], "read": []}
    assert environment.execute(plain) == CodeEnvironment({"a.txt": "a\n"}).execute(plain)
    assert environment.version != CodeEnvironment({"a.txt": "a\n"}).version


def test_a_patch_that_does_not_apply_is_not_read(parser):
    environment = WithParser(CodeEnvironment({"a.txt": "a\n"}), parser)
    patch = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n"
    answer = environment.execute({"patch": patch, "files": {}, "commands": [["true"], ASK], "read": []})
    assert (answer["applied"], answer["commands"]) == (False, [])


# Our folders ---------------------------------------------------------------------------------------------------------


@EACH
def test_the_authors_solution_is_what_its_script_makes(folder, tmp_path):
    shutil.copytree(folder.folder / "app", tmp_path / "app")
    script = folder.folder / "solution.sh"
    subprocess.run(["bash", script], cwd=tmp_path / "app", check=True, env={"PATH": os.environ["PATH"]})
    assert tree(tmp_path / "app") == {**folder.copied, **folder.gold}
    assert folder.solution == script.read_text()


@EACH
def test_a_folder_is_one_task_with_two_readers(folder):
    parsed, strict = (candidate(folder, reader) for reader in READERS)
    validate(parsed)
    validate(strict)
    assert (parsed.task.instruction, parsed.task.clauses) == (strict.task.instruction, strict.task.clauses)
    assert [(case.operator, case.kind) for case in parsed.cases] == [
        (case.operator, case.kind) for case in strict.cases
    ]
    drawn = {"wide_context", "renamed_locals", "comments", "unappliable"}
    for one, other in zip(parsed.cases, strict.cases, strict=True):
        assert one.operator in drawn or one.content == other.content
    assert parsed.task.reference != strict.task.reference
    assert [own_folder(each.task.id)[1] for each in (parsed, strict)] == list(READERS)


@EACH
def test_a_folder_has_cases_of_both_sides_and_controls_for_its_attacks(folder):
    made = candidate(folder, "strict").cases
    assert sum(case.label.value == "PASS" for case in made) >= 0.35 * len(made)
    assert {case.id for case in made if case.kind.is_attack} <= {case.control_of for case in made}
    assert {clause.id for clause in folder.cases.clauses} <= {g.clause for case in made for g in case.grounds}
    assert {test.partition("::")[2] for test in folder.wanted} == set(
        re.findall(r"^def (test_\w+)", folder.tests["tests/test_outputs.py"], re.MULTILINE)
    )


@EACH
def test_the_defect_of_a_folder_is_seen_without_running_it(folder):
    found = look(folder.folder)
    defects = {way.defect for way in found.ways}
    assert (found.parser, found.wrong) == ("pytest", "")
    assert folder.cases.defect in defects if folder.cases.defect != "none" else not defects


def test_there_is_a_folder_for_every_defect_and_one_with_none():
    assert {folder.cases.defect for folder in FOLDERS.values()} == {*DEFECTS, "none"}


@EACH
def test_the_authors_solution_is_accepted_by_both_readers(shown, folder):
    gold = shown[folder.name]["gold"]
    assert (gold.exit, gold.resolved, gold.accepted, gold.canaries) == (0, True, True, 0)
    assert set(gold.parser.values()) == set(gold.strict.values()) == {"passed"}


@EACH
def test_upstream_accepts_what_is_wrong_where_there_is_a_defect_and_the_reporter_never_does(shown, folder):
    wrong = [each for operator, each in shown[folder.name].items() if operator != "gold"]
    assert wrong
    assert {each.resolved for each in wrong} == {folder.cases.defect != "none"}
    assert not any(each.accepted for each in wrong)


def test_the_page_shows_what_is_executed(shown):
    told = PAGE.read_text().partition("<!-- exhibits -->\n")[2].partition("<!-- end -->")[0]
    assert told == table(each for folder in shown.values() for name, each in folder.items() if name != "gold")


def test_a_skipped_file_ends_with_pytests_status_for_no_tests(shown):
    gone = shown["bearings"]["module_gone"]
    assert (gone.exit, set(gone.strict.values())) == (5, {"missing"})


def test_tests_that_pass_unrun_are_told_by_the_canaries_alone(shown):
    unrun = shown["spans"]["tests_unrun"]
    assert (set(unrun.strict.values()), unrun.accepted) == ({"passed"}, False)
    assert unrun.canaries == sum(due == "failed" for due in canaries().values())


@pytest.mark.parametrize("name", ["bearings", "tally"])
def test_a_build_leaves_out_what_upstream_reads_wrongly_and_names_the_case(installed, tmp_path, name):
    parsed = judge_one(candidate(FOLDERS[name], "parser"), tmp_path / "evidence.sqlite")
    if name == "tally":
        assert parsed.excluded is None
        return
    assert parsed.excluded is not None
    assert parsed.excluded.reason == "reference_disagrees"
    assert [said.partition(":")[0] for said in parsed.excluded.evidence] == [
        "terminal-bench/bearings-parser#module_gone.0"
    ]


@EACH
def test_a_build_keeps_what_the_reporter_reads(installed, tmp_path, folder):
    made = candidate(folder, "strict")
    judged = judge_one(made, tmp_path / "evidence.sqlite")
    assert judged.excluded is None
    assert [record.verdict for record in judged.records] == [case.label for case in made.cases]
    turned = {name for record in judged.records for name in record.failed}
    assert turned == {atom.name for atom in folder.cases.atoms}


# The source ----------------------------------------------------------------------------------------------------------


def test_without_upstream_the_source_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    assert (TERMINAL_BENCH.status().ready, TERMINAL_BENCH.status().needs) == (False, NEEDS)
    with pytest.raises(Unavailable, match=COMMAND):
        next(TERMINAL_BENCH.candidates(DEVELOPMENT))
    result = CliRunner().invoke(main, ["--exhibits"])
    assert (result.exit_code, COMMAND in result.stderr) == (2, True)


def test_a_folder_with_neither_wheels_nor_tasks_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "home"))
    with pytest.raises(Unavailable, match=re.escape(WHEEL.file)):
        TERMINAL_BENCH.install(tmp_path)
    assert not (tmp_path / "home").exists()


def test_copies_of_a_users_folders_are_kept_and_looked_at(installed, monkeypatch, tmp_path):
    home = tmp_path / "home/sources/terminal-bench"
    home.mkdir(parents=True)
    for name in ("archives", "packages"):
        (home / name).symlink_to(getattr(TERMINAL_BENCH, name))
    mine = tmp_path / "mine"
    shutil.copytree(TASKS / "parcels", mine / "one")
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "home"))
    TERMINAL_BENCH.install(mine)
    (mine / "one/tests/test_outputs.py").write_text("def test_a():\n    pass\n")
    assert CliRunner().invoke(main, []).stdout.startswith("one: 1 way\n  tests/test_outputs.py:26: pytest.skip: ")
    TERMINAL_BENCH.install(mine)
    assert CliRunner().invoke(main, []).stdout.startswith("one: no such path\n")
    assert not any("one" in each.task.id for each in TERMINAL_BENCH.candidates(DEVELOPMENT))


# Folders of others ---------------------------------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path):
    """A folder in upstream's format."""
    shutil.copytree(TASKS / "tally", tmp_path / "tally", ignore=shutil.ignore_patterns("cases.toml", "gold"))
    return tmp_path / "tally"


def replaced(path, old, new):
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_folder_is_read_as_it_is(mine):
    folder = TaskFolder(mine)
    assert (folder.name, folder.said.parser_name, folder.said.max_test_timeout_sec) == ("tally", "pytest", 60.0)
    assert folder.said.instruction.startswith("`tally.py` counts the words")
    assert set(folder.tests) == {"tests/test_outputs.py"}
    assert set(folder.copied) == {"tally.py"}
    assert "-rA" in folder.run_tests
    assert folder.solution.startswith("#!/bin/bash")


def _lose(*names):
    def change(folder):
        for name in names:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_lose("task.yaml"), r"tally/task\.yaml: "),
        (lambda at: (at / "task.yaml").write_text("instruction: a\ntags: [b\n"), r"task\.yaml, line 3: not YAML"),
        (lambda at: (at / "task.yaml").write_text("- a\n"), r"task\.yaml: Expected `object`, got `array`"),
        (lambda at: replaced(at / "task.yaml", "instruction:", "descriptions:"), "required field `instruction`"),
        (
            lambda at: replaced(at / "task.yaml", "parser_name: pytest", "parser_name: nose"),
            r"task\.yaml, \$\.parser_name",
        ),
        (
            lambda at: replaced(at / "task.yaml", "test_timeout_sec: 60.0", "test_timeout_sec: soon"),
            r"task\.yaml, \$\.max_test_timeout_sec",
        ),
        (lambda at: (at / "task.yaml").write_bytes(b"instruction: \xff\n"), r"task\.yaml, byte 13: not text"),
        (_lose("run-tests.sh"), r"tally, run-tests\.sh: there is no such file"),
        (_lose("solution.sh"), r"tally, solution\.sh or solution\.yaml: there is no such file"),
        (_lose("tests"), "tally, tests: there is no such folder"),
        (lambda at: (at / "tests/test_more.py").write_text("def (:\n"), r"tests/test_more\.py, line 1: not Python"),
        (
            lambda at: (at / "tests/test_more.py").write_text("a" + ".a" * 5000 + "\n"),
            r"tests/test_more\.py: nested too",
        ),
    ],
)
def test_a_bad_folder_is_named_with_file_place_and_cause(mine, change, said):
    change(mine)
    found = look(mine)
    assert re.search(said, found.wrong)
    assert (found.ways, "\n" in found.wrong) == ((), False)


@pytest.mark.parametrize(
    ("orders", "files"),
    [
        ("WORKDIR /app\nCOPY app/ .", {"tally.py"}),
        ("WORKDIR /app\nCOPY --chown=1:1 app/tally.py count.py", {"count.py"}),
        ('WORKDIR /\nWORKDIR app\nCOPY ["app/tally.py", "./"]', {"tally.py"}),
        ("WORKDIR /app\nCOPY app/*.py run-tests.sh \\\n  # a remark\n  bin/", {"bin/tally.py", "bin/run-tests.sh"}),
        ("COPY app /app\nCOPY app/tally.py /elsewhere/\nWORKDIR /app", {"tally.py"}),
        ("WORKDIR /app\nCOPY --from=build /x /app/x\nADD https://x.org/y /app/y\n# COPY z .", set()),
        ("RUN true", set()),
    ],
)
def test_what_a_solver_finds_is_what_the_dockerfile_copies(mine, orders, files):
    (mine / "Dockerfile").write_text("FROM scratch\n" + orders + "\n")
    assert set(TaskFolder(mine).copied) == files


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("COPY data/ /app/", r"Dockerfile, line 2: copies data/, which is not there"),
        ("COPY ../tally/app /app/", r"Dockerfile, line 2: copies ../tally/app, from another folder"),
        ("COPY app", r"Dockerfile, line 2: names no source, or no target"),
        ('COPY ["app", /app]', r"Dockerfile, line 2: cannot be read"),
    ],
)
def test_a_dockerfile_that_copies_what_is_not_there_is_named_with_its_line(mine, order, said):
    (mine / "Dockerfile").write_text(f"FROM scratch\n{order}\n")
    with pytest.raises(MalformedInput, match=said):
        _ = TaskFolder(mine).copied


WAYS = [
    ("import pytest\n\ndef test_a():\n    pytest.skip('x')\n", [(4, "skip")]),
    ("import pytest as p\n\n@p.mark.skipif(1, reason='')\ndef test_a():\n    pass\n", [(3, "skip")]),
    ("from pytest import skip as out\n\ndef test_a():\n    out()\n", [(4, "skip")]),
    ("from pytest import mark\n\n@mark.skip\nclass TestA:\n    pass\n", [(3, "skip")]),
    ("import pytest\npytestmark = pytest.mark.skip\n", [(2, "skip")]),
    ("import pytest\n\ndef test_a():\n    raise pytest.skip.Exception('x')\n", [(4, "skip")]),
    ("import pytest\nleave = pytest.skip\n\ndef test_a():\n    leave('x')\n", [(5, "skip")]),
    ("import pytest\nx = pytest.importorskip('numpy')\n", [(2, "module_skip")]),
    ("import pytest\n\nif not x:\n    pytest.skip('x', allow_module_level=True)\n", [(4, "module_skip")]),
    ("import unittest\nraise unittest.SkipTest('x')\n", [(2, "module_skip")]),
    ("import pytest\n\ndef test_a():\n    pytest.importorskip('numpy')\n", [(4, "skip")]),
    ("import pytest\nx = pytest.importorskip('mine')\n", [(2, "forged"), (2, "module_skip")]),
    (
        "from unittest import TestCase\n\nclass A(TestCase):\n    def test(self):\n        self.skipTest('x')\n",
        [(5, "skip")],
    ),
    ("import unittest\n\n@unittest.expectedFailure\ndef test_a():\n    pass\n", [(3, "xfail")]),
    ("import pytest\nold = pytest.mark.xfail(reason='x')\n\n@old\ndef test_a():\n    pass\n", [(4, "xfail")]),
    ("import pytest\n\ndef test_a():\n    pytest.xfail('x')\n", [(4, "xfail")]),
    ("import pytest\nP = [pytest.param(1, marks=pytest.mark.xfail)]\n", [(2, "xfail")]),
    ("def test_a(subtests):\n    with subtests.test():\n        pass\n", [(2, "subtests")]),
    ("class A:\n    def test(self):\n        with self.subTest():\n            pass\n", [(3, "subtests")]),
    ("from mine.part import f\n", [(1, "forged")]),
    ("import json\nimport mine\n", [(2, "forged")]),
    ("import sys\nsys.path.insert(0, '/app')\n", [(2, "forged")]),
    ("import runpy\n\ndef test_a():\n    runpy.run_path('mine.py')\n", [(4, "forged")]),
    ("from . import mine\nimport numpy\nskip = 1\nxfail = skip\nobject.skip\n", []),
    ("def test_skip():\n    assert 'pytest.skip' and subtests\n", []),
]


@pytest.mark.parametrize(("source", "ways"), WAYS)
def test_a_look_finds_where_a_test_can_pass_without_passing(source, ways):
    found = ways_in("tests/test_a.py", source, frozenset({"mine", "json"}))
    assert [(way.line, way.defect) for way in found] == ways


def test_a_folder_with_another_parser_is_named_and_not_looked_into(mine):
    replaced(mine / "task.yaml", "parser_name: pytest", "parser_name: swebench")
    (mine / "tests/test_outputs.py").write_text("import pytest\npytest.skip('x', allow_module_level=True)\n")
    assert look(mine) == Look(folder="tally", parser="swebench")
    assert "is read by upstream's parser 'swebench'" in CliRunner().invoke(main, [str(mine)]).stdout


def test_a_folder_without_a_dockerfile_is_looked_at_all_the_same(mine):
    (mine / "Dockerfile").unlink()
    assert (look(mine).wrong, look(mine).ways) == ("", ())


def test_one_bad_folder_leaves_the_others_their_report(tmp_path):
    for name in ("parcels", "slugs"):
        shutil.copytree(TASKS / name, tmp_path / name)
    (tmp_path / "slugs/run-tests.sh").unlink()
    printed = CliRunner().invoke(main, [str(tmp_path)])
    assert printed.exit_code == 0
    assert printed.stdout.splitlines()[-1] == "2 folders; skip 1, no such path 0"
    assert "slugs: cannot be looked at: " in printed.stdout
    data = json.loads(CliRunner().invoke(main, [str(tmp_path), "--json"]).stdout)
    assert data["defects"] == dict(DEFECTS)
    assert msgspec.convert(data["folders"], tuple[Look, ...]) == looks(tmp_path)


def test_a_place_without_tasks_is_one_sentence(tmp_path):
    assert task_folders(tmp_path) == ()
    result = CliRunner().invoke(main, [str(tmp_path)])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "there is no task.yaml" in result.stderr
