"""What is looked at in the patched click."""

import os

import click


def command(*params, name="other", **settings):
    """A command that returns what it is given."""

    def callback(**given):
        return given

    return click.Command(name, params=list(params), callback=callback, **settings)


def invoked(other, *, default_map=None, **given):
    """What a command gets when another one invokes it."""

    @click.command()
    @click.pass_context
    def cli(ctx):
        return ctx.invoke(other, **given)

    try:
        return cli.main([], prog_name="cli", standalone_mode=False, default_map=default_map)
    except click.UsageError as error:
        return type(error).__name__


def option(*names, **settings):
    return click.Option(list(names), **settings)


def case_issue():
    return invoked(command(option("--count", type=int, default="3"), option("--tag", multiple=True)))


def case_single():
    return invoked(
        command(
            option("-a", type=float, default="1.5"),
            option("-b", type=bool, default="yes"),
            option("-c", type=click.Choice(["Up", "Down"], case_sensitive=False), default="up"),
            option("-d", type=click.IntRange(0, 9, clamp=True), default=12),
            option("-e", type=str, default=7),
        )
    )


def case_several():
    return invoked(
        command(
            option("-a", multiple=True, type=int, default=["1", "2"]),
            option("-b", nargs=2, type=int, default=["3", "4"]),
            option("-c", type=(str, int), default=["x", "5"]),
            option("-d", multiple=True, nargs=2, type=int, default=[["6", "7"]]),
        )
    )


def case_empty():
    return invoked(command(option("-a", multiple=True, type=int), click.Argument(["rest"], nargs=-1)))


def case_arguments():
    return invoked(
        command(
            click.Argument(["size"], type=int, default="8"),
            click.Argument(["pair"], nargs=2, type=float, default=["1", "2"]),
        )
    )


def case_functions():
    return invoked(
        command(
            option("-a", type=int, default=lambda: "9"),
            option("-b", multiple=True, type=int, default=lambda: ["1"]),
        )
    )


def case_default_map():
    other = command(option("-a", type=int, default="1"), option("-b", multiple=True, type=int))
    return invoked(other, default_map={"other": {"a": "5", "b": ["6"]}})


def case_refused():
    wrong = [option("-a", type=int, default="many"), option("-a", nargs=2, default=["1", "2"], type=click.Choice("xy"))]
    return [invoked(command(each)) for each in wrong]


def case_forward():
    other = command(option("-a", type=int, default="1"), option("-b", type=int, default="2"))

    @click.command()
    @click.option("-a", default="x")
    @click.pass_context
    def cli(ctx, a):
        return ctx.forward(other)

    return cli.main([], standalone_mode=False)


def case_params():
    @click.command()
    @click.option("-a", type=int, default="4")
    @click.option("-b", multiple=True)
    @click.pass_context
    def other(ctx, a, b):
        return ctx.params, a, b

    return invoked(other)


def case_passed():
    other = command(option("-a", type=int, default="1"), option("-b", multiple=True, type=int), option("-c", type=int))
    return invoked(other, a="5", b=["6"], c=None), invoked(other, a=[1], b=None, c="x", more="7")


def case_callbacks():
    called = []

    def callback(ctx, param, value):
        called.append(param.name)
        return "called"

    return invoked(command(option("-a", default="x", callback=callback))), called


def case_environment():
    os.environ["CLICK_CASE_A"] = "5"
    try:
        return invoked(command(option("-a", default="1", envvar="CLICK_CASE_A"), option("-b", envvar="CLICK_CASE_A")))
    finally:
        del os.environ["CLICK_CASE_A"]


def case_required():
    return invoked(command(option("-a", required=True), click.Argument(["b"])))


def case_get_default():
    other = command(option("-a", type=int, default="1"), option("-b", multiple=True), option("-c", default=lambda: "2"))
    ctx = click.Context(other)
    return [param.get_default(ctx) for param in other.params] + [callable(other.params[2].get_default(ctx, call=False))]


def case_plain():
    other = command(
        option("-a", default="x"), option("-b", default=2), option("-c"), option("--yes/--no"), option("-v", count=True)
    )
    return invoked(other), invoked(other, default_map={"other": {"a": "y", "v": 2}})


def case_hidden():
    return invoked(command(option("-a", default="x"), option("-b", default="y", expose_value=False)))


def case_flags():
    return invoked(
        command(
            option("--up", "way", flag_value="up", default=True),
            option("--down", "way", flag_value="down"),
            option("--loud", flag_value="loud"),
        )
    )


def case_functions_invoked():
    @click.command()
    @click.pass_context
    def cli(ctx):
        return ctx.invoke(lambda *args, **more: (args, more), 1, "2", three="3")

    return cli.main([], standalone_mode=False)


def case_no_callback():
    return invoked(click.Command("none"))


def case_command_line():
    other = command(
        option("-a", type=int, default="1"), option("-b", multiple=True, type=int), option("-c", required=True)
    )
    return other.main(["-c", "x", "-b", "2"], standalone_mode=False)


def case_help():
    ctx = click.Context(command(option("-a", type=int, default="many", show_default=True)))
    return [list(param.get_help_record(ctx)) for param in ctx.command.params]
