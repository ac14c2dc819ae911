"""JUnit XML for a CI's own view: a suite of tests per check, a test per task.

A test has at most one failure, because many readers take only one; its text lists every flaw. A task the check had
nothing to look at in is skipped, so that a green row means something was looked at.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..report import CheckSummary, Finding, Mark, Report
from .text import visible

WHOLE = "the suite as a whole"


def render(report: Report) -> str:
    """The document."""
    root = Element("testsuites", name=f"verifierbench audit {visible(report.suite.name)}")
    for check in report.checks:
        root.append(_suite(report, check))
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", f"{report.seconds:.3f}")
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(report: Report, check: CheckSummary) -> Element:
    suite = Element("testsuite", name=check.name)
    properties = SubElement(suite, "properties")
    about = {"question": check.question, "assertions": str(check.passed), "suite": report.suite.hash}
    for name, value in about.items():
        SubElement(properties, "property", name=name, value=visible(value))
    findings: dict[str, list[Finding]] = {}
    for finding in check.findings:
        findings.setdefault(finding.task, []).append(finding)
    for outcome in report.outcomes:
        if check.name in outcome.marks:
            suite.append(_test(check, outcome.task, findings.get(outcome.task, []), outcome.marks[check.name]))
    if "" in findings:
        suite.append(_test(check, WHOLE, findings[""], None))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", "0")
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    return suite


def _test(check: CheckSummary, name: str, findings: list[Finding], mark: Mark | None) -> Element:
    test = Element("testcase", classname=f"verifierbench.audit.{check.name}", name=visible(name))
    if findings:
        more = f" (and {len(findings) - 1} more)" if findings[1:] else ""
        failure = SubElement(
            test, "failure", type=findings[0].rule, message=visible(findings[0].says).replace("\n", " ") + more
        )
        failure.text = "\n".join(f"{one.id} {one.rule}\n  {visible(one.says)}\n  {one.meaning}" for one in findings)
    elif mark is not None and not mark.passed:
        SubElement(test, "skipped", message="nothing to look at")
    return test
