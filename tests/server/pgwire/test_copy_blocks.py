"""Blocks of plain lines, read by Arrow a column at a time, hold what their lines hold, type by type."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.physical.columns import column_from_arrow, column_to_arrow, rows_from_arrow, rows_to_arrow
from model.text.context import DEFAULT_CONTEXT
from model.types.datum import Datum, Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    INTERVAL,
    JSONB,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    ScalarType,
    array_of,
    numeric,
)
from server.pgwire.copy import blocks, line_decoder
from server.pgwire.copy.copied_columns import ColumnReader
from server.pgwire.copy.lines import EndingFinder, LineCutter
from server.pgwire.copy.options import CopyClause, resolve_options
from server.pgwire.copy.rows_in import copy_decoder

_NUMBERS = [
    "", "0", "-0", "7", "007", "-5", "+5", " 12 ", "1_000", "0x1F", "0xFFFFFFFFFFFFFFFF", "1e3", "1E3", "32768",
    "2147483648", "9223372036854775808", "99999999999999999999", "nan", "NaN", "-nan", "inf", "Infinity", "-infinity",
    "1e400", "1e-400", "1e39", "1e-46", ".5", "5.", "1.255", "-1.245", "123456.5", "1.1234567890123456789", "0x1p3",
    "1d", "0." + "0" * 400 + "1", "0." + "0" * 42 + "1", "0.1", "16777217", "3.4028236e38", "5e-324",
]  # fmt: skip
_TIMES = [
    "", "2020-02-29", "2019-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", " 2020-01-01 ", "2020-1-1",
    "20200101", "2020-01-01 10:00", "2020-01-01 10:11:12", "2020-01-01T10:11:12", "2020-01-01 10:11:12.123456",
    "2020-01-01 10:11:12.1234567", "2020-01-01 24:00:00", "2020-01-01 23:59:60", "2020-01-01 10:11:12Z",
    "2020-01-01 10:11:12+02", "01/02/2020", "Jan 5 2020", "10:11:12", "10:11", "infinity", "now?", "2020-01-01 1:2:3",
    "2020-01-01 10", "2020-01-01 1011", "2020-01-01T10",
    "2020-01-01Z", "2020-01-01+00", "2020-01-01 10Z", "2020-01-01 10+02", "2020-01-01 10:11Z",
    "2020-01-01 10:11+02", "2020-01-01 10:11:12.5+02:30", "2020-01-01 10:11:12-0230", "2020-01-01 10:11:12+02:30:15",
    "2020-01-01T10:11:12.123456z", "2020-01-01 10:11:12+15:59", "2020-01-01 10:11:12-15:59", "2020-01-01 10:11:12+16",
    "2020-01-01 10:11:12+24", "2020-01-01 10:11-16", "2020-01-01 10:11:12.5+16:00", "2020-01-16 10:11:12-15",
    "2020-01-01 10:11:12.123456-2300", "2020-01-01 10:11:12.5+1600",
    "2020-01-01 10:11:12+02:60", "2020-01-01 10:11:12+2", "2020-01-01 10:11:12 +02",
    "2020-01-01 24:00:00+00", "2020-01-01 23:59:60+00", "0001-01-01 00:00:00+00", "0001-01-01 00:00:00+05",
    "9999-12-31 23:00:00+00", "9999-12-31 23:00:00-05", "2020-01-01 10:11:12-00", "2020-01-01 10:11:12.1234567+00",
    "2020-01-01 10:11:12+00 BC", "2020-01-01 10:11:12 UTC", "1883-11-18 12:00:00-07:52:58",
]  # fmt: skip
_WORDS = [
    "",
    "t",
    "TRUE",
    "tru",
    "True",
    "yes",
    "on",
    "of",
    "off",
    "0",
    "1",
    "2",
    " t ",
    "f",
    "falsee",
    "N",
    "é",
    "a b",
]
_OTHERS = ["", "{1}", "{1,2}", "{1,,2}", "1 day", "00000000-0000-0000-0000-00000000000A", "x", "[]", "null", "1e-2"]
_ALL = [*_WORDS, *_NUMBERS, *_TIMES]
_TEXTS: dict[ScalarType, list[str]] = {
    **dict.fromkeys((INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, numeric(5, 2), numeric(38, 0)), _NUMBERS),
    **dict.fromkeys((DATE, TIME, TIMESTAMP, TIMESTAMPTZ), _TIMES),
    **dict.fromkeys((BOOL, TEXT, BYTEA), _ALL),
    **dict.fromkeys((INTERVAL, UUID, JSONB, array_of(INT4)), _OTHERS),
}


@pytest.fixture(autouse=True)
def _blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BYTES_MIN", 0)


@pytest.mark.parametrize("type_", _TEXTS, ids=str)
@pytest.mark.parametrize("format_", ["text", "csv"])
def test_a_block_holds_what_its_lines_hold(type_: ScalarType, format_: str) -> None:
    desc = relation_desc(("a", type_), ("b", TEXT))
    options = resolve_options(CopyClause(format=format_), desc.names, reading=True)
    reader = ColumnReader("t", desc, DEFAULT_CONTEXT)
    block_reader = blocks.block_reader(desc, options, reader.converters)
    assert block_reader is not None
    read = 0
    for text in _TEXTS[type_]:
        table = block_reader.read(f"{text}{options.delimiter}x".encode())
        if table is not None:
            read += 1
            assert column_from_arrow(table.column(0), type_) == [_stored(reader, text, options.null, type_)], text
    assert read, "some values are plain"


def _stored(reader: ColumnReader, text: str, null: str, type_: ScalarType) -> Datum:
    """The value of a line, as a collection holds it."""
    ((value, _),) = reader.rows([(None if text == null else text, "x")], [1])
    (stored,) = column_from_arrow(column_to_arrow([value], type_), type_)
    return stored


def test_blocks_and_lines_may_follow_each_other_and_errors_name_their_line() -> None:
    desc = relation_desc(("a", INT8), ("b", TEXT))
    options = resolve_options(CopyClause(format="csv", header="true"), desc.names, reading=True)
    decoder = copy_decoder("t", desc, options, DEFAULT_CONTEXT)
    kinds = [type(decoder.feed(data)) for data in (b"a,b\n1,x\n", b"2,y\n3,\n4", b',z"z"\n5,x\n', b"6,x\n")]
    assert kinds == [list, pa.Table, list, pa.Table]
    with pytest.raises(SqlError) as failure:
        decoder.feed(b"7,x\n8,x\nnine,x\n")
    assert failure.value.context == 'COPY t, line 10, column a: "nine"'


@pytest.mark.parametrize(
    ("block", "rows"),
    [
        ('1,"a,b"\n"2","say ""x"""', [(1, "a,b"), (2, 'say "x"')]),
        ('1,"a\nb"\n2,""\n3,', [(1, "a\nb"), (2, ""), (3, None)]),
        ('1,""""\n2,"\n"', [(1, '"'), (2, "\n")]),
        ('1,a"b"', None),
        ('1,"a"b', None),
        ('1,"a" ', None),
        ('1,"a\n2,b', None),
        ('"",x', None),
        ('1,a""b', None),
    ],
)
def test_quotes_around_whole_fields_are_read_at_once(block: str, rows: list[tuple[Datum, ...]] | None) -> None:
    desc = relation_desc(("a", INT8), ("b", TEXT))
    options = resolve_options(CopyClause(format="csv"), desc.names, reading=True)
    block_reader = blocks.block_reader(desc, options, ColumnReader("t", desc, DEFAULT_CONTEXT).converters)
    assert block_reader is not None
    table = block_reader.read(block.encode())
    assert (None if table is None else rows_from_arrow(table, desc)) == rows


