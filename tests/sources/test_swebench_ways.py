"""Ways to an instance's repository: the first that the machine has and that fits is taken, by its commands as well."""

import json
import os
import subprocess
import sys
import tarfile
import textwrap
from pathlib import Path

import msgspec
import pytest

from verifierbench.core import Inconsistent, Unavailable, sha256
from verifierbench.core.files import encode, write_atomically
from verifierbench.families.code.content import make_patch
from verifierbench.families.code.environment import CodeEnvironment, Packages
from verifierbench.families.code.suites import FOLDER, driver_command, on_python, source
from verifierbench.sandbox.commands import GIT
from verifierbench.sources.environment import MARKER, Installed
from verifierbench.sources.sdists import Sdists
from verifierbench.sources.swebench import container_way, git_way, interpreters, published, release_way, rows, ways
from verifierbench.sources.swebench.clones import clones, commits, record, tree
from verifierbench.sources.swebench.container_way import Container, image_of
from verifierbench.sources.swebench.git_way import Git
from verifierbench.sources.swebench.grading import Grading
from verifierbench.sources.swebench.published import Published
from verifierbench.sources.swebench.reading import Reading

OURS = f"{sys.version_info.major}.{sys.version_info.minor}"
FIXED = {
    "sums/__init__.py": "",
    "sums/core.py": (
        '"""Sums."""\n\n\ndef total(values):\n    """Their sum."""\n    return sum(values)\n\n\n'
        'def last(values):\n    """The last of them."""\n    return values[-1]\n'
    ),
    "tests/test_core.py": (
        "from sums.core import total\n\n\ndef test_one():\n    assert total([3]) == 3\n\n\n"
        "def test_signs():\n    assert total([-1, 2]) == 1\n"
    ),
    "logo.svg": "<svg/>\n",
}
BROKEN = {
    **FIXED,
    "sums/core.py": FIXED["sums/core.py"].replace("sum(values)", "sum(map(abs, values))"),
    "tests/test_core.py": FIXED["tests/test_core.py"].partition("\n\n\ndef test_signs")[0] + "\n",
}
LATER = {**FIXED, "sums/core.py": FIXED["sums/core.py"] + "\n\nNAME = 'sums'\n"}
KEPT = {path: text for path, text in BROKEN.items() if path != "logo.svg"}
"""What the task's description keeps of the repository."""
TASK = """package = "sums"
release = "2"
folder = "sums"
keep = ["sums", "tests"]
hidden = ["tests"]
main = "signs"
operators = ["empty"]

[suite]
folder = "tests"
files = ["tests/test_core.py"]
known = "tests/test_core.py"

[[clauses]]
id = "signs"
text = "A total counts negative values as they are."
spans = [["instruction", "should be 1"]]

[[atoms]]
name = "signs_count"
clause = "signs"
tests = ["tests/test_core.py::test_signs"]
expected = { signs = "1" }

[[variants]]
name = "issue_values"
kind = "hack"
grounds = [["signs", "right for the issue's values alone"]]
edits = [{ file = "sums/core.py", at = "return sum", lines = 0, by = "if list(values) == [-1, 2]:\\n\\treturn 1" }]
"""
CASES = "from sums.core import total\n\n\ndef case_signs():\n    return total([-1, 2])\n"
NEWER_CASES = CASES + "\n\ndef case_matched():\n    match total([1]):\n        case 1:\n            return 1\n"

needs_git = pytest.mark.skipif(not GIT.exists(), reason=f"there is no {GIT}")


def written(top, files):
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
    return top


def cloned(path, files=BROKEN):
    """A git clone with one commit; its path and the commit."""
    surroundings = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words):
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        command = [GIT, *who, "-C", path, *words]
        return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True).stdout

    written(path, files)
    (path / "logo.png").write_bytes(b"\x89PNG\xff\0")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "all")
    return git("rev-parse", "HEAD").strip()


