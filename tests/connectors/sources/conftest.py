"""A broker that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kafka_broker import KafkaBroker, run_broker


@pytest.fixture(scope="module")
def broker() -> Iterator[KafkaBroker]:
    yield from run_broker()
