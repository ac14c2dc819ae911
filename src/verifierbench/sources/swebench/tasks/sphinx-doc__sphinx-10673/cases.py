"""What is looked at in the patched Sphinx: where the entries of toctrees lead, and what is said about them."""

import io
import tempfile
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

ISSUE = """
.. toctree::
   :maxdepth: 1
   :caption: Indices and tables

   genindex
   modindex
   search
"""


def page(title, *entries, options=(), below=""):
    """A document with a toctree of these entries."""
    lines = [title, "=" * len(title), "", ".. toctree::", *(f"   :{option}:" for option in options), "", *entries]
    return "\n".join(line if n < 4 or line.startswith("   ") else f"   {line}" for n, line in enumerate(lines)) + below


class Looked:
    """A project that was read for HTML and whose toctrees were resolved; nothing is written."""

    def __init__(self, documents, **settings):
        sources, built = Path(tempfile.mkdtemp()), tempfile.mkdtemp()
        for name, text in documents.items():
            (sources / f"{name}.rst").parent.mkdir(parents=True, exist_ok=True)
            (sources / f"{name}.rst").write_text(text + "\n")
        said = io.StringIO()
        self.app = Sphinx(str(sources), None, built, built, "html", settings, io.StringIO(), said)
        self.app.builder.read()
        self.env = self.app.env
        list(self.env.check_dependents(self.app, set(self.env.all_docs)))
        self.env.check_consistency()
        self.links = {name: self.resolved(name) for name in documents if name in self.env.all_docs}
        self.warnings = len([line for line in said.getvalue().splitlines() if sources.name in line])

    def resolved(self, name):
        """Addresses of a document's links, and whether each has a text."""
        document = self.env.get_and_resolve_doctree(name, self.app.builder)
        return [(link["refuri"], bool(link.astext())) for link in document.findall(nodes.reference)]


@cache
def issue():
    foo = "Foo\n===\n\n.. py:module:: somewhere\n"
    return Looked({"index": page("Start", "foo") + "\n" + ISSUE, "foo": foo})


@cache
def mixed():
    return Looked(
        {
            "index": page("Start", "search", "one", "genindex", "two"),
            "one": "One\n===\n",
            "two": page("Two", "modindex", "three"),
            "three": page("Three", "genindex", "search", options=["numbered"]),
        }
    )


@cache
def figures():
    figure = "\n.. figure:: a.png\n\n   A picture\n\n"
    index = page("Start", "one", "genindex", "search", options=["numbered"]) + figure
    return Looked({"index": index, "one": "One\n===\n" + figure}, numfig=True, suppress_warnings=["image.not_readable"])


@cache
def wrong():
    return Looked(
        {
            "index": page("Start", "one", "nowhere", "genindexes", "one", "sub/two", "skipped"),
            "one": "One\n===\n",
            "skipped": "Skipped\n=======\n",
            "sub/two": page("Two", "search_it"),
            "alone": "Alone\n=====\n",
        },
        exclude_patterns=["skipped.rst"],
    )


@cache
def plain():
    return Looked(
        {
            "index": page("Start", "other", "*", options=["glob"]),
            "a": "Aa\n==\n\nBelow\n-----\n",
            "b": "Bb\n==\n\n:ref:`genindex` :ref:`modindex` :ref:`search`\n",
            "other": page("Other", "self", "Elsewhere <https://example.org/>", "A title <a>", options=["reversed"]),
        }
    )


def case_issue():
    return issue().links["index"]


def case_issue_says_nothing():
    return issue().warnings


def case_among_documents():
    return mixed().links["index"]


def case_other_documents():
    return mixed().links["two"], mixed().links["three"], mixed().warnings


def case_figures_numbered():
    return figures().links["index"], figures().warnings


def case_nowhere():
    return wrong().links["index"], wrong().links["sub/two"]


def case_nowhere_warnings():
    return wrong().warnings


def case_patterns():
    return plain().links["index"]


def case_other_entries():
    return plain().links["other"]


def case_references():
    return plain().links["b"], plain().warnings


def case_included():
    return {name: sorted(found) for name, found in plain().env.toctree_includes.items()}


def case_figure_numbers():
    figure = "\n.. figure:: a.png\n\n   A picture\n\n"
    documents = {"index": page("Start", "one", options=["numbered"]), "one": "One\n===\n" + figure}
    env = Looked(documents, numfig=True).env
    return env.toc_fignumbers["one"], env.toc_secnumbers["one"]
