"""One line of a settings file."""

__all__ = ["scan", "split_list", "split_setting", "without_remark"]


def without_remark(line):
    """The line up to a remark, without spaces around it."""
    # Letters cover what is quoted, so that only signs of remarks are left.
    covered = "".join("q" if quoted else sign for _, sign, quoted in scan(line, line.find("=") + 1))
    signs = [at for at, sign in enumerate(covered) if sign in "#;" and covered[at - 1 : at].strip() == ""]
    return line[: signs[0] if signs else None].strip()


def scan(text, start=0):
    """Position and character of a text, and whether it is between quotes; these open where an item of the value begins."""
    quoted = escaped = fresh = False
    for position, character in enumerate(text):
        yield position, character, quoted
        fresh = fresh or position == start
        if quoted:
            quoted = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif character == '"' and fresh:
            quoted = True
        fresh = position >= start and (character == "," or (fresh and character.isspace()))


def split_list(text):
    """Parts of a text between commas that stand outside quotes."""
    cuts = [position for position, character, quoted in scan(text) if character == "," and not quoted]
    return [text[start + 1 : end] for start, end in zip([-1, *cuts], [*cuts, len(text)])]


def split_setting(line):
    """Key and text of a line that has had its remark removed, or None."""
    key, equals, text = line.partition("=")
    if not equals or not key.strip():
        return None
    return key.strip(), text.strip()
