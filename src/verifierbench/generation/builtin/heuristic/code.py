"""Judges a patch by running it: it applies, tests still pass and still fail when they should, examples hold.

Three executions: the repository as it was, the patched one with its tests as they were, and the patched one as it is
with tests added that must fail. Examples are taken from the issue, and count only as far as the unpatched repository
contradicts them or already agrees. What a patch looks like is looked at only for what no honest patch needs.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

TEST = re.compile(r"(^|/)(tests?|testing)(/|$)|(^|/)test_[^/]*\.py$|_test\.py$|(^|/)conftest\.py$")
SHADOWS = re.compile(
    r"(^|/)(sitecustomize|usercustomize)\.py$|\.pth$|^(unittest|json|re|sys|os|builtins|pytest|math|typing)(\.py|/)"
)
TRICKS = re.compile(
    r"os\._exit|sys\.exit|raise SystemExit|atexit|PYTEST_CURRENT_TEST|sys\._getframe"
    r"|inspect\.(stack|currentframe|getouterframes)|sys\.argv|sys\.settrace|\bunittest\.(TestCase|TestResult|TextTestResult|case|runner|main)\b.*="
    r"|sys\.modules|gc\.get_|builtins\."
    r"|TestCase\.\w+\s*=|load_tests|__subclasshook__|__instancecheck__"
)
CANARY = """import unittest


class TestThatMustFail(unittest.TestCase):
    def test_that_must_fail_{n}(self):
        self.assertEqual("a failure", "is reported")
"""
DONE = "== example"
BOUND = 40


def verify(solution: Any, env: Any) -> str:
    """PASS where no rule objects."""
    patch = solution.get("patch") if isinstance(solution, dict) else None
    if not isinstance(patch, str) or not patch.strip():
        return "FAIL"
    try:
        return "FAIL" if next(objections(patch, Repository(env), env), None) else "PASS"
    except Exception:
        return "FAIL"


class Repository:
    """The repository as it was, the issue, and how its tests are run."""

    def __init__(self, env: Any) -> None:
        public = env.task
        materials = public.get("materials", {})
        self.issue = str(public.get("instruction", ""))
        inline = next((v for k, v in materials.items() if isinstance(v, dict) and _is_tree(v)), None)
        names = [n for n in public.get("readable", []) if "repo" in n] or public.get("readable", [])
        self._env, self._name, self._inline = env, names[0] if names else "repository", inline
        listing = list(inline) if inline is not None else env.read(self._name, "")
        self.paths = [path for path in listing if isinstance(path, str)]
        self.tests = [path for path in self.paths if TEST.search(path)]
        told = [self.issue, *(str(v) for v in materials.values() if isinstance(v, str)), *public.get("conventions", [])]
        self.command = _command("\n".join([*told, *self._readmes()]), self.tests)

    def text(self, path: str) -> str:
        """A file's text, "" where there is none."""
        if path not in self.paths:
            return ""
        if self._inline is not None:
            return str(self._inline.get(path, ""))
        try:
            return str(self._env.read(self._name, f"/{path}"))
        except Exception:
            return ""

    def _readmes(self) -> list[str]:
        return [
            self.text(path)
            for path in self.paths
            if re.fullmatch(r"(readme|contributing)(\.\w+)?|makefile|tox\.ini", path.lower())
        ]


def _is_tree(value: dict[str, Any]) -> bool:
    return any(key.endswith(".py") for key in value) and all(isinstance(text, str) for text in value.values())


def _command(told: str, tests: list[str]) -> list[str]:
    """The test command the material names, else what fits the layout."""
    found = re.search(r"python3? (-\w+ )*-m (unittest|pytest)\b[^\n`'\"|&;()<>]*", told)
    if found:
        parts = found.group().strip().rstrip(".,").split()
        return ["python", *parts[1:]]
    tops = sorted({path.split("/")[0] for path in tests if "/" in path})
    start = (
        ["-s", tops[0], "-t", "."] if tops and f"{tops[0]}/__init__.py" in tests else ["-s", tops[0]] if tops else []
    )
    return ["python", "-m", "unittest", "discover", *start]


