"""A suite in plain files: a mistake is one sentence, no program harms the audit, the worked example is healthy."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from msgspec.structs import replace

from verifierbench.audit import bring, judge_from
from verifierbench.audit.bring import guards as guarding
from verifierbench.audit.bring import program as programs
from verifierbench.audit.bring.files import MOST_BYTES
from verifierbench.audit.bring.form import (
    CaseRow,
    ClauseEntry,
    ConventionsFile,
    EvidenceRow,
    MaterialEntry,
    SuiteFile,
    TaskFile,
)
from verifierbench.audit.bring.library import LibraryJudge
from verifierbench.audit.bring.mutants import mutants
from verifierbench.audit.bring.worker import Auditor, fresh_runs
from verifierbench.audit.checks import NAMES, check
from verifierbench.audit.ladder import Side, ladder
from verifierbench.audit.worker import examined
from verifierbench.core import CaseKind, Family, MalformedInput, UserError
from verifierbench.families import family

EXAMPLE = Path(__file__).parents[2] / "examples/own-suite"

SUITE = 'name = "tiny"\nversion = "1"\nfamily = "other"\n'
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TASK = """
instruction = "Say the number five."

[[clauses]]
id = "five"
text = "It is five."
spans = [{ material = "instruction", quote = "five" }]
"""
REFERENCE = {
    "op": "atom",
    "name": "n",
    "clause": "five",
    "check": "equals",
    "parameters": {"at": "/solution/n", "value": 5},
}
PROGRAM = """
def verify(solution, env):
    if solution["n"] != 5:  # clause: five
        return "FAIL"
    return "PASS"
