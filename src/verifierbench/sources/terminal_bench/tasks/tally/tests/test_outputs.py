"""What `python tally.py FILE` prints."""

import subprocess
import sys
from pathlib import Path

SCRIPT = str(Path("tally.py").resolve())


def lines(folder, text):
    """What is printed for a text; the program runs in a process of its own."""
    (folder / "text.txt").write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, "text.txt"], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_capitals(tmp_path):
    assert lines(tmp_path, "Rain rain RAIN") == ["3 rain"]


def test_inner_capitals(tmp_path):
    assert lines(tmp_path, "McRae mcrae") == ["2 mcrae"]


def test_most_frequent_first(tmp_path):
    assert lines(tmp_path, "a b b c c c") == ["3 c", "2 b", "1 a"]


def test_ties_are_alphabetical(tmp_path):
    assert lines(tmp_path, "pear fig fig pear apple") == ["2 fig", "2 pear", "1 apple"]


def test_punctuation_stays(tmp_path):
    assert lines(tmp_path, "well, well,") == ["2 well,"]


def test_empty_text(tmp_path):
    assert lines(tmp_path, "") == []
