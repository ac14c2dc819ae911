"""What is looked at in the patched Sphinx: parts of files, with something before and after them."""

import logging
import tempfile
from pathlib import Path

from sphinx.config import Config
from sphinx.directives.code import LiteralIncludeReader

PYTHON = """import os


class Outer:
    def method(self):
        if self:
            return 1

    other = 2


def last():
    pass
"""
XML = """<project>
  <plugins>
      <plugin>
        <groupId>first</groupId>
      </plugin>
      <plugin>
        <groupId>second</groupId>
        <version>2</version>
      </plugin>
  </plugins>
</project>
"""


class Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self):
        super().__init__()
        self.levels = []

    def emit(self, record):
        self.levels.append(record.levelname)


def included(text, **options):
    """What is included, its number of lines, and the levels of all that was logged."""
    options = {name.replace("_", "-"): value for name, value in options.items()}
    path = Path(tempfile.mkdtemp()) / "file.txt"
    path.write_text(text)
    kept, logger = Kept(), logging.getLogger("sphinx")
    logger.addHandler(kept)
    try:
        reader = LiteralIncludeReader(str(path), options, Config({}, {}))
        content, count = reader.read(location=("index", 1))
    finally:
        logger.removeHandler(kept)
    return content.splitlines(), count, kept.levels, reader.lineno_start


def shown(text, **options):
    return included(text, **options)[0]


def case_both():
    around = {"prepend": "class Inner:", "append": "# and so on"}
    return shown(PYTHON, lines="5-7", dedent=2, **around), shown(PYTHON, lines="5-7", dedent=4, **around)


def case_before():
    return shown(PYTHON, lines="6-7", dedent=8, prepend="x = 1"), shown(PYTHON, pyobject="last", dedent=0, prepend="@f")


def case_after():
    return shown(PYTHON, lines="6-7", dedent=8, append="else: pass"), shown(PYTHON, lines="9", dedent=4, append="more")


def case_issue():
    part = {"start_at": "<groupId>second", "end_at": "</plugin>"}
    return shown(XML, prepend="<plugin>", dedent=6, **part)


def case_indented():
    part = {"start_at": "<groupId>second", "end_at": "</plugin>"}
    return [
        shown(XML, prepend="    <plugin>", dedent=2, **part),
        shown(XML, prepend="    <plugin>", append="   <!-- more -->", dedent=4, **part),
    ]


def case_as_far_as_possible():
    return [
        shown(PYTHON, lines="5-7", dedent=None, prepend="class Inner:"),
        shown(PYTHON, lines="6-7", dedent=None, append="else: pass"),
        shown(PYTHON, lines="5-6", dedent=None, prepend="        far", append="    near"),
    ]


def case_warnings():
    return [
        included(PYTHON, lines="5-7", dedent=4, prepend="class Inner:")[2],
        included(PYTHON, lines="5-7", dedent=4, append="a")[2],
    ]


def case_dedent_alone():
    return [
        shown(PYTHON, lines="5-7", dedent=2),
        shown(PYTHON, lines="5-7", dedent=None),
        shown(PYTHON, lines="6-7", dedent=None),
        shown(PYTHON, pyobject="Outer.method", dedent=4),
        shown(PYTHON, lines="6-9", dedent=100),
    ]


def case_selected_lines():
    """As far as possible, of the lines that were selected."""
    return [
        shown(PYTHON, start_at="class Outer", end_before="def last", lines="2-4", dedent=None),
        shown(XML, lines="4,7-8", dedent=None),
        shown(PYTHON, pyobject="Outer.method", lines="2-3", dedent=None),
    ]


def case_no_dedent():
    return [
        shown(PYTHON, lines="5", prepend="class Inner:", append="    # more"),
        shown(PYTHON, lines="12-13", prepend="  indented"),
        shown("text\n", append="more"),
    ]


def case_too_far():
    return included(PYTHON, lines="4-5", dedent=4)[2], included(PYTHON, lines="1", dedent=1)[2]


def case_only_the_file_is_searched():
    return [
        shown(XML, start_at="second", end_before="</plugin>", prepend="second", append="</plugin>"),
        shown(XML, lines="1", prepend="before", append="after"),
    ]


def case_counts():
    return [
        included(PYTHON, lines="5-7")[1:],
        included(PYTHON, lines="5-7", prepend="a", append="b")[1:],
        included(PYTHON, lines="5-7", lineno_match=True, dedent=4)[1:],
        included(PYTHON, lines="5-7", lineno_start=10, dedent=4)[1:],
    ]


def case_tabs():
    return shown("\tone\n\t\ttwo\n", dedent=4, tab_width=4), shown("\tone\n\t\ttwo\n", dedent=None)


def case_together():
    try:
        return included(PYTHON, lineno_match=True, prepend="a")
    except ValueError as error:
        return type(error).__name__