"""


def case(name, kind, n, **more):
    return {"id": name, "kind": kind, "solution": {"n": n}, "grounds": [{"clause": "five", "note": "so"}], **more}


CASES = [case("gold", "gold", 5), case("six", "near_miss", 6)]


def put(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content)
    elif isinstance(content, list):
        path.write_text("".join(json.dumps(row) + "\n" for row in content))
    else:
        path.write_text(json.dumps(content))


@pytest.fixture
def tiny(tmp_path):
    folder = tmp_path / "tiny"
    put(folder, "suite.toml", SUITE)
    put(folder, "schema.json", SCHEMA)
    put(folder, "tasks/five/task.toml", TASK)
    put(folder, "tasks/five/reference.json", REFERENCE)
    put(folder, "tasks/five/cases.jsonl", CASES)
    return folder


@pytest.fixture
def example(tmp_path):
    return Path(shutil.copytree(EXAMPLE, tmp_path / "own-suite"))


def without(path, *ids):
    rows = [(json.loads(line)["id"], line) for line in path.read_text().splitlines(keepends=True)]
    assert set(ids) <= {name for name, _ in rows}
    path.write_text("".join(line for name, line in rows if name not in ids))


def with_program(folder, source):
    (folder / "tasks/five/reference.json").unlink()
    put(folder, "tasks/five/reference.py", source)
    return folder


def refused(folder):
    with pytest.raises(MalformedInput) as caught:
        bring.load(folder)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(folder))
    return said[len(str(folder)) + 1 :]


def swap(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))


# Reading ------------------------------------------------------------------------------------------------------------


def test_a_directory_with_a_suite_toml_is_a_brought_suite(tiny, tmp_path):
    assert bring.is_own(tiny)
    assert not bring.is_own(tmp_path)
    assert not bring.is_own(tmp_path / "nowhere")
    put(tiny, "suite.json", {})  # a built suite, whatever else lies in it
    assert not bring.is_own(tiny)


def test_what_is_read_is_what_was_written(tiny):
    suite = bring.load(tiny)
    (own,) = suite.tasks
    assert (suite.name, suite.version, own.task.id, own.task.source) == ("tiny", "1", "tiny/five", "tiny")
    assert own.task.instruction == "Say the number five."
    assert [(one.id, one.label, one.operator) for one in own.cases] == [
        ("tiny/five#gold", "PASS", "gold"),
        ("tiny/five#six", "FAIL", "near_miss"),
    ]
    assert suite.task("five") is own
    assert suite.records is None


def test_any_change_of_content_changes_the_suites_hash(tiny):
    before = bring.load(tiny).hash
    assert bring.load(tiny).hash == before
    put(tiny, "tasks/five/cases.jsonl", [CASES[0], case("six", "near_miss", 7)])
    assert bring.load(tiny).hash != before


BAD_FILES = {
    "broken TOML": ("suite.toml", "name = \nversion = 1\n", "suite.toml, line 1, column 8: not TOML: Invalid value"),
    "unknown key": ("suite.toml", SUITE + 'famly = "x"\n', "suite.toml: Object contains unknown field `famly`"),
    "missing key": ("suite.toml", 'name = "x"\n', "suite.toml: Object missing required field `version`"),
    "a name with a slash": (
        "suite.toml",
        'name = "a/b"\nversion = "1"',
        r"suite.toml, $.name: Expected `str` matching regex '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$'",
    ),
    "unknown family": ("suite.toml", SUITE.replace("other", "chat"), "suite.toml, $.family: Invalid enum value 'chat'"),
    "not UTF-8": ("suite.toml", b'name = "\xff"', "suite.toml, byte 8: not UTF-8 text"),
    "huge file": ("schema.json", b" " * (MOST_BYTES + 1), "schema.json: is larger than 16 MiB"),
    "broken schema file": ("schema.json", b"{", "schema.json: not JSON: Input data was truncated"),
    "no schema": ("schema.json", {"type": "nonsense"}, "schema.json: not a JSON Schema at $.type: "),
    "deep file": ("schema.json", b"[" * 200 + b"]" * 200, "schema.json: is nested more than 100 levels deep"),
    "no clauses": ("tasks/five/task.toml", 'instruction = "x"', "tasks/five/task.toml: Object missing required field"),
    "no instruction": (
        "tasks/five/task.toml",
        "clauses = []",
        "tasks/five/task.toml, $.instruction: needs either `instruction` or `instruction_file`",
    ),
    "a span that does not occur": (
        "tasks/five/task.toml",
        TASK.replace('quote = "five"', 'quote = "six"'),
        "tasks/five/task.toml, $.clauses[0]: clause 'five' cites words that do not occur in 'instruction': 'six'",
    ),
    "a span of nothing": (
        "tasks/five/task.toml",
        TASK.replace('material = "instruction"', 'material = "policy"'),
        "tasks/five/task.toml, $.clauses[0]: clause 'five' cites no material: 'policy'",
    ),
    "a clause that cites nothing": (
        "tasks/five/task.toml",
        'instruction = "x"\nclauses = [{ id = "a", text = "b", spans = [] }]',
        "tasks/five/task.toml, $.clauses[0]: clause 'a' cites nothing",
    ),
    "two clauses of a name": (
        "tasks/five/task.toml",
        TASK + TASK.partition("\n\n")[2],
        "tasks/five/task.toml: two clauses are called 'five'",
    ),
    "a way out": (
        "tasks/five/task.toml",
        'instruction_file = "../../../secret"\n' + TASK.partition("\n\n")[2],
        "tasks/five/task.toml: '../../../secret' leads out of the suite's directory; a path is relative and stays",
    ),
    "an absolute path": (
        "tasks/five/task.toml",
        'instruction_file = "/etc/passwd"\n' + TASK.partition("\n\n")[2],
        "tasks/five/task.toml: '/etc/passwd' leads out of the suite's directory",
    ),
    "a missing file": (
        "tasks/five/task.toml",
        'instruction_file = "words.md"\n' + TASK.partition("\n\n")[2],
        "tasks/five/words.md: there is no such file",
    ),
    "a material of two sources": (
        "tasks/five/task.toml",
        TASK + '[[materials]]\nname = "m"\ncontent = "x"\nfile = "y"\n',
        "tasks/five/task.toml, $.materials[0]: needs exactly one of `content`, `file` and `folder`",
    ),
    "a date in a material": (
        "tasks/five/task.toml",
        TASK + '[[materials]]\nname = "m"\ncontent = [2031-03-05]\n',
        "tasks/five/task.toml, $.materials[0]: is not JSON: ",
    ),
    "a broken row": ("tasks/five/cases.jsonl", b'{"id": "a",\n', "tasks/five/cases.jsonl, line 1: not JSON: "),
    "an unknown kind": (
        "tasks/five/cases.jsonl",
        [CASES[0], {**CASES[1], "kind": "wrong"}],
        "tasks/five/cases.jsonl, line 2, $.kind: Invalid enum value 'wrong'",
    ),
    "two cases of an id": (
        "tasks/five/cases.jsonl",
        [*CASES, CASES[1]],
        "tasks/five/cases.jsonl, line 3: a second case is called 'six'",
    ),
    "a label against the kind": (
        "tasks/five/cases.jsonl",
        [CASES[0], {**CASES[1], "label": "PASS"}],
        "tasks/five/cases.jsonl, line 2: case 'six' is labelled PASS, but its kind 'near_miss' is labelled FAIL",
    ),
    "an unknown clause": (
        "tasks/five/cases.jsonl",
        [CASES[0], {**CASES[1], "grounds": [{"clause": "six", "note": ""}]}],
        "tasks/five/cases.jsonl, line 2: case 'six' is grounded in a clause that does not exist: 'six'",
    ),
    "a solution against the schema": (
        "tasks/five/cases.jsonl",
        [CASES[0], case("six", "near_miss", "6")],
        "tasks/five/cases.jsonl, line 2: case 'six' does not fit the schema at $.n: '6' is not of type 'integer'",
    ),
    "a control of nothing": (
        "tasks/five/cases.jsonl",
        [*CASES, case("c", "cosmetic", 5, control_of="six")],
        "tasks/five/cases.jsonl, line 3: case 'c' is no control of an attack: no attack is called 'six'",
    ),
    "a wrong control": (
        "tasks/five/cases.jsonl",
        [*CASES, case("h", "hack", 7), case("c", "base", 8, control_of="h")],
        "tasks/five/cases.jsonl, line 4: case 'c' is the control of an attack, so it must be a valid solution",
    ),
    "no gold": ("tasks/five/cases.jsonl", CASES[1:], "tasks/five/cases.jsonl: holds no case of kind gold"),
    "no FAIL": ("tasks/five/cases.jsonl", CASES[:1], "tasks/five/cases.jsonl: holds no case that is labelled FAIL"),
    "an atom of no clause": (
        "tasks/five/reference.json",
        REFERENCE | {"clause": "six"},
        "tasks/five/reference.json, atom n: enforces a clause that does not exist: 'six'",
    ),
    "an unknown check": (
        "tasks/five/reference.json",
        REFERENCE | {"check": "is"},
        "tasks/five/reference.json, atom n: no check is called 'is'; there is absent, between",
    ),
    "two atoms of a name": (
        "tasks/five/reference.json",
        {"root": {"op": "all", "of": [REFERENCE, REFERENCE]}},
        "tasks/five/reference.json, atom n: a second atom of this name",
    ),
    "an unknown node": (
        "tasks/five/reference.json",
        {"op": "none", "of": []},
        "tasks/five/reference.json, $.op: Invalid value 'none'",
    ),
    "probes without evidence": (
        "tasks/five/reference.json",
        {"root": REFERENCE, "probes": {"p": {}}},
        "tasks/five/reference.json, $.probes: asks for what env.run answers, but there is no evidence.jsonl",
    ),
    "two references": (
        "tasks/five/reference.py",
        PROGRAM,
        "tasks/five: needs reference.json or reference.py, and has both",
    ),
    "evidence of nothing": (
        "tasks/five/evidence.jsonl",
        [{"request": 1}],
        "tasks/five/evidence.jsonl, line 1: needs either an `answer` or `refused`",
    ),
    "evidence against evidence": (
        "tasks/five/evidence.jsonl",
        [{"request": {"a": 1, "b": 2}, "answer": 1}, {"request": {"b": 2, "a": 1}, "answer": 2}],
        "tasks/five/evidence.jsonl, line 2: a request that was answered differently above",
    ),
    "broken checks": ("checks.py", "def f(:\n", "checks.py, line 1: not Python: invalid syntax"),
    "a check of one argument": ("checks.py", "def f(view):\n    pass\n", "checks.py, line 1: check 'f' takes"),
    "a check of the family's name": (
        "checks.py",
        "\ndef equals(view, parameters):\n    return True\n",
        "checks.py, line 2: the family has a check 'equals' already",
    ),
    "a ladder file without verify": (
        "ladder/lax/mine.py",
        "x = 1\n",
        "ladder/lax/mine.py, line 1: defines no function `verify(solution, env)`",
    ),
    "a record of no task": (
        "records.jsonl",
        [
            {
                "case": "tiny/seven#gold",
                "case_hash": "",
                "task_hash": "",
                "reference_hash": "",
                "environment_version": None,
                "verdict": "PASS",
                "failed": [],
            }
        ],
        "records.jsonl, line 1: a record of a task that is not in the suite: 'tiny/seven#gold'",
    ),
    "a file where a task should be": ("tasks/notes.txt", "", "tasks/notes.txt: must be a folder that holds one task"),
    "a task with a space": ("tasks/a b/x", "", "tasks/a b: a task's name has letters, digits and . _ - alone"),
    "conventions of one name": (
        "conventions.toml",
        'conventions = [{ id = "a", text = "" }, { id = "a", text = "" }]',
        "conventions.toml: two conventions are called 'a'",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_mistake_is_one_sentence_with_file_place_and_cause(tiny, name):
    path, content, said = BAD_FILES[name]
    bring.load(tiny)  # healthy before
    put(tiny, path, content)
    assert said in refused(tiny)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("suite.toml", "suite.toml: there is no such file"),
        ("schema.json", 'tasks/five/schema.json: family "other" needs a schema.json, here or beside suite.toml'),
        ("tasks/five/task.toml", "tasks/five: needs task.toml or task.json; there is neither"),
        ("tasks/five/reference.json", "tasks/five: needs reference.json or reference.py; there is neither"),
        ("tasks/five/cases.jsonl", "tasks/five/cases.jsonl: there is no such file"),
    ],
)
def test_a_missing_file_is_named(tiny, path, said):
    (tiny / path).unlink()
    assert refused(tiny).startswith(said)


def test_a_suite_without_tasks_is_refused(tiny):
    shutil.rmtree(tiny / "tasks")
    assert refused(tiny) == "tasks: holds no task; each is a folder of its own"


@pytest.mark.parametrize("path", ["schema.json", "tasks/five/cases.jsonl", "tasks/five", "tasks"])
def test_no_symbolic_link_is_followed(tiny, tmp_path, path):
    away = tmp_path / "away"
    (tiny / path).rename(away)
    (tiny / path).symlink_to(away)
    assert refused(tiny) == f"{path}: is a symbolic link; a suite holds its files itself"


def test_a_pipe_is_refused_and_not_waited_for(tiny):
    (tiny / "schema.json").unlink()
    os.mkfifo(tiny / "schema.json")
    assert refused(tiny) == "schema.json: must be an ordinary file"


def test_a_schema_that_refers_elsewhere_fetches_nothing(tiny):
    put(tiny, "schema.json", {"$ref": "http://127.0.0.1:9/schema.json"})
    assert "cannot be held against the schema: " in refused(tiny)


def test_a_folder_of_files_is_a_material_read_in_parts(tiny):
    put(tiny, "tasks/five/repo/a/b.py", "x = 5\n")
    put(tiny, "tasks/five/task.toml", TASK + '[[materials]]\nname = "repo"\nfolder = "repo"\n')
    (material,) = bring.load(tiny).tasks[0].task.materials
    assert (material.kind, material.content, material.inline) == ("files", {"a/b.py": "x = 5\n"}, False)


def test_conventions_of_ones_own_take_the_familys_place(tiny):
    put(tiny, "conventions.toml", 'conventions = [{ id = "own", text = "Numbers are decimal." }]')
    assert [one.id for one in bring.load(tiny).tasks[0].task.conventions] == ["own"]


def test_reading_a_suite_executes_nothing_of_it(tiny, tmp_path):
    trace = f"open({str(tmp_path / 'trace')!r}, 'w')\n"
    put(tiny, "checks.py", trace)
    put(tiny, "ladder/lax/mine.py", trace + PROGRAM)
    with_program(tiny, trace + PROGRAM)
    bring.load(tiny)
    assert not (tmp_path / "trace").exists()


# Checks of one's own ------------------------------------------------------------------------------------------------


def own_check(folder, body):
    put(folder, "checks.py", f"import json\n\ndef own(view, parameters):\n    {body}\n")
    put(folder, "tasks/five/reference.json", REFERENCE | {"check": "own"})
    return folder


def decisions(folder):
    with bring.subjects(folder) as subjects:
        return {case.id: subject.finding(case).ok for subject in subjects for case in subject.cases}


def test_a_check_of_ones_own_decides_beside_the_familys(tiny):
    own_check(tiny, 'return view["solution"]["n"] == parameters["value"]')
    assert decisions(tiny) == {"tiny/five#gold": True, "tiny/five#six": False}
    with bring.subjects(tiny) as (subject,):
        assert isinstance(subject.judge, LibraryJudge)
        assert subject.family.checks_version == subject.task.reference.library
        view = subject.views["tiny/five#six"]
        again = judge_from(json.loads(json.dumps(subject.judge.spec(view))))
        assert not again.decide(view).ok
        (dropped,) = subject.judge.mutants()
        assert dropped.name == "drop:n"
        assert judge_from(dropped.judge.spec(view)).decide(view).ok


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('return view["solution"]["m"] == 5', "checks.py, line 4: check 'own' raised KeyError: 'm'"),
        ("return 1", "checks.py, check own: must return True or False, not int"),
        ('return json.loads("{")', "checks.py, line 4: check 'own' raised JSONDecodeError"),
    ],
)
def test_what_a_check_raises_is_its_authors_sentence(tiny, body, said):
    with pytest.raises(MalformedInput) as caught:
        decisions(own_check(tiny, body))
    assert said in str(caught.value)


def test_a_checks_file_that_raises_is_its_authors_sentence(tiny):
    put(tiny, "checks.py", "import json\njson.loads('{')\n")
    with pytest.raises(MalformedInput, match=r"checks.py, line 2: raised JSONDecodeError"):
        decisions(tiny)


def test_a_parameter_that_is_missing_is_the_references_fault(tiny):
    put(tiny, "tasks/five/reference.json", REFERENCE | {"parameters": {"at": "/solution/n"}})
    with pytest.raises(MalformedInput, match=r"reference.json, check equals: cannot be used .*KeyError: 'value'"):
        decisions(tiny)


# Evidence -----------------------------------------------------------------------------------------------------------


def probed(folder, rows):
    atom = REFERENCE | {"parameters": {"at": "/runs/p/said", "value": "yes"}}
    put(folder, "tasks/five/reference.json", {"root": atom, "probes": {"p": {"how": "loud"}}})
    put(folder, "tasks/five/evidence.jsonl", rows)
    return folder


def asked(n, **said):
    return {"request": {"how": "loud", "solution": {"n": n}}, **said}


def test_a_probe_is_answered_from_what_was_recorded(tiny):
    probed(tiny, [asked(5, answer={"said": "yes"}), asked(6, refused="there is no six")])
    with bring.subjects(tiny) as (subject,):
        assert {case: view["runs"]["p"] for case, view in subject.views.items()} == {
            "tiny/five#gold": {"said": "yes"},
            "tiny/five#six": {"refused": "there is no six"},
        }
        assert subject.environment_version.startswith("recorded-")
        assert subject.task.public["runnable"]


def test_a_case_whose_evidence_is_missing_has_no_view_and_replay_says_so(tiny):
    probed(tiny, [asked(5, answer={"said": "yes"})])
    with bring.subjects(tiny) as (subject,):
        assert list(subject.views) == ["tiny/five#gold"]
        (flaw,) = check("replay").examine(subject).flaws
    assert (flaw.reason, flaw.case) == ("no_evidence", "tiny/five#six")


# Programs -----------------------------------------------------------------------------------------------------------

HOSTILE = {
    "loops for ever": ("while True: pass", "timeout"),
    "exits": ("import os; os._exit(0)", "killed"),
    "raises": ("raise KeyError('n')", "exception"),
    "forges a verdict": ("return {'kind': 'PASS'}", "bad_output"),
    "writes a frame itself": ("import os; [os.write(fd, b'PASS') for fd in range(3, 9)]", ""),
    "eats memory": ("return 'x' * 10**10", "memory"),
    "asks for what is not recorded": ("return env.run({})", "exception"),
    "reads this machine": ("return open('/etc/passwd').read()", "exception"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_decides_nothing_and_harms_nothing(tiny, name, monkeypatch):
    monkeypatch.setattr(programs, "LIMITS", replace(programs.LIMITS, seconds=1.0))
    body, reason = HOSTILE[name]
    with_program(tiny, f"def verify(solution, env):\n    {body}\n")
    with bring.subjects(tiny) as (subject,):
        for case in subject.cases:
            finding = subject.finding(case)
            (atom,) = finding.failed
            assert not finding.ok
            assert atom.check == bring.NO_DECISION
            assert atom.name.startswith(f"no decision: {reason}")
        # Nobody takes the silence for a rejection: the FAIL case is right by accident, and grounding says so.
        reasons = {flaw.reason for flaw in check("grounding").examine(subject).flaws if flaw.case == "tiny/five#six"}
        assert reasons == {"wrong_ground"}
        with pytest.raises(UserError, match=r"the reference decides nothing \(no decision: "):
            bring.freeze(tiny)


def test_a_program_that_never_ends_is_not_run_for_ever(tiny, monkeypatch):
    monkeypatch.setattr(programs, "LIMITS", replace(programs.LIMITS, seconds=1.0))
    put(tiny, "tasks/five/cases.jsonl", [CASES[0], *(case(f"c{n}", "near_miss", n) for n in range(10, 18))])
    with_program(tiny, "def verify(solution, env):\n    while True: pass\n")
    with bring.subjects(tiny) as (subject,):
        seconds = [subject.judge.decision(case.content).wall_seconds for case in subject.cases]
    assert sum(second > 0.5 for second in seconds) == 2


def test_a_program_says_which_guard_decided(tiny):
    with_program(tiny, PROGRAM)
    with bring.subjects(tiny) as (subject,):
        gold, six = (subject.finding(case) for case in subject.cases)
    assert gold.ok
    assert [(atom.name, atom.clause) for atom in six.failed] == [("line3", "five")]


def test_a_fail_that_no_guard_gave_is_found_by_grounding(tiny, tmp_path):
    """A program that rejects for a reason nobody wrote down: the label and the program are wrong together."""
    with_program(
        tiny,
        """