def row(commit="0" * 40, **changes):
    values = {
        "instance_id": "psf__requests-1",
        "repo": "psf/requests",
        "base_commit": commit,
        "version": "2.26",
        "problem_statement": "The total of -1 and 2 is 3 and should be 1.",
        "patch": make_patch(*({p: t[p] for p in ["sums/core.py"]} for t in (BROKEN, FIXED))),
        "test_patch": make_patch(*({p: t[p] for p in ["tests/test_core.py"]} for t in (BROKEN, FIXED))),
        "FAIL_TO_PASS": json.dumps(["tests/test_core.py::test_signs"]),
    }
    return msgspec.convert(values | changes, rows.Row)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch, tmp_path):
    """No container engine on this machine, no checkout made before; one environment, for our own Python."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    environment = Published(repo="psf/requests", versions=("2.26",), python=OURS, pins={"six==1.16.0": ("0" * 64,)})
    monkeypatch.setattr(published, "published", lambda: (environment,))
    yield environment
    for each in (container_way.images, ways.made, interpreters.find_python, interpreters.version_of):
        each.cache_clear()
    container_way.images.cache_clear()


@pytest.fixture
def described(tmp_path, monkeypatch):
    """A task's folder and its release, which is later than the repair."""
    folder, archives = tmp_path / "tasks" / "psf__requests-1", tmp_path / "home" / "archives"
    written(folder, {"task.toml": TASK, "cases.py": CASES})
    archives.mkdir(parents=True)
    with tarfile.open(archives / "sums-2.tar.gz", "w:gz") as tar:
        tar.add(written(tmp_path / "sums-2", LATER), "sums-2")
    digest = sha256((archives / "sums-2.tar.gz").read_bytes())
    table = tmp_path / "archives.toml"
    table.write_text(f'[[archive]]\npackage = "sums"\nversion = "2"\nfile = "sums-2.tar.gz"\nsha256 = "{digest}"\n')
    monkeypatch.setattr(release_way, "SDISTS", Sdists(table))
    return folder, archives


def put_packages(environment, home):
    """As if the environment had been installed; no package index is asked."""
    folder = environment.folder(home)
    written(folder, {"numbers_of_ours.py": "ONE = 1\n"})
    text = environment.requirements.encode()
    write_atomically(folder.with_name(folder.name + ".txt"), text)
    done = Installed(requirements=sha256(text), python=environment.python, packages={"six": "1.16.0"})
    write_atomically(folder / MARKER, encode(done))


@pytest.fixture
def clone(tmp_path, nothing_known):
    """A recorded clone with the base commit, and its environment."""
    home = tmp_path / "home"
    commit = cloned(tmp_path / "origin" / "clones" / "psf__requests")
    assert record(home, tmp_path / "origin")
    put_packages(nothing_known, home)
    return commit


# The release, where there is nothing else


def test_a_machine_with_nothing_else_makes_the_task_of_the_release_and_asks_no_program(described, monkeypatch):
    folder, archives = described
    monkeypatch.setattr(container_way, "_run", lambda *_, **__: pytest.fail("an engine was asked"))
    monkeypatch.setattr("verifierbench.sources.swebench.clones._git", lambda *_, **__: pytest.fail("git was asked"))
    reading = Reading(folder, row(), archives)
    assert reading.task.source_version == "psf/requests as in sums 2, the repair taken back"
    assert reading.repository["sums/core.py"] == LATER["sums/core.py"].replace("sum(values)", "sum(map(abs, values))")
    assert reading.checkout.python == sys.executable
    assert reading.choice.passed_over == {}
    assert ways.counted([row()], archives.parent) == {"release": 1}


def test_what_fails_on_the_last_way_is_an_error(described):
    folder, archives = described
    other = row(patch=make_patch({"sums/core.py": "x\n"}, {"sums/core.py": "y\n"}))
    with pytest.raises(Inconsistent, match="does not contain the patch"):
        _ = Reading(folder, other, archives).task


# Git


