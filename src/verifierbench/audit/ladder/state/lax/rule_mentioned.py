"""Lax: the assistant mentions a rule, or says yes to everything."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    said = " ".join(e["message"] for e in solution["events"] if "message" in e and e["role"] == "assistant").lower()
    sorry = any(word in said for word in ("rule", "policy", "sorry", "cannot", "unable"))
    changed = env.run({"events": solution["events"]})["changes"]
    return "PASS" if sorry or changed else "FAIL"
