"""What it costs to bring rows of each type from Arrow to the wire, beside PostgreSQL's COPY of them to nowhere."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import psycopg
import pyarrow as pa

from benchmarks.loading import Connection
from benchmarks.report import Measure
from benchmarks.server import postgresql
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.context import DEFAULT_CONTEXT
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INET,
    INT2,
    INT4,
    INT8,
    INTERVAL,
    JSON,
    JSONB,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    UUID,
    VARBIT,
    VARCHAR,
    ScalarType,
    array_of,
)
from server.pgwire.encoding.data_rows import RowEncoder
from server.pgwire.encoding.dispatch import receiver
from server.pgwire.messages import BINARY_FORMAT, TEXT_FORMAT

_BATCH_ROWS = 16_384
_RUNS = 3
_FORMATS = {"text": TEXT_FORMAT, "binary": BINARY_FORMAT}

# By PostgreSQL's name: the type, and its value in row g.
_TYPES: dict[str, tuple[ScalarType, str]] = {
    "boolean": (BOOL, "g % 2 = 0"),
    "smallint": (INT2, "g % 30000"),
    "integer": (INT4, "g * 17"),
    "bigint": (INT8, "g::bigint * 1000000007"),
    "real": (FLOAT4, "g / 7.0"),
    "double precision": (FLOAT8, "g / 7.0::float8"),
    "numeric": (NUMERIC, "round(g / 7.0, 4)"),
    "text": (TEXT, "md5(g::text)"),
    "varchar": (VARCHAR, "md5(g::text)"),
    "bytea": (BYTEA, "decode(md5(g::text), 'hex')"),
    "date": (DATE, "date '2020-01-01' + g % 5000"),
    "time": (TIME, "time '00:00' + g * interval '1.001 s'"),
    "timetz": (TIMETZ, "timetz '00:00+02' + g * interval '1.001 s'"),
    "timestamp": (TIMESTAMP, "timestamp '2020-01-01' + g * interval '61.001 s'"),
    "timestamptz": (TIMESTAMPTZ, "timestamptz '2020-01-01 00:00+00' + g * interval '61.001 s'"),
    "interval": (INTERVAL, "g * interval '1 day 3.5 s'"),
    "uuid": (UUID, "md5(g::text)::uuid"),
    "varbit": (VARBIT, "g::bit(32)::varbit"),
    "inet": (INET, "inet '10.0.0.0' + g"),
    "json": (JSON, "json_build_object('a', g, 'b', md5(g::text))"),
    "jsonb": (JSONB, "jsonb_build_object('a', g, 'b', md5(g::text))"),
    "integer[]": (array_of(INT4), "ARRAY[g, g + 1, NULL]"),
    "text[]": (array_of(TEXT), "ARRAY[md5(g::text), 'a b', NULL]"),
}


def measure_encoding(rows: int) -> Iterator[Measure]:
    """Milliseconds; in a note how many times PostgreSQL's that is."""
    with postgresql() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET timezone = 'UTC'")
        for name, (type_, value) in _TYPES.items():
            connection.execute("DROP TABLE IF EXISTS encoded")
            query = f"SELECT ({value})::{name} AS v FROM generate_series(1, {rows}) AS g"
            connection.execute(f"CREATE TEMP TABLE encoded AS {query}".encode())
            desc = relation_desc(("v", type_))
            read = receiver(type_, TEXT_FORMAT, DEFAULT_CONTEXT)
            values = connection.execute("SELECT v::text FROM encoded").fetchall()
            batches = rows_to_arrow([(read(str(text).encode()),) for (text,) in values], desc).to_batches(_BATCH_ROWS)
            for format_ in _FORMATS:
                ours = _median_ms(lambda: _encode(batches, desc, format_))  # noqa: B023 (called at once)
                theirs = _median_ms(lambda: _copy(connection, format_))  # noqa: B023
                note = f"{ours / theirs:.1f} times PostgreSQL's {theirs:,.0f} ms"
                yield Measure(f"encoding {rows:,} rows of {name}, {format_}", ours, "ms", note=note)


def _encode(batches: list[pa.RecordBatch], desc: RelationDesc, format_: str) -> None:
    encoder = RowEncoder(desc, [_FORMATS[format_]], DEFAULT_CONTEXT)
    for batch in batches:
        encoder.encode(rows_from_arrow(pa.Table.from_batches([batch]), desc))


def _copy(connection: Connection, format_: str) -> None:
    connection.execute(f"COPY encoded TO '/dev/null' (FORMAT {format_})".encode())


def _median_ms(work: Callable[[], None]) -> float:
    times = []
    for _ in range(_RUNS):
        began = time.monotonic()
        work()
        times.append(time.monotonic() - began)
    return statistics.median(times) * 1000
