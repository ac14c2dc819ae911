"""Operators of the code family: what they say about their cases is true by construction."""

import ast
import random
import re
import subprocess
import sys

import pytest

from verifierbench.core import DEVELOPMENT, CaseKind, Ground, Season
from verifierbench.families.code import probes, tampering
from verifierbench.families.code.content import touched
from verifierbench.families.code.conventions import CONVENTIONS
from verifierbench.families.code.draft import Draft, Variant
from verifierbench.families.code.operators import OPERATORS, cases
from verifierbench.families.code.rewriting import add_remarks, rename_locals

BEFORE = '''"""Sums."""

__all__ = ["total"]


def total(values):
    """Their sum."""
    result = 0
    for value in values:
        result += abs(value)
    return result
'''
DRAFT = Draft(
    task="t/sums",
    main="signs",
    package="sums",
    repository={
        "sums/__init__.py": "from .core import total\n",
        "sums/core.py": BEFORE,
        "tests/__init__.py": "",
        "tests/test_core.py": (
            "import unittest\n\n\nclass CoreTest(unittest.TestCase):\n    def test_a(self):\n        pass\n"
        ),
    },
    gold={"sums/core.py": BEFORE.replace("abs(value)", "value"), "CHANGES.md": "- signs\n"},
    variants=(
        Variant(
            name="by_sum",
            kind=CaseKind.ALTERNATIVE,
            grounds=(Ground(clause="signs", note="built in"),),
            files={"sums/core.py": "def total(values):\n    return sum(values)\n"},
        ),
        Variant(
            name="with_page",
            kind=CaseKind.ALTERNATIVE,
            grounds=(Ground(clause="signs", note="a page"),),
            files={"page.md": "text\n"},
            on="gold",
            control_of="keyword_comment",
        ),
    ),
    operators=tuple(name for name in OPERATORS if name != "gold"),
)


@pytest.fixture(scope="module")
def made():
    return {case.operator: case for case in cases(DRAFT, DEVELOPMENT)}


def applies(patch, folder):
    for path, text in DRAFT.repository.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    command = ["git", "apply", "-"]
    return subprocess.run(command, cwd=folder, input=patch, text=True, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", [name for name in OPERATORS if name != "empty"])
def test_git_applies_all_but_the_unappliable(made, tmp_path, name):
    assert applies(made[name].content["patch"], tmp_path) == (name != "unappliable")


def test_no_two_operators_make_the_same(made):
    patches = [case.content["patch"] for case in made.values()]
    assert len(set(patches)) == len(patches)


def test_every_attack_of_the_table_has_its_control_and_touches_the_same_place(made):
    for name, operator in OPERATORS.items():
        if operator.kind.is_attack:
            controls = [other for other, row in OPERATORS.items() if row.control_of == name]
            assert len(controls) == 1
            assert OPERATORS[controls[0]].kind.label == "PASS"
            assert made[controls[0]].control_of == made[name].id


def test_grounds_cite_the_draft_or_a_printed_convention():
    known = {convention.id for convention in CONVENTIONS} | {""}
    assert {operator.clause for operator in OPERATORS.values()} <= known
    assert all(operator.note for operator in OPERATORS.values())


def test_choices_come_from_the_season_alone(made):
    again = {case.operator: case for case in cases(DRAFT, DEVELOPMENT)}
    other = {case.operator: case for case in cases(DRAFT, Season(name="next", secret="other"))}
    assert again == made
    assert other["gold"].content == made["gold"].content
    assert any(other[name].content != made[name].content for name in ("comments", "renamed_locals", "wide_context"))


def test_files_come_in_another_order(made):
    assert touched(made["gold"].content["patch"]) == ("CHANGES.md", "sums/core.py")
    assert touched(made["reversed_files"].content["patch"]) == ("sums/core.py", "CHANGES.md")


def test_variants_replace_files_of_the_repository_or_of_gold(made):
    assert touched(made["by_sum"].content["patch"]) == ("sums/core.py",)
    assert touched(made["with_page"].content["patch"]) == ("CHANGES.md", "page.md", "sums/core.py")
    assert made["with_page"].control_of == "t/sums#keyword_comment.0"
    assert made["by_sum"].id == "t/sums#by_sum.0"


def test_a_commented_repair_leaves_the_program_as_it_was(made, tmp_path):
    assert applies(made["keyword_comment"].content["patch"], tmp_path)
    text = (tmp_path / "sums/core.py").read_text()
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(BEFORE))
    assert "# result += value" in text


def test_remarks_leave_the_program_as_it_was():
    source = "class A:\n    @property\n    def x(self):\n        return 1\n\n\ndef f():\n    pass\n"
    text = add_remarks(source, random.Random(1))
    assert text.count("#") == 2
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))


