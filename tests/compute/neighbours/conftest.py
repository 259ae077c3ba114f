"""The limit of recursion that laws of distances need."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from model.errors.deep_recursion import allow_deep_recursion


@pytest.fixture(autouse=True, scope="module")
def deep_recursion() -> Iterator[None]:
    """Makes room for deep values before laws draw, as a worker does at its first row: Hypothesis takes it amiss within
    a test, and other files' tests want the limit that there was."""
    before = sys.getrecursionlimit()
    allow_deep_recursion()
    yield
    sys.setrecursionlimit(before)
