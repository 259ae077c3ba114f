"""A database of the judge's that is read from, and what a reader makes of it."""

from __future__ import annotations

import shutil
import tempfile
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa

from connectors.gauge import UpstreamFrontier
from connectors.postgres.settings import postgres_settings
from connectors.postgres.source.publications import found_publication
from connectors.postgres.source.reader import PARTITION, PostgresReader
from connectors.postgres.source.slots import drop_slot
from connectors.sources.description import PostgresTables
from connectors.upstream import FetchedRange
from model.errors.sql_error import SqlError
from model.physical.columns import DIFF_COLUMN
from model.physical.wide_times import counted, numbered_date, numbered_moment, numbered_zoned_moment
from model.time.clock import SystemClock
from tests.judge import Judge

PATIENCE_S = 60.0
Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class UpstreamDatabase:
    """Its slots are dropped with it."""

    judge: Judge
    name: str
    connection: Connection

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.connection.execute(statement.encode())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql.encode()).fetchall()

    @property
    def settings(self) -> dict[str, str]:
        options = {"HOST": self.judge.host, "PORT": str(self.judge.port), "DATABASE": self.name, "USER": "headwater"}
        return postgres_settings(options, {})

    def place(self) -> PostgresTables:
        """What is published now, and a slot that there is not yet."""
        slot = f"slot_{uuid.uuid4().hex[:12]}"
        found = found_publication(self.settings, "p", slot)
        return PostgresTables(tuple(self.settings.items()), (), "p", slot, found.system, found.tables)

    def wal_end(self) -> int:
        ((end,),) = self.rows("SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::int8")
        return int(end)


@contextmanager
def upstream_database(judge: Judge, name: str) -> Iterator[UpstreamDatabase]:
    with judge.connect("postgres") as first:
        first.execute(f"CREATE DATABASE {name}".encode())
        # What isn't flushed is not replicated yet.
        first.execute(f"ALTER DATABASE {name} SET synchronous_commit = on".encode())
    with psycopg.connect(judge.dsn(name), autocommit=True) as connection:
        database = UpstreamDatabase(judge, name, connection)
        yield database
        for (slot,) in database.rows("SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"):
            drop_slot(connection, slot)
    with judge.connect("postgres") as last:
        last.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


class Follower:
    """A reader, and what its ranges amount to by table: rows as their columns and error, with how often each is
    there."""

    def __init__(self, place: PostgresTables, *, begun: bool = True) -> None:
        self.place = place
        self.copies = Path(tempfile.mkdtemp(prefix="headwater-copies-"))
        self.contents: dict[str, Counter[tuple[Any, ...]]] = {table.full_name: Counter() for table in place.tables}
        self.frontier: UpstreamFrontier = {}
        self.stopped: dict[str, SqlError] = {}
        self._arrived = threading.Event()
        self.reader = self._opened()
        if begun:
            self.reader.begin({})

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.close()
        shutil.rmtree(self.copies)

    def again(self) -> None:
        """As after a kill: another reader goes on from what is durable."""
        self.reader.close()
        self.reader = self._opened()
        self.reader.begin(self.frontier)

    def _opened(self) -> PostgresReader:
        return PostgresReader(self.place, dict(self.place.settings), SystemClock(), self._arrived.set, self.copies)

    def take(self, records_max: int = 10_000) -> FetchedRange | None:
        """One range, if there is one."""
        self._arrived.clear()
        fetched = self.reader.take(records_max, 32 << 20)
        if fetched is not None:
            for name in fetched.emptied:
                self.contents[name].clear()
            for name, changes in fetched.tables.items():
                held = self.contents[name]
                for *row, diff in zip(*map(_values, changes.columns), strict=True):
                    held[tuple(map(_hashable, row))] += diff
                assert changes.column_names[-1] == DIFF_COLUMN
                assert min(held.values(), default=1) >= 0, "a row goes that never came"
                self.contents[name] = +held
            self.stopped.update(fetched.stopped)
            self.frontier = fetched.frontier
        return fetched

    def follow(self, done: Callable[[], bool]) -> None:
        """Takes what comes until it is what is wanted."""
        while not done():
            if self.take() is None:
                assert self._arrived.wait(PATIENCE_S), f"nothing comes any more: {self.reader.status()}"

    def reach(self, bound: int) -> None:
        """Until all before it is taken. Keepalives don't arrive by themselves."""
        for _ in range(round(PATIENCE_S / 0.05)):
            if self.frontier.get(PARTITION, 0) >= bound:
                return
            if self.take() is None:
                self._arrived.wait(0.05)
        raise AssertionError(f"nothing comes any more: {self.reader.status()}")

    def durable(self) -> None:
        self.reader.acknowledge(self.frontier)

    def stop_of(self, table: str) -> SqlError:
        """Why a table is no longer followed."""
        self.follow(lambda: table in self.stopped)
        return self.stopped[table]

    def failure(self) -> SqlError:
        """Why it can't be read on."""
        while True:
            try:
                if self.take() is None:
                    assert self._arrived.wait(PATIENCE_S), "it does not fail"
            except SqlError as error:
                return error


def _values(column: pa.ChunkedArray) -> list[Any]:
    """Returns a column's values; dates and moments that Python has not as those of ours, where there are any."""
    try:
        values: list[Any] = column.to_pylist()
    except OverflowError:
        value_of: Callable[[int], Any] = numbered_date
        if pa.types.is_timestamp(column.type):
            value_of = numbered_zoned_moment if column.type.tz else numbered_moment
        numbers = column.cast(counted(column.type)).to_pylist()
        values = [None if number is None else value_of(number) for number in numbers]
    return values


def _hashable(value: Any) -> Any:
    return str(value) if isinstance(value, dict | list) or value != value else value


def bag(rows: Sequence[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """Rows as a follower holds those without an error."""
    return Counter((*row, None) for row in rows)
