"""What is looked at in the patched click."""

import click


class Place(click.Argument):
    """An argument with a class of its own."""


class Far(Place):
    """One whose class is not made of Argument directly."""


class Told(click.Argument):
    """One that takes a keyword of its own, and remembers it from when it was made."""

    def __init__(self, *args, told, **settings):
        super().__init__(*args, **settings)
        self.told = told


class Noted(click.Option):
    """An option with a class of its own."""


def used(decorator, times=3):
    """The parameters of several commands that all use one decorator."""
    return [click.command(f"c{number}")(decorator(lambda **given: given)).params for number in range(times)]


def classes(decorator, times=3):
    return [[type(param).__name__ for param in params] for params in used(decorator, times)]


def case_issue():
    return classes(click.argument("place", cls=Place), 2)


def case_often():
    return classes(click.argument("place", cls=Place), 5)


def case_far():
    return classes(click.argument("place", cls=Far))


def case_own_keyword():
    params = used(click.argument("place", cls=Told, told="here", type=int))
    return [(type(param).__name__, param.told, param.name, param.type.name) for (param,) in params]


def case_on_commands():
    place = click.argument("place", cls=Place)
    commands = [place(click.Command(name)) for name in "abc"]
    return [[type(param).__name__ for param in command.params] for command in commands]


def case_mixed():
    place = click.argument("place", cls=Place)
    first = click.command()(place(lambda place: None))
    second = place(click.Command("second"))
    third = click.group()(place(lambda place: None))
    return [type(each.params[0]).__name__ for each in (first, second, third)]


def case_calls():
    made = []

    def make(names, **settings):
        made.append((names, sorted(settings.items())))
        return Place(names, **settings)

    used(click.argument("place", cls=make, nargs=2))
    return made


def case_used():
    class Shouted(click.Argument):
        def type_cast_value(self, ctx, value):
            return super().type_cast_value(ctx, value).upper()

    word = click.argument("word", cls=Shouted)
    commands = [click.command()(word(lambda word: word)) for _ in range(3)]
    return [command.main(["abc"], standalone_mode=False) for command in commands]


def case_new_each_time():
    (first,), (second,), (third,) = used(click.argument("place", cls=Place))
    first.required = False
    return first is second, second is third, second.required, third.required


def case_new_without_class():
    (first,), (second,), (third,) = used(click.argument("place"))
    first.help_text = "changed"
    return first is second, second is third, hasattr(second, "help_text")


def case_new_on_commands():
    place = click.argument("place", cls=Place)
    one, two = place(click.Command("one")), place(click.Command("two"))
    return one.params[0] is two.params[0], len(one.params), len(two.params)


def case_options():
    noted = click.option("--note", cls=Noted, default="x")
    return classes(noted), [params[0].default for params in used(noted)]


def case_options_new():
    (first,), (second,), (third,) = used(click.option("--note", cls=Noted))
    return first is second, second is third


def case_no_class():
    return classes(click.argument("a")), classes(click.argument("a", cls=None)), classes(click.argument("a", nargs=-1))


def case_each_its_own():
    place, plain, far = click.argument("a", cls=Place), click.argument("a"), click.argument("a", cls=Far)
    return [classes(each, 1) for each in (place, plain, far)]


def case_order():
    @click.command()
    @click.argument("first", cls=Place)
    @click.option("--note")
    @click.argument("second")
    def command(**given):
        return given

    return [param.name for param in command.params], command.main(["x", "y", "--note", "z"], standalone_mode=False)


def case_settings():
    (param,) = used(click.argument("size", type=int, default=3, required=False, metavar="N"), 1)[0]
    return param.name, param.type.name, param.default, param.required, param.metavar, param.nargs


def case_function_returned():
    def function(place):
        return place

    return click.argument("place")(function) is function, len(function.__click_params__)


def case_errors():
    found = []
    for names, settings in ((("a", "b"), {}), (("a",), {"nargs": -1, "default": ["x"]}), (("a",), {"unknown": 1})):
        try:
            click.argument(*names, **settings)(lambda **given: None)
            found.append("nothing")
        except TypeError:
            found.append("TypeError")
    return found


def case_keywords_left():
    settings = {"type": int, "nargs": 2}
    used(click.argument("place", **settings), 2)
    return sorted(settings)
