"""What is looked at in the patched click."""

import click


class Loud(click.Command):
    """A command with a class of its own."""

    def invoke(self, ctx):
        return super().invoke(ctx).upper()


class Quiet(Loud):
    """Another one."""


class Shop(click.Group):
    """A group that has a class for its commands."""

    command_class = Loud


class Corner(Shop):
    """One that inherits it."""


class Nested(click.Group):
    """One whose groups are like itself, and that has a class for its commands."""

    command_class = Quiet
    group_class = type


def function():
    """Says something."""
    return "said"


def refused(call):
    try:
        call()
    except AssertionError:
        return "AssertionError"
    return "nothing"


def described(group, command):
    """A command's class and name, whether it is the group's, and what it says."""
    said = group.main([command.name], standalone_mode=False)
    return type(command).__name__, command.name, group.commands.get(command.name) is command, said


def case_issue():
    shop = Shop("shop")

    @shop.command
    def buy():
        return "bought"

    return type(buy).__name__, shop.main(["buy"], standalone_mode=False)


def case_inherited():
    corner = Corner("corner")
    return described(corner, corner.command(function))


def case_set_on_group():
    group, shop = click.Group("group"), Shop("shop")
    group.command_class, shop.command_class = Quiet, Quiet
    return described(group, group.command(function)), described(shop, shop.command(function))


def case_params():
    shop = Shop("shop")

    @shop.command
    @click.option("--size", default=3)
    @click.argument("thing")
    def buy_now(size, thing):
        """Buys a thing."""
        return f"{thing} {size}"

    said = shop.main(["buy-now", "tea"], standalone_mode=False)
    return buy_now.name, [param.name for param in buy_now.params], buy_now.help, said


def case_several():
    shop = Shop("shop")

    def other():
        return "other"

    commands = [shop.command(function), shop.command(other), shop.command()(function)]
    return (
        [type(each).__name__ for each in commands],
        shop.list_commands(None),
        shop.commands["function"] is commands[2],
    )


def case_nested():
    top = Nested("top")
    inner = top.group("inner")(lambda: None)
    return type(inner).__name__, described(inner, inner.command(function)), sorted(top.commands) == [inner.name]


def case_by_decorator():
    @click.group(cls=Shop)
    def shop():
        pass

    @shop.command
    def sell():
        return "sold"

    return described(shop, sell)


def case_help():
    shop = Shop("shop")
    shop.command(function)
    return [line.strip() for line in shop.get_help(click.Context(shop)).splitlines() if "function" in line]


def case_function_and_keywords():
    return [
        refused(lambda: group.command(function, **given))
        for group in (Shop("shop"), click.Group("group"))
        for given in ({"name": "x"}, {"help": "Says."})
    ]


def case_function_and_class():
    return [refused(lambda: group.command(function, cls=Quiet)) for group in (Shop("shop"), click.Group("group"))]


def case_function_and_more():
    return [refused(lambda: group.command(function, "x")) for group in (Shop("shop"), click.Group("group"))]


def case_parentheses():
    shop, group = Shop("shop"), click.Group("group")
    named = shop.command("other", help="Says.")(function)
    return (
        described(shop, shop.command()(function)),
        described(shop, named),
        named.help,
        described(group, group.command()(function)),
    )


def case_class_given():
    shop, group = Shop("shop"), click.Group("group")
    return [
        type(each.command(cls=kind)(function)).__name__
        for each in (shop, group)
        for kind in (Quiet, click.Command, None)
    ]


def case_plain_group():
    group = click.Group("group")
    return described(group, group.command(function)), type(group.group(lambda: None)).__name__


def case_groups():
    shop, nested = Shop("shop"), Nested("nested")
    bare, given = nested.group(lambda: None), nested.group("given")(lambda: None)
    return [
        type(each).__name__ for each in (bare, given, shop.group(lambda: None), nested.group(cls=click.Group)(function))
    ]


def case_groups_and_keywords():
    return [refused(lambda: group.group(function, name="x")) for group in (Shop("shop"), Nested("nested"))]


def case_decorators():
    alone = click.command(function)
    return (
        type(alone).__name__,
        alone.name,
        type(click.group(function)).__name__,
        type(click.command(cls=Loud)(function)).__name__,
    )


def case_function_kept():
    shop = Shop("shop")
    command = shop.command()(function)
    return command.callback is function, command.help, function()
