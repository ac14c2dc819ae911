"""Upstream's own grading in a guarded worker: its log parsers, its report on a run of tests.

Its modules that talk to containers are never imported: the packages around those that grade are left empty. A log is
read from memory where upstream would open a file.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import sys
from types import ModuleType
from typing import Any

upstream: dict[str, Any] = {}


def load(_arguments: Any) -> None:
    """Import what grades, and nothing else of upstream."""
    for name in ("swebench", "swebench.harness", "swebench.utils"):
        spec = importlib.util.find_spec(name)
        empty = ModuleType(name)
        empty.__path__ = list(spec.submodule_search_locations or []) if spec else []
        sys.modules[name] = empty
    sys.modules["swebench.utils"].ansi_escape = str  # type: ignore[attr-defined]  # for repositories of other languages
    upstream["grading"] = importlib.import_module("swebench.harness.grading")
    upstream["grading"].classify_logs = lambda _path: None  # advice on a log without tests; it changes no verdict
    upstream["types"] = importlib.import_module("swebench.types")


def handle(request: Any) -> dict[str, Any]:
    """Parse `{parser, log}`, or grade `{parser, log, fail_to_pass, pass_to_pass}`."""
    try:
        return _graded(request) if "fail_to_pass" in request else {"statuses": _statuses(request)}
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}


def _graded(request: Any) -> dict[str, Any]:
    grading, spec = upstream["grading"], _spec(request)
    grading.open = lambda _path: io.StringIO(request["log"])
    report = grading.get_eval_report(spec, {"instance_id": "it", "model_patch": ""}, "log", True)["it"]
    status = report.get("tests_status", {})
    failed = {kind: len(status.get(kind, {}).get("failure", [])) for kind in ("FAIL_TO_PASS", "PASS_TO_PASS")}
    return {"valid": bool(report["resolved"]), "why": f"failed: {failed}" if status else "no run of tests in the log"}


def _statuses(request: Any) -> dict[str, str]:
    grading, spec = upstream["grading"], _spec(request)
    grading.open = lambda _path: io.StringIO(request["log"])
    return dict(grading.get_logs_eval(spec, "log")[0])


def _spec(request: Any) -> Any:
    return upstream["types"].TestSpec(
        instance_id="it",
        image="",
        eval_script_list=[],
        repo="",
        version="",
        FAIL_TO_PASS=request.get("fail_to_pass", []),
        PASS_TO_PASS=request.get("pass_to_pass", []),
        log_parser=request["parser"],
        eval_type="pass_and_fail",
    )
