"""The suite's three tables in SQL, and their events cut into slices of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from benchmarks.loading import Connection, as_csv, copy_in
from benchmarks.nexmark.events import Events

COLUMNS = {
    "person": "id bigint, name text, email_address text, credit_card text, city text, state text,"
    " date_time timestamp, extra text",
    "auction": "id bigint, item_name text, description text, initial_bid bigint, reserve bigint, date_time timestamp,"
    " expires timestamp, seller bigint, category bigint, extra text",
    "bid": "auction bigint, bidder bigint, price bigint, channel text, url text, date_time timestamp, extra text",
}


@dataclass(frozen=True, slots=True)
class Slice:
    """CSV by table, of events of one stretch of time."""

    csv: dict[str, bytes]

    def write(self, connection: Connection) -> None:
        for name, data in self.csv.items():
            if data:
                copy_in(connection, name, data)


def by_name(events: Events) -> dict[str, pa.Table]:
    return {"person": events.person, "auction": events.auction, "bid": events.bid}


def slices(events: Events, count: int) -> list[Slice]:
    """`count` stretches of all tables; each has its share of every table, in order of time."""
    tables = by_name(events)
    return [Slice({name: as_csv(part) for name, part in _parts(tables, index, count)}) for index in range(count)]


def _parts(tables: dict[str, pa.Table], index: int, count: int) -> Iterator[tuple[str, pa.Table]]:
    for name, table in tables.items():
        start, end = (table.num_rows * step // count for step in (index, index + 1))
        yield name, table.slice(start, end - start)