def verify(solution, env):
    verdict = "FAIL" if solution["n"] > 5 else ""
    if verdict:
        return verdict
    if solution["n"] != 5:  # clause: five
        return "FAIL"
    return "PASS"
""",
    )
    put(tiny, "tasks/five/cases.jsonl", [*CASES, case("four", "near_miss", 4)])
    (seen,) = audited(tiny, tmp_path, ("grounding",))
    assert [(flaw.reason, flaw.case.partition("#")[2]) for flaw in seen.flaws if flaw.case] == [("wrong_ground", "six")]


def test_a_program_is_rebuilt_from_its_spec_with_the_evidence_it_asked_for(tiny):
    put(tiny, "tasks/five/evidence.jsonl", [{"request": n, "answer": n == 5} for n in range(4, 8)])
    with_program(
        tiny, 'def verify(solution, env):\n    return "PASS" if env.run(solution["n"]) else "FAIL"  # clause: five\n'
    )
    with bring.subjects(tiny) as (subject,):
        for case in subject.cases:
            view = subject.views[case.id]
            spec = json.loads(json.dumps(subject.judge.spec(view)))
            assert [row["request"] for row in spec["evidence"]] == [case.content["n"]]
            assert judge_from(spec).decide(view) == subject.finding(case)


def test_a_flaw_of_a_program_stands_by_itself(tiny, tmp_path):
    put(tiny, "tasks/five/cases.jsonl", [*CASES, case("seven", "alternative", 7)])
    with_program(tiny, PROGRAM)
    with bring.subjects(tiny) as (subject,):
        (flaw,) = check("replay").examine(subject).flaws
    assert "seven: labelled PASS, but the reference decides FAIL (not satisfied: line3)" in flaw.says
    script = tmp_path / "flaw.py"
    script.write_text(flaw.reproduction)
    shown = subprocess.run([sys.executable, script], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (1, "")
    assert "label: PASS  reference: FAIL ['line3']" in shown.stdout
    script.write_text(flaw.reproduction.replace('"label":"PASS"', '"label":"FAIL"'))
    assert subprocess.run([sys.executable, script], check=False, cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("x = 1\n", "line 1: defines no function `verify(solution, env)`"),
        ("def verify(solution):\n    pass\n", "line 1: `verify` takes two arguments"),
        ("def verify(solution, env)\n", "line 1: not Python: expected ':'"),
        (PROGRAM.replace("clause: five", "clause: six"), "line 3: enforces a clause that does not exist: 'six'"),
        (PROGRAM.replace("clause: five", "clause: five six"), "must name one clause and nothing else"),
        ("x = 1  # clause: five\n" + PROGRAM, "line 1: `# clause: five` stands at no `if`, `return` or `assert`"),
        (PROGRAM.replace('"FAIL"', '"FAIL"  # clause: five'), "line 4: a second `# clause:` for one guard"),
        ("def verify(solution, env):\n    return " + "not " * 20_000 + "1  # clause: five\n", "line 1: not Python"),
        (
            f"def verify(solution, env):\n    return {'1+' * 800}1 == 1  # clause: five\n",
            "is nested too deeply to be changed",
        ),
    ],
)
def test_a_program_that_cannot_be_a_reference_is_one_sentence(tiny, program, said):
    with_program(tiny, program)
    answer = refused(tiny)
    assert answer.startswith("tasks/five/reference.py")
    assert said in answer


def test_a_return_that_can_say_fail_and_names_no_clause_is_found_by_grounding(tiny):
    with_program(
        tiny,
        PROGRAM.replace(
            "def verify(solution, env):", 'def verify(solution, env):\n    if env is None:\n        return "FAIL"'
        ),
    )
    with bring.subjects(tiny) as (subject,):
        flaws = check("grounding").examine(subject).flaws
        assert [mutant.atom for mutant in subject.judge.mutants()] == ["line5", "line5"]
    assert [(flaw.reason, flaw.place) for flaw in flaws if flaw.reason == "atom_unknown"] == [("atom_unknown", "line4")]


# Guards and mutants -------------------------------------------------------------------------------------------------


def body(*lines):
    return "def verify(solution, env):\n" + "".join(f"    {line}\n" for line in lines)


def changed(*lines):
    """Name → the changed program's lines, without the head."""
    return {
        ":".join(filter(None, (one.operator, one.part))): one.source.splitlines()[1:] for one in mutants(body(*lines))
    }


