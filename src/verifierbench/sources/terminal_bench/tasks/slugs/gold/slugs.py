"""Titles as parts of addresses."""

import re


def slug(title):
    """The title in small letters, its words joined by hyphens."""
    lowered = title.lower()
    return re.sub(r"[^a-z0-9]+", "-", lowered).strip("-")


def unique(titles):
    """The slugs of titles, numbered where one was given before."""
    given = []
    for title in titles:
        plain = numbered = slug(title)
        number = 2
        while numbered in given:
            numbered = f"{plain}-{number}"
            number += 1
        given.append(numbered)
    return given


def address(section, title):
    """Where the text with a title is found, in a section with a title of its own."""
    parts = [slug(section), slug(title)]
    return "/" + "/".join(part for part in parts if part) + "/"
