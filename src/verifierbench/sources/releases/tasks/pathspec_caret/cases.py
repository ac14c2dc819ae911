"""What is looked at in the patched pathspec."""

from pathspec import GitIgnoreSpec, PathSpec
from pathspec.patterns import GitWildMatchPattern


def matched(lines, *names, kind=PathSpec):
    spec = kind.from_lines("gitwildmatch", [lines] if isinstance(lines, str) else lines)
    return [name for name in names if spec.match_file(name)]


def case_issue():
    return matched("a[^gy]c", "abc", "adc", "agc", "ayc", "a^c")


def case_ranges():
    return matched("log[^0-9a]", "log0", "log9", "loga", "logb", "log^", "log-"), matched("[^a-c]*", "bx", "dx", "^x")


def case_closing_bracket():
    names = ["abc", "a]c", "axc", "a^c"]
    return matched("a[^]x]c", *names), matched("a[^]]c", *names)


def case_several():
    return matched("[^a][^b]", "xy", "ay", "xb", "ab"), matched("*.[^o][^o]", "x.py", "x.oy", "x.po")


def case_folders():
    return matched("src[^s]/*.py", "srcs/a.py", "srcx/a.py", "srcx/a.c"), matched("/[^a]/", "a/x", "b/x", "c")


def case_bytes():
    pattern = GitWildMatchPattern(b"a[^bd]c")
    return [name for name in (b"abc", b"adc", b"axc", b"a^c") if pattern.match_file(name) is not None]


def case_taken_back():
    return matched(["*.log", "!x[^0-9].log"], "x1.log", "xa.log", "y.log")


def case_gitignore():
    return matched(["*.[^c]", "!a.*"], "a.o", "b.o", "b.c", kind=GitIgnoreSpec)


def case_signs():
    return matched("a[^^]c", "a^c", "abc"), matched("a[^!]c", "a!c", "abc", "a^c")


def case_further_on():
    names = ["abc", "a^c", "axc"]
    return matched("a[b^]c", *names), matched("a[!^]c", *names), matched("a[!b^]c", *names)


def case_opening_bracket():
    return matched("[x[^]y", "xy", "[y", "^y", "by")


def case_escaped_bracket():
    return matched("a\\[^b]c", "a[^b]c", "axc", "abc"), matched("\\[^x]", "[^x]", "a")


def case_outside():
    return matched("^a", "^a", "a"), matched("a^b", "a^b", "ab"), matched("\\^a", "^a"), matched("a]^", "a]^")


def case_exclamation_mark():
    names = ["abc", "a]c", "axc", "a!c"]
    return matched("a[!bx]c", *names), matched("a[!]x]c", *names), matched("a[b!]c", *names)


def case_brackets():
    return (
        matched("a[0-9]c", "a1c", "abc"),
        matched("a[]x]c", "a]c", "axc", "abc"),
        matched("a[x-]c", "a-c", "axc", "a.c"),
    )


def case_never_closed():
    return matched("a[^b", "a[^b", "ac", "a^b"), matched("a[b", "a[b", "ab"), matched("a[!b", "a[!b", "ac")


def case_wildcards():
    return matched(["*.py", "a?c", "**/x", "d/"], "m/a.py", "abc", "q/x", "d/e", "d", "zz")


def case_errors():
    said = []
    for line in ("a\\", "!"):
        try:
            GitWildMatchPattern(line)
            said.append("nothing")
        except Exception as error:
            said.append(type(error).__name__)
    return said


def case_comments():
    return GitWildMatchPattern("# [^a]").include, GitWildMatchPattern("").include, matched("\\#[ab]", "#a", "a")


def case_escape():
    return GitWildMatchPattern.escape("[a]*?"), matched(GitWildMatchPattern.escape("a[b]"), "a[b]", "ab")
