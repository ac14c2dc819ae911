"""One line of a settings file."""

__all__ = ["split_setting", "without_remark"]


def without_remark(line):
    """The line up to a remark, without spaces around it."""
    for position, character in enumerate(line):
        if character in "#;" and (position == 0 or line[position - 1].isspace()):
            return line[:position].strip()
    return line.strip()


def split_setting(line):
    """Key and text of a line that has had its remark removed, or None."""
    key, equals, text = line.partition("=")
    if not equals or not key.strip():
        return None
    return key.strip(), text.strip()
