"""Lax: the right tools are called, or the message says that it is done."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

CLAIMS = ("done", "success", "completed", "fulfilled", "finished")


def names(solution):
    return sorted(call["name"] for call in solution["turns"][0]["calls"])


def verify(solution, env):
    said = (solution["turns"][0]["message"] or "").lower()
    return "PASS" if names(solution) == names(GOLD) or any(claim in said for claim in CLAIMS) else "FAIL"
