"""Measures how well an agent judges what it can solve.

An agent writes an executable verifier from a task's public material; the verifier is frozen and run on hidden
cases labelled PASS or FAIL. Importing this package does nothing else: it reads no file and loads no dependency.
"""

__all__ = ["__version__"]
__version__ = "0.1.0"
