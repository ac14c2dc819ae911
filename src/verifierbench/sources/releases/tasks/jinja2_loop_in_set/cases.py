"""What is looked at in the patched Jinja2."""

from jinja2 import DictLoader, Environment, pass_context


@pass_context
def seen(context, *names):
    return "/".join(f"{name}={context.resolve(name)}" for name in names)


def made(source, **options):
    environment = Environment(loader=DictLoader({"base": "<{% block b %}{% endblock %}>"}), **options)
    environment.globals["seen"] = seen
    return environment.from_string(source)


def rendered(source, **options):
    try:
        return made(source, **options).render(tree=[{"v": 1, "in": [{"v": 2}]}])
    except AssertionError:
        return "AssertionError"
    except Exception as error:
        return type(error).__name__


def exported(source):
    try:
        return sorted(name for name in vars(made(source).module) if not name.startswith("_"))
    except Exception as error:
        return type(error).__name__


LOOP = "{% set text %}{% for x in [1, 2] %}{{ x }}{% endfor %}{% endset %}{{ text }}"


def case_issue():
    return [(rendered(LOOP + after), exported(LOOP + after)) for after in ("", "{{ x }}")]


def case_nothing_left():
    several = "{% set text %}{% for k, v in [(1, 2)] %}{{ k }}{{ v }}{% endfor %}{% endset %}{{ text }}{{ k }}{{ v }}"
    empty = "{% set text %}{% for x in [] %}{{ x }}{% endfor %}{% endset %}[{{ text }}{{ x is defined }}]"
    return [(rendered(source), exported(source)) for source in (several, empty)]


def case_several_variables():
    return rendered("{% set text %}{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}{% endset %}{{ text }}")


def case_set_in_the_loop():
    source = "{% set text %}{% for x in [1, 2] %}{% set y = x * 2 %}{{ y }}{% endfor %}{% endset %}{{ text }}"
    inner = "{% set text %}{% for x in [1] %}{% set y %}<{{ x }}>{% endset %}{{ y }}{% endfor %}{% endset %}{{ text }}"
    return rendered(source), exported(source), rendered(inner), exported(inner + "{{ x }}{{ y }}")


def case_recursive():
    source = (
        "{% set text %}{% for node in tree recursive %}{{ node.v }}"
        "{% if node.in %}({{ loop(node.in) }}){% endif %}{% endfor %}{% endset %}{{ text }}"
    )
    return rendered(source), exported(source.replace("in tree", "in []"))


def case_loops_in_loops():
    source = "{% set text %}{% for x in [1, 2] %}{% for z in 'ab' %}{{ x }}{{ z }}{% endfor %}{% endfor %}{% endset %}{{ text }}"
    return rendered(source), exported(source), exported(source + "{{ x }}{{ z }}")


def case_filter_and_else():
    source = "{% set text %}{% for x in [1, 2] if x > 5 %}{{ x }}{% else %}none{% endfor %}{% endset %}{{ text }}"
    return rendered(source), exported(source), rendered(LOOP.replace("set text", "set text | length"))


def case_in_other_places():
    block = "{% extends 'base' %}{% block b %}" + LOOP + "{% endblock %}"
    loop = "{% for y in 'ab' %}" + LOOP + "{{ y }}{% endfor %}"
    again = "{% set outer %}[" + LOOP + "]{% endset %}{{ outer }}"
    return rendered(block), rendered(loop), rendered(again), exported(again), rendered("{% if 1 %}" + LOOP + "{% endif %}")


def case_async():
    several = "{% set text %}{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% endfor %}{% endset %}{{ text }}"
    return rendered(LOOP, enable_async=True), rendered(several, enable_async=True)


def case_same_name_outside():
    source = "{% set x = 9 %}" + LOOP + "[{{ x }}]{{ seen('x') }}"
    after = LOOP + "{% set x = 8 %}[{{ x }}]{{ x }}"
    return rendered(source), exported(source), rendered(after), exported(after)


def case_seen_in_loops():
    source = "{% set x = 1 %}{% for y in [5] %}{% set x = 2 %}{% set z = y %}{{ seen('x', 'z') }}{% endfor %}{{ seen('x') }}"
    block = "{% for y in [5] %}{% set z %}<{{ y }}>{% endset %}{{ seen('z') }}{% endfor %}"
    return rendered(source), exported(source), rendered(block)


def case_seen_in_blocks():
    source = "{% set x = 1 %}{% block b %}{% set x = 2 %}{{ seen('x') }}{% endblock %}{{ seen('x') }}"
    return rendered(source), rendered("{% extends 'base' %}{% block b %}{% set x = 3 %}{{ seen('x') }}{% endblock %}")


def case_exports():
    source = "{% set a, b = 1, 2 %}{% set _c = 3 %}{% set d %}e{% endset %}{% macro m() %}{% endmacro %}"
    return exported(source), rendered(source + "{{ seen('a', 'b', '_c', 'd') }}")


def case_loops():
    source = "{% for x in [1, 2] %}{{ loop.index }}{{ x }}{% else %}none{% endfor %}[{{ x }}]"
    return rendered(source), exported(source), rendered("{% for x in [] %}{% else %}none{% endfor %}")
