"""Rows on their way through COPY."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg


def copied_in_both_formats(connection: psycopg.Connection[Any], columns: str, rows: bytes) -> Iterator[None]:
    """Copies `rows`, in COPY's text format, into a table `one` of these columns, and from there into a table `two`:
    by the binary format and by the text format, in turn; yields when `two` holds them, and empties it thereafter."""
    for name in ("one", "two"):
        connection.execute(f"CREATE TABLE {name} ({columns})".encode())
    cursor = connection.cursor()
    with cursor.copy("COPY one FROM STDIN") as copy:
        copy.write(rows)
    for form in ("binary", "text"):
        with cursor.copy(f"COPY one TO STDOUT (FORMAT {form})".encode()) as copy:
            data = b"".join(map(bytes, copy))
        with cursor.copy(f"COPY two FROM STDIN (FORMAT {form})".encode()) as copy:
            copy.write(data)
        yield
        connection.execute("DELETE FROM two")
