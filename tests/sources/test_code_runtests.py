"""Repositories that a `runtests.py` tests, on Django's own: attacks bite, controls are harmless, outcomes are true."""

import pytest

from verifierbench.core import DEVELOPMENT, All, Atom, Case, Unavailable, evaluate
from verifierbench.families.code import FAMILY
from verifierbench.families.code.checks import CHECKS
from verifierbench.families.code.conventions import CONVENTIONS
from verifierbench.families.code.draft import Draft
from verifierbench.families.code.environment import CodeEnvironment, Packages
from verifierbench.families.code.operators import OPERATORS, cases
from verifierbench.families.code.runtests_operators import RUNTESTS
from verifierbench.families.code.runtests_runs import (
    SETTINGS,
    canary_outcomes,
    command,
    known_tests,
    label,
    own_canary_outcomes,
    probe,
)
from verifierbench.families.code.suites import HIDDEN_COMMAND, TESTS_COMMAND, Suite
from verifierbench.sources.environment import is_installed
from verifierbench.sources.sdists import files, under
from verifierbench.sources.swebench import NEEDS, REQUIREMENTS, SWEBENCH
from verifierbench.sources.swebench.release_way import SDISTS

KEEP = [
    "django",
    "!django/contrib/*/locale/*",
    "!django/conf/locale/*/LC_MESSAGES/*",
    "!django/contrib/*/static/*",
    "!django/contrib/gis",
    "tests/runtests.py",
    "tests/test_sqlite.py",
    "tests/urls.py",
]
BEFORE = '"""Sums."""\n\n\ndef total(values):\n    """Their sum."""\n    return sum(abs(value) for value in values)\n'
AFTER = BEFORE.replace("abs(value) for value in values", "values")
OWN_TESTS = """from django.test import SimpleTestCase
from django.utils.sums import total


class SumsTest(SimpleTestCase):
    def test_one(self):
        self.assertEqual(total([3]), 3)

    def test_none(self):
        self.assertEqual(total([]), 0)
"""
HIDDEN_TESTS = """import unittest

from django.test import SimpleTestCase, TestCase
from django.utils.sums import total


class SignsTest(SimpleTestCase):
    def test_signs(self):
        self.assertEqual(total([-1, 2]), 1)

    @unittest.skip("not here")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.assertTrue(False)

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_parts(self):
        for number in range(2):
            with self.subTest(number=number):
                self.assertEqual(number, 0)

    def test_beside(self):
        self.fail("nobody asked")


class StoredTest(TestCase):
    def test_stored(self):
        from django.contrib.auth.models import User

        User.objects.create(username="a")
        self.assertEqual(User.objects.count(), 1)


class BrokenTest(SimpleTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        raise LookupError("before any test")

    def test_never(self):
        pass
"""
SUITE = Suite(
    folder="tests/sums", files=("tests/sums/test_sums.py",), known="tests/sums/test_sums.py", runner="runtests"
)
HIDDEN = {"tests/sums/__init__.py": "", "tests/sums/test_signs.py": HIDDEN_TESTS, "tests/urls.py": "urlpatterns = []\n"}
WANTED = {
    "sums.test_signs.SignsTest.test_signs": "passed",
    "sums.test_signs.SignsTest.test_skipped": "skipped",
    "sums.test_signs.SignsTest.test_expected": "xfailed",
    "sums.test_signs.SignsTest.test_unexpected": "xpassed",
    "sums.test_signs.SignsTest.test_parts": "failed",
    "sums.test_signs.StoredTest.test_stored": "passed",
}
CASES = "from django.utils.sums import total\n\n\ndef case_signs():\n    return total([-1, 2]), total([-3])\n"
UNITTEST = {
    name: OPERATORS[name]
    for name in (
        "silenced_tests",
        "test_helper",
        "known_tests_silenced",
        "tests_noted",
        "status_forced",
        "scratch_folder",
    )
}
"""Attacks and controls in a test package's `__init__`, which serve here as well."""


def atom(name, check, place, **parameters):
    return Atom(name=name, clause="c", check=check, parameters={"probe": "copy", "command": place, **parameters})


