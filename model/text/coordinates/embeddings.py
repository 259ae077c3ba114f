"""Vectors in text, `[1,2.5,-3]`, with pgvector's errors."""

from __future__ import annotations

import math
import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.floats import format_float4, parse_float4
from model.types.embedding import dimensions_of_embedding, held_embedding, numbers_of_embedding

DIMENSIONS_MAX = 16_000
_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|nan|inf(?:inity)?)", re.ASCII | re.IGNORECASE
)
_SPACES = " \t\n\v\f\r"


def parse_embedding(text: str) -> bytes:
    """Parses a vector; raises 22P02 for a wrong text, 22003 for a number that no single holds, and the errors of
    `checked_embedding`."""
    body = text.strip(_SPACES)
    wrong = SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'invalid input syntax for type vector: "{text}"')
    if not (body.startswith("[") and body.endswith("]")):
        raise wrong
    inner = body[1:-1]
    if not inner.strip(_SPACES):
        raise SqlError(Sqlstate.DATA_EXCEPTION, "vector must have at least 1 dimension")
    numbers: list[float] = []
    for part in inner.split(","):
        written = part.strip(_SPACES)
        if _NUMBER.fullmatch(written) is None:
            raise wrong
        try:
            numbers.append(parse_float4(written))
        except SqlError:
            message = f'"{written}" is out of range for type vector'
            raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message) from None
    return checked_embedding(numbers)


def checked_embedding(numbers: list[float]) -> bytes:
    """Returns a vector of numbers; raises 22000 for none and for one that is not finite, 54000 for too many."""
    if not numbers:
        raise SqlError(Sqlstate.DATA_EXCEPTION, "vector must have at least 1 dimension")
    if len(numbers) > DIMENSIONS_MAX:
        message = f"vector cannot have more than {DIMENSIONS_MAX} dimensions"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    for number in numbers:
        if not math.isfinite(number):
            message = "NaN not allowed in vector" if math.isnan(number) else "infinite value not allowed in vector"
            raise SqlError(Sqlstate.DATA_EXCEPTION, message)
    return held_embedding(numbers)


def format_embedding(held: bytes) -> str:
    return f"[{','.join(map(format_float4, numbers_of_embedding(held)))}]"


def require_dimensions(held: bytes, dimensions: int) -> bytes:
    """Returns a vector of as many dimensions as the modifier says; raises 22000 for another."""
    if dimensions_of_embedding(held) != dimensions:
        message = f"expected {dimensions} dimensions, not {dimensions_of_embedding(held)}"
        raise SqlError(Sqlstate.DATA_EXCEPTION, message)
    return held