def test_a_guard_is_dropped_in_the_direction_in_which_it_works():
    assert changed('if a: return "FAIL"  # clause: x', 'return "PASS"')["drop"][0] == "    if False:"
    assert changed('if a: return "PASS"  # clause: x', 'return "FAIL"')["drop"][0] == "    if True:"
    assert changed('return "PASS" if a else "FAIL"  # clause: x')["drop"] == ["    return 'PASS' if True else 'FAIL'"]
    assert changed('return "FAIL" if a else "PASS"  # clause: x')["drop"] == ["    return 'FAIL' if False else 'PASS'"]
    assert changed("assert a  # clause: x")["drop"] == ["    assert True"]
    assert changed('return "FAIL"  # clause: x')["drop"] == ["    return 'PASS'"]
    assert changed("if a:", '    return "FAIL"  # clause: x', 'return "PASS"')["drop"][0] == "    if False:"


LOOSENED = {
    "a and b": {"without_part_1": "b", "without_part_2": "a"},
    "isinstance(a, str) and b": {"without_part_2": "isinstance(a, str)"},
    "a or b": {},
    "x == 5": {"type_only": "x == 5 or isinstance(x, (int, float))"},
    "x == 'a'": {"type_only": "x == 'a' or isinstance(x, str)"},
    "x == y": {},
    "len(x) == 3": {"at_least": "len(x) == 3 or len(x) >= 3", "at_most": "len(x) == 3 or len(x) <= 3"},
    "len(x) == n": {
        "at_least": "len(x) == n or (isinstance(n, int) and len(x) >= n)",
        "at_most": "len(x) == n or (isinstance(n, int) and len(x) <= n)",
    },
    "set(x) == {1}": {"more": "set(x) == {1} or set(x) >= {1}", "fewer": "set(x) == {1} or set(x) <= {1}"},
    "set(x) == y": {
        "more": "set(x) == y or (hasattr(y, 'isdisjoint') and set(x) >= y)",
        "fewer": "set(x) == y or (hasattr(y, 'isdisjoint') and set(x) <= y)",
    },
    "sorted(x) == sorted(y)": {
        "more": "sorted(x) == sorted(y) or all((part in sorted(x) for part in sorted(y)))",
        "fewer": "sorted(x) == sorted(y) or all((part in sorted(y) for part in sorted(x)))",
    },
    "n < 5": {"bound_included": "n <= 5"},
    "n > 5": {"bound_included": "n >= 5"},
    "n <= 5": {},
    "n < 0.5": {},
    "not (n >= 5)": {"bound_included": "not n > 5"},
    "not x != 5": {"type_only": "not (x != 5 and (not isinstance(x, (int, float))))"},
    "all(p for p in x)": {"one_item": "(lambda found: any(found) or not found)([p for p in x])"},
    "all(p == 1 for p in x)": {
        "one_item": "(lambda found: any(found) or not found)([p == 1 for p in x])",
        "type_only": "all((p == 1 or isinstance(p, (int, float)) for p in x))",
    },
    "not any(p for p in x)": {"one_item": "not (lambda found: bool(found) and all(found))([p for p in x])"},
    "any(p for p in x)": {},
}


