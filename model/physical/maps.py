"""Maps in Arrow and Spark: a list of structs of a key and a value, in the order of the keys.

So equal maps are equal lists, and sort and group as lists do; neither holds of the maps that Arrow and Spark have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

Convert = Callable[[Any], Any] | None


def map_list(value: pa.DataType) -> pa.ListType:
    """Returns the Arrow type of maps whose values have the type `value`."""
    return pa.list_(pa.struct([("key", pa.string()), ("value", value)]))


def map_encoder(encode: Convert) -> Callable[[Any], list[dict[str, Any]]]:
    """Returns the encoder of maps. `encode` is that of a value; None when pyarrow takes values as they are."""

    def convert(value: Any) -> list[dict[str, Any]]:
        return [{"key": key, "value": held if held is None or encode is None else encode(held)} for key, held in value]

    return convert


def map_decoder(decode: Convert) -> Callable[[list[dict[str, Any]]], tuple[tuple[str, Any], ...]]:
    def convert(entries: list[dict[str, Any]]) -> tuple[tuple[str, Any], ...]:
        pairs = [(entry["key"], entry["value"]) for entry in entries]
        return tuple((key, held if held is None or decode is None else decode(held)) for key, held in pairs)

    return convert
