"""vector, as of the extension pgvector, which is always there: distances, arithmetic, casts from and to arrays, sum and
avg."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.coordinates.embeddings import checked_embedding
from model.types.arrays import dimensions_of
from model.types.embedding import dimensions_of_embedding, held_embedding, numbers_of_embedding
from model.types.scalar_type import FLOAT4, FLOAT8, INT4, NUMERIC, VECTOR, WIDE, ScalarType, array_of
from planner.functions.casts.record_casts import ASSIGNMENT, EXPLICIT, IMPLICIT, cast
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import AggregateFunction, Cast, Function
from planner.functions.types.distances import DISTANCES, Distances, Doubles, inner_products, singles_of

_PAIR = (VECTOR, VECTOR)


def _doubles(held: bytes) -> Doubles:
    """Returns the numbers of a vector as doubles, as a matrix of one row."""
    return singles_of(held, dimensions_of_embedding(held)).astype(np.float64)


def _both(left: bytes, right: bytes) -> tuple[Doubles, Doubles]:
    """Returns the numbers of two vectors; raises 22000 for different dimensions."""
    if len(left) != len(right):
        raise different_dimensions(left, right)
    return _doubles(left), _doubles(right)


def different_dimensions(left: bytes, right: bytes) -> SqlError:
    """Returns the error for two held vectors that have different dimensions."""
    dimensions = f"{dimensions_of_embedding(left)} and {dimensions_of_embedding(right)}"
    return SqlError(Sqlstate.DATA_EXCEPTION, f"different vector dimensions {dimensions}")


def _alone(distances: Distances) -> Callable[[bytes, bytes], float]:
    """Returns the distance of two vectors."""
    return lambda left, right: float(distances(*_both(left, right))[0])


def _norm(held: bytes) -> float:
    return float(np.linalg.norm(_doubles(held)))


def _normalized(held: bytes) -> bytes:
    length = _norm(held)
    return held_embedding(_singles(_doubles(held) / length)) if length else held


def _singles(numbers: Doubles) -> list[float]:
    """Returns numbers as singles; raises 22003 for what is too great."""
    with np.errstate(over="ignore"):
        rounded = numbers.astype(np.float32)
    if not np.isfinite(rounded).all():
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow")
    singles: list[float] = rounded.ravel().tolist()
    return singles


def _each(compute: Callable[[Any, Any], Any]) -> Callable[[bytes, bytes], bytes]:
    return lambda left, right: held_embedding(_singles(compute(*_both(left, right))))


def _product(left: bytes, right: bytes) -> bytes:
    one, other = _both(left, right)
    product = _singles(one * other)
    if ((np.array(product) == 0) & (one != 0) & (other != 0)).any():
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow")
    return held_embedding(product)


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


def _distance(name: str, symbol: str) -> tuple[Function, Function]:
    """Returns a distance as a function and as an operator."""
    compute = _alone(DISTANCES[name])
    return (
        function(name, _PAIR, FLOAT8, compute, fallible=True),
        operator(symbol, f"by_{name}", _PAIR, FLOAT8, compute, fallible=True),
    )


def _aggregate(name: str, compute: Callable[[list[tuple[Any, ...]]], bytes | None]) -> AggregateFunction:
    return AggregateFunction(key_of(name, (VECTOR,)), name, (VECTOR,), VECTOR, compute, fallible=True)


def _of_elements(element: ScalarType) -> Cast:
    return cast(array_of(element), VECTOR, ASSIGNMENT, _from_array, fallible=True)


FUNCTIONS: tuple[Function, ...] = (
    *_distance("l2_distance", "<->"),
    *_distance("l1_distance", "<+>"),
    *_distance("cosine_distance", "<=>"),
    *_distance("vector_negative_inner_product", "<#>"),
    function("inner_product", _PAIR, FLOAT8, _alone(inner_products), fallible=True),
    function("vector_dims", (VECTOR,), INT4, dimensions_of_embedding),
    function("vector_norm", (VECTOR,), FLOAT8, _norm),
    function("l2_normalize", (VECTOR,), VECTOR, _normalized, fallible=True),
    operator("+", "add", _PAIR, VECTOR, _each(np.add), fallible=True),
    operator("-", "subtract", _PAIR, VECTOR, _each(np.subtract), fallible=True),
    operator("*", "multiply", _PAIR, VECTOR, _product, fallible=True),
)
AGGREGATES: tuple[AggregateFunction, ...] = (_aggregate("sum", _sum), _aggregate("avg", _average))
CASTS: tuple[Cast, ...] = (
    *(_of_elements(element) for element in (INT4, FLOAT4, FLOAT8, NUMERIC, WIDE)),
    cast(VECTOR, array_of(FLOAT4), IMPLICIT, _as_array),
    cast(VECTOR, array_of(FLOAT8), EXPLICIT, _as_array),
)
