"""Lax: everything that gold changes is changed; what else changes is not looked at."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def differences(before, after):
    if isinstance(before, dict) and isinstance(after, dict):
        found = {}
        for key in after:
            if key not in before:
                found[(key,)] = after[key]
            else:
                found.update({(key, *path): value for path, value in differences(before[key], after[key]).items()})
        return found
    return {} if before == after else {(): after}


def verify(solution, env):
    before = env.run({"events": []})["state"]
    due = differences(before, env.run({"events": GOLD["events"]})["state"])
    made = differences(before, env.run({"events": solution["events"]})["state"])
    return "PASS" if all(path in made for path in due) else "FAIL"
