"""One Spark session for a whole test process; tests that use it are marked `spark`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from compute.spark.handles import HandleCollector
from model.process.collecting import set_aside

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PLANS = HandleCollector(time.monotonic, pieces=4)
"""Else Java's heap fills with the plans of tests that are over, and Java does nothing any more but look for room."""


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session with the small profile, without warm-up."""
    from compute.spark.session import SparkOptions, start_session, stop_session

    session = start_session(SparkOptions(app_dir=tmp_path_factory.mktemp("spark"), memory="2g", warm=False))
    set_aside()
    yield session
    stop_session(session)


@pytest.fixture(autouse=True)
def _plans_are_let_go(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "spark" in request.fixturenames:
        _PLANS.worked()