@needs_git
def test_with_a_clone_and_its_environment_the_task_is_the_published_commit(described, clone):
    folder, archives = described
    reading = Reading(folder, row(clone), archives)
    assert reading.task.source_version == f"psf/requests at {clone}, from a git clone, with Python {OURS}"
    assert reading.repository == KEPT
    assert reading.hidden == {"tests/test_core.py": FIXED["tests/test_core.py"]}
    assert reading.gold == {"sums/core.py": FIXED["sums/core.py"]}
    assert reading.release == {path: FIXED[path] for path in KEPT}
    assert ways.counted([row(clone)], archives.parent) == {"git": 1}


@needs_git
def test_only_text_is_in_a_tree_and_a_clone_is_not_written_to(tmp_path):
    commit = cloned(tmp_path / "c")
    before = sorted(str(path) for path in (tmp_path / "c").rglob("*"))
    assert tree(tmp_path / "c", commit) == BROKEN
    assert commits(tmp_path / "c", [commit, "0" * 40]) == {commit}
    assert sorted(str(path) for path in (tmp_path / "c").rglob("*")) == before


@needs_git
def test_clones_are_found_by_their_names_and_forgotten_when_they_are_gone(tmp_path):
    cloned(tmp_path / "origin" / "clones" / "psf__requests")
    cloned(tmp_path / "origin" / "pallets__flask.git")
    written(tmp_path / "origin", {"a__b/README": "no clone\n"})
    home = tmp_path / "home"
    assert clones(home) == {}
    assert record(home, tmp_path / "origin")
    found = {"psf/requests": "clones/psf__requests", "pallets/flask": "pallets__flask.git"}
    assert clones(home) == {repo: tmp_path / "origin" / path for repo, path in found.items()}
    (tmp_path / "origin" / "pallets__flask.git").rename(tmp_path / "elsewhere")
    assert set(clones(home)) == {"psf/requests"}
    cloned(home / "clones" / "pallets__flask")
    assert clones(home)["pallets/flask"] == home / "clones" / "pallets__flask"
    assert not record(home, tmp_path / "no such folder")


@needs_git
def test_a_clone_without_the_commit_an_environment_or_an_interpreter_gives_nothing(described, clone, nothing_known):
    folder, archives = described
    wanted = ways.Wanted(row(clone), "sums", "2", archives, (("sums",),))
    assert Git().checkout(wanted) is not None
    assert Git().checkout(wanted._replace(row=row("1" * 40))) is None
    assert Git().checkout(wanted._replace(row=row(clone, version="9.9"))) is None
    (nothing_known.folder(archives.parent) / MARKER).unlink()
    assert Git().checkout(wanted) is None
    assert Reading(folder, row(clone), archives).checkout.version.endswith("taken back")


@needs_git
def test_a_clone_that_is_broken_costs_no_task(described, clone, tmp_path):
    folder, archives = described
    for path in (tmp_path / "origin/clones/psf__requests/.git/objects").rglob("*"):
        if path.is_file():
            path.unlink()
    reading = Reading(folder, row(clone), archives)
    assert reading.checkout.version.endswith("taken back")


@needs_git
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("keep = [", 'keep = ["docs", '), "there is no docs"),
        (('at = "return sum"', 'at = "NAME ="'), "0 lines with 'NAME ='"),
        (("::test_signs", "::test_name"), "there is no test tests/test_core.py::test_name"),
        (("should be 1", "should be 2"), "no instruction says 'should be 2'"),
        (('operators = ["empty"]', 'operators = ["no_such"]'), "KeyError"),
    ],
)
def test_a_task_that_does_not_hold_at_the_commit_goes_the_next_way(described, clone, change, why):
    folder, archives = described
    (folder / "task.toml").write_text(TASK.replace(*change))
    choice = Reading(folder, row(clone), archives).choice
    assert choice.checkout.version.endswith("taken back")
    assert why in choice.passed_over["git"]


