"""Upstream's entries, read from its data files at one commit; nothing of upstream's is executed.

Every file used is pinned by its SHA-256: our curation speaks about exactly these bytes, and other bytes under the same
names are refused. What a solver would be told (the conversation, the tools, the day, the profile) and gold are taken as
they stand; the tool definitions are then translated (`dialect`) and the gold is corrected by our ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Inconsistent, MalformedInput
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import read_bytes

COMMIT = "56dd66cf6439b0d9655ee1b353e4cd745c6f664e"
REPOSITORY = "https://github.com/chenchen0103/ACEBench"
SOURCE_VERSION = f"ACEBench {COMMIT[:12]}"
COMMAND = "verifierbench sources install acebench"
DATA = Path("data_all")
LANGUAGES = ("en", "zh")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One upstream entry, in upstream's own form."""

    id: str
    """The language and upstream's own id: `en_normal_atom_bool_0`."""
    question: str
    """The conversation as one text, each message on a line with its speaker."""
    tools: list[dict[str, Any]]
    """Tool definitions in upstream's schema dialect."""
    gold: Any
    """Calls `{tool: arguments}`, what is missing or malformed, or a sentence where no tool fits."""
    time: str = ""
    profile: str = ""

    @property
    def category(self) -> str:
        """Upstream's category: what its checker dispatches on."""
        return category_of(self.id)


def split_id(identifier: str) -> tuple[str, str]:
    """`en_normal_atom_bool_0` → (`en`, `normal_atom_bool_0`)."""
    language, _, upstream = identifier.partition("_")
    return language, upstream


def category_of(identifier: str) -> str:
    """`en_normal_multi_turn_user_adjust_10_2` → `normal_multi_turn_user_adjust`."""
    return split_id(identifier)[1].rstrip("0123456789_")


def load(folder: Path, identifiers: Iterable[str], files: Mapping[str, str] | None = None) -> dict[str, Entry]:
    """The named entries from upstream's folder; raises `MalformedInput` for files that are not the pinned ones.

    `files` replaces the pins: path under the folder → SHA-256.
    """
    wanted = dict.fromkeys(identifiers)
    pinned = FILES if files is None else files
    found: dict[str, Entry] = {}
    for language, category in dict.fromkeys((split_id(each)[0], category_of(each)) for each in wanted):
        found |= _category(folder, language, category, wanted, pinned)
    for identifier in wanted.keys() - found.keys():
        raise MalformedInput(folder, identifier, "there is no entry of this id")
    return {identifier: found[identifier] for identifier in wanted}


def check_files(folder: Path, files: Mapping[str, str] | None = None) -> None:
    """Raise `MalformedInput` unless every pinned file lies in the folder with its bytes."""
    for name, digest in (FILES if files is None else files).items():
        if hash_of(read_bytes(folder / name)) != digest:
            raise _other_bytes(folder / name)


def _category(
    folder: Path, language: str, category: str, wanted: Iterable[str], pinned: Mapping[str, str]
) -> dict[str, Entry]:
    base = DATA / f"data_{language}"
    questions = rows(folder, base / f"data_{category}.json", pinned)
    answers = rows(folder, base / "possible_answer" / f"data_{category}.json", pinned)
    mine = [each for each in wanted if (split_id(each)[0], category_of(each)) == (language, category)]
    known = [each for each in mine if split_id(each)[1] in questions]
    return {each: _entry(each, questions[split_id(each)[1]], answers) for each in known}


def rows(folder: Path, name: Path, pinned: Mapping[str, str]) -> dict[str, Any]:
    """The lines of a pinned file by their ids; raises `MalformedInput` for other bytes."""
    data = read_bytes(folder / name)
    if hash_of(data) != pinned.get(name.as_posix()):
        raise _other_bytes(folder / name)
    found = (json.loads(line) for line in data.splitlines() if line.strip())
    return {row["id"]: row for row in found}


