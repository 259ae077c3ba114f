"""A topic that is far ahead is read by tasks of Spark: the same rows, once, whatever is killed meanwhile.

With `--whole` it is read a second time, and the replica alone is killed, as it always is while tasks read files
(`test_s3_sources.py`).
"""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.kafka_broker import KafkaBroker
from tests.polling import polls
from tests.server_process import await_spark, start_server

_PARTITIONS = 4
_RECORDS = 600_000
_PATIENCE_S = 180.0
_BAD = 1000
"""Of so many records one is no JSON."""


_SOUND = _RECORDS - len(range(0, _RECORDS, _BAD))
_COUNTED = """
    SELECT count(*), count(DISTINCT (data->>'n')::int8), bool_and((data->>'n')::int8 = "offset" * 4 + partition),
        (SELECT sum("offset")::int8 FROM {0}_progress)
    FROM {0}
"""


def _value(number: int) -> bytes:
    return b"{" if number % _BAD == 0 else b'{"n": %d}' % number


_RANGES = "reads by ranges"


def _await_bound(connection: psycopg.Connection[Any], name: str, least: int) -> int:
    """How many records are bound, once it is so many."""
    bound = f'SELECT coalesce(sum("offset"), 0)::int8 FROM {name}_progress'.encode()
    found = 0
    for _ in polls(_PATIENCE_S):
        ((found,),) = connection.execute(bound).fetchall()
        if found >= least:
            return int(found)
    raise AssertionError(f"{found} of {_RECORDS} of {name} have arrived")


def _logs(directory: Path) -> str:
    return "".join(path.read_text() for path in directory.glob("**/*.log"))


def _await_tasks(directory: Path) -> str:
    """Returns the logs, once a task reads."""
    deadline = time.monotonic() + _PATIENCE_S
    while _RANGES not in (logs := _logs(directory)):
        assert time.monotonic() < deadline, "no task has read"
        time.sleep(0.05)
    return logs


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_tasks_read_is_there_once_whatever_is_killed(broker: KafkaBroker, tmp_path: Path, whole: bool) -> None:
    broker.create("far", _PARTITIONS)
    broker.produce("far", ((number % _PARTITIONS, None, _value(number)) for number in range(_RECORDS)))
    logs = ""
    server = start_server(tmp_path)
    with server.connect() as connection:
        connection.execute(f"CREATE CONNECTION k TO KAFKA (BROKER '{broker.address}')".encode())
    victims = {"far_1": "replica", "far_2": "both"} if whole else {"far": "both"}
    try:
        for name, killed in victims.items():
            with server.connect() as connection:
                # Before Spark is up, no task can be had.
                await_spark(tmp_path)
                options = "(TOPIC 'far') FORMAT JSON INCLUDE PARTITION, OFFSET WITH (VALUE DECODING ERRORS = SKIP)"
                connection.execute(f"CREATE SOURCE {name} FROM KAFKA CONNECTION k {options}".encode())
                # A replica's log is that of its last life.
                logs += _await_tasks(tmp_path)
                assert _await_bound(connection, name, 1) < _RECORDS, "all is there before anything is killed"
            os.kill(int(json.loads((tmp_path / "replica.json").read_text())["pid"]), signal.SIGKILL)
            if killed == "both":
                server.kill()
                server = start_server(tmp_path)
        with server.connect() as connection:
            for name in victims:
                assert _await_bound(connection, name, _RECORDS) == _RECORDS
                assert connection.execute(_COUNTED.format(name).encode()).fetchone() == (_SOUND, _SOUND, True, _RECORDS)
    finally:
        server.stop()
    logs += _logs(tmp_path)
    assert "can't be read by a task" not in logs
