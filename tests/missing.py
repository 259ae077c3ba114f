"""What a test does where a program or library that it needs is not on the machine."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacks(message: str) -> NoReturn:
    """Skips the test that runs, or in CI, which installs all that tests need, fails it."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
