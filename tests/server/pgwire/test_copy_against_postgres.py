"""COPY's formats against PostgreSQL: same data, same rows or same error; same rows, same data."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import psycopg
import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.physical.columns import rows_from_arrow
from model.text import copied_rows
from model.text.context import DEFAULT_CONTEXT
from model.text.dispatch import formatter
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import type_text
from server.pgwire.copy import blocks, csv_in, lines, text_in
from server.pgwire.copy.blocks import Batch
from server.pgwire.copy.options import CopyClause, resolve_options
from server.pgwire.copy.rows_in import copy_decoder
from server.pgwire.copy.rows_out import CopyEncoder
from tests.server.pgwire.toy import toy_type

Connection = psycopg.Connection[tuple[object, ...]]
Outcome = tuple[str, object]

_TABLE = (("a", "int4"), ("b", "text"), ("c", "varchar(3)"))
_TEXT_DATA = [
    "1\tx\ty\n2\t\\N\t\\N\n",
    "1\tx\ty\n2\ta\\tb\\n\\\\\tz",
    "1\tx\n",
    "1\tx\ty\tz\n",
    "\n",
    "",
    "1\tx\ty\n\\.\ngarbage",
    "abc\tx\ty\n",
    "1\tx\ty\n2\tx\ty\nfoo\tx\ty\n",
    "1\tx\tlong\n",
    "1\tx\tab   \n",
    "99999999999\tx\ty\n",
    "1\t\\101\\x42\\x4\\8\ty\n",
    "1\ta\\\nb\ty\n2\tc\td\n",
    "1\tx\ty\r\n2\tx\tz\r\n",
    "1\tx\ty\r\n2\tx\tz\n",
    "1\tx\ty\n2\tx\tz\r\n",
    "1\ta\rb\ty\n",
    "1\tx\ty\r2\tx\tz\r",
    "\\N\t\\N\t\\N\n",
    "1\tx\\\ty\n",
    "1\ta\\\tb\ty\n",
    "\t\t\n",
    "1\té\téé\n",
    "1\t\\b\\f\\v\\r\\q\ty\n",
    f"1\t{'x' * 300}\n",
    "\x31\t\\303\\251\ty\n",
    "-5\t\ty\n",
    " 7 \tx\ty\n",
]
_CSV_DATA = [
    "1,x,y\n2,,\n",
    '1,"a,b",y\n',
    '1,"a""b",y\n',
    '1,"a\nb",y\n2,x,z\n',
    '1,"",y\n2,,z\n',
    '1,a"b,c"d,y\n',
    '1,"unterminated,y\n',
    "1,x\n",
    "1,x,y,z\n",
    "abc,x,y\n",
    "1,x,long\n",
    "1,x,y\r\n2,x,z\r\n",
    '1,"a\r\nb",y\r\n',
    "1,a\rb,y\n",
    "1,x,y\n\\.\n3,x,y\n",
    "",
    "\n",
    '"1",x,y\n',
    '1,"x"y,z\n',
    '1, "x" ,y\n',
    '1,"x\\"y",z\n',
    "a,b,c\n1,x,y\n",
    "a,wrong,c\n1,x,y\n",
    "a,b\n1,x,y\n",
    '1,"""",y\n',
    '"",x,y\n',
    "1,\\N,y\n",
]
_CSV_CLAUSES = [
    CopyClause(format="csv"),
    CopyClause(format="csv", header="true"),
    CopyClause(format="csv", header="match"),
    CopyClause(format="csv", escape="\\"),
    CopyClause(format="csv", null="x"),
    CopyClause(format="csv", force_not_null=("b",)),
    CopyClause(format="csv", force_null=("b",)),
    CopyClause(format="csv", quote="'", delimiter=";"),
]
_TEXT_CLAUSES = [
    CopyClause(),
    CopyClause(null=""),
    CopyClause(header="match"),
    CopyClause(header="true"),
    CopyClause(delimiter="|"),
]
_ALPHABETS = {None: 'a1\t\t\n\n\\\\N."x\r', "csv": 'a1,,\n\n""\\x.\r'}
_RANDOM_CASES = 400


@pytest.fixture(scope="module")
def table(postgres: Connection) -> Iterator[Connection]:
    columns = ", ".join(f"{name} {type_text(toy_type(type_))}" for name, type_ in _TABLE)
    postgres.execute(f"CREATE TEMP TABLE copied ({columns})")
    yield postgres
    postgres.execute("DROP TABLE copied")


def _desc() -> RelationDesc:
    return RelationDesc(tuple(ColumnDesc(name, toy_type(type_)) for name, type_ in _TABLE))


def _with(clause: CopyClause) -> str:
    parts = []
    for option in ("format", "delimiter", "null", "header", "quote", "escape"):
        value = getattr(clause, option)
        if value is not None:
            parts.append(f"{option} '{value.replace(chr(39), chr(39) * 2)}'")
    for option in ("force_quote", "force_not_null", "force_null"):
        names = getattr(clause, option)
        if names is not None:
            parts.append(f"{option} *" if names == ("*",) else f"{option} ({', '.join(names)})")
    return f"({', '.join(parts)})" if parts else ""


