#!/bin/bash
# A harness that has pytest already only runs it; in a bare container it is installed first.
python -c "import pytest, pytest_subtests" 2>/dev/null || python -m pip install --quiet pytest==8.4.1 pytest-subtests==0.14.2
python -m pytest "$TEST_DIR/test_outputs.py" -rA
