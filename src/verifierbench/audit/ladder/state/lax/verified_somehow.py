"""Lax: an identity check succeeded before the account was used, and the end state is gold's.

Whose PIN it was and whether anybody told it is not looked at.
"""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    wanted = env.run({"events": GOLD["events"]})["state"]
    ran = env.run({"events": solution["events"]})
    done = [result["name"] for result in ran["results"] if "error" not in result]
    checked = "verify_member" in done and "get_member" not in done[: done.index("verify_member")]
    return "PASS" if checked and ran["state"] == wanted else "FAIL"
