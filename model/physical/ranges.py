"""Ranges in Arrow and Spark: a struct whose fields, in order, sort as PostgreSQL sorts ranges.

    filled, lower, lower_open, unbounded, upper, upper_closed

The empty range has `filled` false and sorts first. A missing lower bound is NULL, which sorts before all values in a
struct; a missing upper bound is `unbounded`. An exclusive lower bound sorts behind an inclusive one, an exclusive upper
bound before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from model.types.datum import EMPTY_RANGE, Range

Convert = Callable[[Any], Any] | None
BOUNDS = ("lower", "upper")
FIELDS = ("filled", "lower", "lower_open", "unbounded", "upper", "upper_closed")


def range_struct(bound: pa.DataType) -> pa.StructType:
    """Returns the Arrow type of ranges whose bounds have the type `bound`."""
    return pa.struct([(name, bound if name in BOUNDS else pa.bool_()) for name in FIELDS])


def range_fields(value: Range) -> tuple[Any, ...]:
    """Returns the parts of a range, in the order of FIELDS."""
    return (
        not value.empty,
        value.lower,
        not value.empty and not value.lower_included,
        not value.empty and value.upper is None,
        value.upper,
        value.upper_included,
    )


def range_encoder(encode: Convert) -> Callable[[Range], dict[str, Any]]:
    """Returns the encoder of ranges. `encode` is that of a bound; None when pyarrow takes bounds as they are."""

    def bound(value: Any) -> Any:
        return value if value is None or encode is None else encode(value)

    def convert(value: Range) -> dict[str, Any]:
        filled, lower, lower_open, unbounded, upper, upper_closed = range_fields(value)
        return dict(zip(FIELDS, (filled, bound(lower), lower_open, unbounded, bound(upper), upper_closed)))

    return convert


def range_decoder(decode: Convert) -> Callable[[dict[str, Any]], Range]:
    def bound(value: Any) -> Any:
        return value if value is None or decode is None else decode(value)

    def convert(value: dict[str, Any]) -> Range:
        if not value["filled"]:
            return EMPTY_RANGE
        return Range(bound(value["lower"]), bound(value["upper"]), not value["lower_open"], value["upper_closed"])

    return convert
