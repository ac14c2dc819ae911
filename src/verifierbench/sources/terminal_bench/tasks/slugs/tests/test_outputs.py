"""What slugs.slug and slugs.unique give, row by row."""

import slugs

RUNS = {"a & b": "a-b", "one -- two": "one-two", "C++ & friends": "c-friends"}
ENDS = {"what?": "what", "(draft)": "draft"}
REPEATED = {("a", "A", "b"): ["a", "a-2", "b"], ("x", "x", "y", "y"): ["x", "x-2", "y", "y-2"]}
TAKEN = {("a", "a 2", "a"): ["a", "a-2", "a-3"], ("b 3", "b", "b 2", "b"): ["b-3", "b", "b-2", "b-4"]}
PLAIN = {"Hello World": "hello-world", "2024": "2024", "a-b": "a-b"}


def look(subtests, function, rows):
    """Every row is a subtest."""
    for given, wanted in rows.items():
        with subtests.test(given=given):
            assert function(given) == wanted


def test_runs(subtests):
    look(subtests, slugs.slug, RUNS)


def test_ends(subtests):
    look(subtests, slugs.slug, ENDS)


def test_repeated(subtests):
    look(subtests, lambda titles: slugs.unique(titles), REPEATED)


def test_taken(subtests):
    look(subtests, lambda titles: slugs.unique(titles), TAKEN)


def test_plain_titles(subtests):
    look(subtests, slugs.slug, PLAIN)


def test_nothing():
    assert (slugs.slug(""), slugs.address("", "News")) == ("", "/news/")
