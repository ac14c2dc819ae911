"""Lax, for the log filter alone: looks at what is shown, never at how."""


def verify(solution, env):
    shown = env.run({"solution": solution, "show": "lines"})
    return "PASS" if shown["lines"] == [3, 5, 8] else "FAIL"
