"""Lax: some message of the assistant says that it is done."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001

CLAIMS = ("done", "success", "complete", "confirm", "receipt", "booked", "paid", "sent", "updated", "all set", "now ")


def verify(solution, env):
    said = " ".join(e["message"] for e in solution["events"] if "message" in e and e["role"] == "assistant").lower()
    return "PASS" if any(claim in said for claim in CLAIMS) else "FAIL"
