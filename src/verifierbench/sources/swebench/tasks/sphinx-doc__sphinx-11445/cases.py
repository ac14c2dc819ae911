"""What is looked at in the patched Sphinx: documents that something is put before."""

import io
import tempfile
from functools import cache

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.testing import restructuredtext
from sphinx.util.rst import append_epilog, prepend_prolog

PROLOG = "\n.. |psf| replace:: Python Software Foundation\n"


@cache
def application(prolog):
    """An application without a project of its own; nothing is built."""
    sources, built = tempfile.mkdtemp(), tempfile.mkdtemp()
    settings = {"rst_prolog": prolog, "rst_epilog": ".. |end| replace:: at last"}
    return Sphinx(sources, None, built, built, "dummy", settings, io.StringIO(), io.StringIO())


def parsed(text, prolog=PROLOG):
    return restructuredtext.parse(application(prolog), text)


def outline(document):
    """Titles of sections, one below the other, and paragraphs."""
    return [f"{type(node).__name__}: {node.astext()}" for node in document.findall() if isinstance(node, SHOWN)]


SHOWN = (nodes.title, nodes.paragraph, nodes.docinfo, nodes.field, nodes.system_message)


def headed(*titles, prolog=PROLOG):
    """Outlines of documents, each with one heading and a paragraph."""
    return [
        outline(parsed(f"{title}\n{'=' * len(title)}\n\nThanks to the |psf| |end|.\n", prolog)) for title in titles
    ]


def put_before(*lines, prolog):
    content = StringList(list(lines), "some.rst")
    prepend_prolog(content, prolog)
    return list(content.xitems())


def case_issue():
    text = ":mod:`mypackage2`\n=================\n\nContent\n\nSubheading\n----------\n\nBy the |psf|.\n"
    return outline(parsed(text))


def case_domains():
    return headed(":py:mod:`package`", ":c:func:`main`", ":rst:dir:`toctree`", ":py:class:`a.B`")


def case_roles():
    return headed(":class:`Thing`", ":func:`call`", ":samp:`file`", ":command:`make`")


def case_more_than_role():
    return headed(":mod:`json` and others", ":mod:`json`: reading", ":class:`A` or :class:`B`")


def case_lines():
    return put_before(":mod:`foo`", "==========", "", "text", prolog="one\ntwo"), put_before(
        ":py:mod:`foo`", "=============", prolog="one\n"
    )


def case_without_prolog():
    return headed(":mod:`package`", "Title", prolog="")


def case_plain_headings():
    return headed("Title", "The :mod:`json` module", "`:x:`", "1: one")


def case_fields():
    text = ":author: Somebody\n:date: today\n\nTitle\n=====\n\nThe |psf|.\n"
    document = parsed(text)
    return outline(document), put_before(":author: a", ":date: b", "", "Title", "=====", prolog="one")


def case_empty_fields():
    return put_before(":orphan:", "", "Title", "=====", prolog="one\ntwo"), put_before(
        ":nosearch:", ":tocdepth: 2", "", ":mod:`foo`", "==========", prolog="one"
    )


def case_roles_in_fields():
    return put_before(":author: :mod:`foo`", "", "Title", "=====", prolog="one")


def case_plain_lines():
    return [
        put_before("Title", "=====", "", ":author: a", prolog="one\n\ntwo\n"),
        put_before("====", ":mod:`x`", "====", prolog="one"),
        put_before(prolog="one"),
        put_before("Title", prolog=""),
    ]


def case_after():
    content = StringList([":mod:`foo`", "=========="], "some.rst")
    append_epilog(content, "one\ntwo")
    return list(content.xitems())
