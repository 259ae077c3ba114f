"""Every type through a destination and back: PostgreSQL reads what it was given as the same value, byte for byte."""

from __future__ import annotations

import datetime
import json
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from connectors.sinks.fences import CHECKPOINTS
from connectors.sinks.messages import Load, Loaded
from connectors.sinks.plain_columns import plain_columns
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import FileFormat
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT, ScalarType, TypeName, array_of, numeric
from model.types.time_of_day import END_OF_DAY
from planner.statements.sinks.create_sink import KEY_TYPES
from tests.connectors.sinks.destinations import (
    RealDestination,
    delta_destination,
    files_destination,
    iceberg_destination,
    postgres_destination,
)
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into
from tests.judge import Judge

VALUES: dict[ScalarType, list[str]] = {
    ScalarType(TypeName.BOOL): ["t", "f"],
    ScalarType(TypeName.INT2): ["-32768", "32767"],
    ScalarType(TypeName.INT4): ["-2147483648", "2147483647"],
    ScalarType(TypeName.INT8): ["-9223372036854775808", "9223372036854775807"],
    ScalarType(TypeName.UINT2): ["0", "65535"],
    ScalarType(TypeName.UINT4): ["0", "4294967295"],
    ScalarType(TypeName.UINT8): ["0", "18446744073709551615"],
    ScalarType(TypeName.FLOAT4): ["0", "-1.5", "3.4e38", "1e-40", "NaN", "Infinity", "-Infinity"],
    ScalarType(TypeName.FLOAT8): ["0", "0.1", "1e308", "5e-324", "123456789012345680", "NaN", "-Infinity"],
    ScalarType(TypeName.NUMERIC): ["0", "-12345678901234567890.123456789012345678"],
    numeric(12, 2): ["0.00", "-0.01", "9999999999.99"],
    numeric(20, 12): ["0.000000000001", "12345678.000000000000"],
    ScalarType(TypeName.TEXT): ["", "NULL", "\\N", "a,b", '"', "'", "\r\n\t", "ünï ☃ 𝄞", " x ", "\\."],
    ScalarType(TypeName.VARCHAR): ["", "x"],
    ScalarType(TypeName.BPCHAR): ["x"],
    ScalarType(TypeName.CHAR): ["x", ""],
    ScalarType(TypeName.NAME): ["pg_class"],
    ScalarType(TypeName.BYTEA): ["\\x", "\\x00ff5c22", "\\x2c0a"],
    ScalarType(TypeName.DATE): ["0001-01-01", "9999-12-31", "2026-11-23"],
    ScalarType(TypeName.TIME): ["00:00:00", "23:59:59.999999"],
    ScalarType(TypeName.TIMETZ): ["00:00:00+15", "23:59:59.999999-15:59"],
    ScalarType(TypeName.TIMESTAMP): [
        "0001-01-01 00:00:00",
        "9999-12-31 23:59:59.999999",
        "2026-11-23 14:00:00.5",
        "2000-01-01 10:00:00",
    ],
    ScalarType(TypeName.TIMESTAMPTZ): ["0001-01-01 00:00:00+00", "2026-11-23 14:00:00.000001+00"],
    ScalarType(TypeName.INTERVAL): ["00:00:00", "-1 years -2 mons +3 days -04:05:06.000007"],
    ScalarType(TypeName.UUID): ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ScalarType(TypeName.INET): ["10.0.0.1/8", "::1"],
    ScalarType(TypeName.CIDR): ["10.0.0.0/8", "fe80::/10"],
    ScalarType(TypeName.MACADDR): ["08:00:2b:01:02:03"],
    ScalarType(TypeName.MACADDR8): ["08:00:2b:01:02:03:04:05"],
    ScalarType(TypeName.VECTOR): ["[1,2.5,-3]"],
    ScalarType(TypeName.POINT): ["(1,2)", "(-0.5,NaN)"],
    ScalarType(TypeName.BOX): ["(3,4),(1,2)"],
    ScalarType(TypeName.LSEG): ["[(1,2),(3,4)]"],
    ScalarType(TypeName.CIRCLE): ["<(1,2),3>"],
    ScalarType(TypeName.MONEY): ["$0.00", "-$1,234.56"],
    ScalarType(TypeName.JSON): ['{"a" : [1,2.50, "x"]}', "null"],
    ScalarType(TypeName.JSONB): ['{"a": [1, 2.50, "ü", null], "b": {}}', "null", '"text"'],
    ScalarType(TypeName.VARBIT): ["", "10101"],
    ScalarType(TypeName.OID): ["0", "4294967295"],
    array_of(INT4): ["{}", "{1,NULL,3}", "{{1,2},{3,4}}", "[2:3]={7,8}"],
    array_of(ScalarType(TypeName.TEXT)): ['{"a,b","",NULL,"NULL","\\"q\\"","{}"}'],
    array_of(ScalarType(TypeName.TIME)): ["{24:00:00,NULL,00:00:00}"],
    array_of(ScalarType(TypeName.TIMESTAMPTZ)): ['{"2026-11-23 14:00:00+00",NULL}'],
    ScalarType(TypeName.INT4RANGE): ["empty", "[1,5)", "(,7)"],
    ScalarType(TypeName.TSTZRANGE): ['["2026-11-23 14:00:00+00",)'],
    ScalarType(TypeName.NUMMULTIRANGE): ["{[1.5,2.5),(7,)}"],
}


