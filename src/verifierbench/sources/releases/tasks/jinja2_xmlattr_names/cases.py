"""What is looked at in the patched Jinja2."""

from jinja2 import Environment
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

SOURCE = "<i{{ attrs|xmlattr }}>"


def rendered(attrs, source=SOURCE, environment=Environment, **options):
    return environment(**{"autoescape": True, **options}).from_string(source).render(attrs=attrs)


def answer(attrs, source=SOURCE, environment=Environment, **options):
    try:
        return rendered(attrs, source, environment, **options)
    except ValueError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__


def case_issue():
    return answer({"data-x": "a/b"}, autoescape=False), answer({"id/onclick": "alert(1)"}, autoescape=False)


def case_each_of_three():
    return [answer({f"a{mark}b": 1}) for mark in "/>="]


def case_at_the_ends():
    return [answer({key: "x"}) for key in ("/a", "a/", "=", "a=", ">", "/>", "=a=")]


def case_later_entries():
    return answer({"a": 1, "b": 2, "c/d": 3}), answer({"a": 1, "b>c": 2, "d": 3}), answer({"a": 1, "b": 2, "c=": 3})


def case_without_autoescaping():
    return [answer({key: "v"}, autoescape=False) for key in ("a/b", "a>b", "a=b", "ab")]


def case_marked_keys():
    return [answer({Markup(key): "v"}) for key in ("a/b", "a>b", "a=b", "a&gt;b")]


def case_written_in_the_template():
    source = "<i{{ {'a=b': 'v'}|xmlattr }}>"
    joined = "<i{{ {'data-' ~ attrs: 1}|xmlattr(true) }}>"
    return answer(None, source), answer("x/", joined), answer("xy", joined), answer("x>", joined, SandboxedEnvironment)


def case_whitespace():
    return [answer({key: 1}) for key in ("a b", "a\tb", "a\nb", "a\rb", "a\fb", "a\vb", " a", "a ")]


def case_other_characters():
    keys = ('a"b', "a'b", "a<b", "a&b", "a\\b", "a\uff1db", "a\u2215b", "a\uff1eb", "a\xa0b", "", "@click", "a:b", "x-1.y")
    return [answer({key: "v"}) for key in keys]


def case_left_out():
    source = "<i{{ {'a/b': none, 'c=d': missing, 'e': 1, 'f>g': attrs.none, 'h i': none}|xmlattr }}>"
    return answer({}, source), answer({"a=b": None}), answer({"a=b": None, "c": 0})


def case_values():
    return answer({"a": "x/y=z\n", "b": '"<&>"', "c": Markup("<b>"), "d": "", "e": 0, "f": False})


def case_order():
    return answer({"z": 1, "a": 2, "m": 3})


def case_space_before():
    sources = ("{{ attrs|xmlattr }}", "{{ attrs|xmlattr(false) }}")
    return [rendered(attrs, source) for attrs in ({"a": 1}, {}) for source in sources]


def case_marked_result():
    source = "{{ (attrs|xmlattr) is escaped }}"
    return rendered({"a": 1}, source), rendered({"a": 1}, source, autoescape=False)
