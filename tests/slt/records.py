"""Files of SQL with expected answers, in sqllogictest's form: records between blank lines.

    statement ok                          the SQL that follows succeeds
    statement count 3                     … and reports three rows
    statement error 22012                 … or fails with this SQLSTATE
    query int4,text rowsort               its columns have these types (pg_type's names), and after the line `----`
    SELECT a, b FROM t                    come its rows, in order, or sorted as text when the header says `rowsort`;
    ----                                  `colnames` puts a line with the columns' names first
    1 | one

Cells are PostgreSQL's text, parted by ` | `; NULL is NULL, an empty text (empty), a line break the two characters \\n.
`skipif headwater` on the line before a record leaves it out for Headwater; the comment above says why. Records that
the recorder has not yet filled have the bare words `statement` and `query`. Lines starting with `#` are comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_SEPARATOR = "----"


@dataclass(frozen=True, slots=True)
class Statement:
    """`error` is the SQLSTATE it must fail with, None when it succeeds; `count` the rows it reports, None if none."""

    sql: str
    line: int
    comments: tuple[str, ...] = ()
    skipped: bool = False
    error: str | None = None
    count: int | None = None
    recorded: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """`types` are pg_type names, one a column; `rows` the expected lines, the names' line first when `colnames`."""

    sql: str
    line: int
    comments: tuple[str, ...] = ()
    skipped: bool = False
    types: tuple[str, ...] = ()
    rowsort: bool = False
    colnames: bool = False
    rows: tuple[str, ...] = ()
    recorded: bool = True


Record = Statement | Query


def files() -> list[Path]:
    """All files of records, in a fixed order."""
    return sorted(Path(__file__).parent.glob("*.slt"))


def parse(text: str) -> list[Record]:
    """The records of a file; ValueError with the line when a header is not understood."""
    records: list[Record] = []
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line:
            block.append((number, line))
        elif block:
            records.append(_parse_block(block))
            block = []
    return records


def _parse_block(block: list[tuple[int, str]]) -> Record:
    comments: list[str] = []
    skipped = False
    lines = list(block)
    while lines[0][1].startswith("#") or lines[0][1].startswith("skipif"):
        _, line = lines.pop(0)
        if line.startswith("#"):
            comments.append(line)
        else:
            skipped = skipped or line == "skipif headwater"
    number, header = lines.pop(0)
    kind, *words = header.split()
    body = [line for _, line in lines]
    match kind:
        case "statement":
            return _parse_statement(words, "\n".join(body), number, tuple(comments), skipped)
        case "query":
            return _parse_query(words, body, number, tuple(comments), skipped)
        case _:
            raise ValueError(f"line {number}: neither statement nor query: {header}")


def _parse_statement(words: list[str], sql: str, line: int, comments: tuple[str, ...], skipped: bool) -> Statement:
    match words:
        case []:
            return Statement(sql, line, comments, skipped, recorded=False)
        case ["ok"]:
            return Statement(sql, line, comments, skipped)
        case ["count", number]:
            return Statement(sql, line, comments, skipped, count=int(number))
        case ["error", sqlstate]:
            return Statement(sql, line, comments, skipped, error=sqlstate)
        case _:
            raise ValueError(f"line {line}: a statement is ok, count or error, not {' '.join(words)}")


def _parse_query(words: list[str], body: list[str], line: int, comments: tuple[str, ...], skipped: bool) -> Query:
    rowsort = "rowsort" in words
    colnames = "colnames" in words
    types = [word for word in words if word not in ("rowsort", "colnames")]
    if _SEPARATOR not in body:
        return Query("\n".join(body), line, comments, skipped, (), rowsort, colnames, recorded=False)
    if len(types) != 1:
        raise ValueError(f"line {line}: a query names its columns' types once")
    cut = body.index(_SEPARATOR)
    sql, rows = "\n".join(body[:cut]), tuple(body[cut + 1 :])
    return Query(sql, line, comments, skipped, tuple(types[0].split(",")), rowsort, colnames, rows)


def render(records: list[Record]) -> str:
    """The file that `parse` reads as these records."""
    return "\n".join(_render_record(record) for record in records)


def _render_record(record: Record) -> str:
    lines = [*record.comments, *(["skipif headwater"] if record.skipped else [])]
    match record:
        case Statement(error=str() as sqlstate):
            lines += [f"statement error {sqlstate}", record.sql]
        case Statement(count=int() as count):
            lines += [f"statement count {count}", record.sql]
        case Statement():
            lines += ["statement ok", record.sql]
        case Query():
            words = ["query", ",".join(record.types), "rowsort" * record.rowsort, "colnames" * record.colnames]
            lines += [" ".join(word for word in words if word), record.sql, _SEPARATOR, *record.rows]
    return "\n".join(lines) + "\n"
