"""One Spark session for a whole test process; tests that use it are marked `spark`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session with the small profile, without warm-up."""
    from compute.spark.session import SparkOptions, start_session, stop_session

    session = start_session(SparkOptions(app_dir=tmp_path_factory.mktemp("spark"), memory="1g", warm=False))
    yield session
    stop_session(session)
