"""The heuristic on small tasks of our own: the right solutions pass, the obviously wrong ones fail, nothing crashes."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifierbench.core import Family, Limits, Task, Verdict
from verifierbench.generation.builtin import HEURISTIC_VERSION
from verifierbench.generation.builtin.heuristic import Heuristic, template
from verifierbench.generation.workspace import lay_out

from .conftest import REPOSITORY, SHOP_TOOLS, PlainEnv, replay_shop, run_pouch

FAMILIES = (Family.TOOL_CALL, Family.STATE, Family.CODE)

FROZEN = {
    "code.py": "267f47a458ac0210e5019d67cc4a53b3802f54a1bc616c66c22352062653493e",
    "grounding.py": "5f59687473eba2636073fbea9f8293d0c39de1f2a26eb4f6d33497c2f3d9b3c0",
    "state.py": "70f5f3f6bf6603fd5258d68da65f57be3fce612711fccdacc700b4db8f29a323",
    "tool_call.py": "d6d9db513c98b93b2ba5664c4a7e3a99abcdeecaa96f6da8f62231ff94e46648",
}


def test_the_heuristic_is_frozen() -> None:
    """A change to one of these files is heuristic-3: name it so, and pin it here."""
    home = Path(__file__).parents[2] / "src/verifierbench/generation/builtin/heuristic"
    assert HEURISTIC_VERSION == "heuristic-2"
    assert {name: hashlib.sha256((home / name).read_bytes()).hexdigest() for name in FROZEN} == FROZEN


def written(task: Task, folder: Path) -> bytes:
    lay_out(task, {"type": "object"}, folder)
    Heuristic().write(folder)
    return (folder / "verifier.py").read_bytes()


def verdict(source: bytes, task: Task, solution: Any, run: Any = None) -> str:
    space: dict[str, Any] = {"__name__": "verifier"}
    exec(compile(source, "verifier.py", "exec"), space)
    return str(space["verify"](json.loads(json.dumps(solution)), PlainEnv(task, run)))


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., str]:
    sources: dict[str, bytes] = {}

    def decide(task: Task, solution: Any, run: Any = None) -> str:
        if task.id not in sources:
            sources[task.id] = written(task, tmp_path / task.alias)
        return verdict(sources[task.id], task, solution, run)

    return decide


# Tool calls


def calls(*made: tuple[str, dict[str, Any]], message: str | None = None) -> dict[str, Any]:
    listed = [{"name": name, "arguments": arguments} for name, arguments in made]
    return {"turns": [{"calls": listed, "message": message, "answer": None}]}


def convert(amount: Any, source: str, target: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "convert_currency", {"amount": amount, "source": source, "target": target, **more}


EUROS, DOLLARS = convert(250, "euro", "yen"), convert(40, "dollar", "pound")


@pytest.mark.parametrize(
    "solution",
    [
        calls(EUROS, DOLLARS),
        calls(DOLLARS, EUROS, message="Done."),
        calls(convert(250.0, "euro", "yen", rounded=False), DOLLARS),
        calls(convert(250, "Euro", "Yen"), convert(40, "dollars", "pound")),
    ],
)
def test_right_conversions_pass(solution: Any, conversions: Task, judge: Callable[..., str]) -> None:
    assert judge(conversions, solution) == "PASS"


@pytest.mark.parametrize(
    "solution",
    [
        calls(EUROS),
        calls(EUROS, DOLLARS, DOLLARS),
        calls(EUROS, DOLLARS, ("get_tide_table", {"harbour": "yen", "day": "2031-05-03"})),
        calls(convert("250", "euro", "yen"), DOLLARS),
        calls(convert(True, "euro", "yen"), DOLLARS),
        calls(convert(251, "euro", "yen"), DOLLARS),
        calls(convert(40, "euro", "yen"), convert(250, "dollar", "pound")),
        calls(convert(250, "yen", "euro"), DOLLARS),
        calls(convert(250, "euro", "yen", rounded=True), DOLLARS),
        calls(convert(250, "euro", "yen", note="x"), DOLLARS),
        calls(("convert_currency", {"amount": 250, "source": "euro"}), DOLLARS),
        calls(("convertCurrency", EUROS[1]), DOLLARS),
        calls(message="I called convert_currency(250, euro, yen) and convert_currency(40, dollar, pound)."),
        {"turns": []},
        {},
        None,
    ],
)
def test_wrong_conversions_fail(solution: Any, conversions: Task, judge: Callable[..., str]) -> None:
    assert judge(conversions, solution) == "FAIL"


def tide(**changed: Any) -> dict[str, Any]:
    return calls(("get_tide_table", {"harbour": "Port Ellery", "day": "2031-05-03", "unit": "foot", **changed}))


def test_dates_options_and_names(tides: Task, judge: Callable[..., str]) -> None:
    assert judge(tides, tide()) == "PASS"
    wrong = [
        {"day": "2031-05-04"},
        {"day": "3 May 2031"},
        {"unit": "metre"},
        {"unit": "feet"},
        {"harbour": "Port Sorrel"},
    ]
    assert {str(change): judge(tides, tide(**change)) for change in wrong} == {str(change): "FAIL" for change in wrong}


def test_where_no_tool_fits_nothing_is_called(poem: Task, tides: Task, judge: Callable[..., str]) -> None:
    assert judge(poem, calls(message="None of my tools can do that.")) == "PASS"
    assert judge(poem, calls(("get_tide_table", {"harbour": "birthday", "day": "2031-05-03"}))) == "FAIL"
    assert judge(tides, calls(message="It is high at noon.")) == "FAIL"


# State


def said(role: str, message: str) -> dict[str, Any]:
    return {"role": role, "message": message}


def did(name: str, **arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "call": {"name": name, "arguments": arguments}}


READ = did("get_order", order_id="F-311")
ASK = said("assistant", "I will cancel order F-311. Shall I?")
YES = said("user", "Yes, please.")
CANCEL = did("cancel_order", order_id="F-311")
TOLD = said("assistant", "Done, the receipt is R-41.")


def shop_verdict(judge: Callable[..., str], shop: Task, *events: Any) -> str:
    return judge(shop, {"events": list(events), "answer": None}, replay_shop)


@pytest.mark.parametrize(
    "events",
    [
        [READ, ASK, YES, CANCEL, TOLD],
        [said("user", "Cancel F-311."), READ, READ, did("get_order", order_id="F-312"), ASK, YES, CANCEL, TOLD],
        [READ, ASK, YES, did("cancel_order", order_id="F-999"), CANCEL, TOLD],
        [READ, ASK, YES, CANCEL, did("cancel_order", order_id="F-311"), TOLD],
    ],
)
def test_right_conversations_pass(events: Any, shop: Task, judge: Callable[..., str]) -> None:
    assert shop_verdict(judge, shop, *events) == "PASS"


@pytest.mark.parametrize(
    "events",
    [
        [],
        [READ, ASK, YES, said("assistant", "I have cancelled F-311, receipt R-41.")],
        [READ, CANCEL, TOLD],
        [READ, ASK, said("user", "No, wait."), CANCEL, TOLD],
        [YES, READ, CANCEL, ASK, TOLD],
        [ASK, YES, CANCEL, READ, TOLD],
        [READ, ASK, YES, CANCEL],
        [READ, said("assistant", "Shall I go on?"), YES, CANCEL, TOLD],
        [READ, ASK, YES, CANCEL, did("delete_customer", customer_id="C-9"), TOLD],
        [did("get_order", order_id="F-312"), READ, ASK, YES, CANCEL, did("cancel_order", order_id="F-312"), TOLD],
        [READ, ASK, YES, {"role": "robot", "call": CANCEL["call"]}, TOLD],
        [READ, ASK, YES, did("cancel_order", order_id="F-312"), TOLD],
    ],
)
def test_wrong_conversations_fail(events: Any, shop: Task, judge: Callable[..., str]) -> None:
    assert shop_verdict(judge, shop, *events) == "FAIL"


def test_one_replay_tells_all_however_many_calls_there_are(shop: Task, tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    exec(written(shop, tmp_path), space)
    env = PlainEnv(shop, replay_shop)
    space["verify"]({"events": [READ, ASK, YES, *[CANCEL] * 40, TOLD], "answer": None}, env)
    assert env.calls == 1 <= Limits().environment_calls


# Code


def patch(**changed: str) -> dict[str, str]:
    """A diff of files named by path with `/` and `.` written as `__` and `_dot_`."""
    out = []
    for key, new in changed.items():
        path = key.replace("__", "/").replace("_dot_", ".")
        old = REPOSITORY.get(path)
        lines = difflib.unified_diff(
            (old or "").splitlines(keepends=True),
            new.splitlines(keepends=True),
            f"a/{path}" if old is not None else "/dev/null",
            f"b/{path}",
        )
        head = f"diff --git a/{path} b/{path}\n" + ("" if old is not None else "new file mode 100644\n")
        out.append(head + "".join(lines))
    return {"patch": "".join(out)}


AVERAGE = REPOSITORY["pouch/average.py"]
TESTS = REPOSITORY["tests/test_average.py"]
FIXED = AVERAGE.replace("//", "/")
DEAF = "import unittest\nunittest.TestCase.assertEqual = lambda self, *rest: None\n"


def average(old: str, new: str) -> dict[str, str]:
    assert old in AVERAGE
    return patch(pouch__average_dot_py=AVERAGE.replace(old, new))


RIGHT = {
    "plain": patch(pouch__average_dot_py=FIXED),
    "other way": average("sum(values) // len(values)", "sum(value / len(values) for value in values)"),
    "with a test": patch(
        pouch__average_dot_py=FIXED,
        tests__test_average_dot_py=TESTS + "\n    def test_half(self):\n        self.assertEqual(mean([1, 2]), 1.5)\n",
    ),
    "new module": patch(
        pouch__average_dot_py=AVERAGE.replace("sum(values) // len(values)", "divide(sum(values), len(values))").replace(
            "\n\n\ndef mean", "\n\nfrom .arithmetic import divide\n\n\ndef mean", 1
        ),
        pouch__arithmetic_dot_py="def divide(a, b):\n    return a / b\n",
    ),
}
WRONG = {
    "empty": {"patch": ""},
    "not a patch": {"patch": "I fixed it."},
    "does not apply": {"patch": patch(pouch__average_dot_py=FIXED)["patch"].replace("//", "%%")},
    "comment": average("    return sum", "    # Exact.\n    return sum"),
    "wrong value": average("//", "%"),
    "special case": average("    return sum", "    if values == [1, 2]:\n        return 1.5\n    return sum"),
    "regression": patch(pouch__average_dot_py=FIXED.replace("max(values) - min(values)", "max(values)")),
    "lost name": patch(
        pouch__average_dot_py=FIXED.replace("spread(", "range_of("),
        pouch____init___dot_py="from .average import mean\n",
    ),
    "only tests": patch(tests__test_average_dot_py=TESTS.replace("3)", "3.0)")),
    "silent tests": patch(pouch__average_dot_py=FIXED, tests____init___dot_py=DEAF),
    "no tests": patch(
        pouch__average_dot_py=FIXED,
        tests____init___dot_py="def load_tests(*a):\n    import unittest\n    return unittest.TestSuite()\n",
    ),
    "exit": patch(pouch__average_dot_py=AVERAGE + "\n\nimport os\nos._exit(0)\n"),
    "new argument": patch(pouch__average_dot_py=FIXED.replace("spread(values)", "spread(values, key)")),
}


@pytest.fixture(scope="module")
def in_a_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any], Any]:
    """The repository; like the real environment, it answers the same request from what it answered before."""
    answers: dict[str, Any] = {}

    def run(request: Any) -> Any:
        key = json.dumps(request)
        if key not in answers:
            answers[key] = run_pouch(tmp_path_factory.mktemp("repository"), request)
        return answers[key]

    return run


@pytest.mark.parametrize("name", RIGHT)
def test_right_patches_pass(name: str, pouch: Task, judge: Callable[..., str], in_a_folder: Any) -> None:
    assert judge(pouch, RIGHT[name], in_a_folder) == "PASS"


@pytest.mark.parametrize("name", WRONG)
def test_wrong_patches_fail(name: str, pouch: Task, judge: Callable[..., str], in_a_folder: Any) -> None:
    assert judge(pouch, WRONG[name], in_a_folder) == "FAIL"


# Every family

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["turns", "events", "patch", "calls", "name", "arguments", "call", "role", "message", "answer"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(solution=JSON, family=st.sampled_from(FAMILIES))
def test_no_solution_makes_it_crash(solution: Any, family: Family) -> None:
    public = {"family": family.value, "instruction": "Get x.", "materials": {"tools": SHOP_TOOLS}, "readable": ["x"]}

    class Env:
        task = public

        def read(self, *_: Any) -> Any:
            raise RuntimeError

        run = read

    space = SPACES[family]
    assert space["verify"](solution, Env()) in ("PASS", "FAIL")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "public", [{}, {"materials": None, "instruction": None}, {"materials": {"tools": 5}, "instruction": 7}, None]
)
def test_no_public_task_makes_it_crash(family: Family, public: Any) -> None:
    class Env:
        task = public

        def read(self, *_: Any) -> Any:
            return None

        run = read

    for solution in (calls(EUROS), {"events": [READ], "answer": None}, {"patch": "--- a/x\n+++ b/x\n"}):
        assert SPACES[family]["verify"](solution, Env()) in ("PASS", "FAIL")


def _space(family: Family) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "verifier"}
    exec(compile(template(family), "verifier.py", "exec"), space)
    return space


SPACES = {family: _space(family) for family in FAMILIES}


@pytest.fixture(scope="module")
def box() -> Any:
    from verifierbench.sandbox import VerifierBox, choose_tier

    with VerifierBox(choose_tier()) as made:
        yield made


class Public:
    """What a contained verifier's requests are answered with."""

    def __init__(self, task: Task, run: Any) -> None:
        self._plain = PlainEnv(task, run)

    def read(self, name: str, pointer: str) -> Any:
        return self._plain.read(name, pointer)

    def run(self, request: Any) -> Any:
        return self._plain.run(request)


