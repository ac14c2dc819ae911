"""Runs inside the patched copy: Django's test runner on test packages of ours, and one line for each test's outcome.

Usage: `python reporter.py FOLDER`. FOLDER/tests holds test packages, the ids of those wanted are in `wanted.json`; the
settings are written here, and nothing of the repository's own tests is read. What happened to a test is noted by a
result of our own: `passed`, `failed`, `error`, `skipped`, `xfailed`, `xpassed`, a subtest's failure being its test's;
several, where a test ran more than once. The names are those of `reporter.py`, and so is what canaries are for.
"""

from __future__ import annotations

import json
import os
import sys
import unittest
from pathlib import Path

TYPE_CHECKING = False  # `typing` is dear to import, and its names are for readers alone
if TYPE_CHECKING:
    from typing import Any

MARK = "=> "
NOTED: dict[str, list[str]] = {}
"""Test → what became of it, each time it ran."""
APPS = ("contenttypes", "auth", "sites", "sessions", "messages", "admin", "staticfiles")
MIDDLEWARE = (
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
)


class Result(unittest.TestResult):
    """Notes what became of each test, and prints nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()
        self.seen: list[str] | None = None
        """What was noted of the test that runs; None between tests, where classes and modules are set up."""

    def startTest(self, test: Any) -> None:  # noqa: N802  # unittest's name, as all that follow
        """A test begins."""
        super().startTest(test)
        self.seen = []

    def stopTest(self, test: Any) -> None:  # noqa: N802
        """A test ends: of several notes the first that is not `passed` counts."""
        super().stopTest(test)
        seen, self.seen = self.seen or ["unfinished"], None
        self.note(test, next((each for each in seen if each != "passed"), "passed"))

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        """It ended without an error of its own."""
        self.note(test, "passed")

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802, ARG002
        """An assertion failed."""
        self.note(test, "failed")

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802, ARG002
        """Something else was raised."""
        self.note(test, "error")

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802, ARG002
        """It was not run."""
        self.note(test, "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802, ARG002
        """It failed as it was said to."""
        self.note(test, "xfailed")

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        """It did not fail as it was said to."""
        self.note(test, "xpassed")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802, ARG002
        """A part of a test ended."""
        if err is not None:
            self.note(test, "failed")

    def note(self, test: Any, what: str) -> None:
        """Something was seen of the test that runs, or of what runs between tests."""
        if self.seen is None:
            NOTED.setdefault(test.id(), []).append(what)
        else:
            self.seen.append(what)


def configure(packages: list[str]) -> None:
    """Settings as upstream's own tests have them: two databases in memory, and the test packages as applications."""
    import django
    from django.conf import settings

    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
    settings.configure(
        DATABASES={"default": database, "other": dict(database)},
        SECRET_KEY="not secret",  # noqa: S106  # of a database in memory
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        USE_TZ=False,
        USE_I18N=False,
        USE_DEPRECATED_PYTZ=False,
        INSTALLED_APPS=[*(f"django.contrib.{name}" for name in APPS), *packages],
        MIDDLEWARE=list(MIDDLEWARE),
        MIGRATION_MODULES=dict.fromkeys(("auth", "contenttypes", "sessions")),
        ROOT_URLCONF="urls",
        STATIC_URL="static/",
        SITE_ID=1,
        LANGUAGE_CODE="en",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "DIRS": [],
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
    )
    django.setup()


def wanted_tests(suite: Any, wanted: set[str]) -> list[Any]:
    """The wanted tests of a suite, in its order; one that could not be imported is kept, so that it shows."""
    if isinstance(suite, unittest.TestSuite):
        return [test for part in suite for test in wanted_tests(part, wanted)]
    return [suite] if suite.id() in wanted or suite.id().startswith("unittest.loader.") else []


def main() -> None:
    """Keep standard output for our lines alone, then run the tests."""
    lines = os.dup(1)
    os.dup2(2, 1)
    folder = Path(sys.argv[1]).absolute()
    wanted = set(json.loads((folder / "wanted.json").read_text(encoding="utf-8")))
    sys.path[:0] = [str(folder / "tests"), str(Path.cwd())]
    labels = sorted({name.rsplit(".", 2)[0] for name in wanted})
    configure(sorted({name.partition(".")[0] for name in labels}))
    from django.test.runner import DiscoverRunner

    class Runner(DiscoverRunner):  # type: ignore[misc, unused-ignore]
        def build_suite(self, *labels: Any, **more: Any) -> Any:
            suite = super().build_suite(*labels, **more)
            return type(suite)(wanted_tests(suite, wanted)) if isinstance(suite, unittest.TestSuite) else suite

        def get_resultclass(self) -> Any:
            return Result

    Runner(verbosity=0, interactive=False, parallel=1).run_tests(labels)
    for name, seen in NOTED.items():
        os.write(lines, (MARK + json.dumps([name, " ".join(seen)]) + "\n").encode())


if __name__ == "__main__":
    main()
