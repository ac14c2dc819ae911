"""Whole runs with nothing replaced but the model: killed and resumed, searched from inside, by real command line tools.

Each module stands alone, and each test of a command line tool too, so that they may run side by side.
"""

from __future__ import annotations

import pytest

from verifierbench.core import Unavailable
from verifierbench.sandbox.cell import Cell, CellPlan
from verifierbench.suite import Suite

from .. import attempts


@pytest.fixture(scope="session", autouse=True)
def namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """One task of each family, with a dozen cases each."""
    return attempts.write_three(tmp_path_factory.mktemp("suite") / "three", cases=6)
