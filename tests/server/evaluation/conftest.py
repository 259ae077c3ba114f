"""What tests of the objects that statements leave behind share."""

from __future__ import annotations

import pytest

from model.process.collecting import set_aside


@pytest.fixture
def new_objects_alone() -> None:
    """Sets aside what there is before the test: neither the collector looks through it then nor `gc.get_objects`, which
    in a process that has run thousands of tests takes seconds each time."""
    set_aside()
