"""A topic that is far ahead is read by tasks of Spark: the same rows, once, whatever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.kafka_broker import KafkaBroker
from tests.server_process import start_server

_PARTITIONS = 4
_RECORDS = 600_000
_PATIENCE_S = 180.0
_BAD = 1000
"""Of so many records one is no JSON."""


def _value(number: int) -> bytes:
    return b"{" if number % _BAD == 0 else b'{"n": %d}' % number


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_tasks_read_is_there_once_whatever_is_killed(broker: KafkaBroker, tmp_path: Path) -> None:
    broker.create("far", _PARTITIONS)
    broker.produce("far", ((number % _PARTITIONS, None, _value(number)) for number in range(_RECORDS)))
    server = start_server(tmp_path, "--replica-memory", "1g")
    try:
        with server.connect() as connection:
            options = "FORMAT JSON INCLUDE PARTITION, OFFSET WITH (VALUE DECODING ERRORS = SKIP)"
            connection.execute(f"CREATE SOURCE far FROM KAFKA BROKER '{broker.address}' {options}".encode())
        for which in ("replica", "both"):
            time.sleep(1.5)
            os.kill(int(json.loads((tmp_path / "replica.json").read_text())["pid"]), signal.SIGKILL)
            if which == "both":
                server.kill()
                server = start_server(tmp_path, "--replica-memory", "1g")
        with server.connect() as connection:
            deadline = time.monotonic() + _PATIENCE_S
            bound = b'SELECT coalesce(sum("offset"), 0)::int8 FROM far_progress'
            while (found := connection.execute(bound).fetchone()) != (_RECORDS,):
                assert time.monotonic() < deadline, f"{found} of {_RECORDS} have arrived"
                time.sleep(0.1)
            counted = connection.execute(
                b"SELECT count(*), count(DISTINCT (data->>'n')::int8), sum((data->>'n')::int8)::int8,"
                b" bool_and((data->>'n')::int8 = \"offset\" * 4 + partition) FROM far"
            ).fetchone()
            sound = [number for number in range(_RECORDS) if number % _BAD]
            assert counted == (len(sound), len(sound), sum(sound), True)
    finally:
        server.stop()
    logs = "".join(path.read_text() for path in tmp_path.glob("**/*.log"))
    assert "reads by ranges" in logs, "no task has read"
