"""Failures of Spark, in PostgreSQL's fields."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.errors import PySparkException

from compute.protocol.response import PeekFailed
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_DATA_CLASSES = ("22", "23", "54")
_OUT_OF_MEMORY = ("OutOfMemoryError", Sqlstate.OUT_OF_MEMORY, "out of memory")
_PART_SIGNS: tuple[tuple[str, Sqlstate, str], ...] = (
    ("StackOverflowError", Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded"),
    _OUT_OF_MEMORY,  # while a part was read, which nothing is wrong with
    ("CRC checksum verification failed", Sqlstate.DATA_CORRUPTED, "{} is corrupt"),
    ("is not a Parquet file", Sqlstate.DATA_CORRUPTED, "{} is corrupt"),
    ("FAILED_READ_FILE.FILE_NOT_EXIST", Sqlstate.IO_ERROR, "{} is missing"),
    ("FAILED_READ_FILE", Sqlstate.IO_ERROR, "could not read {}"),
)
_SIGNS: tuple[tuple[str, Sqlstate, str], ...] = (
    ("StackOverflowError", Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded"),
    ("RecursionError", Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded"),
    ("SqlError: stack depth limit exceeded", Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded"),
    ("FAILED_TO_PARSE_TOO_COMPLEX", Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded"),
    _OUT_OF_MEMORY,
    ("No space left on device", Sqlstate.DISK_FULL, "could not write a temporary file: no space left on device"),
)
_KNOWN = {state.value for state in Sqlstate}
_DETAIL_MAX = 2_000


def failure_of(error: Exception, parts: Mapping[str, str]) -> PeekFailed:
    """Returns the failure for the client; unexpected errors are internal errors (XX000).

    `parts` names the files read: by path, "part … of shard …".
    """
    if isinstance(error, SqlError):
        return PeekFailed(error.sqlstate.value, error.message, error.detail, error.hint)
    if isinstance(error, RecursionError):
        return PeekFailed(Sqlstate.STATEMENT_TOO_COMPLEX.value, "stack depth limit exceeded")
    text = str(error)
    for sign, sqlstate, message in _PART_SIGNS:
        if sign in text:
            name = next((name for path, name in parts.items() if path in text), "a part of a shard")
            return PeekFailed(sqlstate.value, message.format(name), _line_with(sign, text))
    for sign, sqlstate, message in _SIGNS:
        if sign in text:
            return PeekFailed(sqlstate.value, message, _line_with(sign, text))
    state = error.getSqlState() if isinstance(error, PySparkException) else None
    if state in _KNOWN and state[:2] in _DATA_CLASSES:
        return PeekFailed(state, text.splitlines()[0] if text else type(error).__name__)
    return PeekFailed(
        Sqlstate.INTERNAL_ERROR.value, "the query failed on Spark", f"{type(error).__name__}: {text}"[:_DETAIL_MAX]
    )


def _line_with(sign: str, text: str) -> str:
    """Returns Spark's line about the failure, without the trace of Java's calls."""
    return next(line for line in text.splitlines() if sign in line).strip()[:_DETAIL_MAX]
