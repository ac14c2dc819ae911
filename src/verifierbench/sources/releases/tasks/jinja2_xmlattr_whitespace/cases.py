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
    return answer({"id": "a b"}), answer({"id onclick": "alert(1)"})


def case_each_of_six():
    return [answer({f"a{mark}b": 1}) for mark in " \t\n\r\f\v"]


def case_at_the_ends():
    return [answer({key: "x"}) for key in (" a", "a ", " ", "\n", "\tb\t")]


def case_later_entries():
    return answer({"a": 1, "b": 2, "c d": 3}), answer({"a": 1, "b\nc": 2, "d": 3})


def case_without_autoescaping():
    return [answer({key: "v"}, autoescape=False) for key in ("a b", "a\tb", "ab")]


def case_marked_keys():
    return answer({Markup("a b"): "v"}), answer({Markup("a"): "v"}), answer({Markup("&lt; b"): "v"}, autoescape=False)


def case_written_in_the_template():
    source = "<i{{ {'a b': 'v'}|xmlattr }}>"
    joined = "<i{{ {'data-' ~ attrs: 1}|xmlattr }}>"
    return answer(None, source), answer("x y", joined), answer("xy", joined), answer("x y", joined, SandboxedEnvironment)


def case_left_out():
    source = "<i{{ {'a b': none, 'c\td': missing, 'e': 1, 'f g': attrs.none}|xmlattr }}>"
    return answer({}, source), answer({"a b": None}), answer({"a b": None, "c": 0})


def case_other_characters():
    keys = ("a\xa0b", "a\u2003b", "a\x1fb", "a\u200bb", "a\x85b", "", "@click", "v-on:x.y", "data-x_1", "ä")
    return [answer({key: "v"}) for key in keys]


def case_values():
    return answer({"a": "x y\n", "b": '"<&>"', "c": Markup("<b>"), "d": "", "e": 0, "f": False})


def case_order():
    return answer({"z": 1, "a": 2, "m": 3})


def case_space_before():
    return [rendered(attrs, source) for attrs in ({"a": 1}, {}) for source in ("{{ attrs|xmlattr }}", "{{ attrs|xmlattr(false) }}")]


def case_marked_result():
    source = "{{ (attrs|xmlattr) is escaped }}"
    return rendered({"a": 1}, source), rendered({"a": 1}, source, autoescape=False)


def case_keys_are_escaped():
    return answer({'a"b': 1}), answer({"a<b&c": 1}), answer({"a'b": 1}, autoescape=False)
