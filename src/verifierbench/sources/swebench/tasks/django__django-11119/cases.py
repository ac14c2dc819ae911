"""What is looked at in the patched Django: what engines render to strings, escaped or not."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.template import Context, Engine
from django.template.backends.django import DjangoTemplates

TEXT = "<a & 'b'>"
FILES = {
    "plain": "[{{ x }}]",
    "filters": "{{ x|upper }} {{ x|escape }} {{ x|safe }} {{ x|force_escape }}",
    "lists": "{{ many|join:'<>' }} {{ x|linebreaksbr }} {{ many|unordered_list }}",
    "inner": "{{ some.key }} {{ some.list.0 }} {{ some.call }}",
    "tags": "{% autoescape on %}{{ x }}{% endautoescape %} {% autoescape off %}{{ x }}{% endautoescape %} {{ x }}",
    "parts": "{% include 'plain' %}{% include 'plain' with x=y %}{% include 'plain' with x=y only %}",
    "base": "{{ x }}{% block a %}{{ x }}{% endblock %}",
    "child": "{% extends 'base' %}{% block a %}{{ block.super }}{{ y }}{% endblock %}",
    "own": "{{ 'ab'|make_list }}",
}
VALUES = {"x": TEXT, "y": '"<', "many": ["<1>", "&"], "some": {"key": "<k>", "list": [">"], "call": lambda: "&c"}}


class OwnEngine(Engine):
    """An engine of an application's own kind."""


def engine(autoescape=False, kind=Engine, **more):
    return kind(loaders=[("django.template.loaders.locmem.Loader", FILES)], autoescape=autoescape, **more)


def plain(text):
    """A safe string's text."""
    return str.__getitem__(text, slice(None))


def rendered(made, *names, **more):
    return plain(made.render_to_string(*names, **more))


def case_plain():
    return rendered(engine(), "plain", VALUES), rendered(engine(), "plain", context={"x": "<script>"})


def case_filters():
    return rendered(engine(), "filters", VALUES)


def case_lists():
    return rendered(engine(), "lists", VALUES)


def case_inner_values():
    return rendered(engine(), "inner", VALUES)


def case_tags():
    return rendered(engine(), "tags", VALUES)


def case_parts():
    return rendered(engine(), "parts", VALUES), rendered(engine(), "child", VALUES)


def case_first_of_names():
    found = rendered(engine(), ["none", "plain"], VALUES)
    return found, rendered(engine(), ("plain", "none"), VALUES)


def case_no_context():
    made = engine()
    return rendered(made, "own"), rendered(made, "own", None), rendered(made, "own", {})


def case_attribute():
    made = engine(True)
    before = rendered(made, "plain", VALUES)
    made.autoescape = False
    return before, rendered(made, "plain", VALUES)


def case_other_engines():
    own = rendered(engine(kind=OwnEngine, debug=True), "plain", VALUES)
    options = {"loaders": [("django.template.loaders.locmem.Loader", FILES)], "autoescape": False}
    backend = DjangoTemplates({"NAME": "d", "DIRS": [], "APP_DIRS": False, "OPTIONS": options})
    return own, rendered(backend.engine, "plain", VALUES)


def case_escaped():
    return [rendered(engine(True), name, VALUES) for name in ("plain", "filters", "tags", "parts", "own")]


def case_escaped_by_default():
    made = Engine(loaders=[("django.template.loaders.locmem.Loader", FILES)])
    return rendered(made, ["none", "plain"], VALUES), rendered(made, "own"), made.autoescape


def case_context_given():
    yes, no = Context(VALUES), Context(VALUES, autoescape=False)
    return [rendered(made, "plain", each) for made in (engine(), engine(True)) for each in (yes, no)]


def case_context_left():
    given, values = Context(VALUES, autoescape=True), dict(VALUES)
    rendered(engine(), "plain", given)
    rendered(engine(), "plain", values)
    return given.autoescape, sorted(given.flatten()), sorted(values)


def case_from_string():
    made = engine().from_string("{{ x }}")
    return (
        plain(made.render(Context(VALUES))),
        plain(made.render(Context(VALUES, autoescape=False))),
        Context().autoescape,
    )


def case_kinds():
    return [type(engine(yes).render_to_string("plain", VALUES)).__name__ for yes in (True, False)]


def case_missing():
    return rendered(engine(), "none", VALUES)


def case_no_names():
    return rendered(engine(), [], VALUES)
