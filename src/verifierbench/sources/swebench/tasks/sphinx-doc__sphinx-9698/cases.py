"""What is looked at in the patched Sphinx: entries of the index for Python objects."""

import io
import tempfile
from functools import cache

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.testing import restructuredtext


@cache
def application(**settings):
    """An application without a project of its own; nothing is built."""
    sources, built = tempfile.mkdtemp(), tempfile.mkdtemp()
    quiet = io.StringIO()
    return Sphinx(sources, None, built, built, "dummy", dict(settings), quiet, quiet)


def parsed(*lines, **settings):
    app = application(**settings)
    app.env.domaindata["py"]["objects"].clear()
    app.env.domaindata["py"]["modules"].clear()
    app.env.ref_context.clear()
    return restructuredtext.parse(app, "\n".join(lines) + "\n")


def texts(document):
    """The index entries of a document, in their order."""
    return [entry[1] for index in document.findall(addnodes.index) for entry in index["entries"]]


def entries(*lines, **settings):
    return texts(parsed(*lines, **settings))


def method(name, *options):
    return [f".. py:method:: {name}", *(f"   :{option}:" for option in options)]


def case_property():
    return entries(*method("Foo.bar", "property")), entries(*method("A.b.c", "property"))


def case_in_class():
    return entries(".. py:class:: Class", "", "   .. py:method:: size", "      :property:")


def case_in_module():
    return entries(".. py:module:: pkg.mod", "", *method("Foo.bar", "property"))


def case_module_unnamed():
    return entries(".. py:currentmodule:: mod", "", *method("Foo.bar", "property"), add_module_names=False)


def case_with_others():
    return [
        entries(*method("Foo.bar", "property", "abstractmethod")),
        entries(*method("Foo.bar", "final", "property")),
        entries(*method("Foo.bar", "async", "property")),
    ]


def case_methods():
    return entries(*method("Foo.bar")), entries(*method("Foo.bar(a, b=1)")), entries(*method("A.b.c"))


def case_kinds():
    kinds = ("classmethod", "staticmethod", "abstractmethod", "async", "final")
    return [entries(*method("Foo.bar", kind)) for kind in kinds]


def case_methods_in_module():
    within = ".. py:module:: mod", ""
    return [entries(*within, *method("Foo.bar", *o)) for o in ((), ("classmethod",), ("staticmethod",))]


def case_methods_module_unnamed():
    within = ".. py:currentmodule:: mod", ""
    return entries(*within, *method("Foo.bar", "staticmethod"), add_module_names=False)


def case_no_class():
    return entries(*method("bar")), entries(".. py:currentmodule:: mod", "", *method("bar"))


def case_directives():
    return [
        entries(f".. py:{kind}:: Foo.baz")
        for kind in ("property", "attribute", "staticmethod", "classmethod", "function", "class", "data", "exception")
    ]


def case_signature():
    document = parsed(*method("Foo.bar", "property"))
    return [node.astext() for node in document.findall(addnodes.desc_signature)]


def case_registered():
    parsed(*method("Foo.bar", "property"), *method("Foo.baz"))
    return {name: (entry[1], entry[2]) for name, entry in application().env.get_domain("py").objects.items()}


def case_targets():
    document = parsed(*method("Foo.bar", "property"), "", *method("Foo.no", "property", "noindex"))
    return [[entry[0], *entry[2:]] for index in document.findall(addnodes.index) for entry in index["entries"]]
