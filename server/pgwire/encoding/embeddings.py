"""Vectors in binary format: the number of dimensions, two zero bytes, single-precision floats."""

from __future__ import annotations

import struct

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.coordinates.embeddings import checked_embedding
from model.types.embedding import dimensions_of_embedding, numbers_of_embedding

_HEAD = struct.Struct(">hh")


def send_embedding(held: bytes) -> bytes:
    dimensions = dimensions_of_embedding(held)
    return _HEAD.pack(dimensions, 0) + struct.pack(f">{dimensions}f", *numbers_of_embedding(held))


def receive_embedding(data: bytes) -> bytes:
    """Decodes a vector; raises 08P01 for bytes of another length than they say, 22000 for others after the count."""
    if len(data) < _HEAD.size:
        raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")
    dimensions, unused = _HEAD.unpack_from(data)
    if dimensions < 1:
        raise SqlError(Sqlstate.DATA_EXCEPTION, "vector must have at least 1 dimension")
    if unused:
        raise SqlError(Sqlstate.DATA_EXCEPTION, f"expected unused to be 0, not {unused}")
    if len(data) != _HEAD.size + 4 * dimensions:
        raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")
    return checked_embedding(list(struct.unpack_from(f">{dimensions}f", data, _HEAD.size)))
