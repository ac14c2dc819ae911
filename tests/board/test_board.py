"""The board is recomputed from decisions: figures worked out by hand, a table that fits, a page that leaks nothing."""

import io
import json

import pytest
from rich.console import Console

from verifierbench.board import WIDE, page, read_configurations, report_json, table
from verifierbench.core import CaseDecision, CaseKind, Decision, Family, MalformedInput, Run, UserError, Verdict
from verifierbench.scoring import RunFolder

PASS, FAIL = Verdict.PASS, Verdict.FAIL


def row(task, number, kind, verdict, family=Family.TOOL_CALL):
    return CaseDecision(
        case=f"secret/{task}#{kind.value}.{number}",
        task=f"secret/{task}",
        source="secret",
        family=family,
        kind=kind,
        decision=Decision(verdict=verdict),
    )


def write(path, folder_name, rows, **about):
    folder = RunFolder(path / folder_name)
    fields = {
        "harness": "builtin",
        "model": folder_name,
        "suite": "../suite",
        "suite_hash": "0" * 64,
        "tier": "namespaces",
    }
    folder.write_run(Run(**(fields | {"name": folder_name} | about)))
    folder.write_rows(rows)


@pytest.fixture
def runs(tmp_path):
    # Task a: 1 of 2 valid accepted (TPR 50), 2 of 2 invalid rejected (TNR 100): J = 50. Its one attack is rejected.
    # Task b: 2 of 2 accepted (TPR 100), 0 of 1 rejected (TNR 0): J = 0. Its one attack is accepted.
    # BA_norm 25, TPR 75, TNR 50, FPR_h 50; sd of (50, 0) = 35.355…, SE 25, t(0.975, 1) = 12.706: 25 ± 317.66.
    write(
        tmp_path,
        "mixed",
        [
            row("a", 0, CaseKind.GOLD, PASS),
            row("a", 0, CaseKind.COSMETIC, FAIL),
            row("a", 0, CaseKind.BASE, FAIL),
            row("a", 0, CaseKind.HACK, FAIL),
            row("b", 0, CaseKind.GOLD, PASS, Family.STATE),
            row("b", 0, CaseKind.ALTERNATIVE, PASS, Family.STATE),
            row("b", 0, CaseKind.HACK, PASS, Family.STATE),
        ],
    )
    write(
        tmp_path,
        "reference",
        [row("a", 0, CaseKind.GOLD, PASS), row("a", 0, CaseKind.BASE, FAIL)],
        harness=None,
        model=None,
        tier=None,
    )
    return tmp_path


def test_the_json_contract_with_figures_worked_out_by_hand(runs):
    best, mixed = report_json(read_configurations([runs]))["configurations"]
    assert (best["name"], best["harness"], best["model"], best["ba_norm"], best["ba_norm_ci"]) == (
        "reference",
        None,
        None,
        100,
        None,
    )
    assert best["fpr_h"] is None
    assert (mixed["tasks"], mixed["ba_norm"], mixed["tpr"], mixed["tnr"], mixed["fpr_h"]) == (2, 25, 75, 50, 50)
    assert mixed["ba_norm_ci"] == pytest.approx([25 - 317.655, 25 + 317.655], abs=0.01)
    assert mixed["invalid_share"] == 0
    assert mixed["by_family"]["tool_call"]["ba_norm"] == 50
    assert mixed["by_family"]["state"]["ba_norm"] == 0
    json.dumps(report_json(read_configurations([runs])), allow_nan=False)


def test_one_run_can_be_named_by_its_own_folder(runs):
    assert [one.run.name for one in read_configurations([runs / "mixed"])] == ["mixed"]


def test_a_folder_without_runs_and_a_run_without_scores_are_told(runs, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(MalformedInput, match="no run here"):
        read_configurations([tmp_path / "empty"])
    (runs / "mixed/decisions.jsonl").unlink()
    with pytest.raises(MalformedInput, match="mixed: this run is not scored yet"):
        read_configurations([runs])


@pytest.mark.parametrize(("width", "families"), [(WIDE + 20, True), (80, False)])
def test_the_table_fits_and_cuts_no_figure(runs, width, families):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table(read_configurations([runs]), width))
    text = console.export_text()
    assert "…" not in text
    assert "25.0" in text
    assert ("tool-call" in text) is families


def test_the_page_stands_alone_and_tells_nothing_hidden(runs):
    text = page(read_configurations([runs]), "verifierbench report 'a & b'")
    assert "a &amp; b" in text
    assert "secret" not in text
    for forbidden in ("<script", "http://", "https://", "<link", "@import"):
        assert forbidden not in text
    assert text.count("<tr>") == 3


def test_rows_that_were_cut_after_scoring_are_refused(runs):
    decisions = runs / "mixed/decisions.jsonl"
    decisions.write_bytes(b"\n".join(decisions.read_bytes().split(b"\n")[:-2]) + b"\n")
    with pytest.raises(MalformedInput, match="not the rows that were scored"):
        read_configurations([runs])


def test_rows_of_different_suites_are_told_apart(runs):
    one_suite = read_configurations([runs])
    write(runs, "other", [row("a", 0, CaseKind.GOLD, PASS), row("a", 0, CaseKind.BASE, FAIL)], suite_hash="1" * 64)
    mixed = read_configurations([runs])
    for shown, warned in ((one_suite, False), (mixed, True)):
        assert ("different suites" in page(shown, "")) is warned
        assert ("DIFFERENT SUITES" in table(shown).caption) is warned


def test_a_name_cannot_smuggle_markup(runs):
    write(runs, "odd", [row("a", 0, CaseKind.GOLD, PASS), row("a", 0, CaseKind.BASE, FAIL)], name="<img src=x>")
    assert "<img" not in page(read_configurations([runs]), "")


def test_a_subset_of_tasks_has_its_own_figures_and_a_run_without_any_has_no_row(runs):
    # Of `mixed` there stays task b alone: TPR 100, TNR 0, J 0; one task has no interval.
    found = {one.run.name: one.figures for one in read_configurations([runs], ["*/b"])}
    assert (found["mixed"].tasks, found["mixed"].ba_norm, found["mixed"].ba_norm_ci) == (1, 0.0, None)
    assert found["mixed"].fpr_h == 100.0
    everything = {one.run.name: one.figures for one in read_configurations([runs], ["*/a", "*/b"])}
    assert everything == {one.run.name: one.figures for one in read_configurations([runs])}


def test_a_pattern_that_no_task_matches_is_refused_by_name(runs):
    with pytest.raises(UserError, match="matches 'nothing\\*'; an id is written like 'secret/a'"):
        read_configurations([runs], ["nothing*"])
