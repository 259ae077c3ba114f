"""vector, as of the extension pgvector, which is always there: distances, arithmetic, casts from and to arrays, sum and
avg."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.embeddings import checked_embedding
from model.types.arrays import dimensions_of
from model.types.embedding import dimensions_of_embedding, held_embedding, numbers_of_embedding
from model.types.scalar_type import FLOAT4, FLOAT8, INT4, NUMERIC, VECTOR, ScalarType, array_of
from planner.functions.casts.rows import ASSIGNMENT, EXPLICIT, IMPLICIT, cast
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import AggregateFunction, Cast, Function

_PAIR = (VECTOR, VECTOR)


_SIGN, _ALL = np.uint32(0x80000000), np.uint32(0xFFFFFFFF)


def _doubles(held: bytes) -> Any:
    """Returns the numbers of a vector as doubles."""
    bits = np.frombuffer(held, ">u4").astype(np.uint32)
    return np.where(bits & _SIGN, bits ^ _SIGN, bits ^ _ALL).view(np.float32).astype(np.float64)


def _both(left: bytes, right: bytes) -> tuple[Any, Any]:
    """Returns the numbers of two vectors; raises 22000 for different dimensions."""
    if len(left) != len(right):
        dimensions = f"{dimensions_of_embedding(left)} and {dimensions_of_embedding(right)}"
        raise SqlError(Sqlstate.DATA_EXCEPTION, f"different vector dimensions {dimensions}")
    return _doubles(left), _doubles(right)


def _l2_distance(left: bytes, right: bytes) -> float:
    one, other = _both(left, right)
    return float(np.linalg.norm(one - other))


def _l1_distance(left: bytes, right: bytes) -> float:
    one, other = _both(left, right)
    return float(np.abs(one - other).sum())


def _inner_product(left: bytes, right: bytes) -> float:
    one, other = _both(left, right)
    return float(one @ other)


def _negative_inner_product(left: bytes, right: bytes) -> float:
    return -_inner_product(left, right)


def _cosine_distance(left: bytes, right: bytes) -> float:
    """Returns 1 less the cosine of the angle; NaN beside a vector of zeros."""
    one, other = _both(left, right)
    lengths = math.sqrt(float(one @ one) * float(other @ other))
    return 1.0 - min(max(float(one @ other) / lengths, -1.0), 1.0) if lengths else math.nan


def _norm(held: bytes) -> float:
    return float(np.linalg.norm(_doubles(held)))


def _normalized(held: bytes) -> bytes:
    length = _norm(held)
    return held_embedding(_singles(_doubles(held) / length)) if length else held


def _singles(numbers: Any) -> list[float]:
    """Returns numbers as singles; raises 22003 for what is too great."""
    with np.errstate(over="ignore"):
        rounded = numbers.astype(np.float32)
    if not np.isfinite(rounded).all():
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow")
    singles: list[float] = rounded.tolist()
    return singles


def _each(compute: Callable[[Any, Any], Any]) -> Callable[[bytes, bytes], bytes]:
    return lambda left, right: held_embedding(_singles(compute(*_both(left, right))))


def _product(left: bytes, right: bytes) -> bytes:
    one, other = _both(left, right)
    product = np.array(_singles(one * other))
    if ((product == 0) & (one != 0) & (other != 0)).any():
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow")
    return held_embedding(product.tolist())


def _from_array(array: Any) -> bytes:
    if len(dimensions_of(array)) > 1:
        raise SqlError(Sqlstate.DATA_EXCEPTION, "array must be 1-D")
    if None in array:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "array must not contain nulls")
    with np.errstate(over="ignore"):
        return checked_embedding(np.array([float(item) for item in array], np.float64).astype(np.float32).tolist())


def _as_array(held: bytes) -> tuple[float, ...]:
    return numbers_of_embedding(held)


def _total(rows: list[tuple[Any, ...]]) -> Any:
    """Returns the sums of rows' numbers; raises 22000 for different dimensions."""
    total = _doubles(rows[0][0])
    for (held,) in rows[1:]:
        _both(rows[0][0], held)
        total = total + _doubles(held)
    return total


def _sum(rows: list[tuple[Any, ...]]) -> bytes | None:
    return held_embedding(_singles(_total(rows))) if rows else None


def _average(rows: list[tuple[Any, ...]]) -> bytes | None:
    return held_embedding(_singles(_total(rows) / len(rows))) if rows else None


def _distance(name: str, symbol: str, compute: Callable[[bytes, bytes], float]) -> tuple[Function, Function]:
    """Returns a distance as a function and as an operator."""
    return (
        function(name, _PAIR, FLOAT8, compute, fallible=True),
        operator(symbol, f"by_{name}", _PAIR, FLOAT8, compute, fallible=True),
    )


def _aggregate(name: str, compute: Callable[[list[tuple[Any, ...]]], bytes | None]) -> AggregateFunction:
    return AggregateFunction(key_of(name, (VECTOR,)), name, (VECTOR,), VECTOR, compute, fallible=True)


def _of_elements(element: ScalarType) -> Cast:
    return cast(array_of(element), VECTOR, ASSIGNMENT, _from_array, fallible=True)


FUNCTIONS: tuple[Function, ...] = (
    *_distance("l2_distance", "<->", _l2_distance),
    *_distance("l1_distance", "<+>", _l1_distance),
    *_distance("cosine_distance", "<=>", _cosine_distance),
    *_distance("vector_negative_inner_product", "<#>", _negative_inner_product),
    function("inner_product", _PAIR, FLOAT8, _inner_product, fallible=True),
    function("vector_dims", (VECTOR,), INT4, dimensions_of_embedding),
    function("vector_norm", (VECTOR,), FLOAT8, _norm),
    function("l2_normalize", (VECTOR,), VECTOR, _normalized, fallible=True),
    operator("+", "add", _PAIR, VECTOR, _each(np.add), fallible=True),
    operator("-", "subtract", _PAIR, VECTOR, _each(np.subtract), fallible=True),
    operator("*", "multiply", _PAIR, VECTOR, _product, fallible=True),
)
AGGREGATES: tuple[AggregateFunction, ...] = (_aggregate("sum", _sum), _aggregate("avg", _average))
CASTS: tuple[Cast, ...] = (
    *(_of_elements(element) for element in (INT4, FLOAT4, FLOAT8, NUMERIC)),
    cast(VECTOR, array_of(FLOAT4), IMPLICIT, _as_array),
    cast(VECTOR, array_of(FLOAT8), EXPLICIT, _as_array),
)
