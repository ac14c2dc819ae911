"""What is asked of whoever writes verifiers: the options, and what they mean.

Everything is settled here before anything is started: the protocol, whom the harness is given, and what tokens cost.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

import click

if TYPE_CHECKING:
    from verifierbench.core import Protocol, Task
    from verifierbench.generation.attempt import Model
    from verifierbench.generation.gateway import Price
    from verifierbench.generation.gateway.upstream import Upstream
    from verifierbench.generation.harnesses import Dialect

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--harness",
        default="builtin",
        show_default=True,
        help="What runs the agent: builtin, files (verifiers you wrote), or one of `verifierbench harness`.",
    ),
    click.option(
        "--model",
        required=True,
        help="PROVIDER/MODEL, like openai/gpt-5.5. builtin: accept-all, reject-all or heuristic. files: the folder, "
        "with <alias>.py or <family>.py in it.",
    ),
    click.option("-o", "--output", "run", required=True, type=click.Path(path_type=Path), help="The run's folder."),
    click.option("--name", help="What the run is called in tables; default: harness and model."),
    click.option(
        "-k",
        "generations",
        type=click.IntRange(1, 100),
        help="Generations, each in a folder below RUN.",
    ),
    click.option(
        "--protocol", "protocol_file", type=click.Path(path_type=Path), help="A run.json with the protocol to take."
    ),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="One field of the protocol; repeat."),
    click.option("--base-url", help="For custom/MODEL: its URL with the version, http://localhost:8000/v1."),
    click.option("--key", "key_variable", help="The environment variable that holds the provider's key."),
    click.option("--speaks", multiple=True, help="With --base-url: chat, responses, messages, gemini; repeat."),
    click.option(
        "--price", help="USD per million tokens: INPUT,OUTPUT or INPUT,CACHED,OUTPUT; for cost and its limit."
    ),
    click.option("--replay", type=click.Path(path_type=Path), help="A run whose recorded answers stand for the model."),
    click.option("--seed", default="0", show_default=True, help="What each verifier's case order is drawn from."),
    click.option("--tasks-at-once", type=click.IntRange(1, 64), default=1, show_default=True, help="Attempts at once."),
)


class Asked(NamedTuple):
    """The options, as they were given."""

    harness: str
    model: str
    run: Path
    name: str | None
    generations: int | None
    protocol_file: Path | None
    settings: tuple[str, ...]
    base_url: str | None
    key_variable: str | None
    speaks: tuple[str, ...]
    price: str | None
    replay: Path | None
    seed: str
    tasks_at_once: int


def writing_options(command: F) -> F:
    """Add the options of whoever writes verifiers."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def model_of(asked: Asked, spoken: tuple[Dialect, ...]) -> Model:
    """Whom the harness is given; raises `UserError` where provider and harness speak no common dialect."""
    from verifierbench.core import UserError
    from verifierbench.generation.attempt import Model
    from verifierbench.generation.gateway.providers import provider_for

    provider, _, name = asked.model.partition("/")
    if asked.replay is not None:
        if not name:
            raise UserError(f"a model is named PROVIDER/MODEL, not {asked.model!r}")
        provider = "replay"
        upstream, known = _recorded(asked.replay)
    else:
        chosen, name = provider_for(
            asked.model,
            base_url=asked.base_url,
            dialects=cast("tuple[Dialect, ...]", asked.speaks or (("chat",) if provider == "custom" else ())),
            key_variable=asked.key_variable,
        )
        upstream, known = (lambda _: chosen), set(chosen.dialects)
    common = [dialect for dialect in spoken if dialect in known]
    if not common:
        raise UserError(
            f"{asked.harness} speaks {', '.join(spoken)}; {provider} {', '.join(sorted(known)) or 'nothing'}"
        )
    asked_from = provider if asked.base_url is None else f"{provider} at {_without_user(asked.base_url)}"
    return Model(asked_from, name, common[0], upstream, _price(asked.price))


def _without_user(url: str) -> str:
    """The address as a record may hold it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _recorded(run: Path) -> tuple[Callable[[Task], Upstream], set[Dialect]]:
    """A run's recorded answers, task by task, and what was spoken; raises `MalformedInput` where there are none."""
    from verifierbench.core import MalformedInput
    from verifierbench.generation.gateway.replay import Replay

    def tape(alias: str) -> Path:
        return run / "submissions" / alias / "record/exchanges.jsonl"

    def upstream(task: Task) -> Upstream:
        if not tape(task.alias).exists():
            raise MalformedInput(run, task.alias, "no attempt at this task is recorded here")
        return Replay(tape(task.alias))

    known = {dialect for file in sorted(run.glob(str(tape("*").relative_to(run)))) for dialect in Replay(file).dialects}
    if not known:
        raise MalformedInput(run, "", "no attempt is recorded here: name the folder of a run that a harness made")
    return upstream, known


def _price(text: str | None) -> Price | None:
    from verifierbench.core import UserError
    from verifierbench.generation.gateway import Price

    if text is None:
        return None
    try:
        figures = [float(word) for word in text.split(",")]
    except ValueError:
        figures = []
    if len(figures) == 2:
        return Price(input=figures[0], output=figures[1])
    if len(figures) == 3:
        return Price(input=figures[0], cached=figures[1], output=figures[2])
    raise UserError(f"--price is INPUT,OUTPUT or INPUT,CACHED,OUTPUT in USD per million tokens, not {text!r}")


def protocol_of(file: Path | None, settings: tuple[str, ...]) -> Protocol:
    """The protocol of a saved run or the default one, with some fields set; raises `UserError`."""
    import msgspec

    from verifierbench.core import MalformedInput, Protocol, Run, UnknownName, UserError
    from verifierbench.core.files import decode

    protocol = decode(file, Run).protocol if file else Protocol()
    if protocol is None:
        raise MalformedInput(file or "", "$.protocol", "this run has none: it was made without a harness")
    fields = msgspec.to_builtins(protocol)
    for setting in settings:
        name, given, value = setting.partition("=")
        if not given:
            raise UserError(f"--set is NAME=VALUE, not {setting!r}")
        if name not in fields:
            raise UnknownName("field of the protocol", name, tuple(fields))
        fields[name] = None if value == "none" else value
    try:
        return msgspec.convert(fields, Protocol, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"--set: {error}") from error
