"""Fork, load, verify, reply by pipe: a zygote with no protection at all, the floor the sandbox is compared with.

It preloads the same modules, forks per case, and its child unmarshals the same code, parses the same JSON and runs
the same verifier. There is no other process to talk to: the loop itself is the harness.
"""

import gc
import json
import marshal
import os
import sys
import types


def main() -> None:
    package_root, verifier_path, case_path, count = sys.argv[1:5]
    sys.path.append(package_root)
    from verifierbench.sandbox.guest import modules  # the same list, loaded in the same way

    modules.load()
    with open(verifier_path, "rb") as file:  # noqa: PTH123
        code = marshal.dumps(compile(file.read(), "verifier.py", "exec"))
    with open(case_path, "rb") as file:  # noqa: PTH123
        case = json.loads(file.read())
    solution = json.dumps(case["solution"], separators=(",", ":")).encode()
    task = json.dumps(case["task"], separators=(",", ":")).encode()
    gc.collect()
    gc.freeze()
    for _ in range(int(count)):
        if decide(code, solution, task) != b"PASS":
            sys.exit("the sample did not pass")


def decide(code: bytes, solution: bytes, task: bytes) -> bytes:
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        module = types.ModuleType("verifier")
        sys.modules["verifier"] = module
        exec(marshal.loads(code), module.__dict__)  # our own sample
        verdict = module.verify(json.loads(solution), types.SimpleNamespace(task=json.loads(task)))
        os.write(write_end, verdict.encode())
        os._exit(0)
    os.close(write_end)
    verdict = os.read(read_end, 100)
    os.close(read_end)
    os.waitpid(pid, 0)
    return verdict


main()
