"""What is looked at in the patched tomlkit: numbers of a document after somebody has calculated with them."""

import copy
import math
import pickle

import tomlkit
from tomlkit.items import Float, Integer


def written(number, *changes):
    """The document's text after each change of its one number, and what is read from the last."""
    document, texts = tomlkit.parse(f"a = {number}\n"), []
    for change in changes:
        document["a"] = change(document["a"])
        texts.append(document.as_string())
    return texts, tomlkit.parse(texts[-1])["a"].unwrap()


def case_issue():
    document = tomlkit.parse("offset = -1\nratio = -1.5\n")
    document["offset"] += -4
    document["ratio"] *= 2
    return document.as_string()


def case_integers():
    return [
        written("-7", lambda n: n + 2),
        written("-7", lambda n: n - 10),
        written("-7", lambda n: 3 * n),
        written("-7", lambda n: n // 2),
        written("-7", lambda n: n**3),
        written("-1234", lambda n: round(n, -2)),
        written("-7", lambda n: n << 1),
    ]


def case_floats():
    return [
        written("-7.5", lambda n: n + 2),
        written("-7.5", lambda n: 2 * n),
        written("-7.5", lambda n: n / 4),
        written("-1e-7", lambda n: n * 3),
        written("-2.0e300", lambda n: n * 2),
        written("-inf", lambda n: n * 2),
    ]


def case_quotients():
    return written("-7", lambda n: n / 2), written("+7", lambda n: n / -2), written("-8", lambda n: n / 2)


def case_written_with_plus():
    return [
        written("+7", lambda n: -n),
        written("+7", lambda n: n - 12),
        written("+7.25", lambda n: n * -2),
        written("+7", lambda n: ~n),
    ]


def case_there_and_back():
    def turned(n):
        return n * -1

    whole, part = written("-1", turned, turned), written("-1.5", turned, turned)
    return whole[0][1], whole[1], part[0][1], part[1]


def case_in_lists():
    document = tomlkit.parse("a = [-1, -2.5, 3]\nb = { c = -4 }\n[d]\ne = -6\n")
    document["a"][0] *= 3
    document["a"][1] *= 3
    document["b"]["c"] += -1
    document["d"]["e"] += -1
    return document.as_string(), (tomlkit.item(-3) * 2).as_string(), (tomlkit.item(-3.5) * 2).as_string()


def case_not_below_zero():
    return [
        written("-1", lambda n: n * -1),
        written("-1", lambda n: n + 1),
        written("+1", lambda n: n + 1),
        written("-1.5", lambda n: n * -1),
        written("+1.5", lambda n: n + 1),
        written("-7", abs),
        written("-7", lambda n: n / -2),
        written("7", lambda n: n + 2),
        written("7.5", lambda n: n * 2),
        written("7", lambda n: n / 2),
        written("0", lambda n: n * 5),
    ]


def case_no_sign_below_zero():
    return [
        written("7", lambda n: n - 9),
        written("7", lambda n: -n),
        written("7.5", lambda n: n * -2),
        written("7", lambda n: n / -2),
    ]


def case_remarks():
    document = tomlkit.parse("a = 5   # metres\nb = [2.5, # half\n  1]\n")
    moved, halved = document["a"] * 2, document["b"][0] * 2
    document["a"] += 1
    return document.as_string(), moved.trivia.comment, moved.trivia.comment_ws, halved.trivia.trail


def case_kinds():
    whole, part = tomlkit.item(6), tomlkit.item(2.5)
    made = [whole + 1, whole * 2, whole / 4, whole // 4, part + 1, part * 2, abs(part), whole + part]
    return [(type(each) is Integer, type(each) is Float, each.as_string()) for each in made if hasattr(each, "as_string")]


def case_values():
    document = tomlkit.parse("a = -1\nb = +2.5\n")
    a, b = document["a"] * 3, document["b"] * -3
    return a == -3, b == -7.5, a.unwrap(), b.unwrap(), hash(a) == hash(-3), math.floor(b), a < b, int(a), float(b)


def case_untouched():
    text = "a = -1\nb = +1\nc = 1_000\nd = 0xff\ne = -1.50\nf = '= --5'\n"
    return tomlkit.parse(text).as_string() == text


def case_strings():
    document = tomlkit.parse('a = 1\nb = "x = --y"\nc = ["--1", "- -"] # --2\n')
    document["a"] += 1
    return document.as_string()


def case_copies():
    document = tomlkit.parse("a = 5\nb = 2.5\n")
    a, b = copy.copy(document["a"]), pickle.loads(pickle.dumps(document["b"]))
    return a.as_string(), b.as_string(), (a + 1).as_string(), (b + 1).as_string()


def raised(change):
    try:
        change(tomlkit.item(-3))
    except Exception as error:
        return type(error).__name__
    return "nothing"


def case_errors():
    return raised(lambda n: n + "a"), raised(lambda n: n / 0), raised(lambda n: n * None), raised(lambda n: n % 0)
