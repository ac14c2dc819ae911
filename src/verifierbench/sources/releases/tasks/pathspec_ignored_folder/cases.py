"""What is looked at in the patched pathspec."""

import re
import tempfile
from pathlib import Path

from pathspec import GitIgnoreSpec, PathSpec
from pathspec.pattern import RegexPattern


def ignored(lines, *names, kind=GitIgnoreSpec):
    return list(kind.from_lines("gitwildmatch", lines).match_files(names))


def case_issue():
    names = ["a.bin", "drafts/a.bin", "drafts/a.md", "drafts/x/b.md", "final/a.bin", "final/a.md"]
    return ignored(["*", "!*/", "!*.md", "/drafts/**"], *names)


def case_slash_at_the_end():
    return ignored(["!*.md", "drafts/"], "drafts/a.md", "drafts/b.txt", "c.md", "my/c.md")


def case_bare_name():
    return ignored(["!*.md", "drafts"], "drafts/a.md", "drafts/x.md", "c.md", "drafts.md")


def case_star_for_a_folder():
    return ignored(["!*.md", "/x/*"], "x/y/a.md", "x/y/b.txt", "y/a.md"), ignored(
        ["!c.md", "dr*"], "drafts/c.md", "c.md"
    )


def case_folders_within():
    return ignored(["!*.md", "**/drafts/"], "a/b/drafts/a.md", "drafts/a.md", "a/b/a.md"), ignored(
        ["!*.md", "a/b/"], "a/b/c.md", "a/c.md", "x/a/b/c.md"
    )


def case_at_any_depth():
    return ignored(["!*.md", "drafts/"], "drafts/x/y/z/a.md", "drafts/x/a.md"), ignored(["!z.md", "/d/e"], "d/e/f/z.md")


def case_by_name():
    return ignored(["!drafts/a.md", "drafts/"], "drafts/a.md"), ignored(
        ["*.md", "!a.md", "!b.*", "d/"], "d/a.md", "d/b.md", "b.md"
    )


def case_one_file():
    spec = GitIgnoreSpec.from_lines(["!*.md", "drafts/"])
    return spec.match_file("drafts/a.md"), spec.match_file("a.md"), spec.match_file("drafts\\a.md", separators=["\\"])


def case_tree():
    with tempfile.TemporaryDirectory() as top:
        for name in ("d/a.md", "d/x/b.md", "c.md"):
            Path(top, name).parent.mkdir(parents=True, exist_ok=True)
            Path(top, name).touch()
        return sorted(GitIgnoreSpec.from_lines(["!*.md", "/d/**"]).match_tree_files(top))


def case_later_lines():
    names = ["drafts/a.md", "drafts/b.md", "drafts/x/a.md"]
    two = ignored(["drafts/", "!a.md"], *names), ignored(["drafts/", "!drafts/a.md"], *names[:2])
    return *two, ignored(["!*.md", "drafts/", "!a.md"], *names[::2]), ignored(["*", "/d/**", "!*.md"], "d/a.md", "d/b")


def case_folders_taken_out():
    names = ["drafts/a.md", "drafts/b.bin", "a.md"]
    return (
        ignored(["*.md", "!drafts/"], *names),
        ignored(["*", "!/drafts/"], *names),
        ignored(["a.md", "!drafts"], *names),
    )


def case_folder_and_back():
    return ignored(["drafts/", "!drafts/"], "drafts/a", "b"), ignored(["/d/**", "!/d/e/**"], "d/a", "d/e/b")


def case_files_only():
    return ignored(["*.md", "!a.md"], "x/a.md", "x/b.md", "a.md"), ignored(["!a.md", "*.md"], "a.md", "b.md", "c")


def case_plain_specs():
    lines, names = ["drafts/", "!a.md", "*.bin", "!drafts/"], ["drafts/a.md", "drafts/b", "drafts/c.bin", "c.bin"]
    return ignored(lines, *names, kind=PathSpec), ignored(["!*.md", "d/"], "d/a.md", "b.md", kind=PathSpec)


def case_other_patterns():
    spec = GitIgnoreSpec([RegexPattern(re.compile("^a$"), True)])
    try:
        return spec.match_file("b"), spec.match_file("a")
    except Exception as error:
        return type(error).__name__


def case_nothing_said():
    return ignored([], "a"), ignored(["# a", ""], "a", "b/a"), GitIgnoreSpec.from_lines(["!a"]).match_file("b/a")


def case_equality():
    one, other = GitIgnoreSpec.from_lines(["a/"]), GitIgnoreSpec.from_lines("gitwildmatch", ["a/"])
    return one == other, one == PathSpec.from_lines("gitwildmatch", ["a/"]), len(one)
