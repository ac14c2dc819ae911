"""What is looked at in the patched Django: command lines that are given, where the process has another or none."""

import contextlib
import io
import os
import sys

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.core.management import ManagementUtility, execute_from_command_line

SEEN = "import sys; print(sys.argv)"


def run(given, process, call=execute_from_command_line):
    """What a command line prints and how it ends, `sys.argv` being what the process has; and whether that stays."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv, ended, kept = process, None, list(process)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            call(given)
    except SystemExit as end:
        ended = end.code
    finally:
        same = sys.argv is process and process == kept
        sys.argv = before
    return out.getvalue(), err.getvalue(), ended, same


def first(given, process, **more):
    """The first line that is printed."""
    out, err, ended, _ = run(given, process, **more)
    return (out + err).strip().split("\n")[0].split(" [")[0], ended


def early(given, process):
    """What the two early options left behind, taken away again."""
    paths, name = list(sys.path), os.environ.get("DJANGO_SETTINGS_MODULE")
    try:
        run(given, process)
        return sorted({*sys.path} - {*paths}), os.environ.get("DJANGO_SETTINGS_MODULE")
    finally:
        sys.path[:] = paths
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
        if name is not None:
            os.environ["DJANGO_SETTINGS_MODULE"] = name


def case_issue():
    return first(["django-admin", "help", "shell"], [None, "help", "shell"])


def case_names():
    names = ("manage.py", "/opt/tools/embedded", "__main__.py", "100%")
    return [first([name, "help", "check"], [None]) for name in names]


def case_main_help():
    said = [run(["/x/tool", *more], [None])[0] for more in ([], ["help"], ["--help"], ["-h"])]
    return [text.strip().split("\n")[0] for text in said]


def case_version():
    return [run(["tool", word], [None])[0].strip() == django.get_version() for word in ("version", "--version")]


def case_command():
    return run(["tool", "check"], [None, "check"])[:3], run(["tool", "shell", "-c", "print(6 * 7)"], [None])[:3]


def case_errors():
    _, err, ended, _ = run(["tool", "nothing"], [None])
    return ended, "tool help" in err, first(["tool", "check", "--none"], [None]), first(["t", "shell", "-c"], [None])


def case_early_options():
    one = early(["tool", "help", "check", "--pythonpath", "/nowhere/x"], [None])
    return one, early(["tool", "help", "--settings=some.where", "--pythonpath=/nowhere/y"], [None])


def case_other_processes():
    return [first(["tool", "help", "check"], process) for process in ([], [5, "x"], [None, None])]


def case_no_name_at_all():
    return [run(["tool", "version"], process)[0].strip() == django.get_version() for process in ([], [5], [()])]


def case_utility():
    def call(given):
        ManagementUtility(given).execute()

    return first(["tool", "help", "check"], [None], call=call), run(["tool", "check"], [None], call=call)[2]


def case_process_kept():
    lines = (["help", "shell"], ["version"], ["check"], ["nothing"])
    kept = [run(["tool", *line], [None, "y"])[3] for line in lines]
    return kept, run(["tool", "shell", "-c", SEEN], [None, "y"])[0], run(["t", "shell", "--command", SEEN], [None])[0]


def case_other_name():
    process = ["/bin/own", "x"]
    return first(["tool", "help", "shell"], process), first(["/y/manage.py", "check", "-h"], process)


def case_of_the_process():
    return [first(None, [name, "help", "check"]) for name in ("/x/tool", "__main__.py", "m.py")]


def case_process_left_alone():
    process = ["own", "x"]
    seen = run(["tool", "shell", "-c", SEEN], process)[0]
    return seen, [run(["tool", *line], process)[3] for line in (["help"], ["check"], ["version"])]


def case_late_errors():
    lines = (["check", "--settings"], ["check", "--none"], ["nothing"], ["check", "a", "b", "--tag"])
    return [first(["tool", *line], ["own"]) for line in lines]


def case_early():
    one = early(["tool", "check", "--pythonpath", "/nowhere/x"], ["own"])
    return one, early(["tool", "help", "check", "--settings", "some.where"], ["own"]), early(["t", "check"], ["own"])


def case_not_abbreviated():
    return early(["tool", "help", "check", "--python", "/nowhere/x"], ["own"]), early(["t", "help", "--set=s"], ["own"])


def case_help_options():
    return [first(["tool", *line], ["own"]) for line in (["help", "-h"], ["help", "--help"], ["check", "--help"])]


def case_commands():
    return "check" in run(["tool", "help", "--commands"], ["own"])[0].split("\n"), run(["t", "check"], ["own"])[:3]