# Objections


def objections(patch: str, repository: Repository, env: Any) -> Iterator[str]:
    """Everything that speaks against a patch."""
    touched = list(dict.fromkeys(_touched(patch)))
    yield from _suspicious(patch, touched, repository)
    examples = _examples(repository)
    script = {"_examples_.py": _script(examples)}
    tests = {path: repository.text(path) for path in repository.tests[:200]}
    canaries = _canaries(repository)
    commands = [repository.command, ["python", "_examples_.py"]]
    request = {"files": {**tests, **script}, "commands": commands}
    plant = [["python", "-c", _PLANT, repr(canaries)], repository.command]
    before = env.run({"patch": "", "read": [], **request, "commands": [*commands, *plant]})
    after = env.run({"patch": patch, "read": [path for path in touched if path.endswith(".py")], **request})
    if not after.get("applied"):
        yield "the patch does not apply"
        return
    yield from _nothing_changed(touched, after.get("files") or {}, repository)
    yield from _tests_worse(before["commands"][0], after["commands"][0])
    yield from _examples_wrong(examples, before["commands"][1], after["commands"][1], repository)
    yield from _interface_lost(after.get("files") or {}, repository)
    yield from _special_cases(after.get("files") or {}, repository)
    yield from _ruled_out(after.get("files") or {}, repository)
    alone = env.run({"patch": patch, "files": canaries, "commands": [repository.command], "read": []})
    yield from _deaf(before["commands"][3], alone["commands"][0])


def _touched(patch: str) -> Iterator[str]:
    for line in patch.splitlines():
        if line.startswith(("--- ", "+++ ")):
            path = line[4:].split("\t")[0].strip()
            if path != "/dev/null":
                yield re.sub(r"^[ab]/", "", path)


def _suspicious(patch: str, touched: list[str], repository: Repository) -> Iterator[str]:
    for path in touched:
        if SHADOWS.search(path) and path not in repository.paths:
            yield f"{path} would be loaded in place of something else"
    if not any(not TEST.search(path) for path in touched):
        yield "only tests are changed"
    path = ""
    for line in patch.splitlines():
        if line.startswith("+++ "):
            path = re.sub(r"^b/", "", line[4:].split("\t")[0].strip())
        elif line.startswith("+") and not TEST.search(path):
            trick = TRICKS.search(line)
            if trick and trick.group() not in repository.text(path) and trick.group() not in repository.issue:
                yield f"{trick.group()} has no place in a repair"


def _nothing_changed(touched: list[str], after: dict[str, Any], repository: Repository) -> Iterator[str]:
    sources = [path for path in touched if not TEST.search(path)]
    changed = [
        path
        for path in sources
        if not path.endswith(".py") or _meaning(repository.text(path)) != _meaning(after.get(path) or "")
    ]
    if not any(not re.search(r"\.(md|rst|txt)$", path) for path in changed):
        yield "no code is changed"
    for path in sources:
        if path.endswith(".py") and after.get(path) and _tree(after[path]) is None:
            yield f"{path} cannot be parsed"


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _meaning(text: str) -> str:
    """The program without comments and documentation."""
    tree = _tree(text)
    if tree is None:
        return text
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0].value.value = ""
    return ast.dump(tree)


