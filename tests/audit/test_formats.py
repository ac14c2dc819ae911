"""Every format is valid, says the same, and lets no case act on whoever reads it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from verifierbench.audit.formats import FORMATS, render, to_bytes
from verifierbench.audit.formats.document import NAME, document, stored_findings
from verifierbench.audit.formats.html.style import STYLE
from verifierbench.audit.formats.sarif import log
from verifierbench.audit.formats.terminal import SHOWN
from verifierbench.audit.formats.text import verdict, visible
from verifierbench.audit.report import assemble
from verifierbench.core import MalformedInput, UnknownName

from .reports import HOSTILE, check, failing, flaw, passing, seen, suite, task


def many(number):
    flaws = [flaw("replay", "own/a", place=str(n)) for n in range(number)]
    return assemble(suite(task("own/a")), [seen("replay", "own/a", 1, *flaws)], (check("replay"),))


def test_an_unknown_format_is_told():
    with pytest.raises(UnknownName, match="no format is called 'pdf'; there is text, json, html, sarif, junit"):
        render(passing(), "pdf")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("report", [failing(), passing()], ids=["failing", "passing"])
def test_every_format_is_bytes_of_utf_8_without_what_steers_a_reader(report, name):
    told = to_bytes(render(report, name)).decode()
    assert told.endswith("\n")
    for steering in ("\x1b", "\x00", "\u202e") if name not in ("json", "sarif") else ("\x1b", "\x00"):
        assert steering not in told


class TestDocument:
    def test_the_machine_contract(self):
        told = json.loads(to_bytes(render(failing(), "json")))
        assert told["schema"] == 1
        assert told["ok"] is False
        assert told["suite"]["hash"] == "f" * 64
        assert told["suite"]["season"] == "test"
        replay = told["checks"]["replay"]
        assert (replay["ok"], replay["passed"], replay["failed"], replay["exercised"]) == (False, 59, 1, True)
        keys = {"id", "check", "reason", "meaning", "task", "case", "place", "says", "evidence", "reproduction"}
        for one in told["checks"].values():
            assert all(set(finding) == keys for finding in one["findings"])
        mutants = told["mutants"]
        assert (mutants["total"], mutants["killed"], mutants["equivalent"], mutants["survived"]) == (12, 8, 1, 3)
        assert mutants["by_operator"] == {"drop": 9, "loosen": 2}
        assert mutants["configurations_per_task"] == 4.0
        assert told["tasks"]["candidates"] == 5
        assert [one["outcome"] for one in told["outcomes"]] == ["retained", *["excluded"] * 4]
        assert told["outcomes"][1]["checks"]["mutation"] == {"passed": 5, "failed": 2}

    def test_agreement_in_percent(self):
        examined = [seen("agreement", "own/a", 3, cases=4, agree=3, explained=1, tp=1, pos=2, tn=2, neg=2)]
        told = document(assemble(suite(task("own/a")), examined, (check("agreement"),)))
        # 1/2 + 2/2 - 1 = 0.5.
        assert told["source_agreement"]["own"]["ba_norm"] == 50.0
        assert told["checks"]["agreement"]["facts"]["agree"] == 3

    def test_a_hostile_case_comes_back_as_it_was(self):
        told = json.loads(to_bytes(render(failing(), "json")))
        (found,) = [one for one in told["checks"]["mutation"]["findings"] if one["place"] == "drop:x"]
        assert found["evidence"] == {"content": HOSTILE}

    def test_the_flaws_beside_a_suite_are_found_again_for_that_suite_alone(self, tmp_path):
        report, file = failing(), tmp_path / NAME
        assert stored_findings(tmp_path, "f" * 64) is None
        file.write_bytes(to_bytes(render(report, "json")))
        assert stored_findings(tmp_path, "f" * 64) == {one.id: one for one in report.findings}
        assert stored_findings(tmp_path, "0" * 64) is None

    @pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"suite": {"hash": 1}}', b"[" * 100_000])
    def test_a_broken_document_is_told(self, tmp_path, content):
        (tmp_path / "hidden").mkdir()
        (tmp_path / NAME).write_bytes(content)
        with pytest.raises(MalformedInput, match=r"audit\.json: not an audit's document .*; delete it"):
            stored_findings(tmp_path, "f" * 64)


class TestSarif:
    def test_every_result_has_its_rule_and_a_place(self):
        told = json.loads(to_bytes(render(failing(), "sarif")))
        assert (told["version"], len(told["runs"])) == ("2.1.0", 1)
        run = told["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == [
            f"{name}.{reason}" for name in ("replay", "mutation") for reason in ("wrong", "missing")
        ]
        for rule in rules:
            assert rule["help"]["text"]
            assert rule["shortDescription"]["text"]
        assert len(run["results"]) == 5
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] == "error"
            assert result["message"]["text"]
            assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] == "SUITE"
        fingerprints = [result["partialFingerprints"]["flaw/v1"] for result in run["results"]]
        assert fingerprints == [one.id for one in failing().findings]
        assert run["originalUriBaseIds"]["SUITE"]["uri"] == "file:///nowhere/suite/"

    def test_without_the_suite_a_result_names_the_file_alone(self):
        places = [one["locations"][0]["physicalLocation"] for one in log(failing())["runs"][0]["results"]]
        assert [place["artifactLocation"]["uri"] for place in places] == [
            "hidden/cases.jsonl",
            *["hidden/tasks.jsonl"] * 3,
            "suite.json",
        ]
        assert [place.get("region") for place in places] == [None, None, None, None, {"startLine": 1}]

    @pytest.mark.parametrize(("digest", "line"), [("f" * 64, 2), ("0" * 64, None)], ids=["same suite", "moved on"])
    def test_a_result_stands_at_the_line_of_its_case(self, tmp_path, digest, line):
        manifest = {"season": "test", "sources": {}, "tasks": 1, "cases": 2, "excluded": 0, "made_of": ""}
        (tmp_path / "hidden").mkdir()
        (tmp_path / "suite.json").write_text(json.dumps({**manifest, "hash": digest}))
        (tmp_path / "hidden/tasks.jsonl").write_text('{"id": "own/a"}\n{"id": "own/b"}\n{"id": "up/c"}\n')
        (tmp_path / "hidden/cases.jsonl").write_text('{"id": "own/a#gold.0"}\n{"id": "own/b#gold.0"}\n')
        results = log(failing(str(tmp_path)))["runs"][0]["results"]
        at = [one["locations"][0]["physicalLocation"].get("region", {}).get("startLine") for one in results]
        assert at == ([2, 2, 2, 3, 1] if line else [None, None, None, None, 1])


class TestJUnit:
    @pytest.mark.parametrize("report", [failing(), passing()], ids=["failing", "passing"])
    def test_the_common_rules(self, report):
        """Those of Jenkins' schema: required attributes, allowed children, counts that are the elements' own."""
        root = ElementTree.fromstring(to_bytes(render(report, "junit")))
        assert root.tag == "testsuites"
        assert re.fullmatch(r"\d{1,3}\.\d+", root.get("time"))
        for group in root:
            assert group.tag == "testsuite"
            tests = group.findall("testcase")
            assert {child.tag for child in group} <= {"properties", "testcase"}
            assert group.get("tests") == str(len(tests))
            assert group.get("failures") == str(len(group.findall("testcase/failure")))
            assert group.get("skipped") == str(len(group.findall("testcase/skipped")))
            assert group.get("errors") == "0"
            for test in tests:
                assert test.get("name")
                assert test.get("classname") == f"verifierbench.audit.{group.get('name')}"
                assert len(test) <= 1
        assert root.get("tests") == str(len(root.findall("testsuite/testcase")))
        assert root.get("failures") == str(len(root.findall("testsuite/testcase/failure")))

    def test_every_flaw_is_told_once(self):
        root = ElementTree.fromstring(to_bytes(render(failing(), "junit")))
        text = "".join(one.text for one in root.iter("failure"))
        for finding in failing().findings:
            assert text.count(finding.id) == 1
        names = [one.get("name") for one in root.findall("testsuite[@name='mutation']/testcase")]
        assert names == ["own/a", "own/b", "up/c", "the suite as a whole"]

    def test_a_task_without_anything_to_look_at_is_skipped(self):
        report = assemble(suite(task("own/a")), [seen("agreement", "own/a", 0)], (check("agreement"),))
        assert "<skipped" in render(report, "junit")


class Page(HTMLParser):
    """Reads a page as a browser would: what opens is closed, and what is there."""

    VOID = frozenset({"meta", "br", "wbr"})

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.outside, self.text = [], [], [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
            if name in ("src", "srcset", "action", "data") or name.startswith("on"):
                self.outside.append((tag, name, value))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


class TestPage:
    @pytest.mark.parametrize("report", [failing(), passing(), many(400)], ids=["failing", "passing", "many"])
    def test_it_is_whole_and_needs_nothing_else(self, report):
        page = Page(to_bytes(render(report, "html")).decode())
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
        assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
        assert page.outside == []
        assert not {"script", "link", "img", "iframe", "object", "form", "base"} & set(page.tags)
        for network in ("http:", "https:", "//", "@import", "url("):
            assert network not in STYLE

    def test_a_hostile_case_is_text(self):
        told = to_bytes(render(failing(), "html")).decode()
        assert "<script" not in told
        page = Page(told)
        assert "own/b#gold.0: <script>alert('x')</script> \\u001b[31m\\u202eevil\\u0000" in page.text
        assert "print('<b>')" in page.text
        assert "default-src 'none'" in told

    def test_it_says_what_was_found_and_how_to_mend_it(self):
        page = Page(to_bytes(render(failing(), "html")).decode())
        assert verdict(failing()) in page.text
        for finding in failing().findings:
            assert page.text.count(finding.id) >= 1
            assert finding.id in page.ids
        for words in (
            "What replay compares.",
            "How to mend it.",
            "Is mutation as it should be?",
            "12 mutants",
            "Flawed.",
        ):
            assert words in page.text
        assert "Passed in part." in Page(render(passing(), "html")).text

    def test_long_evidence_and_scripts_are_cut_with_a_word(self):
        long = flaw("replay", "own/a", evidence={"x": "y" * 50_000}, reproduction="z" * 50_000)
        report = assemble(suite(task("own/a")), [seen("replay", "own/a", 1, long)], (check("replay"),))
        told = render(report, "html")
        assert len(told) < 60_000
        assert "more characters; --json shows all" in told
        assert "The script has 50,000 characters" in told

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_every_text_can_be_read_on_its_ground(self, scheme):
        """WCAG AA: a contrast of 4.5 : 1."""
        colours = dict(re.findall(r"--([\w-]+): (#\w+)", STYLE.partition("@media")[0]))
        if scheme == "dark":
            dark = STYLE.partition("prefers-color-scheme: dark")[2].partition("\n}")[0]
            assert set(re.findall(r"--([\w-]+):", dark)) == set(colours)
            colours = dict(re.findall(r"--([\w-]+): (#\w+)", dark))
        grounds = {"ink": ("ground", "soft", "good-bg", "bad-bg", "warn-bg"), "accent": ("ground", "bad-bg")}
        grounds |= {name: ("ground", f"{name}-bg") for name in ("good", "bad", "warn")} | {"faint": ("ground", "soft")}
        for name, behind in grounds.items():
            for ground in behind:
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class TestTerminal:
    def test_verdict_checks_counts_and_flaws(self):
        told = render(failing(), "text")
        assert told.startswith(
            "4 flaws in 2 of 3 tasks and 1 flaw of the suite as a whole. 1 task retained; 67 assertions hold."
        )
        assert "tasks: 5 candidates, 1 retained" in told
        assert "excluded, replay.wrong: 2" in told
        assert "mutants: 12, 8 killed, 1 equivalent, 3 survived; 4.0 per task" in told
        for finding in failing().findings:
            assert finding.id in told

    @pytest.mark.parametrize(
        ("number", "more"), [(SHOWN, None), (SHOWN + 1, "and 1 more flaw:"), (400, "and 380 more")]
    )
    def test_so_many_flaws_and_no_more(self, number, more):
        told = render(many(number), "text")
        assert told.count("✗ replay.wrong") == min(number, SHOWN)
        assert (more in told) if more else "more flaw" not in told

    def test_the_commonest_reason_first(self):
        lines = [line for line in render(failing(), "text").splitlines() if re.match(r"\d+ flaws? (in|of) .*: ", line)]
        assert lines == [
            "2 flaws in 1 task: mutation.missing, it is not there",
            "2 flaws in 1 task: mutation.wrong, it is not as it should be",
            "1 flaw in 1 task: replay.wrong, it is not as it should be",
        ]

    def test_no_claim_beyond_what_was_looked_at(self):
        report = assemble(suite(task("own/a")), [seen("agreement", "own/a", 0)], (check("agreement"),))
        told = " ".join(render(report, "text").split())
        assert "Only 1 of the 9 checks were run. Not exercised, so nothing is known: agreement." in told


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 漢\n\t", "plain ü 漢\n\t"),
        ("\x1b[2J", "\\u001b[2J"),
        ("\u2066", "\\u2066"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, shown):
    assert visible(text) == shown


def test_the_readers_of_a_report_do_not_change_it(tmp_path):
    report = failing()
    before = msgspec.to_builtins(report)
    for name in FORMATS:
        render(report, name)
    assert msgspec.to_builtins(report) == before
    assert not Path("/nowhere").exists()
