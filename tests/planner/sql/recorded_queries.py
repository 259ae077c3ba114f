"""A corpus of queries with the judge's answers: result columns, rows as text, or the error."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

CORPUS = Path(__file__).parent / "corpus"
ANSWERS = CORPUS / "answers.json"
CHANGES = CORPUS / "changes.json"


@dataclass(frozen=True, slots=True)
class Answer:
    """`columns` are (name, type oid, modifier); `rows` text values in the order they came; `error` is (SQLSTATE,
    message, position)."""

    sql: str
    columns: tuple[tuple[str, int, int], ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    error: tuple[str, str, int | None] | None = None


def queries() -> list[str]:
    """One a line."""
    return [line for line in (CORPUS / "queries.sql").read_text().splitlines() if line]


def tables() -> list[str]:
    """The statements that make and fill the tables, one a line."""
    return [line for line in (CORPUS / "tables.sql").read_text().splitlines() if line]


def observe(connection: psycopg.Connection[tuple[object, ...]], sql: str) -> Answer:
    """The judge's answer."""
    try:
        cursor = connection.execute(sql.encode())
    except psycopg.Error as error:
        diagnosis = error.diag
        position = diagnosis.statement_position
        state, message = diagnosis.sqlstate or "", diagnosis.message_primary or ""
        return Answer(sql, error=(state, message, None if position is None else int(position)))
    result = cursor.pgresult
    assert result is not None
    columns = tuple(
        ((result.fname(at) or b"").decode(), result.ftype(at), result.fmod(at)) for at in range(result.nfields)
    )
    rows = tuple(
        tuple(_text(result.get_value(row, at)) for at in range(result.nfields)) for row in range(result.ntuples)
    )
    return Answer(sql, columns, rows)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def save(answers: list[Answer], path: Path = ANSWERS) -> None:
    lines = [json.dumps(asdict(answer), ensure_ascii=False) for answer in answers]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def load(path: Path = ANSWERS) -> list[Answer]:
    """The recorded answers, as `save` wrote them."""
    return [
        Answer(
            item["sql"],
            tuple((name, oid, modifier) for name, oid, modifier in item["columns"]),
            tuple(tuple(row) for row in item["rows"]),
            tuple(item["error"]) if item["error"] is not None else None,
        )
        for item in json.loads(path.read_text())
    ]


def changes() -> list[tuple[str, str]]:
    """(table, the statement that changes it), one a line."""
    lines = (CORPUS / "changes.sql").read_text().splitlines()
    return [(table, sql) for table, _, sql in (line.partition(": ") for line in lines if line)]


def observe_change(connection: psycopg.Connection[tuple[object, ...]], table: str, sql: str) -> Answer:
    """What the table holds after the statement, which is then undone; or the error."""
    with connection.transaction(force_rollback=True):
        try:
            with connection.transaction():
                connection.execute(sql.encode())
        except psycopg.Error as error:
            state, message = error.diag.sqlstate or "", error.diag.message_primary or ""
            position = error.diag.statement_position
            return Answer(sql, error=(state, message, None if position is None else int(position)))
        return observe(connection, f"select * from {table}")