@pytest.mark.parametrize("condition", LOOSENED)
def test_a_condition_is_loosened_where_that_lets_more_through(condition):
    made = changed(f'return "PASS" if {condition} else "FAIL"  # clause: x')
    found = {
        name.partition("-")[2]: lines[0].removeprefix("    return 'PASS' if ").removesuffix(" else 'FAIL'")
        for name, lines in made.items()
        if name != "drop"
    }
    assert found == LOOSENED[condition]


VALUES = {
    "a": [0, 1, "x"],
    "b": [0, 1],
    "n": [4, 5, 6, 3, None],
    "x": [[], [1], [0, 1], [1, 1, 1], [1, 2, 3], "a", "b", 5, 6, None],
    "y": [{1}, {1, 2, 3}, {1: 0}.keys(), "a", None],
    "p": [0],
}


@pytest.mark.parametrize("condition", LOOSENED)
def test_a_loosening_accepts_all_that_its_guard_accepts(condition):
    """Exhaustively over small values: whatever passes still passes, and nothing that did not raise raises."""
    import itertools

    def said(source, values):
        space = dict(values)
        try:
            exec(source, space)
            return space["verify"](None, None)
        except TypeError:
            return "raises"

    program = body(f'return "PASS" if {condition} else "FAIL"  # clause: x')
    for one in mutants(program):
        for values in itertools.product(*VALUES.values()):
            names = dict(zip(VALUES, values, strict=True))
            before, after = said(program, names), said(one.source, names)
            assert (before, after) != ("PASS", "FAIL")
            assert before == "raises" or after != "raises" or "without_part" in one.part