@pytest.mark.in_part(4)
@pytest.mark.fault(36)
@pytest.mark.parametrize("type_", [type_ for type_ in VALUES if type_.name is not TypeName.VECTOR], ids=str)
def test_postgresql_reads_what_it_was_given(type_: ScalarType, judge: Judge) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    with closing(postgres_destination(judge)) as destination:
        assert destination.execute is not None
        sink = sink_into(destination.place, desc=RelationDesc((ColumnDesc("k", INT4), ColumnDesc("v", type_))))
        session = DriverSession(destination.driver(), sink, RecoveryLog())
        session.acknowledge()
        session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
        # And once more, with the key of another in between.
        session.transact([((1000, datums[0]), 1), *(((k, d), -1) for k, d in enumerate(datums))], 20)
        session.transact([((1000, datums[0]), -1), *(((k, d), 1) for k, d in enumerate(datums))], 30)
        shown = destination.execute("SELECT CASE WHEN v IS NOT NULL THEN format('%s', v) END FROM t ORDER BY k")
        assert [text for (text,) in shown] == wanted
        (loaded,) = session.ask(Load(rows_to_arrow([(k,) for k in range(len(datums))], relation_desc(("k", INT4)))))
        assert isinstance(loaded, Loaded)
        read = {row[0]: row[1] for row in rows_from_arrow(loaded.documents, sink.desc)}
        back = [read[k] for k in range(len(datums))]
        assert [None if datum is None else format_datum(datum, type_) for datum in back] == wanted
    destination.execute(f"DROP TABLE t, {CHECKPOINTS}")


@pytest.mark.in_part(4)
@pytest.mark.fault(36)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_files_hold_what_they_were_given(type_: ScalarType, tmp_path: Path) -> None:
    """CSV has PostgreSQL's text of all; JSON and Parquet have what they can hold as it is, which is read back here."""
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    for format_ in (FileFormat.PARQUET, FileFormat.JSON):
        directory = tmp_path / format_.value
        directory.mkdir()
        destination = files_destination(directory, format_)
        desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc("v", type_)))
        session = DriverSession(
            destination.driver(), sink_into(destination.place, keyed=False, desc=desc), RecoveryLog()
        )
        session.acknowledge()
        session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
        destination.close()
        (file,) = (directory / "files" / "v1").glob(f"*.{format_.value}")
        values = _values(file, format_)
        if format_ is FileFormat.JSON and type_.name in (TypeName.JSON, TypeName.JSONB):
            # It is JSON within JSON, where a NULL and JSON's null are one.
            assert values == [None if text is None else json.loads(text, parse_float=Decimal) for text in wanted]
        else:
            assert [_text(value, type_) for value in values] == wanted


