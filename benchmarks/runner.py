"""One verifier on one case in a process of its own, with nothing in between: what a plain harness does."""

import json
import sys
import types


def main() -> None:
    verifier_path, case_path = sys.argv[1:3]
    with open(case_path, "rb") as file:  # noqa: PTH123  # an import would be charged to this design
        case = json.loads(file.read())
    with open(verifier_path, "rb") as file:  # noqa: PTH123
        code = compile(file.read(), "verifier.py", "exec")
    module = types.ModuleType("verifier")
    sys.modules["verifier"] = module
    exec(code, module.__dict__)  # the point of the program
    sys.stdout.write(module.verify(case["solution"], types.SimpleNamespace(task=case["task"])))


main()
