"""Files of constant expressions with PostgreSQL's answers: `expression TAB answer`, an answer being

    = text      the value's text (\\n, \\t and \\\\ escaped)
    NULL
    ! SQLSTATE message

The first line says the session's TimeZone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psycopg

FOLDER = Path(__file__).parent / "recorded"
_ZONE = "# TimeZone: "


@dataclass(frozen=True, slots=True)
class Recording:
    """`answer` is empty before it was recorded."""

    expression: str
    answer: str


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.tsv"))


def read(path: Path) -> tuple[str, list[Recording]]:
    """The time zone, and the recordings."""
    first, *lines = path.read_text().splitlines()
    assert first.startswith(_ZONE)
    pairs = [line.partition("\t") for line in lines]
    return first.removeprefix(_ZONE), [Recording(expression, answer) for expression, _, answer in pairs]


def write(path: Path, zone: str, recordings: list[Recording]) -> None:
    lines = [f"{recording.expression}\t{recording.answer}" for recording in recordings]
    path.write_text("\n".join([_ZONE + zone, *lines]) + "\n")


def value_answer(text: str | None) -> str:
    if text is None:
        return "NULL"
    return "= " + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def ask(connection: psycopg.Connection[tuple[object, ...]], expression: str) -> str:
    """PostgreSQL's answer."""
    try:
        cursor = connection.execute(f"SELECT {expression}".encode())
    except psycopg.Error as error:
        return f"! {error.sqlstate} {error.diag.message_primary}"
    result = cursor.pgresult
    assert result is not None
    raw = result.get_value(0, 0) if result.ntuples else None
    return value_answer(None if raw is None else raw.decode())
