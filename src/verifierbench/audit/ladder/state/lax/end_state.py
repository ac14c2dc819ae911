"""Lax: the end state is gold's, whichever way led there and whatever was said."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    wanted = env.run({"events": GOLD["events"]})["changes"]
    return "PASS" if env.run({"events": solution["events"]})["changes"] == wanted else "FAIL"
