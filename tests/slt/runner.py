"""Runs records through a connection, and says where an answer differs from the expected one.

numeric columns are compared by value, to 18 digits after the point: Headwater holds no more, and no display scale.
Everything else is compared as text.
"""

from __future__ import annotations

import dataclasses
import decimal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg.postgres import types as pg_types

from tests.slt.records import Query, Record, Statement

Connection = psycopg.Connection[tuple[object, ...]]

_COUNTED = ("INSERT", "UPDATE", "DELETE", "MERGE")
_NUMERIC_DIGITS = decimal.Decimal("1e-18")
_SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class Difference:
    """`expected` and `actual` are records as a file would hold them."""

    expected: Record
    actual: Record

    def __str__(self) -> str:
        place = f"line {self.expected.line}: {self.expected.sql}"
        return f"{place}\n  expected {_told(self.expected)}\n  got      {_told(self.actual)}"


def _told(record: Record) -> str:
    match record:
        case Statement(error=str() as error):
            return f"error {error}"
        case Statement(count=count):
            return "success" if count is None else f"{count} rows"
        case Query(types=types, rows=rows):
            return f"{','.join(types)}: {'; '.join(rows[:12])}{' …' * (len(rows) > 12)}"


@contextmanager
def own_schema(connection: Connection, name: str) -> Iterator[None]:
    """A schema of that name as the only one on the search path, empty before and gone after."""
    connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
    connection.execute(f"CREATE SCHEMA {name}")
    connection.execute(f"SET search_path TO {name}")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.execute("RESET search_path")
        connection.execute(f"DROP SCHEMA {name} CASCADE")


def observe(connection: Connection, record: Record) -> Record:
    """The record with what the connection answers in place of what was expected; that it took too long is no answer."""
    try:
        cursor = connection.execute(record.sql.encode())
    except psycopg.errors.QueryCanceled:
        raise
    except psycopg.Error as error:
        if connection.broken:
            raise
        return Statement(record.sql, record.line, record.comments, record.skipped, error=error.sqlstate or "?")
    result = cursor.pgresult
    assert result is not None
    if result.nfields == 0:
        counted = (cursor.statusmessage or "").startswith(_COUNTED)
        count = cursor.rowcount if counted else None
        return Statement(record.sql, record.line, record.comments, record.skipped, count=count)
    types = tuple(_type_name(result.ftype(column)) for column in range(result.nfields))
    rows = [
        _SEPARATOR.join(_cell(result.get_value(row, column)) for column in range(result.nfields))
        for row in range(result.ntuples)
    ]
    rowsort = isinstance(record, Query) and record.rowsort
    colnames = isinstance(record, Query) and record.colnames
    if rowsort:
        rows.sort()
    if colnames:
        rows.insert(0, _SEPARATOR.join((result.fname(column) or b"").decode() for column in range(result.nfields)))
    return Query(record.sql, record.line, record.comments, record.skipped, types, rowsort, colnames, tuple(rows))


def run(connection: Connection, records: list[Record]) -> list[Difference]:
    """Runs all records in order; the differences. A broken connection raises psycopg.Error."""
    differences = []
    for record in records:
        actual = observe(connection, record)
        if comparable(actual) != comparable(record):
            differences.append(Difference(record, actual))
    return differences


def comparable(record: Record) -> Record:
    """The record with its numerics in one form."""
    if not isinstance(record, Query) or not any(name.startswith("numeric") for name in record.types):
        return record
    rows = [_comparable_row(row, record.types) for row in record.rows]
    return dataclasses.replace(record, rows=tuple(sorted(rows) if record.rowsort else rows))


def _comparable_row(row: str, types: tuple[str, ...]) -> str:
    cells = row.split(_SEPARATOR)
    if len(cells) != len(types):
        return row
    pairs = zip(cells, types, strict=True)
    return _SEPARATOR.join(_comparable_cell(cell) if name.startswith("numeric") else cell for cell, name in pairs)


def _comparable_cell(cell: str) -> str:
    if cell.startswith("{"):
        return "{" + ",".join(_comparable_cell(item) for item in cell[1:-1].split(",")) + "}"
    try:
        value = decimal.Decimal(cell)
    except decimal.InvalidOperation:
        return cell
    if not value.is_finite():
        return cell
    with decimal.localcontext(prec=200):
        value = value.quantize(_NUMERIC_DIGITS, decimal.ROUND_HALF_UP)
        return format(value.normalize() + 0, "f")


_FIRST_USER_OID = 16384


def _type_name(oid: int) -> str:
    info = pg_types.get(oid)
    if info is None:
        # A type that the database numbers itself, such as a table's rows, has another oid each time.
        return "user_defined" if oid >= _FIRST_USER_OID else str(oid)
    return f"{info.name}[]" if oid == info.array_oid else info.name


def _cell(value: bytes | None) -> str:
    if value is None:
        return "NULL"
    return value.decode().replace("\n", "\\n") or "(empty)"
