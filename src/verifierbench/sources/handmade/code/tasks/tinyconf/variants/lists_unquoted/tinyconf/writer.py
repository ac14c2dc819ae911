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
        items = [quote(item) if isinstance(item, str) and not _is_plain(item) else _plain(item) for item in value]
        return ", ".join(items) + ("," if len(value) < 2 else "")
    if isinstance(value, str):
        return value if _is_plain(value) and without_remark(f" {value}") == value else quote(value)
    return repr(value)


def _plain(item):
    return item if isinstance(item, str) else _text(item)


def _is_plain(text):
    """Whether the text is read back as it is without quotes."""
    return text != "" and text == text.strip() and not text.startswith('"') and parse_value(text) == text
