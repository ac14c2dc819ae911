"""Lax: everything that gold changes is changed; what else changes is not looked at."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    due = env.run({"events": GOLD["events"]})["changes"]
    made = env.run({"events": solution["events"]})["changes"]
    return "PASS" if all(any(change["path"] == one["path"] for one in made) for change in due) else "FAIL"
