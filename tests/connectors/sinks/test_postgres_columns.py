"""Columns of a table of PostgreSQL's that is there: what it changes without a word in one is refused, and what it keeps
is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from connectors.postgres.driver_columns import FOUND_COLUMNS, StandingColumn, holds
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    JSON,
    JSONB,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
    numeric,
    type_text,
)
from tests.judge import Judge

_WANTED: tuple[tuple[ScalarType, tuple[str, ...]], ...] = (
    (INT2, ("-32768", "7")),
    (INT4, ("2147483647", "16777217")),
    (INT8, ("9223372036854775807", "9007199254740993")),
    (numeric(10, 2), ("99999999.99", "1.55", "-0.01")),
    (numeric(4, 0), ("9999",)),
    (ScalarType(TypeName.NUMERIC), ("1.123456789012345678", "12345678901234567890.5")),
    (WIDE, ("NaN", "Infinity", f"{'9' * 60}.{'1' * 40}")),
    (replace(numeric(50, 2), name=TypeName.WIDE), (f"{'9' * 48}.01",)),
    (FLOAT4, ("1.1", "3.4028235e+38", "NaN")),
    (FLOAT8, ("1.1", "1e+300", "0.1234567890123456", "Infinity")),
    (TEXT, ("a  ", "longer than others", "")),
    (ScalarType(TypeName.VARCHAR, 12), ("a  ", "12345678")),
    (ScalarType(TypeName.BPCHAR, 11), ("abc",)),
    (BOOL, ("t",)),
    (BYTEA, ("\\x00ff",)),
    (DATE, ("2026-11-27",)),
    (TIME, ("10:00:00.123456",)),
    (TIMESTAMP, ("2026-11-27 10:00:00.123456",)),
    (ScalarType(TypeName.TIMESTAMP, 3), ("2026-11-27 10:00:00.123",)),
    (TIMESTAMPTZ, ("2026-11-27 10:00:00.123456+00",)),
    (ScalarType(TypeName.INTERVAL), ("1 mon 2 days 03:04:05.678901",)),
    (ScalarType(TypeName.VARBIT), ("10101",)),
    (UUID, ("cfcb9a0c-8b95-4dd4-9a8b-97962852011d",)),
    (JSON, ('{"b": 1,  "a": 1, "a": 2}',)),
    (JSONB, ('{"a": 1}',)),
    (array_of(INT4), ("{1,NULL,2147483647}",)),
    (array_of(numeric(10, 2)), ("{1.55}",)),
    (array_of(TEXT), ('{"a  ",b}',)),
)
_FOUND = (
    *("int2", "int4", "int8", "numeric", "numeric(10, 1)", "numeric(12, 2)", "numeric(9, 2)", "numeric(19, 0)", "real"),
    *("float8", "text", "varchar", "varchar(8)", "varchar(7)", "varchar(20)", "char(7)", "char(20)", '"char"', "name"),
    *("bool", "bytea", "date", "time", "time(0)", "timestamp", "timestamp(0)", "timestamp(3)", "timestamptz"),
    *("timestamptz(2)", "interval", "interval(2)", "interval day to second", "varbit", "varbit(3)", "bit(5)", "uuid"),
    *("json", "jsonb", "int4[]", "int2[]", "int8[]", "numeric(10, 1)[]", "numeric[]", "text[]", "varchar(2)[]"),
    *("narrow", "same_number", "mood", "money", "xml"),
)


def _column(connection: psycopg.Connection[tuple[Any, ...]], table: str) -> StandingColumn:
    oid = connection.execute("SELECT %s::regclass::oid", (table,)).fetchone()
    ((_, *told),) = connection.execute(FOUND_COLUMNS, oid).fetchall()
    return StandingColumn(*told)


def _kept(connection: psycopg.Connection[tuple[Any, ...]], table: str, type_: str, value: str) -> bool | None:
    """Whether a value comes back as what it was; None where it is refused."""
    same = f'(SELECT x::text FROM {table})::{type_}::text COLLATE "C" = (%s::{type_})::text'
    try:
        with connection.transaction():
            connection.execute(f"INSERT INTO {table} VALUES (%s)".encode(), (value,))
            found = connection.execute(f"SELECT {same}".encode(), (value,)).fetchone()
            connection.execute(f"DELETE FROM {table}".encode())
    except psycopg.Error:
        return None
    assert found is not None
    return bool(found[0])


@pytest.mark.parametrize(("wanted", "values"), _WANTED, ids=lambda each: str(each))
def test_what_changes_in_a_column_is_refused(judge: Judge, wanted: ScalarType, values: tuple[str, ...]) -> None:
    """And what PostgreSQL keeps, of the types that are said to be wider, is taken."""
    text = type_text(wanted)
    with judge.connect() as connection, connection.transaction(force_rollback=True):
        connection.execute("CREATE DOMAIN narrow AS numeric(10, 1)")
        connection.execute("CREATE DOMAIN same_number AS numeric(10, 2)")
        connection.execute("CREATE TYPE mood AS ENUM ('a', 'b')")
        connection.execute("SET bytea_output = 'hex'")
        taken = []
        for number, found in enumerate(_FOUND):
            connection.execute(f"CREATE TABLE t{number} (x {found})".encode())
            is_taken = holds(_column(connection, f"t{number}"), wanted)
            taken += [found] if is_taken else []
            for value in values:
                kept = _kept(connection, f"t{number}", text, value)
                assert kept is not False or not is_taken, f"{value} of {text} is another one in {found}"
                assert kept is not None or not is_taken or found == "mood", f"{found} does not take {value} of {text}"
        assert {"text", "varchar"} <= set(taken) or wanted.element is not None
        assert len(taken) < len(_FOUND) / 2


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (INT4, "int8"),
        (INT8, "numeric(19, 0)"),
        (numeric(10, 2), "numeric(12, 2)"),
        (numeric(10, 2), "same_number"),
        (WIDE, "numeric"),
        (replace(numeric(50, 2), name=TypeName.WIDE), "numeric(52, 4)"),
        (FLOAT4, "float8"),
        (ScalarType(TypeName.VARCHAR, 12), "varchar(20)"),
        (ScalarType(TypeName.TIMESTAMP, 3), "timestamp"),
        (TEXT, "mood"),
        (array_of(INT4), "int8[]"),
        (JSONB, "json"),
    ],
    ids=str,
)
def test_what_is_wider_is_taken(judge: Judge, wanted: ScalarType, found: str) -> None:
    with judge.connect() as connection, connection.transaction(force_rollback=True):
        connection.execute("CREATE DOMAIN same_number AS numeric(10, 2)")
        connection.execute("CREATE TYPE mood AS ENUM ('a', 'b')")
        connection.execute(f"CREATE TABLE wider (x {found})".encode())
        assert holds(_column(connection, "wider"), wanted)