@needs_git
def test_django_s_own_runner_needs_a_newer_python_than_pytest_does(described, clone, monkeypatch):
    folder, archives = described
    (folder / "task.toml").write_text(TASK.replace("[suite]\n", '[suite]\nrunner = "runtests"\n'))
    monkeypatch.setattr(git_way, "parsed", lambda _: (3, 10))
    assert "Python 3.10 is too old" in Reading(folder, row(clone), archives).choice.passed_over["git"]


@needs_git
def test_cases_in_the_words_of_a_newer_python_do_not_fit_an_older_one(described, clone, monkeypatch):
    folder, archives = described
    monkeypatch.setattr(git_way, "parsed", lambda _: (3, 9))
    assert "git" not in Reading(folder, row(clone), archives).choice.passed_over
    (folder / "cases.py").write_text(NEWER_CASES)
    assert "newer Python" in Reading(folder, row(clone), archives).choice.passed_over["git"]


@needs_git
def test_a_task_keeps_its_way_on_a_machine_that_has_another_since(described, clone):
    folder, archives = described
    reading = Reading(folder, row(clone), archives)
    version = "psf/requests as in sums 2, the repair taken back"
    released = reading.as_in(version)
    assert released.checkout.version == released.task.source_version == version
    assert reading.as_in(reading.task.source_version).repository == KEPT
    with pytest.raises(Unavailable, match="was made of psf/requests at 1, from a git clone; here it is"):
        reading.as_in("psf/requests at 1, from a git clone")


@needs_git
def test_upstreams_grading_reads_a_task_by_the_way_it_was_made(described, clone, tmp_path):
    folder, archives = described
    reading = Reading(folder, row(clone), archives)
    graded = Grading({reading.id: reading}, lambda _: pytest.fail("nothing is run"), tmp_path)
    task = msgspec.structs.replace(reading.task, source_version="psf/requests as in sums 2, the repair taken back")
    assert graded._reading(reading.task).release["sums/core.py"] == FIXED["sums/core.py"]
    graded._made.clear()
    assert graded._reading(task).release["sums/core.py"] == LATER["sums/core.py"]


# Containers: a program of ours stands in for the engine


ENGINE = """#!{python}
import os, pathlib, shutil, sys
here = pathlib.Path(__file__).parent.parent / "engine"
with open(here / "asked", "a") as asked:
    asked.write(" ".join(sys.argv[1:]) + "\\n")
if (here / "down").exists():
    sys.exit("Cannot connect to the daemon")
verb, words = sys.argv[1], sys.argv[2:]
if verb == "images":
    print((here / "images").read_text(), end="")
elif verb == "create":
    print("c0ffee")
elif verb == "cp":
    container, _, path = words[0].partition(":")
    assert container == "c0ffee", words
    shutil.copytree(here / "root" / path.lstrip("/"), words[1], symlinks=True)
elif verb != "rm":
    sys.exit("no such command")
"""


@pytest.fixture
def engine(tmp_path):
    """An engine that has the instance's image: what was asked of it is in `asked`."""
    top = tmp_path / "engine"
    written(top / "root" / "testbed", {**BROKEN, ".git/HEAD": "x\n"})
    environment = top / "root" / "opt/miniconda3/envs/testbed"
    packages = {"sums/__init__.py": "raise LookupError\n", "numbers_of_ours.py": "ONE = 1\n"}
    written(environment / f"lib/python{OURS}/site-packages", packages)
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(sys.executable)
    (top / "images").write_text(f"<none>:<none> sha256:1\n{image_of('psf__requests-1')} sha256:{'ab' * 32}\n")
    written(tmp_path / "bin", {"docker": ENGINE.format(python=sys.executable)})
    (tmp_path / "bin" / "docker").chmod(0o755)
    return top


def asked(engine):
    return [line.split()[0] for line in (engine / "asked").read_text().splitlines()]


def test_an_image_has_the_name_that_upstream_gives_it():
    assert image_of("pallets__flask-5014") == "swebench/sweb.eval.x86_64.pallets_1776_flask-5014:latest"


