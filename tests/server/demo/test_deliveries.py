"""The tour's third act, on fewer flights: it ends well, and tells when what was written elsewhere differs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.demo.deliveries import run_deliveries
from server.demo.flights import SOURCES
from server.demo.postgres import DemoPostgres, postgres_programs
from server.demo.server import DemoServer
from server.demo.show import console

_ORIGINS, _DESTINATIONS = ("JFK", "LGA", "EWR"), ("ATL", "SFO", "ORD", "BOS")
_FLIGHTS = [(n // 5 % 12 + 1, _ORIGINS[n % 3], _DESTINATIONS[n % 4], n % 1000) for n in range(2000)]
_LEFT = sum(
    not (origin == "LGA" and month == 1) and not (dest == "ATL" and month > 6) for month, origin, dest, _ in _FLIGHTS
)
"""How many are left after what the act deletes."""


@pytest.fixture
def there() -> Iterator[DemoPostgres]:
    postgres = DemoPostgres(postgres_programs())
    try:
        yield postgres
    finally:
        postgres.stop()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_view_is_the_same_wherever_it_goes_whatever_is_killed(there: DemoPostgres, tmp_path: Path) -> None:
    server = DemoServer(tmp_path / "data")
    (flights,) = (source for source in SOURCES if source.table == "flights")
    try:
        server.start()
        with server.connect() as connection:
            connection.execute(f"CREATE TABLE flights ({flights.columns})".encode())
            with connection.cursor().copy(b"COPY flights (month, origin, dest, distance, carrier) FROM STDIN") as copy:
                for flight in _FLIGHTS:
                    copy.write_row((*flight, "AA"))
        with console.capture() as told:
            assert run_deliveries(server, there, tmp_path / "files")
        assert f"{_LEFT:,} flights" in " ".join(told.get().split())
    finally:
        server.stop()
