"""Tables of SQLite and of lakes that are there: a column that would make another value of what is written is refused,
and what is kept there is taken."""

from __future__ import annotations

from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BYTEA, DATE, FLOAT8, INT4, INT8, NUMERIC, TEXT, TIMESTAMP, ScalarType, numeric
from tests.connectors.sinks.destinations import (
    RealDestination,
    delta_destination,
    iceberg_destination,
    sqlite_destination,
)
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into

_VALUES: tuple[tuple[ScalarType, tuple[str, ...]], ...] = (
    (INT8, ("9223372036854775807", "9007199254740993", "-1")),
    (FLOAT8, ("0.1234567890123456", "3", "1e+300")),
    (NUMERIC, ("1.10", "12345678901234567890.123456789")),
    (TEXT, ("1.0", "007", "a", "1e3")),
    (DATE, ("2026-11-27", "0044-03-15")),
    (TIMESTAMP, ("2026-11-27 10:00:00",)),
    (BYTEA, ("\\x31",)),
)
_DECLARED = (
    "INTEGER",
    "BIGINT",
    "TEXT",
    "VARCHAR(5)",
    "REAL",
    "DOUBLE",
    "NUMERIC",
    "DECIMAL(10, 2)",
    "DATE",
    "BLOB",
    "",
)


def _opened(destination: RealDestination, type_: ScalarType) -> DriverSession:
    desc = relation_desc(("k", INT4), ("v", type_))
    session = DriverSession(destination.driver(), sink_into(destination.place, desc=desc), RecoveryLog())
    session.acknowledge()
    return session


@pytest.mark.parametrize("declared", _DECLARED)
@pytest.mark.parametrize(("type_", "values"), _VALUES, ids=str)
def test_sqlite_keeps_what_is_written_or_the_table_is_refused(
    tmp_path: Path, type_: ScalarType, values: tuple[str, ...], declared: str
) -> None:
    rows = [(at, parse_datum(value, type_)) for at, value in enumerate(values)]
    (tmp_path / "made").mkdir()
    with closing(sqlite_destination(tmp_path / "made")) as made, closing(sqlite_destination(tmp_path)) as there:
        assert made.execute is not None and there.execute is not None
        there.execute(f"CREATE TABLE t (k INTEGER PRIMARY KEY, v {declared})")
        sessions, refused = [_opened(made, type_)], Sqlstate.DATATYPE_MISMATCH
        try:
            sessions.append(_opened(there, type_))
        except SqlError as error:
            refused = error.sqlstate
        for session in sessions:
            session.transact([(row, 1) for row in rows], 10)
        query = "SELECT k, v FROM t ORDER BY k"
        if len(sessions) == 2:
            assert there.execute(query) == made.execute(query), "as in the table that a sink makes"
    assert refused is Sqlstate.DATATYPE_MISMATCH


@pytest.mark.parametrize(
    ("type_", "declared"), [(INT8, "BIGINT"), (FLOAT8, "DOUBLE"), (NUMERIC, "VARCHAR(5)"), (DATE, "DATE"), (TEXT, "")]
)
def test_sqlite_is_taken_with_other_names_of_its_types(tmp_path: Path, type_: ScalarType, declared: str) -> None:
    with closing(sqlite_destination(tmp_path)) as destination:
        assert destination.execute is not None
        destination.execute(f"CREATE TABLE t (k INTEGER PRIMARY KEY, v {declared})")
        _opened(destination, type_)


@pytest.mark.parametrize(
    ("type_", "there"),
    [
        (numeric(10, 2), pa.decimal128(10, 1)),
        (numeric(10, 2), pa.decimal128(12, 2)),
        (FLOAT8, pa.float32()),
        (INT8, pa.int32()),
        (TEXT, pa.int32()),
        (TIMESTAMP, pa.date32()),
    ],
    ids=str,
)
def test_a_lake_with_columns_of_other_types_is_refused(tmp_path: Path, type_: ScalarType, there: pa.DataType) -> None:
    with closing(delta_destination(str(tmp_path))) as destination:
        DeltaTable.create(destination.place.uri, pa.schema([("k", pa.int32()), ("v", there)]))  # type: ignore[attr-defined]
        with pytest.raises(SqlError, match='column "v" is') as refused:
            _opened(destination, type_)
    assert refused.value.sqlstate is Sqlstate.DATATYPE_MISMATCH


def test_an_iceberg_table_with_columns_of_other_types_is_refused(tmp_path: Path) -> None:
    with closing(iceberg_destination(tmp_path)) as destination:
        _opened(destination, numeric(10, 1)).transact([((1, Decimal("1.5")), 1)], 10)
    with closing(iceberg_destination(tmp_path)) as destination:
        with pytest.raises(SqlError, match='column "v" is'):
            _opened(destination, numeric(10, 2))
