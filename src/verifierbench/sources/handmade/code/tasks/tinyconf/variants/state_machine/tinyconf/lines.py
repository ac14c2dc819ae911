"""One line of a settings file."""

__all__ = ["split_setting", "without_remark"]


def without_remark(line):
    """The line up to a remark, without spaces around it."""
    kept, state = [], "key"
    for character in line:
        if state == "quoted":
            state = {"\\": "escaped", '"': "after"}.get(character, state)
        elif state == "escaped":
            state = "quoted"
        elif character in "#;" and (not kept or kept[-1].isspace()):
            break
        elif character == '"' and state == "before":
            state = "quoted"
        elif character == ("=" if state == "key" else ","):
            state = "before"
        elif state == "before" and not character.isspace():
            state = "after"
        kept.append(character)
    return "".join(kept).strip()


def split_setting(line):
    """Key and text of a line that has had its remark removed, or None."""
    key, equals, text = line.partition("=")
    if not equals or not key.strip():
        return None
    return key.strip(), text.strip()
