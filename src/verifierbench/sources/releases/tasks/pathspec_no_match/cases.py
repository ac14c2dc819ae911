"""What is looked at in the patched pathspec."""

from pathlib import PurePosixPath

from pathspec import GitIgnoreSpec, PathSpec
from pathspec.util import check_match_file, match_file


def spec(*lines, kind=PathSpec):
    return kind.from_lines("gitwildmatch", lines)


def checked(result):
    return result.file, result.include, result.index


class Loud(PathSpec):
    """A subclass that answers by itself, as the documentation allows."""

    def _match_file(self, patterns, file):
        return (True, 0) if file.startswith("loud") else (None, None)


def case_issue():
    return spec("*.txt", "!test/").match_file("notes.txt"), spec("*.txt", "!test/").match_file("unmatched.bin")


def case_other_names():
    return [spec("*.py").match_file(name) for name in ("a.py", "b.txt", "src/c.py", "README", "d.pyc")]


def case_no_patterns():
    return spec().match_file("a"), spec("# only a remark", "").match_file("a")


def case_other_kinds():
    ignored = spec("build/", "*.log", kind=GitIgnoreSpec)
    answers = [ignored.match_file(name) for name in ("build/x", "a.log", "main.c")]
    return answers, Loud([]).match_file("loud.txt"), Loud([]).match_file("quiet.txt")


def case_path_objects():
    return spec("*.txt").match_file(PurePosixPath("x/a.bin")), spec("*.txt").match_file(PurePosixPath("x/a.txt"))


def case_separators():
    return spec("/b/*").match_file("a\\x", separators=["\\"]), spec("/b/*").match_file("b\\x", separators=["\\"])


def case_excluded():
    return spec("*.txt", "!b.txt").match_file("b.txt"), spec("*.txt", "!b.txt").match_file("a.txt")


def case_check():
    lines, ignored = spec("*.txt", "!b.txt"), spec("*.log", kind=GitIgnoreSpec)
    one_by_one = [checked(lines.check_file(name)) for name in ("a.txt", "b.txt", "c.bin")]
    return [*one_by_one, *map(checked, ignored.check_files(["a.log", "b.txt"]))]


def case_match_files():
    lines = spec("*.txt", "!b.txt")
    return list(lines.match_files(["a.txt", "b.txt", "c.bin"])), list(
        lines.match_files(["a.txt", "c.bin"], negate=True)
    )


def case_functions():
    patterns = spec("*.txt", "!b.txt").patterns
    answers = [check_match_file(enumerate(patterns), name) for name in ("a.txt", "b.txt", "c.bin")]
    return answers, [bool(match_file(patterns, name)) for name in ("a.txt", "b.txt", "c.bin")]


def case_errors():
    try:
        spec("*.txt").match_file(3)
    except TypeError:
        return "TypeError"
    except Exception as error:
        return type(error).__name__
    return "nothing"


def case_leading_dot():
    return [bool(spec("/a").match_file(name)) for name in ("./a", "/a", "b/a")]


def case_sums():
    return spec("*.a").__add__(spec("*.b")).match_file("x.b"), len(spec("*.a", "*.b"))
