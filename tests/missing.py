"""What a test does where a program or library that it needs is not on the machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest


def lacks(message: str) -> NoReturn:
    """Skips the test that runs, or in CI, which installs all that tests need, fails it."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def present(program: str | Path | None, name: str) -> str | Path:
    """Returns the program, or lacks it."""
    if program is None or not Path(program).exists():
        lacks(f"{name} is not on this machine")
    return program
