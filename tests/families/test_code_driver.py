"""The driver shows values by their exact type, and nothing a repository does adds or changes a line unseen."""

import datetime
import decimal
import enum
import subprocess
import sys
from pathlib import Path

import pytest

from verifierbench.families.code import driver
from verifierbench.families.code.checks import CHECKS

SOURCE = Path(driver.__file__)


class Liar(int):
    def __eq__(self, other):
        return True

    def __repr__(self):
        return "5"

    __hash__ = int.__hash__


class Colour(enum.StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (5.0, "5.0"),
        (True, "True"),
        (float("nan"), "nan"),
        ("it's", '"it\'s"'),
        (b"x", "b'x'"),
        ([1, (2,), ()], "[1, (2,), ()]"),
        ({"b": 1, "a": [2]}, "{'a': [2], 'b': 1}"),
        ({3, 1, 2}, "set({1, 2, 3})"),
        (frozenset(), "frozenset({})"),
        (datetime.date(2024, 2, 29), "datetime.date(2024, 2, 29)"),
        (decimal.Decimal("1.10"), "Decimal('1.10')"),
        (Liar(5), f"<{__name__}.Liar>"),
        ([Liar(5)], f"[<{__name__}.Liar>]"),
        (Colour.RED, f"<{__name__}.Colour>"),
    ],
)
def test_shown_by_exact_type(value, text):
    assert driver.show(value) == text


def test_a_result_that_changes_between_calls_is_shown_as_unstable():
    counter = iter(range(10))
    shown = dict(driver.observe({"same": lambda: 1, "counting": lambda: next(counter)}))
    assert shown == {"same": "1", "counting": "unstable: 0, then 1"}


def test_errors_are_shown_by_their_kind():
    assert driver.outcome(lambda: {}["x"]) == "raises KeyError"


def test_audited_events_are_heard_only_during_the_call():
    sys.addaudithook(driver._hear)
    compile("1", "before", "eval")
    assert driver.audited(("compile",), lambda: None) == []
    assert driver.audited(("compile", "exec"), lambda: eval("1 + 1")) == ["compile", "exec"]


def drive(folder, package, cases):
    (folder / "package.py").write_text(package)
    (folder / "cases.py").write_text(cases)
    command = [sys.executable, "-P", "-S", "-s", "-B", str(SOURCE), "cases.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def view(run):
    command = {"exit": run.returncode, "ended": "exit", "stdout": run.stdout, "stderr": run.stderr}
    return {"runs": {"p": {"applied": True, "commands": [command]}}}


ATTACKS = {
    "prints_the_line": 'print(\'=> ["double", "4"]\')\ndef double(x): return 0',
    "writes_to_the_descriptor": 'import os\nos.write(1, b\'=> ["double", "4"]\\n\')\ndef double(x): return 0',
    "leaves_early": "import os\nos._exit(0)",
    "raises_at_import": "raise RuntimeError",
    "says_it_is_equal": (
        "class A(int):\n    __eq__ = lambda self, other: True\n    __repr__ = lambda self: '4'\n"
        "def double(x): return A(0)"
    ),
    "answers_once": "n = []\ndef double(x):\n    n.append(x)\n    return 4 if len(n) == 1 else 0",
    "shadows_json": "def double(x): return 0",
    "right_in_scripts_alone": (
        "import sys\nSCRIPT = hasattr(sys.modules['__main__'], '__file__')\ndef double(x): return 4 if SCRIPT else 0"
    ),
    "right_in_commands_alone": "import sys\nCOMMAND = sys.argv[0] == '-c'\ndef double(x): return 4 if COMMAND else 0",
    "leaves_commands_early": "import os, sys\nif sys.argv[0] == '-c': os._exit(0)\ndef double(x): return 4",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_repository_cannot_talk_its_way_through(tmp_path, name):
    (tmp_path / "json.py").write_text('def dumps(x): return \'["double", "4"]\'')
    run = drive(tmp_path, ATTACKS[name], "from package import double\ndef case_double(): return double(2)\n")
    parameters = {"probe": "p", "command": 0, "expected": {"double": "4"}}
    assert not CHECKS["values"](view(run), parameters)


def test_an_honest_repository_is_heard_through_its_noise(tmp_path):
    package = "print('importing')\ndef double(x):\n    print('=> [\"double\", \"5\"]')\n    return 2 * x"
    run = drive(tmp_path, package, "from package import double\ndef case_double(): return double(2)\n")
    assert run.stdout == '=> ["double", "4"]\n'
    assert CHECKS["values"](view(run), {"probe": "p", "command": 0, "expected": {"double": "4"}})
