"""Reading settings."""

from .lines import split_setting, without_remark
from .values import parse_value

__all__ = ["ConfigError", "loads"]


class ConfigError(ValueError):
    """A line that means nothing; `line` is its number."""

    def __init__(self, line, message):
        super().__init__(f"line {line}: {message}")
        self.line = line


def loads(text):
    """Sections of settings, as a dict of dicts; a later setting replaces an earlier one."""
    settings = {}
    section = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = without_remark(raw)
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            section = settings[line[1:-1].strip()] = {}
            continue
        setting = split_setting(line)
        if setting is None:
            raise ConfigError(number, "neither a section nor a setting")
        if section is None:
            raise ConfigError(number, "a setting before the first section")
        key, value = setting
        try:
            section[key] = parse_value(value)
        except ValueError as error:
            raise ConfigError(number, str(error)) from error
    return settings