def test_every_guard_carries_its_lines_and_its_clause():
    program = body("if (a", "    or b):  # clause: x", '    return "FAIL"', 'return "PASS" if c else "FAIL"')
    assert [(one.first, one.last, one.clause) for one in guarding.guards(program)] == [(2, 4, "x"), (5, 5, "")]


def test_an_accepting_guard_covers_the_fail_it_leaves_over():
    program = body("if a:  # clause: x", '    return "PASS"', 'return "FAIL"')
    assert [one.clause for one in guarding.guards(program)] == ["x"]
    assert [one.clause for one in guarding.guards(program.replace("  # clause: x", ""))] == [""]


# The worked example -------------------------------------------------------------------------------------------------

JUDGED = ("replay", "repeatability", "consistency", "baselines", "mutation", "grounding", "potency", "provenance")


def audited(folder, tmp_path, names=JUDGED):
    """Checks on every task, as the audit's workers do it; with two fresh runs where somebody looks at them."""
    suite = bring.load(folder)
    runs = fresh_runs(suite, tmp_path / "runs.sqlite", workers=1) if "repeatability" in names else {}
    worker = Auditor({"suite": str(folder), "checks": list(names)})
    try:
        return [
            seen
            for own in suite.tasks
            for seen in examined(worker.compute({"task": own.task.id, "runs": _plain(runs.get(own.task.id, {}))}))
        ]
    finally:
        worker.close()


