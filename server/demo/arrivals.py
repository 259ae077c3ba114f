"""The tour's second act: flights arrive through Kafka, and whatever is stopped or killed, each of them counts once."""

from __future__ import annotations

import csv
import io
import itertools
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from server.demo.broker import DemoBroker
from server.demo.flights import SOURCES, open_data
from server.demo.server import DemoServer
from server.demo.show import Connection, ask, clock, console, say, scene, since

_TOPIC = "flights"
_PARTITIONS = 4
_FIELDS = ("carrier", "flight", "origin", "dest", "time_hour")
_PATIENCE_S = 120.0
_LEADERS = "SELECT * FROM miles_flown ORDER BY miles DESC LIMIT 5"
_TOTALS = "SELECT sum(flights)::int8, sum(miles)::int8 FROM miles_flown"
_PROGRESS = 'SELECT * FROM arrivals_progress ORDER BY "partition"'
_SETUP = """
CREATE CONNECTION kafka TO KAFKA (BROKER '{address}');
CREATE SOURCE arrivals FROM KAFKA CONNECTION kafka (TOPIC 'flights') KEY FORMAT TEXT VALUE FORMAT JSON
    INCLUDE KEY, PARTITION, OFFSET WITH (RETAIN HISTORY = FOR '1 h');
CREATE MATERIALIZED VIEW miles_flown WITH (RETAIN HISTORY FOR '1 h') AS
    SELECT a.name AS airline, count(*) AS flights, sum((f.data->>'distance')::int) AS miles
    FROM arrivals f JOIN airlines a ON a.carrier = f.key GROUP BY a.name
"""


@dataclass(slots=True)
class _Sent:
    """The flights that the broker has: their count and their miles."""

    flights: int = 0
    miles: int = 0


def run_arrivals(server: DemoServer, broker: DemoBroker, flights: int) -> bool:
    """Sends so many flights in four parts, over a running server with the table of airlines; whether all totals were
    right in the end. Raises TimeoutError when they don't come to be."""
    source, sent = _flights(), _Sent()
    quarter = flights // 4
    scene("6. Flights arrive through Kafka, and a view follows")
    broker.start()
    broker.create_topic(_TOPIC, _PARTITIONS)
    say(f"a broker answers at {broker.address}")
    with server.connect() as connection:
        for statement in _SETUP.format(address=broker.address).split(";\n"):
            connection.execute(statement.encode())
        _send(broker, source, quarter, sent)
        _await_totals(connection, sent)
        ask(connection, "Miles flown, by a source joined with a table", _LEADERS)
        ask(connection, "How far the source has come, at that time", _PROGRESS)
        _stop_the_broker(connection, broker, source, quarter, sent)
        before = _time(connection)
        past = connection.execute(f"{_TOTALS} AS OF {before}".encode()).fetchall()
    _kill_everything(server, broker, source, quarter, sent)
    with server.connect() as connection:
        _await_totals(connection, sent)
        ask(connection, "Miles flown, after all that", _LEADERS)
        ask(connection, "How far the source has come", _PROGRESS)
        facts = connection.execute(b"SELECT count(*), sum((data->>'distance')::int8)::int8 FROM arrivals").fetchall()
        same = (
            facts == [(sent.flights, sent.miles)]
            and connection.execute(f"{_TOTALS} AS OF {before}".encode()).fetchall() == past
        )
    told = f"{sent.flights:,} flights were sent, {facts[0][0]:,} are there, each once."
    console.print(f"\n[bold green]{told}[/]" if same else f"\n[bold red]{told} The totals are wrong![/]")
    return same


def _stop_the_broker(
    connection: Connection, broker: DemoBroker, source: Iterator[tuple[str, str, int]], count: int, sent: _Sent
) -> None:
    scene("7. The broker stops, and goes on")
    broker.pause()
    began = clock.now_ms()
    ask(connection, "It answers nobody (SIGSTOP); reads go on, over the same rows, at a later time", _PROGRESS)
    _await_totals(connection, sent)
    broker.resume()
    _send(broker, source, count, sent)
    _await_totals(connection, sent)
    say(f"it goes on (SIGCONT); {count:,} flights later the view has all {sent.flights:,}, after {since(began):.1f} s")


def _kill_everything(
    server: DemoServer, broker: DemoBroker, source: Iterator[tuple[str, str, int]], count: int, sent: _Sent
) -> None:
    scene("8. kill -9 of every process while flights arrive")
    sending = threading.Thread(target=_send, args=(broker, source, 2 * count, sent))
    sending.start()
    say(f"killed {', '.join(str(pid) for pid in server.kill_everything())}; the broker goes on taking flights")
    began = clock.now_ms()
    server.start()
    sending.join()
    with server.connect() as connection:
        _await_totals(connection, sent)
    say(f"started again: after {since(began):.1f} s the view has all {sent.flights:,}")


def _flights() -> Iterator[tuple[str, str, int]]:
    """Yields carrier, the flight as JSON, and its miles; again from the beginning when there are no more."""
    (data,) = (open_data(source)[0] for source in SOURCES if source.table == "flights")
    with data:
        flights = [
            (row["carrier"], json.dumps({**{name: row[name] for name in _FIELDS}, "distance": int(row["distance"])}))
            for row in csv.DictReader(io.TextIOWrapper(data))
        ]
    for carrier, flight in itertools.cycle(flights):
        yield carrier, flight, int(json.loads(flight)["distance"])


def _send(broker: DemoBroker, source: Iterator[tuple[str, str, int]], count: int, sent: _Sent) -> None:
    flights = list(itertools.islice(source, count))
    broker.produce(_TOPIC, ((carrier, flight) for carrier, flight, _ in flights))
    sent.flights += count
    sent.miles += sum(miles for *_, miles in flights)


def _await_totals(connection: Connection, sent: _Sent) -> None:
    """Returns once the view has all that was sent; raises TimeoutError when that takes too long."""
    began = clock.now_ms()
    while connection.execute(_TOTALS.encode()).fetchall() != [(sent.flights, sent.miles)]:
        if since(began) > _PATIENCE_S:
            raise TimeoutError(f"the view has not come to {sent.flights:,} flights of {sent.miles:,} miles")


def _time(connection: Connection) -> int:
    row = connection.execute(b"SELECT mz_now()::text::int8 FROM (SELECT count(*) FROM miles_flown) AS now").fetchone()
    assert row is not None and isinstance(row[0], int)
    return row[0]
