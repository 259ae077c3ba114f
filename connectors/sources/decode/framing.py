"""Confluent's wire format: a zero byte, the number of the writer's schema in its registry (4 bytes, highest first)."""

from __future__ import annotations

from collections.abc import Mapping

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

WriterSchemas = Mapping[int, str | SqlError]
"""Schemas by their numbers, as text; SqlError for those that can't be had."""

FRAME_BYTES = 5


def unframed(value: bytes) -> tuple[int, int]:
    """Returns the number of the value's schema, and the offset of the bytes behind it. Raises SqlError 22P03 where
    the value has no such number."""
    if len(value) < FRAME_BYTES or value[0] != 0:
        message = "it does not begin with the number of a schema, as Confluent's wire format does"
        raise SqlError(Sqlstate.INVALID_BINARY_REPRESENTATION, message)
    return int.from_bytes(value[1:FRAME_BYTES], "big"), FRAME_BYTES