_SIGNS = 'ab,"\n;é-T 1:'
_STAMPS = ["2020-01-01 10:11:12+00", "", "2020-01-01 10:11:12.5+02", "2020-01-01 10+00", "2020-01-01 10:11:12+16", "x"]
_CLAUSES = [
    CopyClause(format="csv"),
    CopyClause(format="csv", null="a"),
    CopyClause(format="csv", quote="'"),
    CopyClause(format="csv", header="true"),
    CopyClause(format="csv", escape="\\"),
]


@pytest.mark.parametrize("seed", range(5))
def test_any_data_is_read_as_line_by_line(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes about everywhere, ends of lines within them, errors with their line."""
    source = random.Random(seed)
    desc = relation_desc(("a", INT8), ("b", TEXT), ("c", TIMESTAMPTZ))
    tables = 0

    def quoted(text: str) -> str:
        kept = source.random() < 0.1 or (source.random() < 0.5 and not any(sign in text for sign in ',"\n'))
        return text if kept else '"' + text.replace('"', '""') + '"'

    def read(clause: CopyClause, data: bytes, cut: int) -> object:
        nonlocal tables
        decoder = copy_decoder("t", desc, resolve_options(clause, desc.names, reading=True), DEFAULT_CONTEXT)
        rows: list[Row] = []
        try:
            for batch in (decoder.feed(data[:cut]), decoder.feed(data[cut:]), decoder.finish()):
                tables += isinstance(batch, pa.Table)
                table = batch if isinstance(batch, pa.Table) else rows_to_arrow(batch, desc)
                rows += rows_from_arrow(table, desc)
        except SqlError as error:
            return error.sqlstate, error.message, error.context
        return rows

    for _ in range(400):
        lines = [
            ",".join(map(quoted, (_number(source), _text(source), _stamp(source)))) for _ in range(source.randint(1, 4))
        ]
        data = ("\n".join(lines) + source.choice(("\n", ""))).encode()
        clause, cut = source.choice(_CLAUSES), source.randint(0, len(data))
        at_once = read(clause, data, cut)
        with monkeypatch.context() as patched:
            patched.setattr(line_decoder, "block_reader", lambda *_: None)
            assert at_once == read(clause, data, cut), (clause, data, cut)
    assert tables > 20, "some are read at once"


def _number(source: random.Random) -> str:
    return str(source.randint(-99, 99)) if source.random() < 0.95 else source.choice(("x", ""))


def _stamp(source: random.Random) -> str:
    return _STAMPS[0] if source.random() < 0.9 else source.choice(_STAMPS)


def _text(source: random.Random) -> str:
    return "".join(source.choice(_SIGNS) for _ in range(source.randrange(7)))


def test_columns_with_domains_or_forced_nulls_are_read_line_by_line() -> None:
    desc = relation_desc(("a", INT8))
    reader = ColumnReader("t", desc, DEFAULT_CONTEXT)
    options = resolve_options(CopyClause(format="csv", force_null=("a",)), desc.names, reading=True)
    assert blocks.block_reader(desc, options, reader.converters) is None


def test_a_long_first_line_is_put_together_once_however_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = LineCutter._take

    def noted(cutter: LineCutter) -> bytes:
        data = take(cutter)
        taken.append(len(data))
        return data

    monkeypatch.setattr(LineCutter, "_take", noted)
    cutter = LineCutter(EndingFinder(None, "\\"))
    line = b"x\\\\" * 100_000
    pieces = [line[at : at + 1_000] for at in range(0, len(line), 1_000)]
    assert [cutter.feed(piece) for piece in pieces] == [None] * len(pieces)
    assert cutter.feed(b"\nnext\nopen") == line + b"\nnext"
    assert sum(taken) < 2 * len(line), "each byte once"
    assert cutter.finish() == ["open"]
