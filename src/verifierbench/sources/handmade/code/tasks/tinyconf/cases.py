"""What is looked at in the patched tinyconf."""

from tinyconf import ConfigError, dumps, loads
from tinyconf.lines import split_setting, without_remark
from tinyconf.values import parse_value, quote


def value(text):
    return loads("[s]\nk = " + text + "\n")["s"]["k"]


def back(value):
    return loads(dumps({"s": {"k": value, "next": 1}}))


def line_of(text):
    try:
        loads(text)
    except ConfigError as error:
        return error.line
    return None


def case_issue_read():
    return loads('[theme]\ntitle = "green #00ff00" # our green\n')


def case_semicolon():
    return value('"left ; right"')


def case_sign_first():
    return value('"#top"'), value('" # "')


def case_remark_after():
    return value('"a" # "b"'), value('"a #1" ; it\'s "quoted" too')


def case_escaped_quote():
    return value(r'"say \"#1\" # always" # remark'), value(r'"ends \\" # "x"')


def case_list():
    return value('"a #1", "b ;2"'), value('plain, "x # y", 3 # end')


def case_quote_in_remark():
    return value('plain # don\'t "worry'), value('8080 ; "')


def case_line_of_remark():
    return loads('# "title" # x\n[s]\n; k = "1\nk = 2\n')


def case_quoted_comma():
    return value('"a, b"'), value('"a, b # c"')


def case_issue_written():
    return loads(dumps({"chat": {"topic": "see #general ; or ask"}}))


def case_written_first():
    return back("#general"), back("; x")


def case_written_in_list():
    return back(["a #1", "b ;2", "c"])


def case_written_with_quotes():
    return back('say "#1" # now'), back("tail \\ # x")


def case_other_escapes():
    return value(r'"C:\new"'), value(r'"\x41\t \u0041"')


def case_numbers():
    return value("12"), value("-0.5"), value("1e3"), value("yes"), value("NO")


def case_sign_without_space():
    return value("a#b"), value("a;b"), loads("[s]\nk=v#1\n")


def case_tab_before_remark():
    return loads("[s]\t# x\nk = v\t; y\n")


def case_inner_quotes():
    return value('5" pipe'), value('5" pipe # two'), value('the "best" one ; "x"')


def case_open_quote():
    return line_of('[a]\nx = "open\n'), line_of('[a]\n\nx = "\n')


def case_error_kind():
    try:
        loads("[a]\nnonsense\n")
    except ValueError as error:
        return type(error).__name__, isinstance(error, ConfigError)
    return None


def case_plain_stays_plain():
    return dumps({"s": {"k": "a b", "c": "a#b", "u": "http://x/?a=1;b"}})


def case_equals_in_value():
    return value("a = b"), value('"a = b"')


def case_helpers():
    return without_remark("x # y"), split_setting("a = 1"), split_setting("=1"), parse_value("1, 2"), quote('a"b\\')


def case_settings_kept():
    settings = {"s": {"k": ["a #1"]}}
    dumps(settings)
    return settings


def case_no_evaluation():
    def read():
        loads('[s]\na = "x # y"\nb = 12\nc = "q", "r ;"\nd = "say \\"hi\\" # x" # y\n')

    return audited(("compile", "exec"), read)