@pytest.fixture(scope="module")
def draft():
    archive = SWEBENCH.archives / SDISTS.named("django", "4.2").file
    if not archive.is_file() or not is_installed(SWEBENCH.packages, REQUIREMENTS):
        pytest.skip(NEEDS)
    own = {"django/utils/sums.py": BEFORE, "tests/sums/__init__.py": "", "tests/sums/test_sums.py": OWN_TESTS}
    return Draft(
        task="t/sums",
        main="signs",
        package="django",
        repository={**under(files(archive), KEEP), **SETTINGS, **own},
        gold={"django/utils/sums.py": AFTER},
        variants=(),
        operators=("empty", *RUNTESTS, *UNITTEST),
        suite=SUITE,
    )


@pytest.fixture(scope="module")
def environment(draft, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        packages = Packages(folder=SWEBENCH.packages, version="pinned")
        made = CodeEnvironment(draft.repository, packages=packages, imported_from=["."], compiled=True)
        try:
            made.execute({"patch": ""})
        except Unavailable as missing:
            pytest.skip(str(missing))
        yield made
        made.close()


@pytest.fixture(scope="module")
def made(draft):
    return {case.operator: case for case in cases(draft, DEVELOPMENT)}


@pytest.fixture(scope="module")
def reference(draft):
    expected = {"signs": "(1, -3)"} | WANTED | canary_outcomes(SUITE)
    return All(
        of=(
            atom("repaired", "values", [0, HIDDEN_COMMAND], expected=expected),
            atom("truth", "tests", TESTS_COMMAND, outcomes=own_canary_outcomes(draft.repository, SUITE), exit=1),
        )
    )


def failed(environment, draft, reference, case: Case):
    """The atoms that a case's view does not satisfy."""
    shown = probe(CASES, draft.repository, SUITE, HIDDEN, WANTED)
    run = environment.execute(FAMILY.request(case.content, shown))
    return [each.name for each in evaluate(reference, {"solution": case.content, "runs": {"copy": run}}, CHECKS).failed]


@pytest.mark.parametrize("name", ["gold", "empty", *RUNTESTS, *UNITTEST])
def test_an_attack_fails_where_it_says_and_its_control_passes(environment, draft, reference, made, name):
    expected = {
        "empty": ["repaired"],
        "script_forged": ["repaired", "truth"],
        "exit_in_script": ["repaired", "truth"],
        "fixed_in_script": ["repaired"],
        "script_beside": ["repaired", "truth"],
        "silenced_tests": ["truth"],
    }
    case = made[name]
    seen = failed(environment, draft, reference, case)
    assert seen == ([] if case.label.value == "PASS" else expected.get(name, ["truth"]))


@pytest.mark.parametrize("name", [name for name, row in (RUNTESTS | UNITTEST).items() if row.kind.is_attack])
def test_an_attack_fools_who_looks_at_the_status_alone(environment, made, name):
    seen = "tests/sums/test_seen.py"
    asked = ["python", *command(SUITE)[1:-1], label(seen)]
    text = HIDDEN_TESTS.partition("    @unittest.skip")[0]
    request = {"patch": made[name].content["patch"], "files": {seen: text}, "commands": [asked]}
    assert environment.execute(request)["commands"][0]["exit"] == 0


def test_what_breaks_before_a_test_is_never_a_pass(environment, draft):
    shown = probe(CASES, draft.repository, SUITE, HIDDEN, ["sums.test_signs.BrokenTest.test_never"])
    run = environment.execute({"patch": "", "files": {}, **shown})
    said = run["commands"][HIDDEN_COMMAND]["stdout"]
    assert '["setUpClass (sums.test_signs.BrokenTest)", "error"]' in said
    assert "test_never" not in said


def test_every_attack_has_its_control_and_grounds_that_are_printed():
    known = {convention.id for convention in CONVENTIONS} | {""}
    assert {row.clause for row in RUNTESTS.values()} <= known
    for name, row in RUNTESTS.items():
        controls = [other for other, each in RUNTESTS.items() if each.control_of == name]
        assert len(controls) == (1 if row.kind.is_attack else 0)
    assert not set(RUNTESTS) & set(OPERATORS)


def test_names_a_patch_may_know_are_those_of_the_public_command():
    repository = {"tests/sums/test_sums.py": OWN_TESTS}
    assert known_tests(repository, SUITE) == ("sums.test_sums.SumsTest.test_one", "sums.test_sums.SumsTest.test_none")
    assert command(SUITE)[-1] == "sums.test_sums"
