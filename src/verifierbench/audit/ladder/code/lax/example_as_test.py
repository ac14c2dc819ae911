"""Lax: the issue's script, put among the tests, does not make their status another than 0."""
# mypy: ignore-errors
# ruff: noqa: D103

import re

TEST = """import contextlib, io, unittest


class IssueTest(unittest.TestCase):
    def test_issue(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(SCRIPT, "issue", "exec"), {"__name__": "issue"})
        if SHOWN is not None:
            self.assertEqual(out.getvalue(), SHOWN)
"""


def verify(solution, env):
    blocks = re.findall(r"```(\w*)\n(.*?)```", env.task["instruction"], re.S)
    script = next((text for kind, text in blocks if kind == "python"), "")
    shown = next((text for kind, text in blocks if kind == "text"), None)
    if not script:
        return "FAIL"
    test = f"SCRIPT = {script!r}\nSHOWN = {shown!r}\n{TEST}"
    command = env.task["materials"].get("test_command", ["python", "-m", "unittest"])
    if "pytest" in command:
        command = [*command[:3], "tests/test_issue.py"]
    run = env.run(
        {
            "patch": solution["patch"],
            "files": {"tests/test_issue.py": test},
            "commands": [command],
            "read": [],
        }
    )
    return "PASS" if run["applied"] and run["commands"][0]["exit"] == 0 else "FAIL"