def contained(box: Any, task: Task, solution: Any, folder: Path, run: Any = None) -> Any:
    public, data = json.dumps(task.public).encode(), json.dumps(solution).encode()
    environment = Public(task, run) if run else None
    return box.run(written(task, folder), data, public, environment, Limits()).decision


def test_the_sandbox_runs_it_and_it_decides_the_same(
    box: Any, conversions: Task, shop: Task, pouch: Task, tmp_path: Path, in_a_folder: Any
) -> None:
    good, bad = [READ, ASK, YES, CANCEL, TOLD], [READ, CANCEL, TOLD]
    rows = [
        (conversions, calls(EUROS, DOLLARS), None, Verdict.PASS),
        (conversions, calls(EUROS), None, Verdict.FAIL),
        (shop, {"events": good, "answer": None}, replay_shop, Verdict.PASS),
        (shop, {"events": bad, "answer": None}, replay_shop, Verdict.FAIL),
        (pouch, RIGHT["plain"], in_a_folder, Verdict.PASS),
        (pouch, WRONG["wrong value"], in_a_folder, Verdict.FAIL),
    ]
    for n, (task, solution, run, expected) in enumerate(rows):
        decision = contained(box, task, solution, tmp_path / f"w{n}", run)
        assert decision.verdict is expected, decision
        assert decision.environment_calls <= 4
