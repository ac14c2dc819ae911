"""What is looked at in the patched click."""

import click


def made(*names, **settings):
    """What comes of making an option: its class, or which kind of error is raised."""
    try:
        return type(click.Option(list(names), **settings)).__name__
    except TypeError:
        return "TypeError"
    except ValueError:
        return "ValueError"


def run(*args, option=(), **settings):
    """What a command gets that has one option."""
    command = click.Command("run", params=[click.Option(list(option), **settings)], callback=lambda **given: given)
    try:
        return command.main(list(args), standalone_mode=False)
    except click.UsageError as error:
        return type(error).__name__


def case_issue():
    return made("-v", "--verbose", is_flag=True, multiple=True), made("-x", multiple=True, is_flag=True)


def case_off_switch():
    return [made(names, multiple=True) for names in ("--yes/--no", "-y/-n", "/debug;/no-debug")]


def case_flag_value():
    values = ["up", 1, b"x", 2.5]
    return [made("--up", "way", flag_value=value, multiple=True) for value in values] + [
        made("--up", "way", is_flag=True, flag_value="up", multiple=True)
    ]


def case_default():
    defaults = [[], (), [True], [True, False], None]
    return [made("-v", is_flag=True, multiple=True, default=default) for default in defaults] + [
        made("--yes/--no", multiple=True, default=[True]),
        made("--up", flag_value="up", multiple=True, default=["up"]),
    ]


def case_type():
    return [
        made("-v", is_flag=True, multiple=True, type=bool),
        made("-v", is_flag=True, multiple=True, type=str, flag_value="x"),
        made("--level", flag_value=3, multiple=True, type=click.INT),
    ]


def case_required():
    return made("-v", is_flag=True, multiple=True, required=True), made("--yes/--no", multiple=True, required=True)


def case_other_settings():
    return [
        made("-v", is_flag=True, multiple=True, help="More.", hidden=True),
        made("-v", is_flag=True, multiple=True, envvar="V", show_default=True),
        made("-v", is_flag=True, multiple=True, expose_value=False, is_eager=True),
    ]


def case_decorated():
    decorate = click.option("-v", is_flag=True, multiple=True)
    try:
        decorate(lambda v: None)
    except TypeError:
        return "TypeError"
    return "nothing"


def case_subclass():
    class Own(click.Option):
        pass

    try:
        Own(["-v"], is_flag=True, multiple=True)
    except TypeError:
        return "TypeError"
    return "nothing"


def case_values():
    several = run("-a", "x", "-a", "y", option=["-a"], multiple=True), run(option=["-a"], multiple=True)
    typed = run("-a", "1", "-a", "2", option=["-a"], multiple=True, type=int, default=[3])
    return several, typed, run("-a", "1", "2", option=["-a"], multiple=True, nargs=2, type=int)


def case_bools():
    return run("-a", "yes", "-a", "no", option=["-a"], multiple=True, type=bool), made(
        "-a", multiple=True, default=[True]
    )


def case_optional_value():
    settings = {"option": ["-a"], "multiple": True, "is_flag": False, "flag_value": "flag"}
    return run("-a", **settings), run("-a", "-a", "x", **settings), run(**settings)


def case_optional_prompt():
    return [
        made("-a", multiple=True, prompt=True, prompt_required=False),
        run("-a", "x", option=["-a"], multiple=True, prompt=True, prompt_required=False),
    ]


def case_not_a_flag():
    return made("-a", multiple=True, is_flag=False), made("-a", "--all", multiple=True, required=True)


def case_flags():
    flags = [run("-v", option=["-v"], is_flag=True), run(option=["-v"], is_flag=True)]
    switch = [run(each, option=["--yes/--no"], default=True) for each in ("--yes", "--no")]
    return flags, switch, run("--up", option=["--up", "way"], flag_value="up")


def case_counts():
    return run("-vvv", option=["-v"], count=True), run(option=["-v"], count=True), made("-v", count=True, default=2)


def case_refused_today():
    return [
        made("-v", count=True, multiple=True),
        made("-v", count=True, is_flag=True),
        made("-v", nargs=-1),
        made("--yes/--no", type=str),
        made("-v", prompt=True, flag_value="x"),
        made("-v", multiple=True, default="x"),
    ]


def case_described():
    described = click.Option(["-a", "--all"], multiple=True, type=int).to_info_dict()
    return described, click.Option(["--yes/--no"]).is_flag, click.Option(["-a"], multiple=True).is_flag


def case_arguments():
    try:
        click.Argument(["a"], multiple=True)
    except TypeError:
        return "TypeError"
    return "nothing"
