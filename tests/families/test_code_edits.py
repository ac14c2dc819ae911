"""Edits: each finds its one place, or is refused; what comes in is ours, indented as the line named is."""

import pytest

from verifierbench.core import Inconsistent
from verifierbench.families.code.edits import Edit, edited

TREE = {"m.py": "def f(x):\n    y = x\n    return y\n\n\ndef g(x):\n    return x\n"}


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (
            Edit(file="m.py", at="y = x", by="y = -x"),
            "def f(x):\n    y = -x\n    return y\n\n\ndef g(x):\n    return x\n",
        ),
        (Edit(file="m.py", at="y = x", lines=2), "def f(x):\n\n\ndef g(x):\n    return x\n"),
        (
            Edit(file="m.py", at="y = x", lines=0, by="if not x:\n    return 0"),
            "def f(x):\n    if not x:\n        return 0\n    y = x\n    return y\n\n\ndef g(x):\n    return x\n",
        ),
        (
            Edit(file="m.py", at="def g", skip=1, by="    return 2"),
            "def f(x):\n    y = x\n    return y\n\n\ndef g(x):\nreturn 2\n",
        ),
        (Edit(file="m.py", at="return", nth=2, by="return 3"), TREE["m.py"].replace("return x", "return 3")),
        (Edit(file="m.py", at="", by="z = 1\n"), TREE["m.py"] + "z = 1\n"),
    ],
)
def test_an_edit_replaces_lines_at_its_place(edit, text):
    assert edited(TREE, [edit]) == {"m.py": text}


def test_edits_of_one_file_build_on_each_other():
    first, second = Edit(file="m.py", at="y = x", by="z = x"), Edit(file="m.py", at="return y", by="return z")
    assert edited(TREE, [first, second])["m.py"].startswith("def f(x):\n    z = x\n    return z\n")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit(file="m.py", at="nowhere"), "0 lines"),
        (Edit(file="m.py", at="return"), "2 lines"),
        (Edit(file="m.py", at="return", nth=3), "2 lines"),
        (Edit(file="other.py", at="x"), "no file other.py"),
    ],
)
def test_an_edit_without_its_one_place_is_refused(edit, words):
    with pytest.raises(Inconsistent, match=words):
        edited(TREE, [edit])