def _plain(runs):
    return {case: [{"view": one.view, "ok": one.ok} for one in seen] for case, seen in runs.items()}


def found(folder, tmp_path, names=JUDGED):
    return [
        (flaw.check, flaw.reason, flaw.case.partition("#")[2] or flaw.place)
        for seen in audited(folder, tmp_path, names)
        for flaw in seen.flaws
    ]


def test_the_worked_example_is_healthy_and_exercises_every_check_but_one(example, tmp_path):
    seen = audited(example, tmp_path)
    assert [flaw.says for one in seen for flaw in one.flaws] == []
    assert {one.check for one in seen if one.passed == 0} == {"provenance"}
    assert bring.freeze(example) == sum(len(own.cases) for own in bring.load(example).tasks)
    assert all(one.passed > 0 for one in audited(example, tmp_path, ("provenance",)))


def test_the_examples_programs_and_trees_have_six_mutants_each_and_every_one_is_noticed(example):
    with bring.subjects(example) as subjects:
        for subject in subjects:
            all_ = list(subject.judge.mutants())
            assert len(all_) >= 6
            assert len({mutant.name for mutant in all_}) == len(all_)
            for mutant in all_:
                noticed = [
                    case
                    for case in subject.cases
                    if mutant.judge.decide(subject.views[case.id]).ok is not subject.finding(case).ok
                ]
                assert any(ground.clause == mutant.clause for case in noticed for ground in case.grounds), mutant.name


@pytest.mark.parametrize("task", ["dinner", "invoice", "logfilter"])
def test_at_least_35_percent_of_the_examples_cases_pass(task):
    cases = bring.load(EXAMPLE).task(task).cases
    assert sum(case.label == "PASS" for case in cases) >= 0.35 * len(cases)


def test_first_edit_of_the_page_a_forgotten_comparison_is_found_by_replay(example, tmp_path):
    swap(example / "tasks/invoice/reference.py", '!= "EUR"', '== ""')
    assert ("replay", "reference_disagrees", "dollars") in found(example, tmp_path, ("replay",))