def _theirs(table: Connection, clause: CopyClause, data: bytes) -> Outcome:
    table.execute("TRUNCATE copied")
    try:
        with table.cursor().copy(f"COPY copied FROM STDIN {_with(clause)}") as copy:
            copy.write(data)
        rows = table.execute("SELECT a::text, b, c FROM copied").fetchall()
    except psycopg.Error as error:
        diag = error.diag
        return "error", (error.sqlstate, diag.message_primary, diag.message_detail, diag.message_hint, diag.context)
    return "rows", rows


def _as_rows(batch: Batch, desc: RelationDesc) -> Sequence[Row]:
    return rows_from_arrow(batch, desc) if isinstance(batch, pa.Table) else batch


def _ours(clause: CopyClause, data: bytes, pieces: random.Random | None) -> Outcome:
    """The data in pieces of a few bytes; None: all at once."""
    desc = _desc()
    rows: list[Row] = []
    try:
        options = resolve_options(clause, desc.names, reading=True)
        decoder = copy_decoder("copied", desc, options, DEFAULT_CONTEXT)
        position = 0
        while position < len(data):
            size = pieces.randint(1, 40) if pieces is not None else len(data)
            rows += _as_rows(decoder.feed(data[position : position + size]), desc)
            position += size
        rows += decoder.finish()
    except SqlError as error:
        return "error", (error.sqlstate.value, error.message, error.detail, error.hint, error.context)
    formats = [formatter(type_, DEFAULT_CONTEXT) for type_ in desc.types]
    return "rows", [
        tuple(None if v is None else write(v) for v, write in zip(row, formats, strict=True)) for row in rows
    ]


def _random_data(seed: int, format_: str | None) -> bytes:
    random_ = random.Random(seed)
    alphabet = _ALPHABETS[format_]
    separator = "," if format_ else "\t"
    lines = []
    for _ in range(random_.randint(1, 3)):
        texts = ["".join(random_.choice(alphabet) for _ in range(random_.randint(0, 4))) for _ in range(2)]
        lines.append(separator.join([str(random_.randint(0, 99)), *texts]))
    return "\n".join(lines).encode() + (b"\n" if random_.random() < 0.8 else b"")


_CASES = [(clause, text.encode()) for clause in _TEXT_CLAUSES for text in _TEXT_DATA]
_CASES += [(clause, text.encode()) for clause in _CSV_CLAUSES for text in _CSV_DATA]


def _differences(table: Connection, cases: list[tuple[CopyClause, bytes]]) -> list[object]:
    found: list[object] = []
    for number, (clause, data) in enumerate(cases):
        theirs = _theirs(table, clause, data)
        for pieces in (random.Random(number), None):
            ours = _ours(clause, data, pieces)
            if theirs != ours:
                found.append((_with(clause), data, theirs, ours))
    return found


@pytest.fixture(autouse=True)
def _blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BYTES_MIN", 0)


@pytest.fixture(params=[1 << 16, 5])
def _pieces_of_any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    # Long lines are read in pieces: short ones too, if these are shorter still.
    for module in (text_in, csv_in, lines, copied_rows):
        monkeypatch.setattr(module, "_PIECE", request.param)
    monkeypatch.setattr(lines, "LARGE_BYTES", request.param)


@pytest.mark.usefixtures("_pieces_of_any_size")
def test_written_data_is_read_as_postgresql_reads_it(table: Connection) -> None:
    assert _differences(table, _CASES) == []


@pytest.mark.usefixtures("_pieces_of_any_size")
@pytest.mark.parametrize("format_", [None, "csv"])
def test_random_data_is_read_as_postgresql_reads_it(table: Connection, format_: str | None) -> None:
    cases = [(CopyClause(format=format_), _random_data(seed, format_)) for seed in range(_RANDOM_CASES)]
    assert _differences(table, cases) == []


_ROWS = [
    (1, "plain", "abc"),
    (2, 'a,b\t"c"\n\\d\r', "'x'"),
    (None, None, None),
    (3, "", "\\."),
    (4, "\\N", "x"),
    (5, "é\b\f\v;", "a|b"),
    (-6, " ", "NUL"),
]


@pytest.mark.usefixtures("_pieces_of_any_size")
@pytest.mark.parametrize(
    "clause",
    [
        *_TEXT_CLAUSES[:2],
        _TEXT_CLAUSES[3],
        _TEXT_CLAUSES[4],
        CopyClause(format="csv"),
        CopyClause(format="csv", header="true"),
        CopyClause(format="csv", escape="\\"),
        CopyClause(format="csv", null="NUL", force_quote=("*",)),
        CopyClause(format="csv", quote="'", delimiter=";"),
        CopyClause(format="binary"),
    ],
    ids=_with,
)
def test_rows_are_written_as_postgresql_writes_them(table: Connection, clause: CopyClause) -> None:
    table.execute("TRUNCATE copied")
    with table.cursor() as cursor:
        cursor.executemany("INSERT INTO copied VALUES (%s, %s, %s)", _ROWS)
        with cursor.copy(f"COPY copied TO STDOUT {_with(clause)}") as copy:
            theirs = [bytes(piece) for piece in copy]
    desc = _desc()
    encoder = CopyEncoder(desc, resolve_options(clause, desc.names, reading=False), DEFAULT_CONTEXT)
    assert [*encoder.begin(), *encoder.encode(_ROWS), *encoder.end()] == theirs