def test_parquet_has_no_end_of_the_day() -> None:
    desc = relation_desc(("t", ScalarType(TypeName.TIME)))
    with pytest.raises(SqlError, match="24:00:00") as raised:
        plain_columns(rows_to_arrow([(datetime.time(1),), (END_OF_DAY,), (None,)], desc), desc)
    assert raised.value.sqlstate is Sqlstate.DATETIME_FIELD_OVERFLOW
    assert plain_columns(rows_to_arrow([(None,)], desc), desc).column("t").to_pylist() == [None]


@pytest.fixture(params=["delta", "iceberg"])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> RealDestination:
    """A table of each kind of lake."""
    return delta_destination(str(tmp_path / "t")) if request.param == "delta" else iceberg_destination(tmp_path / "t")


@pytest.mark.in_part(6)
@pytest.mark.fault(36)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_lakes_give_back_what_they_were_given(type_: ScalarType, lake: RealDestination) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc('odd "name"', type_)))
    session = DriverSession(lake.driver(), sink_into(lake.place, desc=desc), RecoveryLog())
    session.acknowledge()
    session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
    session.transact([((1000, datums[0]), 1), *(((k, d), -1) for k, d in enumerate(datums))], 20)
    session.transact([((1000, datums[0]), -1), *(((k, d), 1) for k, d in enumerate(datums))], 30)
    (loaded,) = session.ask(Load(rows_to_arrow([(k,) for k in range(len(datums))], relation_desc(("k", INT4)))))
    assert isinstance(loaded, Loaded)
    read = {row[0]: row[1] for row in rows_from_arrow(loaded.documents, desc)}
    back = [read[k] for k in range(len(datums))]
    assert [None if datum is None else format_datum(datum, type_) for datum in back] == wanted
    session.driver.close()


@pytest.mark.in_part(6)
@pytest.mark.parametrize("type_", [type_ for type_ in VALUES if type_.name in KEY_TYPES], ids=str)
def test_lakes_find_every_key_again(type_: ScalarType, lake: RealDestination) -> None:
    keys = [parse_datum(text, type_) for text in VALUES[type_]]
    sink = sink_into(lake.place, desc=RelationDesc((ColumnDesc("k", type_), ColumnDesc("v", TEXT))))
    with closing(lake):
        session = DriverSession(lake.driver(), sink, RecoveryLog())
        session.acknowledge()
        session.transact([((key, "a"), 1) for key in keys], 10)
        session.transact([change for key in keys for change in (((key, "a"), -1), ((key, "b"), 1))], 20)
        assert [value for _, value in lake.read().elements()] == ["b"] * len(keys)
        session.transact([((key, "b"), -1) for key in keys], 30)
        assert not lake.read()


def _values(file: Path, format_: FileFormat) -> list[object]:
    if format_ is FileFormat.PARQUET:
        table: pa.Table = pq.read_table(file).sort_by("k")
        return [*table.column("v").to_pylist()]
    rows = [json.loads(line, parse_float=Decimal) for line in file.read_text().splitlines()]
    return [row["v"] for row in sorted(rows, key=lambda row: int(row["k"]))]


def _text(value: object, type_: ScalarType) -> str | None:
    """As PostgreSQL writes it, of what was read from a file."""
    if value is None:
        return None
    number = isinstance(value, int | float | Decimal) and type_.name not in (TypeName.FLOAT4, TypeName.BOOL)
    if isinstance(value, str) or number:
        text = format_datum(parse_datum(str(value), type_), type_)
        # A file's column of one scale holds more zeros than were written.
        return text.rstrip("0").rstrip(".") if type_ == ScalarType(TypeName.NUMERIC) and "." in text else text
    return format_datum(value, type_)  # type: ignore[arg-type]