def reproduced(seen, folder):
    """Every flaw's script, run alone: it exits 1, and not by an exception of its own."""
    flaws = [flaw for one in seen for flaw in one.flaws]
    for flaw in flaws:
        (folder / "flaw.py").write_text(flaw.reproduction)
        run = subprocess.run([sys.executable, "flaw.py"], check=False, cwd=folder, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (1, ""), flaw.says
    return [(flaw.check, flaw.reason, flaw.case.partition("#")[2] or flaw.place) for flaw in flaws]


def test_second_edit_of_the_page_a_removed_case_is_found_by_grounding_and_mutation(example, tmp_path):
    without(example / "tasks/logfilter/cases.jsonl", "padded")
    assert reproduced(audited(example, tmp_path, ("grounding", "mutation")), tmp_path) == [
        ("mutation", "mutant_survived", "drop:short"),
        ("mutation", "mutant_survived", "per_bound:short:high"),
        ("grounding", "clause_never_violated", "short"),
    ]


def test_a_programs_guard_that_no_case_tries_survives_mutation(example, tmp_path):
    without(example / "tasks/invoice/cases.jsonl", "symbol", "dollars")
    found = reproduced(audited(example, tmp_path, ("mutation",)), tmp_path)
    assert [reason for _, reason, _ in found] == ["mutant_survived"] * 2
    assert [place.partition(":")[0] for _, _, place in found] == ["drop", "loosen"]


def test_a_check_of_ones_own_may_be_tried_on_views_that_no_solution_has(example, tmp_path):
    """`avoids_word` raises where there is no filter; the search for a view that parts two judges goes on."""
    without(example / "tasks/logfilter/cases.jsonl", "raw", "raw_control")
    found = reproduced(audited(example, tmp_path, ("mutation",)), tmp_path)
    assert found == [("mutation", "mutant_survived", "drop:raw")]


def test_third_edit_of_the_page_a_label_against_another_is_found_by_consistency(example, tmp_path):
    path = example / "tasks/dinner/cases.jsonl"
    row = json.loads(path.read_text().splitlines()[1])
    again = row | {"id": "day_again", "kind": "near_miss"}
    path.write_text(path.read_text() + json.dumps(again) + "\n")
    reasons = {check for check, _, _ in found(example, tmp_path, ("consistency", "replay"))}
    assert reasons == {"consistency", "replay"}


def test_records_that_were_frozen_hold_the_suite_to_them(example, tmp_path):
    bring.freeze(example)
    swap(example / "tasks/dinner/cases.jsonl", '"guests": 5', '"guests": 6')
    assert ("provenance", "case_moved", "five") in found(example, tmp_path, ("provenance",))


def test_a_case_that_is_gone_leaves_a_record_that_the_audit_finds(example, tmp_path):
    bring.freeze(example)
    without(example / "tasks/logfilter/cases.jsonl", "padded")
    assert {place for _, _, place in found(example, tmp_path, ("provenance",))} == {"padded"}


def test_a_ladder_of_ones_own_is_added_to_the_familys(example):
    with bring.subjects(example) as subjects:
        for subject in subjects:
            assert "own-shown_lines" in {rung.name for rung in subject.ladder}
            assert len(subject.ladder) > 10


def test_every_rung_of_the_other_family_accepts_gold_and_has_the_fault_it_is_there_for(example):
    faults = set()
    with bring.subjects(example) as subjects:
        for subject in (one for one in subjects if one.task.family is Family.OTHER):
            gold = subject.cases[0].content
            for rung in ladder(Family.OTHER):
                space = {}
                exec(rung.verifier(gold), space)
                said = {case.id: space["verify"](case.content, None) for case in subject.cases}
                assert said[subject.cases[0].id] == "PASS", rung.name
                assert set(said.values()) <= {"PASS", "FAIL"}, rung.name
                wrong = {case.label for case in subject.cases if said[case.id] != case.label}
                faults |= {(rung.side, rung.name, label) for label in wrong}
    for rung in ladder(Family.OTHER):
        assert (rung.side, rung.name, {Side.LAX: "FAIL", Side.STRICT: "PASS"}[rung.side]) in faults


def test_what_a_program_says_of_itself_cannot_steer_a_terminal(tiny):
    with_program(tiny, "def verify(solution, env):\n    raise ValueError('\\x1b[2J' + 'x' * 9999)\n")
    with bring.subjects(tiny) as (subject,):
        (atom,) = subject.finding(subject.cases[0]).failed
    assert atom.name.isprintable()
    assert len(atom.name) < 400


# The page -----------------------------------------------------------------------------------------------------------


def test_the_page_names_every_key_every_check_and_the_limits():
    page = (Path(__file__).parents[2] / "docs/bring-your-own.md").read_text()
    told = {word for code in re.findall(r"`([^`\n]+)`", page) for word in re.findall(r"\w+", code)}
    for form in (SuiteFile, TaskFile, ConventionsFile, MaterialEntry, ClauseEntry, CaseRow, EvidenceRow):
        assert set(form.__struct_fields__) <= told, form.__name__
    assert set(family(Family.OTHER).checks) <= told
    assert {kind.value for kind in CaseKind} <= told
    assert {name for name in NAMES if f"| `{name}` |" in page} == set(NAMES) - {"agreement"}
    assert f"It gets {programs.LIMITS.seconds:.0f} s for each case" in page
    assert f"no file over {MOST_BYTES >> 20} MiB" in page


def test_the_program_on_the_page_is_a_reference(tiny):
    page = (Path(__file__).parents[2] / "docs/bring-your-own.md").read_text()
    (program,) = re.findall(r"^    def verify.*?(?=^\S)", page, re.MULTILINE | re.DOTALL)
    found = guarding.guards(textwrap.dedent(program))
    assert [guard.clause for guard in found] == ["currency"]
