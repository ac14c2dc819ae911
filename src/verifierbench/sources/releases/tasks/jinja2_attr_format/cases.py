"""What is looked at in the patched Jinja2."""

from jinja2 import Environment, StrictUndefined
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment


class Ours(SandboxedEnvironment):
    """A sandbox as users make them."""

    def is_safe_attribute(self, obj, attr, value):
        return attr != "secret" and super().is_safe_attribute(obj, attr, value)


class Thing:
    """Something to look at, with a `format` of its own and one that is a string's."""

    public, secret = 1, 2

    def __init__(self):
        self.shown = "<{0.__class__}{1}>".format
        self.mapped = "<{x.__class__}{y}>".format_map

    def format(self, *values):
        return f"thing of {values}"

    @property
    def doubled(self):
        return 2 * self.public


class Dynamic:
    def __getattr__(self, name):
        if name.startswith("no"):
            raise AttributeError(name)
        return name + name


class Both(dict):
    name = "attribute"


def rendered(source, kind=SandboxedEnvironment, **given):
    environment = kind()
    environment.filters["called"] = lambda method, *values: method(*values)
    return environment.from_string("{{ " + source + " }}").render(given)


def answer(source, kind=SandboxedEnvironment, **given):
    try:
        return rendered(source, kind, **given)
    except SecurityError:
        return "SecurityError"
    except Exception as error:
        return type(error).__name__


def case_issue():
    return answer("'a{0.__class__}b'.format(42)"), answer("('a{0.__class__}b'|attr('format'))(42)")


def case_format_map():
    return answer("('a{x.__class__}b'|attr('format_map'))({'x': 42})"), answer(
        "('{x.__init__.__globals__}'|attr('format_map'))({'x': y})", y=Thing()
    )


def case_what_may_be_seen():
    dots = "('a{0.key}b{1:>3}{c}'|attr('format'))({'key': 1}, 2, c='d')"
    return answer(dots), answer("('{x.k}{y!r}'|attr('format_map'))({'x': {'k': 1}, 'y': 'z'})")


def case_markup():
    return answer("('a{0.__class__}b{1}'|safe|attr('format'))(42, '<i>')"), answer(
        "('{x.__class__}{y}'|safe|attr('format_map'))({'x': 1, 'y': '&'})"
    )


def case_errors():
    sources = ("{0.__class__.__mro__}", "{0.__call__.__builtins__[x]}", "{0[__class__].__name__}")
    return [answer(f"('{text}'|attr('format'))(x)", x=Thing()) for text in sources]


def case_names():
    return answer("('{0.__doc__}.'|attr(name))(x)", name="format", x=Thing()), answer(
        "('{0.__doc__}.'|attr('for' ~ 'mat'))(x)", x=Thing()
    )


def case_called_by_a_filter():
    return answer("'-{0.__class__}-'|attr('format')|called(1)"), answer(
        "'-{x.__class__}-'|attr('format_map')|called({'x': 1})"
    )


def case_from_other_objects():
    thing = Thing()
    return answer("(x|attr('shown'))(1, 2)", x=thing), answer("(x|attr('mapped'))({'x': 1, 'y': 2})", x=thing)


def case_by_the_map_filter():
    return answer("(['({0.__class__})', '({0})']|map('attr', 'format')|map('called', 1))|join")


def case_other_sandboxes():
    return [answer("(':{0.__class__}:'|attr('format'))(1)", kind) for kind in (ImmutableSandboxedEnvironment, Ours)]


def case_no_items():
    given = {"x": {"a": 1, "keys": 2}, "y": [7, 8], "both": Both(name="item", other="item")}
    sources = ("x|attr('a')|default('no')", "(x|attr('keys'))()|list", "y|attr('0')|default('no')", "both|attr('name')")
    more = ("both|attr('other')|default('no')", "x|attr('format')|default('no')")
    return [[answer(source, kind, **given) for source in sources + more] for kind in (Environment, SandboxedEnvironment)]


def case_outside():
    return answer("('a{0.__class__}b'|attr('format'))(1)", Environment), answer(
        "('{x.__class__}'|attr('format_map'))({'x': 'y'})", Environment
    )


def case_unsafe():
    sources = ("x|attr('__class__')", "(x|attr('__init__')).name", "(x|attr('__class__'))()", "x|attr('secret')|int")
    kinds = (SandboxedEnvironment, Ours)
    lists = [answer("(y|attr('append'))(1)", kind, y=[]) for kind in (ImmutableSandboxedEnvironment, Ours)]
    return [[answer(source, kind, x=Thing()) for source in sources] for kind in kinds], lists


def case_attributes():
    sources = ("x|attr('public')", "x|attr('doubled')", "(x|attr('format'))(1, 2)", "('ab'|attr('upper'))()")
    return [[answer(source, kind, x=Thing()) for source in sources] for kind in (Environment, SandboxedEnvironment)]


def case_dynamic():
    sources = ("x|attr('ab')", "x|attr('none')|default('no')", "x|attr('ab')|attr('title')|called")
    return [[answer(source, kind, x=Dynamic()) for source in sources] for kind in (Environment, SandboxedEnvironment)]


def case_missing():
    sources = ("x|attr('nothing')", "x|attr('nothing') is defined", "(x|attr('nothing')).more")
    strict = [answer(source, lambda: SandboxedEnvironment(undefined=StrictUndefined), x=1) for source in sources]
    return [answer(source, x=1) for source in sources], strict
