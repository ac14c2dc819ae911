"""The invoice task's reference: a plain verifier. Each guard names the clause it enforces."""

AMOUNTS = {"copy paper": 80.0, "toner": 32.5, "delivery": 12.0}


def name(item):
    return item["name"].partition(",")[0].strip().casefold()


def verify(solution, env):
    if solution["supplier"].strip().casefold() != "harbour paper ltd":  # clause: supplier
        return "FAIL"
    if solution["currency"] != "EUR":  # clause: currency
        return "FAIL"
    if abs(solution["due"] - 74.5) > 0.001:  # clause: due
        return "FAIL"
    if sorted(name(item) for item in solution["items"]) != sorted(AMOUNTS):  # clause: items
        return "FAIL"
    off = [abs(item["amount"] - AMOUNTS.get(name(item), 0)) for item in solution["items"]]
    return "FAIL" if any(far > 0.001 for far in off) else "PASS"  # clause: amounts