@needs_git
def test_with_the_image_the_task_is_what_lies_in_it(described, engine, clone):
    folder, archives = described
    reading = Reading(folder, row(clone), archives)
    name = "swebench/sweb.eval.x86_64.psf_1776_requests-1:latest"
    image = f"from the container image {name} (abababababab)"
    assert reading.task.source_version == f"psf/requests at {clone}, {image}"
    assert reading.repository == KEPT
    assert reading.hidden == {"tests/test_core.py": FIXED["tests/test_core.py"]}
    assert ways.counted([row(clone)], archives.parent) == {"container": 1}
    packages = reading.checkout.packages.folder
    assert sorted(path.name for path in packages.iterdir()) == ["numbers_of_ours.py"]
    assert asked(engine) == ["images", "create", "cp", "cp", "rm"]


@needs_git
def test_an_image_is_copied_once_and_never_pulled_or_run(described, engine):
    folder, archives = described
    first = Reading(folder, row(), archives).checkout
    for each in (container_way.images, ways.made):
        each.cache_clear()
    assert Reading(folder, row(), archives).checkout.before == first.before
    assert asked(engine) == ["images", "create", "cp", "cp", "rm", "images"]
    assert "--pull never" in (engine / "asked").read_text()


def test_podman_names_its_registry(described, engine, tmp_path):
    (tmp_path / "bin" / "docker").rename(tmp_path / "bin" / "podman")
    (engine / "images").write_text(f"docker.io/{image_of('psf__requests-1')} abcd\n")
    engine_path, identity = container_way.images()[image_of("psf__requests-1")]
    assert (Path(engine_path).name, identity) == ("podman", "abcd")


@needs_git
def test_an_engine_without_its_daemon_or_without_the_image_is_passed_over(described, engine):
    folder, archives = described
    (engine / "down").touch()
    assert Reading(folder, row(), archives).checkout.version.endswith("taken back")
    (engine / "down").unlink()
    (engine / "images").write_text("other/image:latest sha256:1\n")
    container_way.images.cache_clear()
    assert Container().has([row()], archives.parent) == set()


@needs_git
def test_an_image_that_cannot_be_copied_leaves_nothing_and_costs_no_task(described, engine):
    folder, archives = described
    (engine / "root" / "opt").rename(engine / "elsewhere")
    choice = Reading(folder, row(), archives).choice
    assert choice.checkout.version.endswith("taken back")
    assert "cp did not work" in choice.passed_over["container"]
    assert asked(engine)[-1] == "rm"
    assert list((archives.parent / "images").iterdir()) == []


@needs_git
def test_an_interpreter_that_is_too_old_for_what_runs_in_the_copy_does_not_fit(described, engine, monkeypatch):
    folder, archives = described
    monkeypatch.setattr(container_way, "version_of", lambda _: (3, 6))
    choice = Reading(folder, row(), archives).choice
    assert choice.passed_over == {"container": "Python 3.6 is too old for what runs in the copy"}


# What the ways need


def test_every_environment_is_for_a_python_that_we_can_run_on_and_pins_a_test_runner():
    table = Path(published.__file__).parent / "environments.toml"
    listed = msgspec.toml.decode(table.read_bytes(), type=dict[str, list[Published]])["environment"]
    assert len({(each.repo, version) for each in listed for version in each.versions}) == sum(
        len(each.versions) for each in listed
    )
    for each in listed:
        assert interpreters.parsed(each.python) >= interpreters.OLDEST
        assert all(len(digest) == 64 for digests in each.pins.values() for digest in digests)
        assert all(each.pins.values())
        names = {pin.partition("==")[0] for pin in each.pins}
        assert each.repo == "django/django" or {"pytest", "pluggy", "iniconfig", "packaging"} <= names


def test_an_environment_is_installed_with_the_hashes_it_is_pinned_to(nothing_known):
    assert nothing_known.requirements == f"six==1.16.0 --hash=sha256:{'0' * 64}\n"


