"""What a box promises to its callers: decisions, costs, budgets, determinism, and its own failures."""

# ruff: noqa: E501  # the sources of small verifiers are shown on one line

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifierbench.core.decision import Decision, Limits, Reason, Verdict
from verifierbench.core.errors import BudgetExhausted, EnvironmentRefusal, InfrastructureError
from verifierbench.core.hashing import content_bytes
from verifierbench.sandbox import Execution, Tier, VerifierBox, channel
from verifierbench.sandbox import box as box_module
from verifierbench.sandbox.published import FROZEN_TIME, LAZY_PARTS, PRELOADED

from .arena import descendants

LIMITS = Limits(seconds=10.0, memory_mb=256)
# Other versions beside the one that runs us, where there are some.
OTHER_PYTHONS = sorted(
    str(path)
    for path in Path(sys.base_prefix).parent.glob("3.1[1-4]*/bin/python3")
    if path.parents[1] != Path(sys.base_prefix)
)


@pytest.fixture(scope="module", params=list(Tier))
def box(request: pytest.FixtureRequest) -> Iterator[VerifierBox]:
    with VerifierBox(request.param) as opened:
        yield opened
        assert opened.restarts == 0


def run(
    box: VerifierBox,
    source: str,
    environment: Any = None,
    limits: Limits = LIMITS,
    *,
    explain: bool = False,
    solution: Any = None,
    task: Any = None,
) -> Execution:
    text = (
        source
        if "def verify" in source
        else "def verify(solution, env):\n" + "".join(f"    {line}\n" for line in source.strip("\n").split("\n"))
    )
    return box.run(text.encode(), content_bytes(solution), content_bytes(task), environment, limits, explain=explain)


class Recorder:
    """An environment that remembers what it was asked."""

    def __init__(self, answer: Any = "ok", failure: Exception | None = None, seconds: float = 0.0) -> None:
        self.asked: list[Any] = []
        self._answer, self._failure, self._seconds = answer, failure, seconds

    def read(self, material: str, pointer: str) -> Any:
        return self._reply((material, pointer))

    def run(self, request: Any) -> Any:
        return self._reply(request)

    def _reply(self, asked: Any) -> Any:
        self.asked.append(asked)
        time.sleep(self._seconds)
        if self._failure:
            raise self._failure
        return self._answer


# Decisions


def test_a_verdict_with_its_costs(box: VerifierBox) -> None:
    decision = run(box, "sum(range(200000)); return 'FAIL'").decision
    assert (decision.verdict, decision.reason, decision.detail, decision.line) == (Verdict.FAIL, None, "", None)
    assert 0 < decision.cpu_seconds < 5
    assert 0 < decision.wall_seconds < 10
    assert decision.environment_calls == 0


def test_an_exception_names_its_line(box: VerifierBox) -> None:
    decision = run(
        box,
        "import json\ndef helper(x):\n    return x['absent']\ndef verify(solution, env):\n    json.dumps(1)\n    return helper({})\n",
    ).decision
    assert decision == Decision(
        reason=Reason.EXCEPTION,
        detail="KeyError: 'absent'",
        line=3,
        cpu_seconds=decision.cpu_seconds,
        wall_seconds=decision.wall_seconds,
    )


def test_the_line_is_the_verifiers_own_even_when_the_library_raises(box: VerifierBox) -> None:
    decision = run(box, "x = 1\n\nimport json; json.loads('{')").decision
    assert (decision.reason, decision.line) == (Reason.EXCEPTION, 4)
    assert decision.detail.startswith("JSONDecodeError: Expecting property name")


@pytest.mark.parametrize(("source", "detail", "line"), [
    ("def verify(solution, env):\n    return (\n", "SyntaxError: '(' was never closed (line 2)", 2),
    ("x = 1\nraise ValueError('top')\ndef verify(s, e): pass\n", "ValueError: top", 2),
    ("import numpy\ndef verify(s, e): pass\n", "ModuleNotFoundError: 'numpy' is not among the modules a verifier may import", 1),
])  # fmt: skip
def test_a_file_that_cannot_be_loaded(box: VerifierBox, source: str, detail: str, line: int) -> None:
    decision = run(box, source).decision
    assert (decision.reason, decision.detail, decision.line) == (Reason.IMPORT_ERROR, detail, line)


