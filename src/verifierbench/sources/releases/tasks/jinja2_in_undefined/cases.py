"""What is looked at in the patched Jinja2."""

import logging

from jinja2 import (
    ChainableUndefined,
    DebugUndefined,
    Environment,
    StrictUndefined,
    Undefined,
    make_logging_undefined,
)
from jinja2.sandbox import SandboxedEnvironment

SILENT = logging.Logger("cases", level=logging.CRITICAL)


class Ours(Undefined):
    """A class as users write them."""

    def __str__(self):
        return "?"


KINDS = (ChainableUndefined, DebugUndefined, make_logging_undefined(SILENT), Ours)


def rendered(source, kind=Undefined, environment=Environment, **given):
    return environment(undefined=kind).from_string(source).render(given)


def refusal(source, kind=Undefined, **given):
    try:
        return rendered("{{ " + source + " }}", kind, **given)
    except Exception as error:
        return type(error).__name__


def case_issue():
    return [rendered("{{ " + source + " }}") for source in ("'a' in names", "'a' not in names", "names|length")]


def case_other_kinds():
    return [rendered("{{ 'a' in x }} {{ 'a' not in x }}", kind) for kind in KINDS]


def case_missing_attribute():
    return [rendered("{{ 'a' in user.tags }} {{ 'a' not in user['tags'] }} {{ 'a' in rows[7] }}", user={}, rows=[])]


def case_other_items():
    return rendered("{{ 3 in x }} {{ none in x }} {{ [1] in x }} {{ '' in x }} {{ y in x }} {{ (1, 2) not in x }}")


def case_conditions():
    source = "{% if 'a' in x %}yes{% else %}no{% endif %} {{ ['a', 'b']|select('in', x)|list }}"
    return rendered(source), rendered(source, environment=SandboxedEnvironment)


def case_in_python():
    environment = Environment()
    environment.filters["marked"] = lambda names: "+" if "a" in names else "-"
    return environment.from_string("{{ x|marked }}").render(), "a" in Undefined(), "b" not in Undefined(name="x")


def case_strict():
    sources = ("'a' in x", "'a' not in x", "3 in x", "'a' in user.tags", "'a' is in x")
    return [refusal(source, StrictUndefined, user={}) for source in sources]


def case_refused():
    sources = ("x['a']", "x[0]", "x()", "x + 1", "1 - x", "x * 2", "x < 1", "x >= 1", "-x", "x ** 2", "x.y", "x % 2")
    return [refusal(source, kind) for kind in (Undefined, DebugUndefined) for source in sources]


def case_debug():
    return rendered("{{ x }} {{ x|list }} {{ x|length }} {{ user.y }} {{ not x }}", DebugUndefined, user={})


def case_chainable():
    return rendered("{{ x.y['z'] }}|{{ x['y'].z|list }}|{{ x.y|default('d') }}", ChainableUndefined)


def case_plain():
    return rendered("[{{ x }}] {{ x|list }} {{ x|join(',') }} {{ x or 'd' }} {% for _ in x %}.{% endfor %}")


def case_equality():
    return Undefined(name="a") == Undefined(name="b"), Undefined() != 4, hash(Undefined()) == hash(Undefined(name="a"))


def case_other_containers():
    source = "{{ 'a' in 'abc' }} {{ 2 in [1, 2] }} {{ 'k' in {'k': 1} }} {{ x in [1] }} {{ x not in (1, 2) }}"
    return rendered(source), refusal("'a' in 5")
