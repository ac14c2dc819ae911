"""What is looked at in the patched Markdown."""

import markdown


def html(*texts, **options):
    return [markdown.markdown(text, **options) for text in texts]


def case_issue():
    return html("2 ** 3 ** 4", "Dear _ _ _ _ reader", "**a *** b**")


def case_pairs():
    return html("foo ** bar ** baz", "foo __ bar __ baz", "a ** b __ c ** d __ e")


def case_triples():
    return html("foo *** bar *** baz", "foo ___ bar ___ baz")


def case_single_in_a_row():
    return html("foo * * * * bar", "x _ _ _ _", "a * * b * * c")


def case_mixed_in_a_row():
    return html("a ** * *** ** * b", "a __ _ ___ __ _ b")


def case_at_the_ends():
    return html("** foo **", "__ foo __ bar", "foo *** bar ***", "**a **", "** a**")


def case_lines():
    return html("a ** b\n** c", "a\n__\nb __", "a **\nb **\nc")


def case_tabs():
    return html("x\t** y **\tz", "x ** \t** y ** z")


def case_emphasis_around():
    return html("**foo ** bar**", "*a ** b*", "__a __ b__", "_a ___ b_", "**a ** ** b**")


def case_emphasis_between():
    return html("a ** *b* ** c", "a __ **b** __ c", "a ** **b** c", "x *** ***y*** *** z", "**a** ** **b**")


def case_other_inline():
    return html("`**` ** `x` ** y", "[a ** b ** c](u)", "**`a` ** b**", "<b>a</b> ** b ** c", "`x` ** `y` ** `z`", "a ** ![i](j) ** k")


def case_blocks():
    return html("# x ** y ** z", "- a ** b ** c", "> a *** b *** c")


def case_paragraphs():
    return html("a ** b\n\nc ** d", "a ** b ** c\n\n**d**")


def case_legacy_emphasis():
    return html("a __ b __ c", "a_b_ _ _ _ c", extensions=["markdown.extensions.legacy_em"])


def case_line_breaks():
    return html("a ** b **\nc", extensions=["markdown.extensions.nl2br"])


def case_emphasis():
    return html("*a* **b** ***c***", "_a_ __b__ ___c___", "**a *b* c**", "***a** b*", "a**b**c *d*e")


def case_single():
    return html("a * b * c", "*a * b*", "_a _ b_", "*", "* a", "foo\n* bar *\nbaz")


def case_brackets():
    return html("(** a**) b", "(** a **) b", "[* a*] b")


def case_punctuation():
    return html("a **b **, c", "a **b **. c", "see __this __, please")


def case_touching():
    return html("a** b**", "a **b **c", "a*b *c", "snake__case __x__ y")


def case_long_runs():
    return html("a **** b **** c", "a ____ b ____ c", "a ***** b")


def case_escaped():
    return html("\\*\\* a \\*\\*", "a \\* b", "\\__a__")


def case_rules():
    return html("* * *", "___", "**\n", "a\n\n***\n\nb")
