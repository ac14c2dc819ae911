"""What is looked at in the patched tomlkit: how keys are written, and what is read from that."""

import tomlkit
from tomlkit.items import KeyType, SingleKey, String, StringType

KEYS = [
    "\\", "\\\\", "a\\", "\\a", "C:\\Users\\new", "a\\\\b", "\\u0041", "tab\\there", "a\\\"b", "\"\\", "\\\n", "\x01\\", "é\\",
    "a.b\\c", " \\ ", "\\'", "'\\", "#\\", "a\\=b", "\\x", "\\e", "c\\d\\e\\f",
]  # fmt: skip


def written(*keys):
    return [tomlkit.key(each).as_string() for each in keys]


def again(content):
    """What is read from a document made of content, or why it cannot be read."""
    try:
        return tomlkit.parse(tomlkit.dumps(content)).unwrap()
    except Exception as error:
        return type(error).__name__


def case_issue():
    document = tomlkit.document()
    document["C:\\new"] = 1
    document["paths"] = {"\\": 2}
    return document.as_string()


def case_asked_for():
    return written("\\", "a\\", "\\a", "C:\\dir\\new", "\\\\", "x\\y z", "\\d")


def case_followed_by_escapes():
    return written("a\\b", "C:\\Users", "\\u0041", "x\\t", "\\\\n", "\\r\\f")


def case_with_others():
    return written('a\\"b', '"\\', "\\\n", "\x01\\", "\t\\\x10", "é\\", "'\\'")


def case_read_back():
    return all(again({key: 1}) == {key: 1} for key in KEYS), again(dict.fromkeys(KEYS, 0)) == dict.fromkeys(KEYS, 0)


def case_headers():
    content = {"a\\b": {"c\\d": {"e": 1}, "f": 2}, "g": {"h\\": [{"i": 1}, {"i": 2}]}}
    return tomlkit.dumps(content), again(content) == content


def case_inline():
    document = tomlkit.parse("t = {a = 1}\n")
    document["t"]["x\\y"] = 2
    table = tomlkit.inline_table()
    table.update({"\\": 1})
    document["u"] = table
    return document.as_string()


def case_dotted():
    key = tomlkit.key(["a", "b\\c", "\\"])
    document = tomlkit.document()
    document.append(tomlkit.key(["x\\", "y"]), 1)
    return key.as_string(), document.as_string()


def case_added_to_parsed():
    document = tomlkit.parse("# paths\na = 1 # one\n\n[b]\nc = 2\n")
    document["b"]["\\d"] = 3
    document["b"].add("e\\", 4)
    document.add("f\\g", tomlkit.table())
    return document.as_string()


def case_other_keys():
    return written("a", "a-b_1", "", "a b", "a.b", 'say "a"', "\n", "\t", "\x00", "\x1f", "\x7f", "\r\b\f", "é", "'", "#", "=")


def case_key_itself():
    key = tomlkit.key("a\\b")
    document = tomlkit.document()
    document["a\\b"] = 1
    same = key == SingleKey("a\\b"), hash(key) == hash("a\\b"), "a\\b" in document, list(document), document["a\\b"] == 1
    return key.key, key.delimiter, key.is_bare(), *same


def case_parsed():
    text = "'a\\b' = 1\n\"c\\\\d\" = 2\n\"\\u005c\" = 3\n['x\\y'.\"z\\\\\"]\nk = {'\\' = 1, \"\\\"\" = 2}\n[['l\\']]\n"
    document = tomlkit.parse(text)
    names = list(document), list(document["x\\y"]), list(document["x\\y"]["z\\"]["k"])
    same = document.as_string() == text
    document["a\\b"], document["c\\d"], document["x\\y"]["z\\"]["k"]["\\"] = 5, 6, 7
    return same, names, document.as_string()


def case_types_asked_for():
    literal, bare = SingleKey("a\\b", KeyType.Literal), SingleKey("ab", KeyType.Bare)
    return literal.as_string(), bare.as_string(), SingleKey("a b", KeyType.Literal, "=").sep


def case_values():
    kinds = [String.from_raw("a\\b\tc", kind).as_string() for kind in (StringType.SLB, StringType.MLB)]
    literal = String.from_raw("a\\b", StringType.SLL).as_string(), String.from_raw("a\\b", StringType.MLL).as_string()
    raw = String.from_raw("a\\\\b", escape=False).as_string()
    return tomlkit.dumps({"p": "C:\\new", "q": ['\\"', "\\"], "r": "\x01"}), kinds, literal, raw


def raised(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "nothing"


def case_errors():
    document = tomlkit.document()
    document["a\\b"] = 1
    return (
        raised(lambda: document["a\\\\b"]),
        raised(lambda: document.add("a\\b", 2)),
        raised(lambda: tomlkit.parse('"\\" = 1')),
        raised(lambda: tomlkit.key(3)),
    )