def test_output_is_captured_and_cut(box: VerifierBox) -> None:
    ran = run(box, "import sys; print('é' * 10); print('x' * 9000, file=sys.stderr); return 'PASS'")
    assert ran.output.startswith("éééééééééé\nxxx")
    assert len(ran.output.encode()) == 4096


def test_what_was_printed_before_a_time_out_is_kept(box: VerifierBox) -> None:
    ran = run(box, "print('got this far')\nwhile True: pass", limits=Limits(seconds=0.2))
    assert (ran.decision.reason, ran.output) == (Reason.TIMEOUT, "got this far\n")


def test_memory_is_counted_in_mebibytes(box: VerifierBox) -> None:
    source = "x = bytearray({} << 20); return 'PASS'"
    assert run(box, source.format(100)).decision.verdict is Verdict.PASS
    assert run(box, source.format(300)).decision.reason is Reason.MEMORY
    assert run(box, source.format(300), limits=Limits(memory_mb=512)).decision.verdict is Verdict.PASS


def test_time_is_the_verifiers_own(box: VerifierBox) -> None:
    slow = Recorder(seconds=0.6)
    decision = run(box, "env.run(1); return 'PASS'", slow, Limits(seconds=0.5)).decision
    assert decision.verdict is Verdict.PASS
    assert decision.wall_seconds < 0.5
    tired = run(box, "env.run(1)\nwhile True: pass", slow, Limits(seconds=0.3)).decision
    assert tired.reason is Reason.TIMEOUT
    assert 0.3 <= tired.wall_seconds < 0.6


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=json_values, task=json_values)
@settings(max_examples=25, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_json_arrives_as_it_was_sent(box: VerifierBox, value: Any, task: Any) -> None:
    echo = Recorder(value)
    source = "answer = env.run({'solution': solution, 'task': env.task}); return 'PASS' if repr(answer) == repr(solution) else 'FAIL'"
    assert run(box, source, echo, solution=value, task=task).decision.verdict is Verdict.PASS
    assert repr(echo.asked) == repr([{"solution": value, "task": task}])


# Explaining


def test_explained_a_verdict_names_the_line_that_returned_it(box: VerifierBox) -> None:
    source = "def helper(n):\n    return n > 1\n\ndef verify(solution, env):\n    for n in (0, 1, 2):\n        if helper(n):\n            return 'FAIL'\n    return 'PASS'\n"
    plain, explained = run(box, source), run(box, source, explain=True)
    assert (plain.decision.line, plain.trail) == (None, ())
    assert (explained.decision.verdict, explained.decision.line) == (Verdict.FAIL, 7)
    # Module lines 1 and 4, then the loop: 5 (for), 6 (if), 2 (helper), three times, then the return.
    assert explained.trail == (1, 4, 5, 6, 2, 5, 6, 2, 5, 6, 2, 7)


def test_explained_an_exception_names_where_it_was_raised(box: VerifierBox) -> None:
    explained = run(
        box,
        "def helper():\n    raise ValueError('no')\ndef verify(solution, env):\n    helper()\n    return 'PASS'\n",
        explain=True,
    )
    assert (explained.decision.reason, explained.decision.line, explained.trail[-2:]) == (Reason.EXCEPTION, 2, (4, 2))


def test_the_trail_keeps_the_last_twenty_lines(box: VerifierBox) -> None:
    explained = run(box, "n = 0\nwhile n < 50:\n    n += 1\nreturn 'PASS'", explain=True)
    assert len(explained.trail) == 20
    assert explained.trail[-3:] == (4, 3, 5)


# The environment


def test_requests_reach_the_environment(box: VerifierBox) -> None:
    recorder = Recorder({"rows": [1, 2.0]})
    source = "assert env.read('db', '/users/0') == {'rows': [1, 2.0]} == env.run({'b': 1, 'a': 2.0}); env.read('db'); return 'PASS'"
    ran = run(box, source, recorder)
    assert ran.decision.verdict is Verdict.PASS
    assert repr(recorder.asked) == repr([("db", "/users/0"), {"b": 1, "a": 2.0}, ("db", "")])
    assert ran.decision.environment_calls == 1, "reads are not executions"


def test_a_refusal_is_an_exception_the_verifier_can_catch(box: VerifierBox) -> None:
    source = "try:\n    env.read('x')\nexcept EnvError as e:\n    return 'PASS' if str(e) == 'no such thing' and not isinstance(e, BudgetExhausted) else 'FAIL'"
    assert run(box, source, Recorder(failure=EnvironmentRefusal("no such thing"))).decision.verdict is Verdict.PASS
    escaped = run(box, "env.read('x')", Recorder(failure=EnvironmentRefusal("no such thing"))).decision
    assert (escaped.reason, escaped.detail) == (Reason.EXCEPTION, "EnvError: no such thing")


def test_the_budget_of_the_limits_is_kept_whatever_the_environment_does(box: VerifierBox) -> None:
    recorder = Recorder()
    limits = Limits(environment_calls=3)
    caught = run(
        box, "try:\n    while True: env.run(0)\nexcept env.BudgetExhausted:\n    return 'PASS'", recorder, limits
    ).decision
    assert (caught.verdict, caught.environment_calls, len(recorder.asked)) == (Verdict.PASS, 3, 3)
    escaped = run(box, "while True: env.run(0)", recorder, limits).decision
    assert (escaped.reason, escaped.environment_calls) == (Reason.ENVIRONMENT_BUDGET, 3)


def test_the_environment_may_refuse_for_its_own_budget(box: VerifierBox) -> None:
    decision = run(box, "env.run(0)", Recorder(failure=BudgetExhausted("spent"))).decision
    assert (decision.reason, decision.detail) == (Reason.ENVIRONMENT_BUDGET, "BudgetExhausted: spent")


def test_a_refused_budget_that_was_caught_does_not_excuse_another_exception(box: VerifierBox) -> None:
    decision = run(
        box,
        "try:\n    env.run(0)\nexcept BudgetExhausted:\n    raise ValueError('later')",
        Recorder(failure=BudgetExhausted("spent")),
    ).decision
    assert decision.reason is Reason.EXCEPTION


def test_a_failing_environment_ends_the_case_and_not_the_box(box: VerifierBox) -> None:
    with pytest.raises(InfrastructureError, match="the worker died"):
        run(
            box,
            "try:\n    env.run(0)\nexcept BaseException:\n    pass\nwhile True: pass",
            Recorder(failure=InfrastructureError("the worker died")),
        )
    assert run(box, "return 'PASS'").decision.verdict is Verdict.PASS


def test_an_answer_that_is_not_json_is_our_failure(box: VerifierBox) -> None:
    with pytest.raises(InfrastructureError, match="not JSON"):
        run(box, "env.run(0); return 'PASS'", Recorder(float("nan")))
    assert run(box, "return 'PASS'").decision.verdict is Verdict.PASS


def test_an_interrupt_leaves_the_box_usable(box: VerifierBox) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(box, "env.run(0); return 'PASS'", Recorder(failure=KeyboardInterrupt()))  # type: ignore[arg-type]
    assert run(box, "return 'PASS'").decision.verdict is Verdict.PASS


def test_long_requests_and_answers(box: VerifierBox) -> None:
    recorder = Recorder("y" * 9_000_000)
    source = "return 'PASS' if len(env.run('x' * 4_000_000)) == 9_000_000 else 'FAIL'"
    assert run(box, source, recorder).decision.verdict is Verdict.PASS
    refused = run(box, "env.run('x' * (4 << 20))", recorder).decision
    assert (refused.reason, refused.detail[:40]) == (Reason.EXCEPTION, "EnvError: a request may be 4194304 bytes")


def nested(depth: int) -> str:
    return f"'[' * {depth} + ']' * {depth}"


@pytest.mark.parametrize("depth", [201, 975, 100_000])
def test_a_request_nested_too_deeply_is_refused_whoever_writes_it(box: VerifierBox, depth: int) -> None:
    """A request some levels short of the stack's end was read, and then ended the whole run where it was hashed."""
    recorder = Recorder()
    raw = f"""
import json, os
os.write(6, ('{{"op":"run","id":1,"request":' + {nested(depth)} + '}}\\n').encode())
reply = json.loads(os.read(6, 10000))
return 'PASS' if reply['error'] == 'refused' and 'nested too deeply' in reply['text'] else 'FAIL'"""
    assert run(box, raw, recorder).decision.verdict is Verdict.PASS
    assert recorder.asked == []


def test_requests_nested_as_deeply_as_allowed_are_answered(box: VerifierBox) -> None:
    recorder = Recorder()
    source = "x = [']['] * 300\nfor _ in range({}): x = [x]\ntry:\n    env.run(x)\nexcept EnvError as e:\n    return 'FAIL'\nreturn 'PASS'"
    assert run(box, source.format(199), recorder).decision.verdict is Verdict.PASS
    assert len(recorder.asked) == 1
    assert run(box, source.format(200), recorder).decision.verdict is Verdict.FAIL
    assert len(recorder.asked) == 1


@pytest.mark.parametrize("request_", ["env.run({'a': '\\udfff'})", "env.run({'\\ud800': 1})", "env.read('\\ud800')"])
def test_a_request_with_a_lone_surrogate_is_refused_and_not_deadly(box: VerifierBox, request_: str) -> None:
    recorder = Recorder()
    source = f"try:\n    {request_}\nexcept EnvError as e:\n    return 'PASS' if 'lone surrogate' in str(e) else 'FAIL'"
    assert run(box, source, recorder).decision.verdict is Verdict.PASS
    assert recorder.asked == []
    pair = run(box, "env.run(['\U0001f600', '\\\\ud800']); return 'PASS'", recorder)
    assert (pair.decision.verdict, recorder.asked) == (Verdict.PASS, [["\U0001f600", "\\ud800"]])


def test_an_exception_whose_text_holds_a_lone_surrogate_is_an_exception(box: VerifierBox) -> None:
    decision = run(box, "raise ValueError('bad \\ud800 text')").decision
    assert (decision.reason, decision.detail, decision.line) == (Reason.EXCEPTION, "ValueError: bad   text", 2)


def test_reads_cost_no_budget_but_have_an_end(box: VerifierBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_REQUESTS", 50)
    assert run(box, "for n in range(50): env.read('x')\nreturn 'PASS'", Recorder()).decision.verdict is Verdict.PASS
    endless = run(box, "while True: env.read('x')", Recorder()).decision
    assert (endless.reason, endless.detail) == (Reason.KILLED, "it sent more than 50 requests")


def test_answers_altogether_have_an_end(box: VerifierBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_REPLY_BYTES", 100_000)
    greedy = run(box, "while True: env.read('x')", Recorder("y" * 30_000)).decision
    assert (greedy.reason, greedy.detail) == (Reason.KILLED, "it asked for more than 100000 bytes")


# Determinism and the published modules


def test_clocks_chance_and_hashes_are_fixed(box: VerifierBox) -> None:
    source = f"""
import datetime, random, time, uuid
now = datetime.datetime.now(datetime.timezone.utc)
print(random.random(), hash("text"), list({{"a", "b", "c"}}), random.Random(3).random())
shown = (now.timestamp(), datetime.datetime.now().timestamp(), datetime.datetime.today().timestamp(), time.time(), time.time_ns() / 1e9,
         time.monotonic(), time.perf_counter(), time.process_time(), time.clock_gettime(0), time.mktime(time.localtime()), time.mktime(time.strptime(time.ctime())))
assert set(shown) == {{{FROZEN_TIME}.0}}, shown
assert datetime.date.today().isoformat() == datetime.datetime.utcnow().date().isoformat() == time.strftime("%Y-%m-%d") == "2026-01-01"
assert repr(datetime.datetime.now()) == "datetime.datetime(2026, 1, 1, 0, 0)" and type(now) is datetime.datetime
assert time.gmtime(0).tm_year == 1970 and time.strftime("%Y", time.gmtime(0)) == "1970" and time.localtime(None).tm_year == 2026
assert datetime.datetime(2020, 1, 2) - datetime.datetime(2020, 1, 1) == datetime.timedelta(1)
return 'PASS'"""
    runs = [run(box, source) for _ in range(3)]
    assert [ran.decision.verdict for ran in runs] == [Verdict.PASS] * 3, runs[0]
    assert len({ran.output for ran in runs}) == 1


def test_tiers_and_restarts_agree_about_chance_and_hashes() -> None:
    source = (
        "import random; print(random.random(), hash('text'), sorted([hash(str(n)) for n in range(50)])); return 'PASS'"
    )
    outputs = set()
    for tier in [*Tier, *Tier]:
        with VerifierBox(tier) as fresh:
            outputs.add(run(fresh, source).output)
    assert len(outputs) == 1


def test_every_published_module_can_be_imported(box: VerifierBox) -> None:
    imports = "\n".join(f"    import {name}" for name in (*PRELOADED, *LAZY_PARTS) if name != "__future__")
    source = f"from __future__ import annotations\ndef verify(solution, env):\n{imports}\n    return 'PASS'\n"
    assert run(box, source).decision.verdict is Verdict.PASS


@pytest.mark.parametrize(
    "name",
    [
        "ctypes",
        "socket",
        "subprocess",
        "resource",
        "signal",
        "sqlite3",
        "verifierbench",
        "verifierbench.core",
        "_socket",
        "fcntl",
        "posixpath.nothing",
        "sitecustomize",
    ],
)
def test_other_modules_are_refused_by_name(box: VerifierBox, name: str) -> None:
    decision = run(box, f"import {name}\ndef verify(s, e): pass\n").decision
    assert decision.reason is Reason.IMPORT_ERROR
    assert "ModuleNotFoundError" in decision.detail


def test_what_the_library_imports_late_works(box: VerifierBox) -> None:
    source = """
import ast, base64, csv, dataclasses, datetime, decimal, difflib, enum, fractions, hashlib, html, inspect, io, json, locale, pprint, random, re
import shlex, statistics, string, textwrap, time, tokenize, tomllib, traceback, typing, unicodedata, urllib.parse, uuid, warnings, zlib
import xml.etree.ElementTree as ET
assert datetime.datetime.strptime("3 Feb 2024", "%d %b %Y").month == 2 and time.strptime("2024", "%Y").tm_year == 2024
assert decimal.Decimal("1.10") + 1 == decimal.Decimal("2.10") and fractions.Fraction("1/3") * 3 == 1
assert "\\n".join(difflib.unified_diff(["a"], ["b"], lineterm="")).endswith("-a\\n+b") and difflib.get_close_matches("appel", ["apple"]) == ["apple"]
for name in ("ascii", "latin-1", "utf-8", "utf-16", "utf-32", "utf-8-sig", "idna", "punycode", "cp1252", "unicode_escape", "raw_unicode_escape"):
    assert "abc".encode(name).decode(name) == "abc", name
try: "x".encode("koi8_r")
except LookupError: pass
for name in ("md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b"): assert len(hashlib.new(name, b"x").digest()) >= 16
assert hashlib.sha256(b"").hexdigest().startswith("e3b0c442")
assert ET.fromstring("<a><b x='1'/></a>").find("b").get("x") == "1" and tomllib.loads("a = 1") == {"a": 1}
try: json.loads("{")
except json.JSONDecodeError as e: assert e.pos == 1
@dataclasses.dataclass(order=True)
class P:
    x: int
    y: typing.Optional[list] = dataclasses.field(default_factory=list)
assert sorted([P(2), P(1)])[0] == P(1) and typing.get_type_hints(P)["x"] is int
class E(enum.StrEnum):
    A = "a"
assert E("a") is E.A and list(csv.reader(io.StringIO("a,b"))) == [["a", "b"]]
warnings.warn("seen")
try: 1 / 0
except ZeroDivisionError: assert "line" in traceback.format_exc()
assert ast.unparse(ast.parse("a+b")) == "a + b" and [t.string for t in tokenize.generate_tokens(io.StringIO("a").readline)][0] == "a"
assert statistics.quantiles([1, 2, 3, 4])[1] == 2.5 and shlex.split("a 'b c'") == ["a", "b c"] and textwrap.dedent(" a") == "a"
assert urllib.parse.urlparse("http://a/b?c=d").query == "c=d" and html.unescape("&eacute;") == "é" and unicodedata.normalize("NFD", "é") != "é"
assert uuid.UUID(int=1).hex.endswith("1") and uuid.uuid5(uuid.NAMESPACE_DNS, "a") and zlib.decompress(zlib.compress(b"x")) == b"x"
assert str(inspect.signature(lambda a, b=1: a)) == "(a, b=1)" and pprint.pformat({"a": 1}) == "{'a': 1}" and random.Random(1).choice([1, 2])
assert f"{1234567.891:,.2f}" == "1,234,567.89" and locale.getpreferredencoding(False) and re.sub(r"(?i)A", "b", "aA") == "bb"
assert datetime.datetime.now().astimezone().utcoffset() == datetime.timedelta(0) and datetime.date(2024, 2, 29).strftime("%A") == "Thursday"
try: open("/etc/passwd")
except PermissionError: pass
return 'PASS'"""
    ran = run(box, source)
    assert ran.decision.verdict is Verdict.PASS, ran


def test_a_guest_imports_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; sys.path.append(sys.argv[1]); import verifierbench.sandbox.guest.zygote, verifierbench.sandbox.guest.probing;"
        "print([n for n in sys.modules if n.partition('.')[0] not in {*sys.stdlib_module_names, '__main__', 'verifierbench'}],"
        " [n for n in sys.modules if n.startswith('verifierbench.core')])"
    )
    root = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-E", "-c", code, root], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] []\n"


@pytest.mark.skipif(not OTHER_PYTHONS, reason="no other Python from 3.11 on beside this one")
@pytest.mark.parametrize("interpreter", OTHER_PYTHONS)
@pytest.mark.parametrize("tier", list(Tier))
def test_other_interpreters_serve_too(tier: Tier, interpreter: str) -> None:
    with VerifierBox(tier, interpreter=interpreter) as other:
        test_clocks_chance_and_hashes_are_fixed(other)
        test_what_the_library_imports_late_works(other)


# Compiling


def test_a_source_is_compiled_once(box: VerifierBox) -> None:
    before = box.compilations
    for _ in range(3):
        run(box, "return 'PASS'  # compiled once")
        run(box, "return (  # never compiled, and asked once")
    assert box.compilations == before + 2


def test_compiled_sources_are_kept_up_to_a_number(box: VerifierBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_module, "_COMPILED_KEPT", 2)
    verdicts = [
        run(box, f"return {verdict!r}  # number {n}").decision.verdict for n in range(3) for verdict in ("PASS", "FAIL")
    ]
    held = len(list(Path("/proc/self/fd").iterdir()))
    verdicts += [
        run(box, f"return {verdict!r}  # number {n}").decision.verdict for n in range(3) for verdict in ("PASS", "FAIL")
    ]
    assert verdicts == [Verdict.PASS, Verdict.FAIL] * 6
    assert len(list(Path("/proc/self/fd").iterdir())) == held


def test_one_source_cannot_decide_for_another(box: VerifierBox) -> None:
    hostile = "import os\ndef verify(solution, env):\n    try: os.write(5, b'C' * 100)\n    finally: return 'PASS'\n"
    honest = "return 'FAIL'  # honest"
    for _ in range(3):
        assert run(box, hostile).decision.reason is Reason.KILLED
        assert run(box, honest).decision.verdict is Verdict.FAIL


# The box's own failures


@pytest.mark.parametrize("tier", list(Tier))
def test_a_dead_zygote_is_our_failure_and_is_replaced(tier: Tier) -> None:
    with VerifierBox(tier) as fresh:
        os.kill(fresh.process_id, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="died and was restarted"):
            run(fresh, "return 'PASS'")
        assert run(fresh, "return 'PASS'").decision.verdict is Verdict.PASS
        assert fresh.restarts == 1


@pytest.mark.parametrize("tier", list(Tier))
def test_a_zygote_that_dies_in_the_middle_of_a_case(tier: Tier) -> None:
    with VerifierBox(tier) as fresh:
        doomed = fresh.process_id
        timer = threading.Timer(0.3, lambda: os.kill(doomed, signal.SIGKILL))
        timer.start()
        with pytest.raises(InfrastructureError, match="died and was restarted"):
            run(fresh, "while True: pass")
        timer.join()
        assert run(fresh, "return 'PASS'").decision.verdict is Verdict.PASS
        assert _gone(descendants(doomed, -1) - {doomed})


@pytest.mark.parametrize("tier", list(Tier))
def test_nothing_is_left_when_the_harness_is_killed(tier: Tier) -> None:
    code = (
        "import sys\nfrom verifierbench.sandbox import VerifierBox, Tier\nfrom verifierbench.core.decision import Limits\n"
        "box = VerifierBox(Tier(sys.argv[1]))\nprint(box.process_id, flush=True)\n"
        "box.run(b'def verify(s, e):\\n    while True: pass\\n', b'1', b'1', None, Limits(seconds=60))"
    )
    harness = subprocess.Popen([sys.executable, "-c", code, tier], stdout=subprocess.PIPE, text=True)
    assert harness.stdout is not None
    root = int(harness.stdout.readline())
    time.sleep(0.5)
    started = descendants(root, -1)
    assert len(started) == (3 if tier is Tier.NAMESPACES else 2), "stub, zygote and child, or zygote and child"
    harness.kill()
    harness.communicate()
    assert _gone(started)


def test_closing_leaves_no_process_and_no_descriptor() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for tier in Tier:
        with VerifierBox(tier) as fresh:
            run(fresh, "env.run(1); return 'PASS'", Recorder())
            started = descendants(fresh.process_id, -1)
        assert _gone(started)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_zygotes_processor_time_reaches_the_harness() -> None:
    before = os.times()
    with VerifierBox(Tier.NAMESPACES) as fresh:
        spent = sum(run(fresh, "sum(range(3_000_000)); return 'PASS'").decision.cpu_seconds for _ in range(3))
    after = os.times()
    seen = after.children_user + after.children_system - before.children_user - before.children_system
    assert seen >= 0.9 * spent > 0.05


def test_an_interpreter_that_is_none_says_so() -> None:
    with pytest.raises(InfrastructureError, match="did not start"):
        VerifierBox(Tier.SECCOMP, interpreter="/nowhere/python")
    with pytest.raises(InfrastructureError, match="did not start"):
        VerifierBox(Tier.SECCOMP, interpreter="/bin/true")


def test_an_interpreter_that_randomises_hashes_is_refused(tmp_path: Path) -> None:
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONHASHSEED=random exec {sys.executable} "$@"\n')
    wrapper.chmod(0o755)
    with pytest.raises(InfrastructureError, match="hashes are randomised"):
        VerifierBox(Tier.SECCOMP, interpreter=str(wrapper))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hide an interpreter: sudo make test-sandbox")
@pytest.mark.parametrize("tier", list(Tier))
def test_an_interpreter_under_a_private_home_works(tier: Tier) -> None:
    home = next((p for p in Path(sys.executable).resolve().parents if not p.stat().st_mode & 1), None)
    if home is None:
        pytest.skip(f"{sys.executable} is readable by everyone")
    with VerifierBox(tier) as fresh:
        assert (
            run(fresh, "import os; return 'PASS' if os.getuid() not in (0, -1) else 'FAIL'").decision.verdict
            is Verdict.PASS
        )


def _gone(pids: set[int]) -> bool:
    """Do these processes end, within two seconds?"""
    for _ in range(100):
        alive = {pid for pid in pids if _alive(pid)}
        if not alive:
            return True
        time.sleep(0.02)
    return False


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False
