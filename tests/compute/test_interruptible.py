"""Planning ends when its thread in Java is interrupted, and the next statement of that thread knows nothing of it."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from compute.spark.session import Profile, profile_sessions

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("profile", Profile)
def test_planning_ends_when_its_thread_is_interrupted(spark: SparkSession, profile: Profile) -> None:
    session = profile_sessions(spark)[profile]
    jvm: Any = session._jvm
    frame = session.sql("SELECT id + 1 FROM range(3) WHERE id > 0")
    for plan in (lambda: session.sql("SELECT 1 + 1"), lambda: frame._jdf.queryExecution().optimizedPlan()):
        jvm.java.lang.Thread.currentThread().interrupt()
        with pytest.raises((PySparkException, Py4JJavaError), match="the planner was interrupted"):
            plan()
        assert not jvm.java.lang.Thread.interrupted()
        assert session.sql("SELECT 1 + 1").collect() == [(2,)]
