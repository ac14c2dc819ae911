"""What is looked at in the patched Django: the command lines that start a database's own shell."""

import os
import tempfile
from pathlib import Path

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.db.backends.mysql.client import DatabaseClient as MySQL
from django.db.backends.postgresql.client import DatabaseClient as PostgreSQL
from django.db.backends.sqlite3.client import DatabaseClient as SQLite

ALL = {"NAME": "d", "USER": "u", "PASSWORD": "p", "HOST": "h", "PORT": 5433}
FILES = {"sslmode": "require", "sslrootcert": "r", "sslcert": "c", "sslkey": "k", "passfile": "f"}
SHELL = '#!/bin/sh\nfor each in "$@"; do echo "$each" >> "$0.said"; done\n'


class Connection:
    """All that a client asks of one."""

    def __init__(self, **said):
        self.settings_dict = said


def line(parameters=(), **said):
    return PostgreSQL.settings_to_cmd_args_env(said, list(parameters))


def around(parameters, **said):
    """The last word, whether the parameters stand together before it, in order, and the other words."""
    words = line(parameters, **said)[0]
    places = [at for at in range(1, len(words)) if words[at : at + len(parameters)] == parameters]
    others = words[: places[0]] + words[places[0] + len(parameters) :] if places else words
    return words[-1], len(places), others


def started(parameters, **said):
    """The words that a shell was started with; the program is one of ours."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "psql")
        program.write_text(SHELL)
        program.chmod(0o755)
        before = os.environ.get("PATH", "")
        os.environ["PATH"] = folder + os.pathsep + before
        try:
            PostgreSQL(Connection(**said)).runshell(parameters)
        finally:
            os.environ["PATH"] = before
        return Path(folder, "psql.said").read_text().splitlines()


def case_issue():
    return line(["-c", "select * from some_table;"], NAME="some_database")


def case_one():
    return line(["--help"], NAME="dbname"), line(["-l"], NAME="other", USER="")


def case_several():
    return line(["-c", "b", "-c", "a", "-x", "--csv", "-v", "x=1"], NAME="d")


def case_with_all_settings():
    return around(["-c", "select 1"], **ALL), around(["-x", "-t"], NAME="d", USER="u"), around(["-l"], NAME="d", PORT=1)


def case_default_database():
    return line(["-l"], NAME=""), line(["-c", "select 1"]), line(["-l"], NAME=None)


def case_service_and_name():
    return line(["-x", "-l"], NAME="d", OPTIONS={"service": "s"})


def case_same_words():
    return line(["-c", "d"], NAME="d"), line(["d"], NAME="d"), line(["psql"], NAME="psql")


def case_started():
    return started(["-c", "select 1;", "-x"], NAME="some db")


def case_without_parameters():
    return line(**ALL), line(NAME="d"), line(), line(NAME="d", HOST="h"), line([], NAME="", USER="u")


def case_service_alone():
    one = line([], OPTIONS={"service": "s"})
    return one, line(["-l", "-x"], NAME="", OPTIONS={"service": "s"}), line(["-c", "1"], OPTIONS={"service": "s"})


def case_environment():
    return line(**ALL, OPTIONS=FILES)[1], line(["-l"], NAME="d", PASSWORD=7)[1], line(["-l"], NAME="d", USER="u")[1]


def case_arguments_left():
    said, parameters = {"NAME": "d", "OPTIONS": {"service": "s"}}, ["-c", "1"]
    PostgreSQL.settings_to_cmd_args_env(said, parameters)
    PostgreSQL.settings_to_cmd_args_env({}, parameters)
    return said, parameters


def case_started_alone():
    return started([], NAME="d", USER="u")


def case_sqlite():
    return SQLite.settings_to_cmd_args_env({"NAME": "f.db"}, []), SQLite.settings_to_cmd_args_env(
        {"NAME": "f.db"}, ["select 1", "-help"]
    )


def case_mysql():
    return MySQL.settings_to_cmd_args_env({**ALL, "PASSWORD": "", "OPTIONS": {}}, ["--help", "-x"])
