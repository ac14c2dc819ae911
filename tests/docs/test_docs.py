"""What the pages say is what the code does: commands parse, targets and links exist, tables are the code's."""

import re
import tomllib
from pathlib import Path

import click
import msgspec
import pytest

from verifierbench.cli._verbs import cli
from verifierbench.core import Ended, Limits, Protocol, Reason
from verifierbench.generation import harness, harness_names

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
TARGETS = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]


def commands():
    for page in PAGES:
        for line in re.findall(r"^    (verifierbench .+)$", page.read_text(), re.MULTILINE):
            yield pytest.param(
                line.partition(" #")[0].split()[1:], id=f"{page.name}: {line.partition(' #')[0].strip()}"
            )


@pytest.mark.parametrize("arguments", list(commands()))
def test_every_command_on_a_page_parses(arguments):
    command, context = cli, click.Context(cli)
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        name, found, arguments = command.resolve_command(context, arguments)
        assert found is not None
        command, context = found, click.Context(found, info_name=name, parent=context)
    if not isinstance(command, click.Group):
        command.make_context(command.name, list(arguments))


def test_there_are_commands_on_the_pages():
    assert len(list(commands())) >= 12


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_make_target_exists(page):
    text = page.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target
    for name in re.findall(r"(?:`|^ {4})make ([a-z-]+)\b", text, re.MULTILINE):
        assert name in TARGETS, name


def test_the_layers_are_told_in_their_order():
    names = " ".join(reversed(LAYERS))
    told = re.findall(r"`core`.*?`cli`", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    assert " ".join(re.findall(r"`(\w+)`", told)) == names
    rule = re.findall(r"core →.*?cli", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)[0]
    assert " ".join(re.findall(r"\w+", rule)) == names


def test_the_contract_tells_the_limits_and_reasons_of_the_code():
    page, limits = (ROOT / "docs/contract.md").read_text(), Limits()
    assert f"| calls of `env.run` (a cached repeat counts) | {limits.environment_calls} |" in page
    assert f"| time all its executions may take together | {limits.environment_seconds:.0f} s |" in page
    assert f"(environment time is not counted) | {limits.seconds:.0f} s |" in page
    assert f"| memory | {limits.memory_mb} MB |" in page
    assert f"| output | {limits.output_bytes // 10**6} MB |" in page
    assert ", ".join(f"`{reason.value}`" for reason in Reason) in page.replace("\n", " ")


def test_every_source_and_verb_is_documented():
    from verifierbench.cli._verbs import VERBS
    from verifierbench.sources import source_names

    readme = (ROOT / "README.md").read_text()
    for verb in VERBS:
        assert re.search(rf"verifierbench {verb}\b|make {verb}\b|`{verb}`", readme), verb
    for name in source_names():
        assert name in source_names()
        assert f"--source {name}" in readme


def test_the_board_in_the_readme_is_what_the_demo_printed():
    import json

    report = ROOT / "verifierbench-demo/report/report.json"
    if not report.exists():
        pytest.skip("there is no demo beside the README: run `make demo`")
    rows = {row["name"]: row for row in json.loads(report.read_text())["configurations"]}
    if "source-checker" not in rows:
        pytest.skip("the demo ran without BFCL: run `verifierbench sources install bfcl`, then `make demo`")
    told = dict(re.findall(r"^    ([a-z-]+) {2,}(\d.*)$", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert set(told) == set(rows)
    for name, figures in told.items():
        row = rows[name]
        low, high = row["ba_norm_ci"]
        rates = " ".join(f"{row[rate]:.1f}" for rate in ("tpr", "tnr", "fpr_h"))
        wanted = f"{row['tasks']} {row['ba_norm']:.1f} [{low:.1f}, {high:.1f}] {rates}"
        assert " ".join(figures.split()) == wanted


def test_the_self_audits_table_is_of_the_plants_there_are():
    """The figures come from `make audit`; here, that no plant was added or lost since."""
    from verifierbench.audit.checks import NAMES
    from verifierbench.audit.selfaudit import plants

    page = (ROOT / "docs/audit.md").read_text()
    told = re.findall(r"^\| (\w+) \| \d+ of (\d+) \| .* \| \d+ of (\d+), (\d+) odd \|", page, re.MULTILINE)
    found = []
    for name in NAMES:
        planted = plants(name)
        flaws = sum(plant.expect == "flaw" for plant in planted)
        found.append((name, str(flaws), str(len(planted) - flaws), str(sum(plant.odd for plant in planted))))
    assert told == found


def test_every_check_is_on_the_page_of_the_audit():
    from verifierbench.audit.checks import NAMES

    rows = re.findall(r"^\| (\w+) \| [A-Z].*\?", (ROOT / "docs/audit.md").read_text(), re.MULTILINE)
    assert tuple(rows) == NAMES


def test_the_page_on_generation_tells_the_protocol_the_ends_and_the_harnesses_of_the_code():
    page = (ROOT / "docs/generation.md").read_text()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    told = {row[0].strip("`"): row[1] for row in rows if len(row) == 3}
    for field, value in msgspec.to_builtins(Protocol()).items():
        assert told[field] == ("none" if value is None else str(value).lower().removesuffix(".0")), field
    for ended in Ended:
        assert f"`{ended.value}`" in page
    table = {row[0].strip("`"): (row[1], row[2].split(", ")) for row in rows if len(row) == 4}
    for name in harness_names():
        assert table[name] == (harness(name).version, list(harness(name).dialects))
