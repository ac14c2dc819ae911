"""What is looked at in the patched pathspec."""

from pathspec import GitIgnoreSpec, PathSpec
from pathspec.patterns import GitWildMatchPattern


def matched(lines, *names, kind=PathSpec):
    spec = kind.from_lines("gitwildmatch", [lines] if isinstance(lines, str) else lines)
    return [name for name in names if spec.match_file(name)]


def case_issue():
    return matched("notes\\ ", "notes", "notes ", "notes  ", "notes\\ ", "notes\\")


def case_inner_spaces():
    return matched("my old file\\ ", "my old file ", "my old file", "myoldfile ")


def case_folders():
    return (
        matched("/a/b\\ ", "a/b ", "a/b", "x/a/b "),
        matched("b\\ ", "b /c", "x/b ", "b/c"),
        matched("a /b\\ ", "a /b ", "a/b "),
    )


def case_wildcards():
    return matched("*.txt\\ ", "a.txt ", "a.txt"), matched("**/?\\ ", "x/y ", "x/y"), matched("[ab]\\ ", "a ", "c ")


def case_bytes():
    pattern = GitWildMatchPattern(b"notes\\ ")
    return [name for name in (b"notes", b"notes ") if pattern.match_file(name) is not None]


def case_taken_back():
    return matched(["n*", "!notes\\ "], "notes", "notes ", "none ")


def case_only_the_space():
    return matched("\\ ", " ", "a ", "x/ ", "\\")


def case_blanks_in_front():
    return matched("  notes\\ ", "notes ", "  notes ", "notes"), matched("\tnotes\\ ", "notes ", "\tnotes ")


def case_gitignore():
    return matched(["*\\ ", "!keep\\ "], "a ", "keep ", "a", kind=GitIgnoreSpec)


def case_plain_whitespace():
    names = ["notes", "notes ", " notes", "notes\t"]
    return [matched(line, *names) for line in ("notes ", "notes   ", " notes", "\tnotes\t", "notes\n", "notes \r\n")]


def case_blank_lines():
    return [GitWildMatchPattern(line).include for line in ("", " ", "   ", "\t", "\n")]


def case_comments():
    return [GitWildMatchPattern(line).include for line in ("# no\\ ", "  # no\\ ", "#\\ ", "# no")]


def case_ending_backslash():
    said = []
    for line in ("notes\\", "  notes\\", "\\"):
        try:
            said.append(matched(line, "notes", "notes "))
        except Exception as error:
            said.append(type(error).__name__)
    return said


def case_spaces_inside():
    return (
        matched("a\\ b", "a b", "ab"),
        matched("a b", "a b", "a b "),
        matched("a\\ /", "a /x", "a/x"),
        matched("\\ a", " a", "a"),
    )


def case_escapes():
    return (
        matched("a\\*", "a*", "ab"),
        matched("\\!a", "!a", "a"),
        matched("\\#a", "#a", "#a "),
        matched("a\\\\", "a\\", "a"),
    )


def case_wildcards_as_before():
    return matched(["*.py", "a?c", "**/x", "d/"], "m/a.py", "abc", "q/x", "d/e", "d", "zz")


def case_escape():
    return GitWildMatchPattern.escape("a b [c]*"), matched(GitWildMatchPattern.escape("a b"), "a b")
