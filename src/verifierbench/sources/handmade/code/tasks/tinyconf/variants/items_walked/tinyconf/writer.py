"""Writing settings."""

from .lines import without_remark
from .values import parse_value, quote

__all__ = ["dumps"]


def dumps(settings):
    """The text of sections of settings."""
    parts = []
    for section, values in settings.items():
        lines = [f"[{section}]"]
        lines += [f"{key} = {_text(value)}" for key, value in values.items()]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _text(value):
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value) + ("," if len(value) < 2 else "")
    if isinstance(value, str):
        return value if _is_plain(value) else quote(value)
    return repr(value)


def _is_plain(text):
    """Whether the text is read back as it is without quotes."""
    line = f"k = {text}"
    if text == "" or text != text.strip() or without_remark(line) != line:
        return False
    try:
        return parse_value(text) == text
    except ValueError:
        return False
