"""SARIF 2.1.0: a rule per check and reason, a result per flaw, at the line of the suite that it is about.

A flaw's script is not carried along, for readers of SARIF refuse large logs; its properties say how to get it.
Lines are those of the files as they lie beside the report; where the suite has moved on, a result names the file alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..report import CheckSummary, Finding, Report
from .lines import Places


def render(report: Report) -> str:
    """The log as text, with a final newline."""
    return json.dumps(log(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def log(report: Report) -> dict[str, Any]:
    """The log as plain data."""
    rules = [_rule(check, reason) for check in report.checks for reason in check.reasons]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    where = Places(report.suite)
    run = {
        "tool": {"driver": {"name": "verifierbench-audit", "semanticVersion": report.version, "rules": rules}},
        "automationDetails": {"id": f"verifierbench-audit/{report.suite.season}/"},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {"SUITE": {"uri": Path(report.suite.path).as_uri() + "/"}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index, where) for finding in report.findings],
        "properties": {"suite": report.suite.hash, "ok": report.ok, "complete": report.complete},
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(check: CheckSummary, reason: str) -> dict[str, Any]:
    return {
        "id": f"{check.name}.{reason}",
        "name": "".join(word.capitalize() for word in (check.name, *reason.split("_"))),
        "shortDescription": {"text": check.reasons[reason]},
        "fullDescription": {"text": f"{check.question} A flaw of this kind: {check.reasons[reason]}."},
        "help": {"text": check.prose},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": [check.name]},
    }


def _result(finding: Finding, index: Mapping[str, int], where: Places) -> dict[str, Any]:
    about = {name: getattr(finding, name) for name in ("check", "reason", "task", "case", "place")}
    script = {"reproduce": f"verifierbench audit DIR --reproduce {finding.id}"} if finding.reproduction else {}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": "error",
        "message": {"text": finding.says},
        "locations": [_location(finding, where)],
        "partialFingerprints": {"flaw/v1": finding.id},
        "properties": {**about, "evidence": finding.evidence, **script},
    }


def _location(finding: Finding, where: Places) -> dict[str, Any]:
    """The case's line, else the task's, else the manifest."""
    file, line = where.of(finding.case, finding.task)
    region = {"region": {"startLine": line}} if line else {}
    physical = {"artifactLocation": {"uri": file, "uriBaseId": "SUITE"}, **region}
    named = finding.case or finding.task
    logical = {"logicalLocations": [{"fullyQualifiedName": named, "kind": "member"}]} if named else {}
    return {"physicalLocation": physical, **logical}