def _entry(identifier: str, row: Mapping[str, Any], answers: Mapping[str, Any]) -> Entry:
    _, upstream = split_id(identifier)
    if upstream not in answers:
        raise Inconsistent(f"{identifier} has no gold")
    return Entry(
        id=identifier,
        question=row["question"].strip(),
        tools=row["function"],
        gold=answers[upstream]["ground_truth"],
        time=(row.get("time") or "").strip(),
        profile=(row.get("profile") or "").strip(),
    )


def _other_bytes(path: Path) -> MalformedInput:
    return MalformedInput(path, "", f"not the bytes of {SOURCE_VERSION}; run `{COMMAND}` again")


FILES = {
    "data_all/data_en/data_agent_multi_step.json": "c04b7561a2a5b31b3c4fd3067807ab4e0a7907f5a72cd5ec987da3469eac1fe9",
    "data_all/data_en/data_agent_multi_turn.json": "0380631f379510fad4aab885b9679cfe99e66cf3a01e92f570f9180141f637d0",
    "data_all/data_en/data_normal_atom_bool.json": "59695e59c0d92cd22ec418bfd6f936d0d44a8d6e1fc16e6cb033b12213c57b0b",
    "data_all/data_en/data_normal_atom_enum.json": "a2e870f8ba23687ba182a2bb0bdba0a7e02c21b67f3ebc5cc07a71fc2007d31b",
    "data_all/data_en/data_normal_atom_list.json": "2e6c7c35e18379c886c17ae2f52d62637e92a388a1f810025c57206698c3e7ff",
    "data_all/data_en/data_normal_atom_number.json": "eba9d748fcd08f142abf053fe2eecc573c98232f218ff412eb9ea5350abca422",
    "data_all/data_en/data_normal_atom_object_deep.json": (
        "2df8cd21fcf7388ee4fa0d98f0587292ba4c14b7c8bde059b3dca18ad885d1ec"
    ),
    "data_all/data_en/data_normal_atom_object_short.json": (
        "eef597c5400e17e1c23a7548505e48139a3648d6e5bd5feabbc9b12fcf7a1a76"
    ),
    "data_all/data_en/data_normal_multi_turn_user_adjust.json": (
        "b05dd0fe2afb02270ecbdfddfc7a8b1606339c234d5098749742e79bc51ea8cc"
    ),
    "data_all/data_en/data_normal_multi_turn_user_switch.json": (
        "3ed94d09401c53a99c23edc8b60ebfda8d4ae486f9bea19f87b6000a66588cf0"
    ),
    "data_all/data_en/data_normal_preference.json": "61413bbfb5f94b3ad74f348d9f33c8c10b531dfcf6e5429caa3f1a91fa64252d",
    "data_all/data_en/data_normal_similar_api.json": "f3ae38a6b56ab27c47bd929f16468598636ff76ecc095ff60c41c8b5a9ee843f",
    "data_all/data_en/data_normal_single_turn_parallel_function.json": (
        "7b9b9200cf5224e93f20bf14f076bead8e75d451a7dd6956d346fb1200412235"
    ),
    "data_all/data_en/data_normal_single_turn_single_function.json": (
        "45278849617f4b3e290db1da13929ba0a43fc4cb3332b461560a519e32af82f2"
    ),
    "data_all/data_en/data_special_error_param.json": (
        "3ce0f322934d8a8a96eb8bae945949f61c53b74505ba0d65c4850f98e8ba3bae"
    ),
    "data_all/data_en/data_special_incomplete.json": "186f593f8f2be7e709c5878f57d23f401c51e326ffcadcd62f9c5c08c8e34f3b",
    "data_all/data_en/data_special_irrelevant.json": "20bb62a9c48b1daf852870096f5d70d53a09a07b8f90a7c09815c6d934e8f41e",
    "data_all/data_zh/data_normal_atom_bool.json": "0b945e4a0d2018875b6e50a28e55359d94609681853c50a87d205a115be55bf8",
    "data_all/data_zh/data_normal_atom_enum.json": "806ece8b2753779816185a4060e68667053ab46144bb2b294c434bc3d9116f85",
    "data_all/data_zh/data_normal_atom_list.json": "da4839021796e66eb149917ebfe839dd25589faf2310e5360e8d04d1c102db88",
    "data_all/data_zh/data_normal_atom_number.json": "924456f46cada50acd4330c8b7f3790ce12837480991d1a6f3098fd73cb8ebb7",
    "data_all/data_zh/data_normal_atom_object_deep.json": (
        "7d59db54e4d486fb29e985bfccc752afac92fe67a739c0f3ea2303dfd89f87af"
    ),
    "data_all/data_zh/data_normal_atom_object_short.json": (
        "1c7107737f539243629cbbf118a83138428c05da5574658caf6c8ff8ed0a252d"
    ),
    "data_all/data_zh/data_normal_multi_turn_user_adjust.json": (
        "15370d45110dbb2fae7b18b1a738b5f08db5f3c5b4faf8fd01ea716335754721"
    ),
    "data_all/data_zh/data_normal_multi_turn_user_switch.json": (
        "18f5baf129f7fdfc72c9aaf43b1d9c51e846491f890fa616a66e007cfe676962"
    ),
    "data_all/data_zh/data_normal_preference.json": "cce33ef074d89bc5a5e87090fc36d22720f83af936501065dcef87723c27e761",
    "data_all/data_zh/data_normal_similar_api.json": "ecf3324eabfd91a626f97c91a550213601cce84b4eb410e3c12a5e05eff9cb91",
    "data_all/data_zh/data_normal_single_turn_parallel_function.json": (
        "8479e8739e25a58ae61f18b5d68f3843dc76f22c3ce155353d56036d4778f894"
    ),
    "data_all/data_zh/data_normal_single_turn_single_function.json": (
        "95e8a10c3fc98d706d69a2b47cc7ec1a18449eb24e1dcb616b232b0a8a83aff4"
    ),
    "data_all/data_zh/data_special_error_param.json": (
        "2c728affde4a5551c38d59eef4d36aa0997bc23e2deb097532536a854cf7f4d2"
    ),
    "data_all/data_zh/data_special_incomplete.json": "e2e6b3383679d3e6970590be6972bb7b36f2dad47aba3ed18b83556d00f7d5fc",
    "data_all/data_zh/data_special_irrelevant.json": "3a43bf88e1b77be69f2d078a978979e7b37d402735af5cd764f116f09bbbc29f",
    "data_all/data_en/possible_answer/data_agent_multi_step.json": (
        "5081e9b5be93d8f9a52b91ee013250f1ae64a10d3edbe2d1225bb0beb99b160e"
    ),
    "data_all/data_en/possible_answer/data_agent_multi_turn.json": (
        "ad077af54920d614438c28b3c7483d556b1a732d0dd0973c867e497c7c0a828b"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_bool.json": (
        "16c5c8d009d37a0dd5e398838c62857ad2ebae1eb0c0ee1a52eed39a654df86e"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_enum.json": (
        "01fe289a43c49b4118f063c9acc7422bc3193771fed2c1f2fbee009e44cc21ed"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_list.json": (
        "e71b36d87d6f3b5129026e511acb12d560d4f6ed18009fa38b82980e8a0c5f51"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_number.json": (
        "7b4b580781f54d7c2a308bf125753a852895b7069b75c0397d2f2131398bf5ea"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_object_deep.json": (
        "bf681a1cd84fb286562f3ba57ce9d28946a7cdcf8661b2aad125d69d4beecab7"
    ),
    "data_all/data_en/possible_answer/data_normal_atom_object_short.json": (
        "cbe2efb23ae18454f28cdb3e5aaf223e30c2249b73d0722956f588124970e184"
    ),
    "data_all/data_en/possible_answer/data_normal_multi_turn_user_adjust.json": (
        "a570117cde521c5d1c16adc2d461b8845c969a3334192bd357dec13cf6657889"
    ),
    "data_all/data_en/possible_answer/data_normal_multi_turn_user_switch.json": (
        "ca0c10778a899fecd3b9767dae7d188d9924a0dbb191e2e6bc0b5808b8baa37e"
    ),
    "data_all/data_en/possible_answer/data_normal_preference.json": (
        "ed9da0b58446812e8be562fb0594989bd759c249c1cdcd722a9dee5e89ee6644"
    ),
    "data_all/data_en/possible_answer/data_normal_similar_api.json": (
        "0976f8fd3f11b9d5ba3783dc746158aeea3fdb1b34a46b07f3c4c731375a8543"
    ),
    "data_all/data_en/possible_answer/data_normal_single_turn_parallel_function.json": (
        "fac555edad6f61927093504f10bdaef3cf54fbd587affcf3ce52b9f4ec0d3aa0"
    ),
    "data_all/data_en/possible_answer/data_normal_single_turn_single_function.json": (
        "e541ad06ecaf49310105209222b9788711cc15d684174276f56224e584b8589d"
    ),
    "data_all/data_en/possible_answer/data_special_error_param.json": (
        "5e4c8b8ca768d65372fac1e54c16ef90bf6c8869b8163a00a4afcc47867249b8"
    ),
    "data_all/data_en/possible_answer/data_special_incomplete.json": (
        "2995a33b6c539bc29fe38a326a58d7989c6cf1b1bdaa22ff76c8d318b92f5f6d"
    ),
    "data_all/data_en/possible_answer/data_special_irrelevant.json": (
        "cd3f1d66e554869e8870677acc07df78c6ebf8bbba6e600cbb825072181566b8"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_bool.json": (
        "c9e9bb15872a71284742de8f9db241ead8621682bb4b0ba1894550cec95be571"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_enum.json": (
        "57a75036ca6901619d7f6ed37371d82063524e1e02dacc58ba1e68c73e3d0888"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_list.json": (
        "586834aabc928c93df20af270656bdf2846ae7761a490daf4fbfd11b51e4f7bf"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_number.json": (
        "093288870e5a7d6243d2e598c5ea2ccaa7a84e95a523af70b17a5b43bef11cd7"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_object_deep.json": (
        "15bd565c36852d3d93e68f4dee5189b6b0a87dfd9947544dda82759d46b67eb9"
    ),
    "data_all/data_zh/possible_answer/data_normal_atom_object_short.json": (
        "e4cd896db9292b7eb350d2551d8ce63a60d537b66dd28b13c64e2118afad3483"
    ),
    "data_all/data_zh/possible_answer/data_normal_multi_turn_user_adjust.json": (
        "15accc1f8dfb0f44aa04cde0a26a552d425ce104dbaa5c6dbc85b7d0115842e5"
    ),
    "data_all/data_zh/possible_answer/data_normal_multi_turn_user_switch.json": (
        "89257a02b15a6d5b52166f51fdd125ec322ba6728e5389f5bda7e8751dbeb8fd"
    ),
    "data_all/data_zh/possible_answer/data_normal_preference.json": (
        "6ea2c90fb29a36964e5700f1a81a21b7284f8362d7aa809c30c4ea4d5a0d7aa5"
    ),
    "data_all/data_zh/possible_answer/data_normal_similar_api.json": (
        "aa3e5b569c31ac4ca4b728d9fcb105a992566ddea15964e9f55e29aa945ab384"
    ),
    "data_all/data_zh/possible_answer/data_normal_single_turn_parallel_function.json": (
        "0786f04adcc1672ebd7d938fc8f602da674c3312b4c8b5f3d7d990523bc8891a"
    ),
    "data_all/data_zh/possible_answer/data_normal_single_turn_single_function.json": (
        "5e4a4f3268e46095392b6208bec3aefd015467404985d45853155ec6f036edf4"
    ),
    "data_all/data_zh/possible_answer/data_special_error_param.json": (
        "e57c471a4a4f906b92c2ab3f67052a31ef4c580c11b8dc5941152a4fbce3d246"
    ),
    "data_all/data_zh/possible_answer/data_special_incomplete.json": (
        "d1401ce3075dadf31b476f0074221efd7aeef548d6e13c99471110eed3743570"
    ),
    "data_all/data_zh/possible_answer/data_special_irrelevant.json": (
        "cd3f1d66e554869e8870677acc07df78c6ebf8bbba6e600cbb825072181566b8"
    ),
    "LICENSE.md": "d9a1b1e30d633d5732ea18e3cba9538d293ebc53e1a9e4e96ab739e0c5c4f1cb",
}
"""Path under upstream's folder → SHA-256."""
