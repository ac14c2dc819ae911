"""What is looked at in the patched click."""

import functools

import click


class Newest:
    """A default that says what it is, and counts its calls."""

    calls = 0

    def __call__(self):
        Newest.calls += 1
        return 42

    def __str__(self):
        return "the newest"


class Later(Newest):
    """One that has its text from its base."""


class Sized(Newest):
    """One whose text is made of what it holds, and is not what `repr` says."""

    def __init__(self, size):
        self.size = size

    def __repr__(self):
        return "Sized()"

    def __str__(self):
        return f"size {self.size}"


class Named(str):
    """A text that can be called."""

    def __call__(self):
        return "called"


def plain():
    return 42


@functools.wraps(plain)
def wrapped():
    return plain()


def shown(default, *, context=None, help=None, **settings):
    """The help of an option with this default."""
    option = click.Option(["-a"], default=default, help=help, **{"show_default": True, **settings})
    ctx = click.Context(click.Command("cli", params=[option]), **(context or {}))
    return option.get_help_record(ctx)[1]


def case_issue():
    return shown(Newest()), shown(Newest(), help="Which.")


def case_inherited():
    return shown(Later()), shown(Named("a name"))


def case_own_text():
    return shown(Sized(3)), shown(Sized(0), type=int), shown(Sized("x"), required=True, type=str)


def case_context():
    return shown(Sized(4), show_default=None, context={"show_default": True}), shown(
        Sized(5), show_default=False, context={"show_default": True}
    )


def case_default_map():
    return shown("x", context={"default_map": {"a": Sized(6)}}), shown(plain, context={"default_map": {"a": Sized(7)}})


def case_kinds():
    return (
        shown(Sized(8), type=click.IntRange(1, 9)),
        shown(Sized(9), multiple=True),
        shown(Sized(1), envvar="A", show_envvar=True),
    )


def case_help_page():
    command = click.Command("cli", params=[click.Option(["--id"], default=Sized(2), show_default=True, help="Which.")])
    return command.get_help(click.Context(command)).splitlines()[3].split()


def case_uncalled():
    Newest.calls = 0
    shown(Newest())
    shown(Later(), context={"default_map": {"a": Newest()}})
    return Newest.calls


def case_functions():
    return shown(plain), shown(lambda: 42), shown(wrapped), shown(plain, help="Which.")


def case_functions_elsewhere():
    def inner():
        return 1

    return [
        shown(inner),
        shown("x", context={"default_map": {"a": lambda: 1}}),
        shown(plain, show_default=None, context={"show_default": True}),
        shown(plain, multiple=True),
    ]


def case_own_words():
    return shown(Newest(), show_default="words"), shown(plain, show_default="words")


def case_values():
    return [shown(value) for value in ("x", 3, 2.5, ["a", "b"], ("c", 4), 0, "", None)] + [
        shown("z", nargs=1, help="Z.")
    ]


def case_flags():
    def flag(*names, **settings):
        option = click.Option(list(names), show_default=True, **settings)
        return option.get_help_record(click.Context(click.Command("cli", params=[option])))[1]

    return [flag("--yes/--no"), flag("--yes/--no", default=True), flag("-v", is_flag=True), flag("-v", count=True)]


def case_hidden():
    return shown(Newest(), show_default=False), shown(plain, show_default=None), shown(3, show_default=False)


def case_called():
    def value(default):
        option = click.Option(["-a"], default=default)
        return click.Command("cli", params=[option], callback=lambda a: a).main([], standalone_mode=False)

    return value(Newest()), value(plain), value(Named("a name")), value("x")


def case_got():
    option = click.Option(["-a"], default=Newest())
    ctx = click.Context(click.Command("cli", params=[option]))
    return (
        option.get_default(ctx),
        callable(option.get_default(ctx, call=False)),
        option.default is option.get_default(ctx, call=False),
    )


def case_ranges():
    return shown(2, type=click.IntRange(1, 9)), shown(None, type=click.IntRange(min=1), required=True)