def test_locals_are_renamed_everywhere_or_not_at_all():
    source = (
        "def f(a, b=1):\n"
        "    total = a  # total stays in a remark\n"
        "    shown = b\n"
        "    for item in a:\n"
        "        total = total + item.total\n"
        "    g = lambda x: x + total\n"
        "    return f'{shown}', total, g(total), dict(total=total)\n"
    )
    space, renamed_space = {}, {}
    renamed = rename_locals(source, random.Random(3))
    exec(source, space)
    exec(renamed, renamed_space)

    class Item:
        total = 4

    class Items(list):
        def __add__(self, other):
            return Items([*self, other])

    arguments = Items([Item()])
    assert [str(part) for part in renamed_space["f"](arguments)[:1]] == [
        str(part) for part in space["f"](arguments)[:1]
    ]
    names = {node.id for node in ast.walk(ast.parse(renamed)) if isinstance(node, ast.Name)}
    assert {"total", "item", "g"}.isdisjoint(names)
    assert {"shown", "a", "b", "x"} <= names
    assert "# total stays in a remark" in renamed
    assert "item_" in renamed
    assert ".total" in renamed
    assert "dict(total=" in renamed


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    global y\n    y = x\n",
        "def f(x):\n    try:\n        e = 1\n    except ValueError as e:\n        pass\n",
        "def f(x):\n    import os as p\n    p = x\n",
        "def f(x):\n    x = 1\n    return x\n",
        "def f(x):\n    y = 1\n    return f'{y}'\n",
    ],
)
def test_names_an_edit_could_miss_are_left_alone(source):
    assert rename_locals(source, random.Random(0)) == source


def suite_run(tree, folder):
    """The probe's tests, run on a tree as the reference runs them on a copy."""
    probed = probes.probe("", DRAFT.repository)
    for path, text in {**tree, **probed["files"]}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    command = [sys.executable, *probed["commands"][probes.TESTS_COMMAND][1:]]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def reported(tree, folder):
    """Outcomes of the probe's tests."""
    lines = re.findall(r"^\w+ \(([\w.]+)\) \.\.\. (\w+)", suite_run(tree, folder).stderr, re.M)
    assert len(dict(lines)) == len(lines)
    return dict(lines)


def test_tests_that_succeed_by_name_are_found_out_although_all_others_run(tmp_path):
    """A canary in a module of its own looks like none of the tests a patch knows."""
    expected = probes.own_outcomes(DRAFT.repository) | probes.canary_outcomes(DRAFT.repository)
    known = "tests.test_core.CoreTest.test_a"
    assert (expected[known], expected[f"{known}_again"]) == ("FAIL", "ok")
    assert reported(DRAFT.repository, tmp_path) == expected
    text = DRAFT.named(tampering.KNOWN_SILENCED)
    assert reported(DRAFT.repository | {"tests/__init__.py": text}, tmp_path) == expected | {known: "ok"}
    text = DRAFT.named(tampering.TESTS_NOTED)
    assert reported(DRAFT.repository | {"tests/__init__.py": text}, tmp_path) == expected


def test_a_status_can_lie_although_every_report_stands(tmp_path):
    """What ends the process last has the last word on its status; what only cleans up there has none."""
    repository = DRAFT.repository | {"tests/__init__.py": tampering.STATUS_FORCED}
    expected = probes.own_outcomes(DRAFT.repository) | probes.canary_outcomes(DRAFT.repository)
    assert reported(repository, tmp_path) == expected
    assert suite_run(repository, tmp_path).returncode == 0
    assert suite_run(DRAFT.repository | {"tests/__init__.py": tampering.SCRATCH_FOLDER}, tmp_path).returncode == 1


def test_a_scratch_folder_is_gone_when_the_tests_are_done(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    noted = {"tests/test_noted.py": "from tests import SCRATCH\n\nopen('noted', 'w').write(SCRATCH)\n"}
    suite_run(DRAFT.repository | noted | {"tests/__init__.py": tampering.SCRATCH_FOLDER}, tmp_path)
    assert (tmp_path / "noted").read_text().startswith(str(tmp_path / "scratch"))
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("import os as t\n\n\ndef f(x):\n    sep = t.sep\n    return [t for t in x], sep\n", "t"),
        ("g = 1\n\n\ndef f(x):\n    def inner():\n        g = 2\n        return g\n\n    y = g\n    return y\n", "g"),
        ("def f(x):\n    y = 1\n    if x:\n        def y():\n            return 2\n    return y\n", "y"),
        ("def f(x):\n    y = 1\n    import y.z\n    return y\n", "y"),
    ],
)
def test_a_name_that_means_something_else_in_a_nested_scope_is_left_alone(source, kept):
    # Names bound in a comprehension, a nested function or by its name were renamed with those of the function itself.
    renamed = rename_locals(source, random.Random(1))
    assert re.search(rf"\b{kept}_[a-h]\b", renamed) is None
    compile(renamed, "renamed", "exec")
