"""One line of a settings file."""

import re

__all__ = ["split_list", "split_setting", "without_remark"]


_REMARK = re.compile(r"(?:^|\s)[#;]")
_PIECE = re.compile(r'(?P<item>,\s*(?:"(?:[^"\\]|\\.)*"?)?)|(?P<remark>(?<=\s)[#;].*)|.', re.DOTALL)


def without_remark(line):
    """The line up to a remark, without spaces around it."""
    head, equals, value = line.partition("=")
    if found := _REMARK.search(head):
        return line[: found.start()].strip()
    # A comma before the first item makes it an item like all others.
    for piece in _PIECE.finditer("," + value):
        if piece["remark"]:
            return line[: len(head) + len(equals) + piece.start() - 1].strip()
    return line.strip()


def split_list(text):
    """Parts of a text between commas that stand outside quotes."""
    parts = []
    for piece in _PIECE.finditer("," + text):
        if piece["item"]:
            parts.append(piece["item"][1:])
        else:
            parts[-1] += piece[0]
    return parts


def split_setting(line):
    """Key and text of a line that has had its remark removed, or None."""
    key, equals, text = line.partition("=")
    if not equals or not key.strip():
        return None
    return key.strip(), text.strip()
