"""The tour's third act: a view goes out to PostgreSQL and to Parquet files, and whatever is killed, all three agree."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from server.demo.postgres import DemoPostgres
from server.demo.server import DemoServer
from server.demo.show import Connection, ask, clock, console, say, scene, since

_PATIENCE_S = 180.0
_SETUP = """
CREATE MATERIALIZED VIEW traffic AS
    SELECT origin, dest, count(*) AS flights, sum(distance) AS miles FROM flights GROUP BY origin, dest;
CREATE CONNECTION warehouse TO POSTGRES
    (HOST '{host}', PORT {port}, DATABASE postgres, USER headwater, SSL MODE disable);
CREATE SINK traffic_there FROM traffic INTO POSTGRES CONNECTION warehouse (TABLE = 'traffic') KEY (origin, dest);
CREATE SINK traffic_files FROM traffic INTO FILES (PATH = '{files}') FORMAT PARQUET
"""
_TOTALS = "SELECT count(*), sum(flights)::int8, sum(miles)::int8 FROM traffic"
_BUSIEST = "SELECT * FROM traffic ORDER BY flights DESC, dest LIMIT 5"
_STATUSES = "SELECT name, status FROM mz_internal.mz_sink_statuses ORDER BY name"
_CLOSED = (
    "DELETE FROM flights WHERE origin = 'LGA' AND month = 1",
    "UPDATE flights SET origin = 'JFK' WHERE origin = 'EWR' AND month = 2",
)
_MORE = (
    "DELETE FROM flights WHERE dest = 'ATL' AND month > 6",
    "UPDATE flights SET dest = 'OAK' WHERE dest = 'SFO' AND month < 4",
)
_Totals = tuple[int, int, int]


def run_deliveries(server: DemoServer, there: DemoPostgres, files: Path) -> bool:
    """Runs the act: sinks write a view over the server's flights to a PostgreSQL server and to a directory, while
    processes are killed. Returns whether both copies hold the view's rows at the end; raises TimeoutError when the
    copies do not catch up with the view."""
    scene("9. A view goes out, to PostgreSQL and to Parquet files")
    there.start()
    say(f"PostgreSQL answers at {there.host}:{there.port}; the files go to {files}")
    with server.connect() as connection:
        began = clock.now_ms()
        _run_all(connection, _SETUP.format(host=there.host, port=there.port, files=files).strip().split(";\n"))
        _await_both(connection, there, files)
        say(f"three statements; both have all of the view after {since(began):.1f} s")
        with there.connect() as reader:
            ask(reader, "The busiest routes, asked of PostgreSQL", _BUSIEST)
    scene("10. kill -9 of PostgreSQL; flights change meanwhile")
    say(f"killed {', '.join(map(str, there.kill()))}")
    with server.connect() as connection:
        _run_all(connection, _CLOSED)
        _await(connection, _STATUSES, [("traffic_files", "running"), ("traffic_there", "stalled")])
        ask(connection, "The files follow, the other sink waits", _STATUSES)
        began = clock.now_ms()
        there.start()
        _await_both(connection, there, files)
        say(f"it is there again, and has what has changed after {since(began):.1f} s")
    scene("11. kill -9 of every process of Headwater while flights change")
    with server.connect() as connection:
        _run_all(connection, _MORE)
    say(f"killed {', '.join(str(pid) for pid in server.kill_everything())}")
    began = clock.now_ms()
    server.start()
    with server.connect() as connection:
        ours = _await_both(connection, there, files)
        say(f"started again: after {since(began):.1f} s both have what the view has")
        same = _rows(connection) == _rows_there(there)
    told = f"{ours[0]:,} routes of {ours[1]:,} flights and {ours[2]:,} miles: here, in PostgreSQL and in the files"
    console.print(f"\n[bold green]{told}.[/]" if same else f"\n[bold red]{told}, and rows differ![/]")
    return same


def _run_all(connection: Connection, statements: tuple[str, ...] | list[str]) -> None:
    for statement in statements:
        connection.execute(statement.encode())


def _await_both(connection: Connection, there: DemoPostgres, files: Path) -> _Totals:
    """Returns the view's totals, once both destinations have them."""
    ours = _totals(connection)
    began = clock.now_ms()
    while (found := (_totals_there(there), _totals_of(files))) != (ours, ours):
        if since(began) > _PATIENCE_S:
            raise TimeoutError(f"PostgreSQL and the files have {found}, not {ours}")
    return ours


def _await(connection: Connection, query: str, wanted: list[tuple[str, ...]]) -> None:
    began = clock.now_ms()
    while (found := connection.execute(query.encode()).fetchall()) != wanted:
        if since(began) > _PATIENCE_S:
            raise TimeoutError(f"{found}, not {wanted}")


def _totals(connection: Connection) -> _Totals:
    ((routes, flights, miles),) = connection.execute(_TOTALS.encode()).fetchall()
    assert isinstance(routes, int) and isinstance(flights, int) and isinstance(miles, int)
    return routes, flights, miles


def _totals_there(there: DemoPostgres) -> _Totals | None:
    """Returns the totals of the table `traffic` in PostgreSQL; None while the table does not exist, or is empty."""
    with there.connect() as connection:
        known = connection.execute("SELECT to_regclass('traffic') IS NOT NULL").fetchone()
        return _totals(connection) if known == (True,) and connection.execute(_BUSIEST.encode()).fetchall() else None


def _totals_of(files: Path) -> _Totals:
    """Returns the sum of all changes in the files, without hidden directories, which other readers ignore too."""
    routes = flights = miles = 0
    for file in sorted(files.glob("v*/*.parquet")):
        changes = pq.read_table(file)
        diffs = changes.column("mz_diff")
        routes += pc.sum(diffs).as_py() or 0
        flights += pc.sum(pc.multiply(changes.column("flights"), diffs)).as_py() or 0
        miles += pc.sum(pc.multiply(changes.column("miles"), diffs)).as_py() or 0
    return routes, flights, miles


def _rows(connection: Connection) -> list[tuple[object, ...]]:
    return connection.execute(b"SELECT * FROM traffic ORDER BY origin, dest").fetchall()


def _rows_there(there: DemoPostgres) -> list[tuple[object, ...]]:
    with there.connect() as connection:
        return _rows(connection)
