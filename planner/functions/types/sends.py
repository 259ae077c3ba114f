"""The functions that write values for the binary format (pg_type.typsend), of types whose bytes are plain to see."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable
from typing import Any

from model.types.scalar_type import (
    BOOL,
    BYTEA,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    JSON,
    JSONB,
    NAME,
    OID,
    TEXT,
    UUID,
    VARCHAR,
    ScalarType,
)
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility


def _packed(form: str) -> Callable[[Any], bytes]:
    """Packs a number, most significant byte first."""
    return struct.Struct(f">{form}").pack


_SENDS: tuple[tuple[str, ScalarType, Callable[[Any], bytes], Volatility], ...] = (
    ("boolsend", BOOL, _packed("?"), Volatility.IMMUTABLE),
    ("int2send", INT2, _packed("h"), Volatility.IMMUTABLE),
    ("int4send", INT4, _packed("i"), Volatility.IMMUTABLE),
    ("int8send", INT8, _packed("q"), Volatility.IMMUTABLE),
    ("oidsend", OID, _packed("I"), Volatility.IMMUTABLE),
    ("float4send", FLOAT4, _packed("f"), Volatility.IMMUTABLE),
    ("float8send", FLOAT8, _packed("d"), Volatility.IMMUTABLE),
    ("uuid_send", UUID, lambda value: uuid.UUID(str(value)).bytes, Volatility.IMMUTABLE),
    ("byteasend", BYTEA, bytes, Volatility.IMMUTABLE),
    ("textsend", TEXT, str.encode, Volatility.STABLE),
    ("varcharsend", VARCHAR, str.encode, Volatility.STABLE),
    ("namesend", NAME, str.encode, Volatility.STABLE),
    ("json_send", JSON, str.encode, Volatility.STABLE),
    ("jsonb_send", JSONB, lambda value: b"\x01" + value.encode(), Volatility.STABLE),
)

FUNCTIONS: tuple[Function, ...] = tuple(
    function(name, (type_,), BYTEA, evaluate, volatility=volatility) for name, type_, evaluate, volatility in _SENDS
)
