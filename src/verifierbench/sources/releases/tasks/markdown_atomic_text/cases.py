"""What is looked at in the patched Markdown."""

import xml.etree.ElementTree as etree

import markdown
from markdown.inlinepatterns import InlineProcessor, Pattern
from markdown.serializers import to_html_string
from markdown.treeprocessors import isString
from markdown.util import AtomicString


class Says(InlineProcessor):
    """Says what it was told to."""

    def __init__(self, pattern, said):
        super().__init__(pattern)
        self.said = said

    def handleMatch(self, m, data):
        said = self.said(m) if callable(self.said) else self.said
        return said, m.start(0), m.end(0)


class SaysOld(Pattern):
    """The same in the older style."""

    def __init__(self, pattern, said):
        super().__init__(pattern)
        self.said = said

    def handleMatch(self, m):
        return self.said


def html(source, said, kind=Says, priority=100, extensions=()):
    md = markdown.Markdown(extensions=list(extensions))
    md.inlinePatterns.register(kind("MARK", said), "says", priority)
    return md.convert(source)


def atomic(*sources, said="<b>x</b>", **options):
    return [html(source, AtomicString(said), **options) for source in sources]


def element(tag, text, *children):
    made = etree.Element(tag)
    made.text = text
    made.extend(children)
    return made


def case_issue():
    return atomic("We use MARK **and MARK**.", said="<Node> *JS*")


def case_places():
    return atomic("a MARK c", "MARK c", "a MARK", "MARK", "aMARKc")


def case_several():
    return atomic("MARK MARK", "MARK, MARK and MARK.", "MARKMARK")


def case_in_emphasis():
    return atomic("**a MARK b**", "*MARK*", "x **MARK** y", "**a** MARK")


def case_between_elements():
    return atomic("*a* MARK *b*", "*a*MARK", "MARK*b*", "`c` MARK `d`", "*a* x MARK y *b* MARK")


def case_links():
    return atomic("[a MARK b](u) c", "[MARK](u)", "![a](u) MARK")


def case_blocks():
    return atomic("# a MARK", "- a MARK\n- MARK", "> MARK b", "a\nMARK\nb", "a MARK\n\nMARK b")


def case_not_parsed():
    return [*atomic("a MARK b", said="*x* `y` [z](u) & &lt;"), *atomic("a MARK b", said="__x__ MARK \\* http")]


def case_blank_text():
    return [*atomic("a MARK b", "MARK", said="  x  "), *atomic("a MARK b", "a *MARK b*", said="")]


def case_as_plain():
    sources = "a MARK b", "MARK", "*MARK* MARK", "x [MARK](u) `MARK` MARK", "- MARK\n\n\n# MARK"
    said = "x", "<i>", "*a*", "a\nb", " "
    return [html(source, AtomicString(text)) == html(source, text) for source in sources for text in said]


def case_old_style():
    return atomic("a MARK c", "**a MARK** MARK", "MARK", kind=SaysOld)


def case_late():
    return atomic("a MARK c", "**a MARK**", "*a* MARK *b*", priority=5)


def case_first():
    return atomic("a MARK `MARK` \\MARK", "**MARK**", priority=200)


def case_tree():
    md = markdown.Markdown()
    md.inlinePatterns.register(Says("MARK", AtomicString("<b>")), "says", 100)
    tree = element("div", None, element("p", "a MARK c"), element("p", "*MARK*"), element("h1", "MARK"))
    tree[0].tail = "t MARK *u*"
    return to_html_string(md.treeprocessors["inline"].run(tree))


def case_both_kinds():
    def said(match):
        return AtomicString("*at*") if match.string[: match.start()].count("MARK") % 2 else "*pl*"

    return [html(source, said) for source in ("MARK MARK MARK", "a MARK", "**a** MARK")]


def case_element_left():
    nodes = lambda: element("i", AtomicString("*x* `y`"))  # noqa: E731
    return [html(source, lambda m: nodes()) for source in ("a MARK b", "**MARK**", "MARK")]


def case_element_parsed():
    return [
        html("a MARK b", lambda m: element("i", "*x* `y`")),
        html("a MARK b", lambda m: element("i", "x", element("u", "**z**"))),
        html("MARK", lambda m: element("i", "*x*", element("u", "z"))),
    ]


def case_atomic_in_tree():
    md = markdown.Markdown()
    tree = element("div", None, element("p", AtomicString("*a*"), element("i", "*b*")), element("p", "*c*"))
    return to_html_string(md.treeprocessors["inline"].run(tree))


def case_is_string():
    return [isString(each) for each in ("a", AtomicString("a"), etree.Element("a"), None, 3)]


def case_legacy_attributes():
    def said(match):
        return element("i", AtomicString("{@id=x}*y*"))

    extensions = ["markdown.extensions.legacy_attrs"]
    return html("a MARK", said, extensions=extensions), html("a {@id=z}*b*", "", extensions=extensions)


def case_plain():
    return [html(source, "<b> *x*") for source in ("a MARK c", "**MARK** MARK", "MARK")], html("a MARK b", "")


def case_refused():
    class Refuses(InlineProcessor):
        def handleMatch(self, m, data):
            if m.start() == 0:
                return None, None, None
            return element("i", "x"), m.start(0), m.end(0)

    md = markdown.Markdown()
    md.inlinePatterns.register(Refuses("MARK"), "refuses", 100)
    return md.convert("MARK a MARK *b* MARK")


def case_markdown():
    return markdown.markdown("# a *b*\n\n**c `d`** [e](f) \\* g &amp; <i>*h*</i> http://x")
