"""Over-strict: the files touched are gold's, all of them and no other."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import re


def files(patch):
    names = re.findall(r"^(?:---|\+\+\+) (?:[ab]/)?(\S+)", patch, re.M)
    return {name for name in names if name != "/dev/null"}


def verify(solution, env):
    return "PASS" if files(solution["patch"]) == files(GOLD["patch"]) else "FAIL"
