"""`--help` answers from the table of verbs alone; the table and the modules agree."""

import importlib
import subprocess
import sys

import pytest

from verifierbench import __version__
from verifierbench.cli._verbs import VERBS

HEAVY = ("msgspec", "rich", "scipy", "numpy", "jsonschema", "sqlite3", "verifierbench.core")


def run(*arguments, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "verifierbench", *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == code, done.stderr
    return done


def test_help_loads_nothing_heavy():
    script = (
        "import sys; sys.argv = ['verifierbench', '--help']\n"
        "from verifierbench.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "LOADED []" in done.stdout
    for name, verb in VERBS.items():
        assert name in done.stdout
        assert verb.help.split(";")[0].split(",")[0] in " ".join(done.stdout.split())


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_explains_itself(name):
    command = importlib.import_module(f"verifierbench.cli.{VERBS[name].module}").command
    assert command.name == name
    assert command.help
    assert "Usage" in run(name, "--help").stdout


def test_version():
    assert __version__ in run("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["scor"], "no verb is called 'scor'; there is demo, sources"),
        (["suite", "stats", "/nonexistent"], "no suite here"),
        (["report", "/nonexistent"], "no run here"),
        (["sources", "install", "nothing"], "no source is called 'nothing'; there is handmade, bfcl"),
        (["sources", "install", "handmade", "--from", "/tmp"], "takes no --from"),
        (["suite"], "Usage"),
        (["report"], "Missing argument"),
    ],
)
def test_a_users_mistake_is_one_sentence_and_exit_code_2(arguments, sentence):
    done = run(*arguments, code=2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
