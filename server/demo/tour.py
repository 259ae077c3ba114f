"""The tour's scenes: load, look, change, travel in time, kill everything, find everything; then its other acts."""

from __future__ import annotations

import shutil
from pathlib import Path

from rich.progress import Progress

from server.demo.arrivals import run_arrivals
from server.demo.broker import DemoBroker, broker_program
from server.demo.deliveries import run_deliveries
from server.demo.flights import QUESTIONS, SOURCES, TOTALS, VIEWS, FlightsTable, open_data
from server.demo.postgres import DemoPostgres, postgres_programs
from server.demo.server import DemoServer
from server.demo.show import Connection, ask, clock, console, loading, say, scene, since

_CHUNK = 256 * 1024
_ARRIVALS = 100_000


def run_demo(data_dir: Path) -> int:
    """Runs the tour on a fresh data directory; 0, or 1 when an answer changed that must not."""
    shutil.rmtree(data_dir, ignore_errors=True)
    server = DemoServer(data_dir)
    try:
        return 0 if all([_tour(server), _second_act(server), _third_act(server, data_dir / "deliveries")]) else 1
    finally:
        server.stop()


def _second_act(server: DemoServer) -> bool:
    try:
        broker = DemoBroker(broker_program())
    except FileNotFoundError as error:
        say(f"the second act, flights through Kafka, is left out: {error}")
        return True
    try:
        return run_arrivals(server, broker, _ARRIVALS)
    finally:
        broker.stop()


def _third_act(server: DemoServer, files: Path) -> bool:
    try:
        there = DemoPostgres(postgres_programs())
    except FileNotFoundError as error:
        say(f"the third act, a view that goes out to PostgreSQL, is left out: {error}")
        return True
    try:
        return run_deliveries(server, there, files)
    finally:
        there.stop()


def _tour(server: DemoServer) -> bool:
    scene("1. Start a server")
    began = clock.now_ms()
    server.start()
    say(f"it listens after {since(began):.1f} s; any PostgreSQL client can connect: psql {server.url}")
    with server.connect() as connection:
        scene("2. Load 336,776 flights, with airlines, airports, planes and weather, by COPY")
        _load(connection)
        scene("3. Views, and questions of them (Spark answers)")
        for name, query in VIEWS.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        for title, question in QUESTIONS.items():
            ask(connection, title, question)
        before = _now(connection)
        _change(connection)
        _travel(connection, before)
        expected = _facts(connection)
        past = _totals_at(connection, before)
    scene("5. kill -9 of every process: the server, the replica, Spark")
    say(f"killed {', '.join(str(pid) for pid in server.kill_everything())}")
    began = clock.now_ms()
    server.start()
    say(f"started again: it listens after {since(began):.1f} s")
    with server.connect() as connection:
        same = _facts(connection) == expected and _totals_at(connection, before) == past
        ask(connection, "The same question after the crash", TOTALS)
    console.print(
        "\n[bold green]Same answers, now and AS OF the past.[/]" if same else "\n[bold red]The answers changed![/]"
    )
    return same


def _load(connection: Connection) -> None:
    with loading() as progress:
        for source in SOURCES:
            connection.execute(f"CREATE TABLE {source.table} ({source.columns})")
            _copy(connection, source, progress)


def _copy(connection: Connection, source: FlightsTable, progress: Progress) -> None:
    data, size = open_data(source)
    task = progress.add_task(source.table, total=size, rows="")
    statement = f"COPY {source.table} FROM STDIN WITH (FORMAT csv, HEADER, NULL 'NA')"
    with data, connection.cursor() as cursor:
        began = clock.now_ms()
        with cursor.copy(statement) as copy:
            while chunk := data.read(_CHUNK):
                copy.write(chunk)
                progress.advance(task, len(chunk))
        rate = cursor.rowcount / (since(began))
        progress.update(task, completed=size, rows=f"{cursor.rowcount:,} rows, {rate:,.0f}/s")


def _change(connection: Connection) -> None:
    scene("4. Change the past's records, and travel back")
    deleted = connection.execute("DELETE FROM flights WHERE dep_time IS NULL").rowcount
    say(f"DELETE of flights that never left: {deleted:,} rows")
    updated = connection.execute("UPDATE flights SET carrier = 'US' WHERE carrier = 'AA'").rowcount
    say(f"UPDATE: American Airlines' flights become US Airways': {updated:,} rows")
    with connection.transaction():
        connection.execute("INSERT INTO airlines VALUES ('HW', 'Headwater Air')")
        connection.execute(
            "INSERT INTO flights (year, month, day, carrier, flight, origin, dest, distance)"
            " VALUES (2013, 12, 31, 'HW', 1, 'JFK', 'SFO', 2586)"
        )
    say("one transaction over two tables: a new airline with its first flight")


def _travel(connection: Connection, before: int) -> None:
    ask(connection, "Flights by carrier, now", TOTALS)
    ask(connection, f"The same AS OF {before}, before the changes", f"{TOTALS} AS OF {before}")


def _now(connection: Connection) -> int:
    row = connection.execute("SELECT mz_now()::text::int8 FROM (SELECT count(*) FROM airlines) AS now").fetchone()
    assert row is not None and isinstance(row[0], int)
    return row[0]


def _facts(connection: Connection) -> list[tuple[object, ...]]:
    query = (
        "SELECT (SELECT count(*) FROM flights), (SELECT sum(distance) FROM flights), (SELECT count(*) FROM airlines)"
    )
    return connection.execute(query).fetchall() + connection.execute(TOTALS).fetchall()


def _totals_at(connection: Connection, time_: int) -> list[tuple[object, ...]]:
    return connection.execute(f"{TOTALS} AS OF {time_}").fetchall()
