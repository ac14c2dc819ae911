"""What is looked at in the patched Django: how commands with subcommands say that they were called wrongly."""

import argparse
import contextlib
import io

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand, CommandParser


class Own(CommandParser):
    """A parser of an application's own."""

    def __init__(self, **options):
        super().__init__(**options)
        self.is_own = True


class Cheeses(BaseCommand):
    """A command that does nothing but what it was told of its arguments."""

    requires_system_checks = []
    more = {"required": True}

    def add_arguments(self, parser):
        parser.add_argument("--loud", action="store_true")
        self.add_subcommands(parser.add_subparsers(**self.more))

    def add_subcommands(self, subparsers):
        create = subparsers.add_parser("create", aliases=["new"], help="Make one.")
        create.add_argument("name")
        create.add_argument("--age", type=int, choices=[1, 2, 3])

    def handle(self, *args, **options):
        return " ".join(f"{key}={options[key]}" for key in ("name", "age", "loud") if key in options)


class Optional(Cheeses):
    more = {"dest": "subcommand", "title": "subcommands", "metavar": "what"}


class OwnParser(Cheeses):
    more = {"parser_class": Own, "required": True}


class Vanilla(Cheeses):
    more = {"parser_class": argparse.ArgumentParser, "required": True}


class Nested(Cheeses):
    def add_subcommands(self, subparsers):
        super().add_subcommands(subparsers)
        deeper = subparsers.add_parser("deep").add_subparsers(required=True)
        deeper.add_parser("deeper").add_argument("name")


class Messaged(Cheeses):
    def add_subcommands(self, subparsers):
        create = subparsers.add_parser("create", missing_args_message="Which cheese?")
        create.add_argument("name")
        self.kind = [isinstance(create, CommandParser), create.missing_args_message, create.prog]


def from_the_shell(kind, *arguments):
    """How a command that was called by the shell ends, and whether it says what is wrong."""
    command, out, err = kind(stdout=io.StringIO(), stderr=io.StringIO()), io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            command.run_from_argv(["manage.py", "cheeses", *arguments])
        except SystemExit as end:
            text = err.getvalue() + command.stderr._out.getvalue()
            return end.code, text.startswith("usage: manage.py cheeses"), "error: " in text, text.count("Traceback")
        except CommandError:
            return "CommandError"
    return command.stdout._out.getvalue().strip()


def by_a_program(kind, *arguments):
    """How a command ends that a program calls."""
    try:
        return call_command(kind(stdout=io.StringIO()), *arguments)
    except SystemExit:
        return "SystemExit"
    except CommandError as error:
        return "CommandError", "name" in str(error) or "age" in str(error)


def case_missing():
    return from_the_shell(Cheeses, "create"), from_the_shell(Cheeses, "--loud", "create", "--age", "2")


def case_not_required():
    return from_the_shell(Optional, "create"), from_the_shell(Optional, "create", "--age", "x")


def case_wrong_value():
    return from_the_shell(Cheeses, "create", "brie", "--age", "old"), from_the_shell(Cheeses, "create", "b", "--age", "9")


def case_alias():
    return from_the_shell(Cheeses, "new"), from_the_shell(Cheeses, "new", "brie", "--age")


def case_own_parser():
    return from_the_shell(OwnParser, "create"), from_the_shell(OwnParser, "create", "b", "--age", "9")


def case_nested():
    return from_the_shell(Nested, "deep", "deeper"), from_the_shell(Nested, "deep"), from_the_shell(Nested, "deep", "x")


def case_with_a_message():
    return from_the_shell(Messaged, "create")


def case_said_in_full():
    err = io.StringIO()
    with contextlib.redirect_stderr(err), contextlib.suppress(SystemExit, CommandError):
        Cheeses().run_from_argv(["manage.py", "cheeses", "create"])
    return "following arguments are required: name" in err.getvalue(), "cheeses create" in err.getvalue()


def case_well_called():
    return from_the_shell(Cheeses, "create", "brie"), from_the_shell(Nested, "--loud", "deep", "deeper", "x")


def case_called_by_a_program():
    kinds = Cheeses, Optional, OwnParser
    return [by_a_program(kind, "create") for kind in kinds], by_a_program(Cheeses, "create", "brie", "--age", "2")


def case_program_wrong_value():
    return by_a_program(Cheeses, "create", "b", "--age", "old"), by_a_program(Nested, "deep", "deeper")


def case_other_parsers():
    return from_the_shell(Vanilla, "create"), from_the_shell(Vanilla, "create", "brie"), by_a_program(Vanilla, "create", "b")


def case_command_itself():
    return from_the_shell(Cheeses), from_the_shell(Cheeses, "--nothing"), by_a_program(Cheeses)


def case_kind_of_parsers():
    command = Messaged()
    command.create_parser("manage.py", "cheeses")
    parser = CommandParser(prog="p")
    own = parser.add_subparsers(parser_class=Own).add_parser("x")
    return command.kind, isinstance(own, Own), own.is_own


def helped():
    for arguments in (["--help"], ["create", "--help"]):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            Cheeses().run_from_argv(["manage.py", "cheeses", *arguments])
        yield out.getvalue().startswith("usage: manage.py cheeses"), "Make one." in out.getvalue(), "name" in out.getvalue()


def case_help():
    return list(helped())
