"""What is looked at in the patched Markdown."""

import markdown
from markdown.extensions.toc import TocExtension

FIVE = "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five"


def made(text, *others, **options):
    md = markdown.Markdown(extensions=[*others, TocExtension(**options)])
    return md.convert(text), md


def html(text, *others, **options):
    return made(text, *others, **options)[0]


def table(text, *others, **options):
    md = made(text, *others, **options)[1]
    return md.toc, md.toc_tokens


def names(tokens):
    return [(token["level"], token["id"], token["name"], names(token["children"])) for token in tokens]


def case_issue():
    return html("# Title\n\n## Part\n\n### Detail", toc_depth="2-2", permalink="#", permalink_title="")


def case_above():
    return html(FIVE, toc_depth="3-6"), html("# A\n\nx\n\n# B", toc_depth="2-6")


def case_below():
    return html(FIVE, toc_depth=2), html(FIVE, toc_depth="3"), html("### A *b* `c`", toc_depth="1-2")


def case_permalinks():
    return html(FIVE, toc_depth="2-3", permalink=True), html("#### A", toc_depth=1, permalink="link", permalink_class="p")


def case_anchor_links():
    return html("# A *b*\n\n## B\n\n### C `d`", toc_depth="2-2", anchorlink=True), html(
        "# A", toc_depth="2-3", anchorlink=True, anchorlink_class="z", permalink=True
    )


def case_order_of_ids():
    text = "# A\n\n## A\n\n### A\n\n## A"
    return html(text, toc_depth="2-2"), html(text, toc_depth="3-3"), table(text, toc_depth="2-3")[0]


def case_own_ids():
    text = "# A {: #x }\n\n## A\n\n### B {: #a }\n\n#### B"
    return html(text, "markdown.extensions.attr_list", toc_depth="2-2")


def case_labels():
    text = "# A {: data-toc-label='x' }\n\n## B {: data-toc-label='y' }\n\n### C {: data-toc-label='z' #c1 }"
    return html(text, "markdown.extensions.attr_list", toc_depth="2-2")


def case_base_level():
    return html("# A\n\n## B\n\n### C", toc_depth="3-3", baselevel=2), html("# A\n\n#### B", toc_depth=2, baselevel=4)


def case_slugs():
    return html("# A b\n\n## C d", toc_depth="2-2", slugify=lambda text, separator: text.upper(), separator="~")


def case_none_within():
    return html(FIVE, toc_depth=0), html("# A", toc_depth="5-6", permalink=True)


def case_within_quotes():
    return html("> # A\n> ## B\n\n- # C", toc_depth="2-2")


def case_depths_listed():
    depths = "2-3", "1-1", 4, "3", "2-6", "6-6"
    return [names(table(FIVE, toc_depth=depth)[1]) for depth in depths]


def case_table():
    return table("# One\n\n## Two *x*\n\n### Three\n\n## Four", toc_depth="2-3")[0], table(FIVE, toc_depth=0)


def case_marker():
    return "Five" in html("[TOC]\n\ntext\n\n" + FIVE, toc_depth="2-3").partition("text")[0], html(
        "[TOC]\n\n## A\n\n## B", toc_depth="2-3", title="T"
    )


def case_base_level_listed():
    return [names(table(FIVE, toc_depth=depth, baselevel=2)[1]) for depth in ("3-4", 3, "4-6")]


def case_labels_listed():
    text = "# A {: data-toc-label='x' }\n\n## B {: data-toc-label='y' }\n\n## C {: #own }"
    return names(table(text, "markdown.extensions.attr_list", toc_depth="2-2")[1])


def case_all_within():
    return html(FIVE), html("# A\n\n## A\n\n# A", permalink=True), html("# A *b*\n\n## B", anchorlink=True)


def case_all_listed():
    return table("# A\n\n### B\n\n## C\n\n# D `e`")


def case_own_id_within():
    text = "# A {: #x }\n\n# A\n\n# X"
    return html(text, "markdown.extensions.attr_list"), html("# A {: data-toc-label='l' }", "markdown.extensions.attr_list")


def case_other_blocks():
    return html("Text\n====\n\npara # no\n\n    # code\n\n* item", toc_depth=1)