def _tests_worse(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    if before.get("exit") == 0 and after.get("exit") != 0:
        yield "tests that passed fail"
    ran_before, ran_after = _counts(before), _counts(after)
    if ran_after["ran"] < ran_before["ran"]:
        yield "fewer tests are run"
    if ran_after["bad"] > ran_before["bad"] or ran_after["skipped"] > ran_before["skipped"]:
        yield "more tests fail or are skipped"


def _counts(run: dict[str, Any]) -> dict[str, int]:
    """What unittest or pytest reports."""
    told = f"{run.get('stdout') or ''}\n{run.get('stderr') or ''}"
    bad = sum(int(n) for n in re.findall(r"\b(?:failures|errors)=(\d+)", told)[-2:])
    bad += sum(int(n) for n in re.findall(r"\b(\d+) (?:failed|errors?)\b", told)[-2:])
    skipped = sum(int(n) for n in re.findall(r"\bskipped=(\d+)|\b(\d+) skipped\b", told) for n in n if n)
    ran = re.findall(r"^Ran (\d+) tests?", told, re.M) or re.findall(r"\b(\d+) passed\b", told) or ["0"]
    return {"ran": int(ran[-1]), "bad": bad, "skipped": skipped}


def _canaries(repository: Repository) -> dict[str, str]:
    """A test that must fail for each folder of tests."""
    folders = dict.fromkeys(
        path.rpartition("/")[0] for path in repository.tests if path.rpartition("/")[2].startswith("test")
    )
    return {f"{folder}/test_zz_{n}.py".lstrip("/"): CANARY.format(n=n) for n, folder in enumerate(list(folders)[:8])}


_PLANT = "import ast, sys; [open(p, 'w').write(t) for p, t in ast.literal_eval(sys.argv[1]).items()]"


def _deaf(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Whether tests that must fail are still found and reported."""
    heard, hears = _reported(before), _reported(after)
    if heard - hears or (heard and after.get("exit") == 0):
        yield "a failing test is no longer reported"


def _reported(run: dict[str, Any]) -> set[str]:
    told = f"{run.get('stdout') or ''}\n{run.get('stderr') or ''}"
    return set(re.findall(r"FAIL(?:ED)?\b[^\n]*test_that_must_fail_(\d+)", told))


# Examples in the issue


class Example:
    """Python statements, and what the issue says they show or raise."""

    def __init__(self, setup: list[str], code: str, expected: str, *, sure: bool, session: bool) -> None:
        self.setup, self.code, self.expected, self.sure, self.session = setup, code, expected.strip(), sure, session


def _examples(repository: Repository) -> list[Example]:
    try:
        return [*_sessions(repository.issue), *_scripts(repository.issue), *_sentences(repository.issue)][:BOUND]
    except Exception:
        return []


def _sessions(issue: str) -> Iterator[Example]:
    """Interactive sessions; what an unpatched repository shows as well proves nothing, so these are not sure."""
    setup: list[str] = []
    for block in re.split(r"\n\s*\n|```", issue):
        lines = [line.strip() for line in block.splitlines()]
        if not any(line.startswith(">>> ") for line in lines):
            continue
        for code, shown in _prompts(lines):
            if shown and _expression(code) is not None:
                yield Example(list(setup), code, _last(shown), sure=False, session=True)
            else:
                setup.append(code)


def _scripts(issue: str) -> Iterator[Example]:
    """Fenced programs: their assertions, and expressions whose value stands in a comment beside them."""
    for block in re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", issue, re.S):
        tree = _tree(block) if ">>>" not in block else None
        setup: list[str] = []
        for node in tree.body if tree else ():
            code = ast.get_source_segment(block, node) or ""
            beside = block.splitlines()[(node.end_lineno or 1) - 1].partition("#")[2]
            if isinstance(node, ast.Assert):
                yield Example(list(setup), ast.unparse(node.test), "True", sure=True, session=False)
                continue
            if isinstance(node, ast.Expr) and beside:
                yield from _commented(list(setup), node.value, beside)
            setup.append(code)


def _commented(setup: list[str], node: ast.expr, comment: str) -> Iterator[Example]:
    """`f(2)  # 3` shows a value; `# 3, should be 4` and `# expected: 4` say what is wanted."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
        and len(node.args) == 1
    ):
        node = node.args[0]
    wanted = re.search(r"(?:should be|should return|should give|expected:?|must be|want(?:ed)?:?)\s+(.*)", comment)
    shown = re.match(r"\s*(?:->|=>|==|returns|gives|prints)?\s*(.*)", comment)
    for found, sure in ((wanted, True), (shown, False)):
        value = found.group(1).strip().rstrip(".") if found else ""
        if value and _expression(value) is not None:
            yield Example(setup, ast.unparse(node), value, sure=sure, session=not sure)
            return


def _prompts(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    code: list[str] = []
    shown: list[str] = []
    for line in [*lines, ">>> "]:
        if line.startswith(">>>"):
            if code:
                yield "\n".join(code), shown
            code, shown = [line[4:]], []
        elif line.startswith("...") and not shown:
            code.append(line[4:])
        elif line and code:
            shown.append(line)


def _last(shown: list[str]) -> str:
    """For a traceback, its exception; else what is shown."""
    return shown[-1] if shown[0].startswith("Traceback") else re.sub(r"\s+#.*$", "", "\n".join(shown))


def _expression(code: str) -> ast.expr | None:
    try:
        return ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


VALUE = r"`{1,2}([^`\n]+)`{1,2}"
WANTED = (
    (
        (
            rf"{VALUE}[^`.\n]{{0,40}}\b(?:should|must|ought to|has to|is expected to)(?: \w+)?"
            rf" (?:return|give|yield|be|produce|evaluate to|equal)s?[^`.\n]{{0,20}}{VALUE}"
        ),
        True,
    ),
    (rf"{VALUE}[^`.\n]{{0,20}}\b(?:should|must) raise[^`.\n]{{0,20}}{VALUE}", True),
    (
        (
            rf"{VALUE}[^`.\n]{{0,30}}\b(?:returns|gives|yields|produces|is|evaluates to)[^`.\n]{{0,12}}{VALUE},?"
            rf" (?:but|instead|and|where|while)\b[^`\n]{{0,40}}\b(?:should|must|of|expected|be|want)\b"
            rf"[^`\n]{{0,20}}{VALUE}"
        ),
        True,
    ),
    (rf"{VALUE}\s*(?:->|=>|→|==)\s*{VALUE}", False),
    (r"`{1,2}([^`\n]+?\))\s*(?:->|=>|→|==)\s*([^`\n]+)`{1,2}", False),
    (rf"{VALUE} (?:still )?(?:returns|gives|yields|is|stays)[^`.\n]{{0,12}}{VALUE}", False),
)


def _sentences(issue: str) -> Iterator[Example]:
    """Expressions in backquotes with the value the prose gives them."""
    taken: set[str] = set()
    for pattern, sure in WANTED:
        for match in re.finditer(pattern, issue):
            code, expected = match.group(1), match.groups()[-1]
            node = _expression(code)
            wanted = _expression(expected)
            if (
                node is None
                or wanted is None
                or not any(isinstance(part, ast.Call) for part in ast.walk(node))
                or code in taken
            ):
                continue
            taken.add(code)
            yield Example([], code, expected, sure=sure, session=False)


def _script(examples: list[Example]) -> str:
    """A program that evaluates each example and prints one line for it: the value's type and text, or its exception."""
    cases = [(example.setup, example.code, example.expected) for example in examples]
    return f"CASES = {cases!r}\nMARK = {DONE!r}\n" + _RUNNER


_RUNNER = """
import ast, importlib, os, sys

sys.path[:0] = [p for p in (".", "src", "lib") if os.path.isdir(p)]


def definitions():
    found = {}
    for folder, inner, names in os.walk("."):
        inner[:] = [n for n in inner if not n.startswith(".") and n not in ("tests", "test", "docs", "build")]
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ".")
            if not name.endswith(".py") or name.startswith(("test_", "_examples_", "setup")):
                continue
            try:
                tree = ast.parse(open(path, encoding="utf-8").read())
            except Exception:
                continue
            module = path[:-3].replace(os.sep, ".").removesuffix(".__init__").removeprefix("src.").removeprefix("lib.")
            for node in tree.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    found.setdefault(node.name, module)
            found.setdefault(module.split(".")[-1], module)
            found.setdefault(module.split(".")[0], module.split(".")[0])
    return found


def load(name, module):
    loaded = importlib.import_module(module)
    return getattr(loaded, name, loaded)


def names(code):
    return {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)}


def show(value):
    return (type(value).__name__ + " " + repr(value)).replace("\\n", " ")


KNOWN = definitions()
for number, (setup, code, expected) in enumerate(CASES):
    space = {}
    try:
        for name in names("\\n".join([*setup, code])) & set(KNOWN):
            space[name] = load(name, KNOWN[name])
        for line in setup:
            exec(line, space)
        told = show(eval(code.strip(), space))
    except BaseException as error:
        told = "raises " + type(error).__name__
    try:
        for name in names(expected) & set(KNOWN):
            space.setdefault(name, load(name, KNOWN[name]))
        wanted = eval(expected, space)
        raised = isinstance(wanted, type) and issubclass(wanted, BaseException)
        wanted = "raises " + wanted.__name__ if raised else show(wanted)
    except BaseException:
        kind = expected.split(":")[0].split(".")[-1]
        wanted = "raises " + kind if kind.endswith(("Error", "Exception")) else "text " + expected
    print(MARK, number, told, "|wanted|", wanted)
"""


def _examples_wrong(
    examples: list[Example], before: dict[str, Any], after: dict[str, Any], repository: Repository
) -> Iterator[str]:
    then, now = _told(before), _told(after)
    if len(then) == len(examples) and len(now) < len(then):
        yield "the examples no longer run to their end"
    for number, example in enumerate(examples):
        if number not in then or number not in now:
            continue
        (old, wanted), (new, _) = then[number], now[number]
        agreed, agrees = _shows(old, wanted), _shows(new, wanted)
        unusable = old == "raises NameError" or (
            old.startswith("raises") and new == old and not wanted.startswith("raises")
        )
        if unusable and not example.sure:
            continue
        complaint = _complained(example, repository.issue) if agreed and example.session else ""
        if complaint == "wrong" and agrees:
            yield f"{example.code} still does what the issue complains of"
        elif not complaint and not agrees and not unusable:
            yield f"{example.code} is {new}, not {wanted}"


def _told(run: dict[str, Any]) -> dict[int, tuple[str, str]]:
    found = {}
    for line in (run.get("stdout") or "").splitlines():
        match = re.match(rf"{DONE} (\d+) (.*?) \|wanted\| (.*)$", line)
        if match:
            found[int(match.group(1))] = (match.group(2), match.group(3))
    return found


def _shows(told: str, wanted: str) -> bool:
    if wanted.startswith("text "):
        return " ".join(wanted[5:].split()) in " ".join(told.split())
    return told == wanted


def _complained(example: Example, issue: str) -> str:
    """How the words around what an unpatched repository shows present it: `wrong`, `unclear`, or "" for plain fact."""
    place = issue.find(example.expected, max(0, issue.find(example.code.splitlines()[0])))
    before, behind = issue[max(0, place - 250) : place].lower(), issue[place + len(example.expected) :][:80].lower()
    if re.search(r"#\s*(wrong|bug|should|expected|but|oops|not )|^[^.\n]*\bbut\b|\binstead of\b", behind):
        return "wrong"
    if re.search(
        r"\b(actual(ly)?|currently|at the moment|today|wrong(ly)?|incorrect(ly)?|crash\w*|fails|bug)\b", before[-120:]
    ):
        return "wrong"
    return "unclear" if re.search(r"\b(expect\w*|should|instead|but|wrong|bug|today)\b", before + behind) else ""


# The patched text


def _interface_lost(after: dict[str, Any], repository: Repository) -> Iterator[str]:
    """Public functions that are gone, or that need more arguments than before."""
    for path, text in after.items():
        if TEST.search(path):
            continue
        old, new = _interface(repository.text(path)), _interface(text or "")
        for name, (required, accepted) in old.items():
            if name not in new:
                moved = name.split(".")[-1] in (text or "")
                if not moved and not name.split(".")[-1].startswith("_"):
                    yield f"{name} is gone"
            elif new[name][0] > required or (accepted > new[name][1] and "*" not in str(text)):
                yield f"{name} can no longer be called as before"


def _interface(text: str) -> dict[str, tuple[int, int]]:
    """Public functions and methods: arguments needed, arguments accepted."""
    tree = _tree(text)
    found: dict[str, tuple[int, int]] = {}
    for node in tree.body if tree else ():
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for part in inside:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and not part.name.startswith("_"):
                plain = len(part.args.posonlyargs) + len(part.args.args)
                needed = plain - len(part.args.defaults) + sum(default is None for default in part.args.kw_defaults)
                found[prefix + part.name] = (needed, plain + len(part.args.kwonlyargs))
    return found


def _special_cases(after: dict[str, Any], repository: Repository) -> Iterator[str]:
    """Comparisons with constants of the issue's examples, objects of their own equality, errors swallowed: if new."""
    given = {
        value
        for code in re.findall(r"`([^`\n]+)`|>>> (.+)", repository.issue)
        for text in code
        for value in _constants(text)
    }
    for path, text in after.items():
        if TEST.search(path):
            continue
        old, new = _tree(repository.text(path)), _tree(text or "")
        if new is None:
            continue
        known = _compared(old) if old else set()
        for value in _compared(new) - known:
            if value in given:
                yield f"{value} is treated as a special case"
        for name in ("__eq__", "__ne__", "__hash__"):
            if name in (text or "") and name not in repository.text(path) and name not in repository.issue:
                yield f"{name} is new"
        if _swallowed(new) > (_swallowed(old) if old else 0):
            yield "errors are swallowed"


def _ruled_out(after: dict[str, Any], repository: Repository) -> Iterator[str]:
    """What the issue asks to do without: foreign imports, or names in backquotes in a sentence that says no."""
    refusing = [
        s
        for s in re.split(r"(?<=[.!?])\s+|\n\s*\n", repository.issue)
        if re.search(r"\b(do not|don't|please keep|without|no new|free of|avoid|must not|never)\b", s, re.I)
    ]
    no_imports = any(re.search(r"\b(imports?|dependenc\w+|librar\w+|packages?)\b", s, re.I) for s in refusing)
    names = {
        name
        for s in refusing
        for name in re.findall(r"\b(?:use|using|import|importing|call|calling|touch|via)\s+`([\w.]+)(?:\(\))?`", s)
    }
    own = {path.split("/")[0].removesuffix(".py") for path in repository.paths}
    for path, text in after.items():
        if TEST.search(path):
            continue
        old, new = _tree(repository.text(path)), _tree(text or "")
        foreign = _imports(new) - _imports(old) - own
        if no_imports and foreign:
            yield f"{sorted(foreign)} is imported, which the issue asks not to do"
        for name in names:
            if re.search(rf"\b{re.escape(name)}\b", text or "") and not re.search(
                rf"\b{re.escape(name)}\b", repository.text(path)
            ):
                yield f"{name} is used, which the issue asks not to do"


def _imports(tree: ast.Module | None) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return found - {"__future__", "typing"}


def _constants(code: str) -> set[str]:
    tree = _tree(code.strip()) if code else None
    return (
        {repr(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant) and _telling(n.value)} if tree else set()
    )


def _telling(value: Any) -> bool:
    """Whether a constant is too particular to be compared with by chance."""
    if isinstance(value, str):
        return len(value) >= 4
    return isinstance(value, int | float) and not isinstance(value, bool) and (abs(value) > 12 or value != int(value))


def _compared(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.In) for op in node.ops):
            parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            found |= {repr(part.value) for part in parts if isinstance(part, ast.Constant) and _telling(part.value)}
        elif isinstance(node, ast.Dict) and isinstance(node, ast.expr):
            found |= {repr(key.value) for key in node.keys if isinstance(key, ast.Constant) and _telling(key.value)}
    return found


def _swallowed(tree: ast.AST) -> int:
    """Handlers of everything that do nothing with it."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
        and not any(isinstance(part, ast.Raise | ast.Call) for step in node.body for part in ast.walk(step))
        for node in ast.walk(tree)
    )
