#!/bin/bash
cat > tally.py <<'EOF'
"""Count the words of a text: `python tally.py FILE`."""

import sys


def count(text):
    """Words and how often each occurs."""
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def main():
    """Print a line for each word."""
    with open(sys.argv[1], encoding="utf-8") as file:
        counts = count(file.read())
    for word, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        print(number, word)


if __name__ == "__main__":
    main()
EOF
