"""Lax: most of the words gold adds are among the words the patch adds, in code or elsewhere."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import re


def words(patch, sign):
    lines = [line[1:] for line in patch.split("\n") if line.startswith(sign) and line[:3] != sign * 3]
    return set(re.findall(r"\w+", " ".join(lines)))


def verify(solution, env):
    due = words(GOLD["patch"], "+") - words(GOLD["patch"], "-")
    return "PASS" if 2 * len(due & words(solution["patch"], "+")) > len(due) else "FAIL"