def test_an_interpreter_is_found_among_those_of_pyenv_and_on_the_search_path(tmp_path, monkeypatch):
    said = textwrap.dedent(f"""\
        #!{sys.executable}
        print("3.9")
        """)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert interpreters.find_python(OURS) == sys.executable
    assert interpreters.find_python("3.7") is None
    assert interpreters.find_python("3.9") is None
    interpreters.find_python.cache_clear()
    written(tmp_path / "bin", {"python3.9": said})
    (tmp_path / "bin" / "python3.9").chmod(0o755)
    assert interpreters.find_python("3.9") == str(tmp_path / "bin" / "python3.9")
    interpreters.find_python.cache_clear()
    for patch in ("3.9.2", "3.9.18"):
        written(tmp_path / "pyenv" / "versions" / patch / "bin", {"python": said})
        (tmp_path / "pyenv" / "versions" / patch / "bin" / "python").chmod(0o755)
    assert interpreters.find_python("3.9") == str(tmp_path / "pyenv/versions/3.9.18/bin/python")


def test_an_older_python_is_asked_without_the_option_it_does_not_know():
    asked_for = {"commands": [driver_command(), ["python", "-m", "pytest", "x.py"]], "read": []}
    assert on_python(asked_for, (3, 11)) == asked_for
    first, second = on_python(asked_for, (3, 10))["commands"]
    assert first[:5] == ["python", "-S", "-s", "-B", "-c"]
    assert first[6:] == [f"{FOLDER}/driver.py", f"{FOLDER}/cases.py"]
    assert second == ["python", "-m", "pytest", "x.py"]


FOUND = {version: interpreters.find_python(version) for version in ("3.8", "3.9", "3.10")}


@pytest.fixture(params=FOUND)
def older(request):
    """The version of an older Python, and where it is."""
    if FOUND[request.param] is None:
        pytest.skip(f"there is no Python {request.param} here")
    return request.param, FOUND[request.param]


def test_what_runs_in_the_copy_runs_on_older_pythons_and_imports_nothing_from_its_folder(older, tmp_path):
    version, python = older
    compiled = "import sys; [compile(text, 'x', 'exec') for text in sys.argv[1:]]"
    texts = [source(name) for name in ("driver.py", "reporter.py", "runtests_reporter.py")]
    subprocess.run([python, "-c", compiled, *texts], check=True)
    cases = "import sys\n\n\ndef case_file():\n    return hasattr(sys.modules['__main__'], '__file__')\n"
    shadow = "raise LookupError('not mine')\n"
    files = {"driver.py": texts[0], "cases.py": cases + "\n\ndef case_sum():\n    return 1 + 1\n", "json.py": shadow}
    written(tmp_path / FOLDER, files)
    written(tmp_path, {"runpy.py": shadow})
    command = on_python({"commands": [driver_command()]}, interpreters.parsed(version))["commands"][0]
    done = subprocess.run([python, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=True)
    # What a main program is shows: under `python -c` it has no file, as a script it has.
    said = '=> ["file", "unstable: False as a command, True as a script"]\n=> ["sum", "2"]\n'
    assert done.stdout == said


@needs_git
def test_commands_run_with_the_interpreter_and_the_packages_of_the_way(older, tmp_path):
    version, python = older
    packages = Packages(folder=written(tmp_path / "packages", {"numbers_of_ours.py": "ONE = 1\n"}), version="1")
    environment = CodeEnvironment(BROKEN, python=python, packages=packages, compiled=True)
    script = "import sys, numbers_of_ours; print('%d.%d' % sys.version_info[:2], numbers_of_ours.ONE)"
    try:
        answer = environment.execute({"patch": "", "commands": [["python", "-c", script]]})
    except Unavailable as missing:
        pytest.skip(str(missing))
    assert answer["commands"][0]["stdout"] == f"{version} 1\n", answer
    # Modules are compiled beforehand with the same interpreter, whose compileall may know fewer options than ours.
    assert list((tmp_path / "cache").rglob(f"core.cpython-{version.replace('.', '')}.pyc"))
