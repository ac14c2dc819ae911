"""The table of verbs, and a group that loads a verb only when it is called: `--help` reads this file alone."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import click

from verifierbench import __version__


class Verb(NamedTuple):
    """Where a verb lives and what `--help` says of it."""

    module: str
    help: str


VERBS = {
    "demo": Verb("demo", "Bundled suite × built-in agents → scores and a report."),
    "sources": Verb("sources", "What there is to build from; `sources install NAME` brings one."),
    "suite": Verb("suite", "Build a suite, count it, look into it; lock it, and verify that nothing moved."),
    "season": Verb("season", "Make a season's secret and its commitment; check a revealed one."),
    "audit": Verb("audit", "Is the suite itself right? Nine checks, a report, exit codes for CI."),
    "explain-check": Verb("explain_check", "What a check of the audit asks, what a flaw means, how to mend it."),
    "self-audit": Verb("self_audit", "The audit on trial: planted defects, odd controls, upstream's known defects."),
    "generate": Verb("generate", "Have an agent write a verifier for every task of a suite."),
    "run": Verb("run", "Generate, then score."),
    "score": Verb("score", "Run a run's verifiers on the suite's hidden cases."),
    "report": Verb("report", "Figures of one or more runs, with their intervals."),
    "harness": Verb("harness", "Programs that drive a model: `harness install NAME`, `harness doctor`."),
    "trace": Verb("trace", "What an agent did, step by step."),
    "check": Verb("check", "Your own verifier against one task."),
    "explain": Verb("explain", "One decision: view, checks, deciding line."),
    "doctor": Verb("doctor", "What this machine can and cannot do."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Verbs in the order of the work."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module = importlib.import_module(f"verifierbench.cli.{verb.module}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List verbs without importing any."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.help) for name, verb in VERBS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Say which verbs there are when one is not known."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(f"no verb is called {args[0]!r}; there is {', '.join(VERBS)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Start with `verifierbench demo`. Every verb that prints figures takes --json.",
)
@click.version_option(__version__, prog_name="verifierbench")
def cli() -> None:
    """Measure how well agents write executable verifiers."""
