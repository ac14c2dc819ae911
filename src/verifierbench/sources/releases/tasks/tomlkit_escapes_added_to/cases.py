"""What is looked at in the patched tomlkit: what strings of a document look like after something was added to them."""

import copy
import pickle

import tomlkit
from tomlkit.items import String, StringType


def added(text, *more):
    """The document's text after more was added to its one string, and whether that is read as the right value."""
    document = tomlkit.parse(f"a = {text}\n")
    value = document["a"].unwrap()
    for each in more:
        document["a"] += each
        value += each
    return document.as_string(), document["a"] == value, tomlkit.parse(document.as_string())["a"] == value


def case_issue():
    document = tomlkit.parse('motto = "say \\"aye\\""\n')
    document["motto"] += " or nay"
    return document.as_string()


def case_common_escapes():
    return added(r'"a\\b"', "c"), added(r'"a\nb\tc"', " d"), added(r'"\"\\\""', "x"), added(r'"\r\b\f"', ".")


def case_as_it_stood():
    return added(r'"caf\u00e9"', " noir"), added(r'"\u0041\U00000042"', "C"), added(r'"\u0022\u005c"', "!"), added('"é"', "f")


def case_three_quotes():
    return [
        added('"""\na\\\\b\n"""', "c\n"),
        added('"""one \\\n   two"""', " three"),
        added('"""say \\"\\"\\"x\\u00e9"""', "y"),
        added('"""a\\tb"""', ""),
    ]


def case_not_in_place():
    first = tomlkit.parse(r'a = "\\ and \u00e9"')["a"]
    return (first + "z").as_string(), (first + "").as_string(), (tomlkit.value(r'"\""') + "q").as_string()


def case_several_times():
    return added(r'"\\"', "a", "b", ""), added(r'"x\ny"', "1", "2", "3", "4"), added('"""\\u00e9"""', "a\n", "b\n")


def case_two_of_documents():
    document = tomlkit.parse('a = "x\\\\"\nb = "\\u00e9 \\"y\\""\nc = "plain"\nd = """m\\\\"""\ne = """\\ty"""\n')
    a, b, c, d, e = (document[name] for name in "abcde")
    return [(one + other).as_string() for one, other in ((a, b), (b, a), (c, b), (a, c), (b, b), (d, e))]


def case_in_lists():
    document = tomlkit.parse('a = ["\\\\", {b = "\\t"}]\n[[c]]\nd = "\\u0001" # end\n')
    document["a"][0] += "x"
    document["a"][1]["b"] += "y"
    document["c"][0]["d"] += "z"
    return document.as_string()


def case_single_quotes():
    own = tomlkit.parse("a = 'C:\\new'\nb = 'say \"x\"'\nc = '''\nd\\e'''\n")
    two = own["a"] + own["b"]
    return added("'C:\\new'", "\\old"), added("'say \"x\"'", ' "y"'), added("'''it''s\\n'''", "\n\\"), two.as_string()


def case_no_escapes():
    return added('"a"', "b"), added('""', "b"), added('"""a\nb"""', "c\n"), added('"a"', ""), added("'a'", "s")


def case_remarks():
    document = tomlkit.parse('a = "b"   # remark\n')
    result = document["a"] + "c"
    document["a"] += "d"
    return document.as_string(), result.trivia.comment, result.trivia.comment_ws


def case_kinds():
    kinds = []
    for text in ('"a"', "'a'", '"""a"""', "'''a'''"):
        result = tomlkit.value(text) + "b"
        kinds.append((type(result) is String, result._t.value, result == "ab", hash(result) == hash("ab"), len(result)))
    return kinds


def case_first_is_left():
    first, second = tomlkit.value('"a"'), tomlkit.value('"b"')
    both = first + second
    return first.as_string(), second.as_string(), str(first), str(second), both.as_string()


def case_other_way_round():
    text = tomlkit.value(r'"\\b"')
    document = tomlkit.document()
    document["a"] = "x\\" + text
    return type("a" + text) is str, "a" + text == "a\\b", document.as_string(), (text * 2) == "\\b\\b", text[1:] == "b"


def case_made_here():
    made = [String.from_raw("a", kind) + "b" for kind in StringType]
    document = tomlkit.document()
    document["x"] = tomlkit.string("say", literal=True) + " it"
    return [each.as_string() for each in made], document.as_string(), tomlkit.item("a\\").as_string()


def case_copies():
    result = tomlkit.value('"a"') + "b"
    return copy.copy(result).as_string(), pickle.loads(pickle.dumps(result)).as_string(), (copy.copy(result) + "c").as_string()


def raised(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "nothing"


def case_errors():
    text = tomlkit.value('"a"')
    return raised(lambda: text + 3), raised(lambda: text + None), raised(lambda: text + b"b"), raised(lambda: text + ["b"])
