"""Weight of parcels by destination: reads parcels.csv, writes totals.json."""

import csv
import json


def totals(rows):
    """Weight by destination, in grams."""
    weights = {}
    for row in rows:
        place = row["destination"]
        if row["state"] != "cancelled":
            weights[place] = weights.get(place, 0) + int(row["grams"])
    return weights


def main():
    """Read, add up, write, and say how many destinations there are."""
    with open("parcels.csv", newline="") as file:
        found = totals(csv.DictReader(file))
    with open("totals.json", "w") as file:
        json.dump(found, file, indent=2)
    print(f"{len(found)} destinations")


if __name__ == "__main__":
    main()
