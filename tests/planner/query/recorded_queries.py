"""A corpus of queries with the judge's answers: result columns, rows as text, or the error."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import psycopg

from model.errors.sql_error import SqlError

CORPUS = Path(__file__).parent / "corpus"
ANSWERS = CORPUS / "answers.json"
CHANGES = CORPUS / "changes.json"


class Failure(NamedTuple):
    """What a client is told of an error."""

    sqlstate: str
    message: str
    position: int | None
    detail: str | None
    hint: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`columns` are (name, type oid, modifier); `rows` text values in the order they came."""

    sql: str
    columns: tuple[tuple[str, int, int], ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    error: Failure | None = None


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
        return Answer(sql, error=_failure(error.diag))
    result = cursor.pgresult
    assert result is not None
    columns = tuple(
        ((result.fname(at) or b"").decode(), result.ftype(at), result.fmod(at)) for at in range(result.nfields)
    )
    rows = tuple(
        tuple(_text(result.get_value(row, at)) for at in range(result.nfields)) for row in range(result.ntuples)
    )
    return Answer(sql, columns, rows)


def _failure(told: psycopg.errors.Diagnostic) -> Failure:
    position = None if told.statement_position is None else int(told.statement_position)
    return Failure(told.sqlstate or "", told.message_primary or "", position, told.message_detail, told.message_hint)


def failure_of(error: SqlError) -> Failure:
    """The same of an error of ours."""
    return Failure(error.sqlstate.value, error.message, error.position, error.detail, error.hint)


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
            Failure(*item["error"]) if item["error"] is not None else None,
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
            return Answer(sql, error=_failure(error.diag))
        return observe(connection, f"select * from {table}")
