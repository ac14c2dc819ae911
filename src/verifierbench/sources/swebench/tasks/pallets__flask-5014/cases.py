"""What is looked at in the patched flask: blueprints by their names."""

from flask import Blueprint, Flask


class Named(Blueprint):
    """A blueprint of an application's own kind."""


def said(make):
    """What became of an attempt."""
    try:
        return make().name
    except Exception as error:
        return type(error).__name__ if type(error) in (TypeError, AssertionError) else kinds(error)


def kinds(error):
    return [kind.__name__ for kind in type(error).__mro__ if kind in (ValueError, TypeError, LookupError)]


def registered(name):
    app = Flask("app")
    before = Blueprint("x", "app")
    before.add_url_rule("/", endpoint="e", view_func=lambda: "here")
    app.register_blueprint(before, **({} if name is None else {"name": name}))
    return sorted(app.blueprints), app.test_client().get("/").text


def case_empty():
    return said(lambda: Blueprint("", "app"))


def case_empty_by_keyword():
    return said(lambda: Blueprint(name="", import_name="app", url_prefix="/x"))


def case_empty_elsewhere():
    return [said(lambda: Blueprint("", name)) for name in ("flask", "__main__", "json")]


def case_empty_subclass():
    return said(lambda: Named("", "app", template_folder="t"))


def case_short():
    return [said(lambda n=n: Blueprint(n, "app")) for n in ("a", "0", "_", " ", "ab", "é")]


def case_long():
    return said(lambda: Blueprint("a-name with_several/parts", "app", static_folder="s", url_prefix="/p"))


def case_dotted():
    return [said(lambda n=n: Blueprint(n, "app")) for n in (".", "a.b", ".a")]


def case_registered():
    return registered(None), registered("y")


def case_nested():
    app, outer, inner = Flask("app"), Blueprint("outer", "app"), Blueprint("inner", "app")
    inner.add_url_rule("/i", endpoint="e", view_func=lambda: "inner")
    outer.register_blueprint(inner)
    app.register_blueprint(outer, url_prefix="/o")
    return sorted(app.blueprints), app.test_client().get("/o/i").text


def case_made():
    made = Blueprint("b", "app", url_prefix="/p", subdomain="s", url_defaults={"a": 1}, cli_group="g")
    return made.name, made.url_prefix, made.subdomain, made.url_values_defaults, made.cli_group, made.import_name
