"""What tests of the objects that statements leave behind share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def new_objects_alone() -> Iterator[None]:
    """What there is before the test neither the collector looks through nor `gc.get_objects`: in a process that has run
    thousands of tests that takes seconds each time."""
    gc.freeze()
    yield
    gc.unfreeze()
