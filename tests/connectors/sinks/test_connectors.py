"""Programs as drivers that misbehave: the session ends, with what there is to say, and nothing of it is committed."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from compute.replica.sinks.driver_thread import DriverThread
from connectors.program import driver as connector
from connectors.program.driver import ConnectorDriver
from connectors.sinks.messages import ALL_KEYS, Open
from model.errors.sql_error import SqlError
from model.external.sinks import ConnectorProgram
from tests.connectors.sinks.destinations import connector_destination
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into

A, B = (1, "a"), (2, "b")


@pytest.mark.parametrize(
    ("defect", "said"),
    [
        ("crash at acknowledge", "it has ended"),
        ("crash at startCommit", "it has ended"),
        ("nonsense at flush", "no JSON"),
        ("depths at flush", "no JSON"),
        ("flood at flush", "flush"),
        ("crash at store", "ended"),
    ],
)
def test_a_program_that_misbehaves_ends_its_session(
    defect: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector, "_UNREAD_BYTES_MAX", 8 << 20)
    log = RecoveryLog()
    with closing(connector_destination(tmp_path)) as good:
        session = DriverSession(good.driver(), sink_into(good.place), log)
        session.acknowledge()
        session.transact([(A, 1)], 10)
        with closing(connector_destination(tmp_path, defect=defect)) as bad, pytest.raises(SqlError, match=said):
            session = DriverSession(bad.driver(), sink_into(bad.place), log)
            session.acknowledge()
            session.transact([(B, 1)], 20)
        assert good.read() == Counter([A])
        session = DriverSession(good.driver(), sink_into(good.place), log)
        assert session.position == 10


def test_what_a_program_says_beside_is_told_with_its_failure(tmp_path: Path) -> None:
    with closing(connector_destination(tmp_path, defect="crash at acknowledge")) as destination:
        session = DriverSession(destination.driver(), sink_into(destination.place), RecoveryLog())
        with pytest.raises(SqlError) as error:
            session.acknowledge()
        assert error.value.detail == "it was told to crash"


def test_a_program_that_is_not_there_is_told() -> None:
    place = ConnectorProgram("/nowhere/program")
    with pytest.raises(SqlError, match="can't be started"):
        DriverSession(ConnectorDriver(place), sink_into(place), RecoveryLog())


async def test_a_program_that_hangs_is_killed_when_its_session_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compute.replica.sinks.driver_thread._END_S", 0.2)
    monkeypatch.setattr("compute.replica.sinks.driver_thread._PATIENCE_S", 0.2)
    place = ConnectorProgram("sleep 3600")
    driver, told = ConnectorDriver(place), asyncio.Event()
    thread = DriverThread(driver, "hangs", lambda _message: told.set())
    asking = asyncio.create_task(thread.ask(Open(sink_into(place), ALL_KEYS, RecoveryLog().frontier, {}, {})))
    await told.wait()
    process = driver._process
    assert process is not None
    await thread.close()
    assert process.wait(60) != 0
    with pytest.raises(SqlError, match="it has ended"):
        await asking
