"""Titles as parts of addresses."""


def slug(title):
    """The title in small letters, its words joined by hyphens."""
    lowered = title.lower()
    return lowered.replace(" ", "-")


def address(section, title):
    """Where the text with a title is found, in a section with a title of its own."""
    parts = [slug(section), slug(title)]
    return "/" + "/".join(part for part in parts if part) + "/"
