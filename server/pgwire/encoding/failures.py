"""The errors of PostgreSQL's receive functions."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def short_data() -> SqlError:
    """Returns the error 08P01 for a value with fewer bytes than its type needs."""
    return SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")


def bad_binary(message: str, *, detail: str | None = None) -> SqlError:
    """Returns SqlError 22P03 for a binary value that its type does not allow."""
    return SqlError(Sqlstate.INVALID_BINARY_REPRESENTATION, message, detail=detail)


def check_width(data: bytes, width: int) -> None:
    """Raises SqlError 08P01 for data shorter than `width` bytes, 22P03 for longer data."""
    if len(data) < width:
        raise short_data()
    if len(data) > width:
        raise bad_binary("incorrect binary data format")
