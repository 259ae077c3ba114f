"""Rows in SQL's order: sort keys with their NULLS FIRST or LAST, ties broken by the whole row, in its own order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from model.order.datum_order import key_function, row_key
from model.types.datum import Row
from model.types.scalar_type import ScalarType, has_own_decimals
from planner.functions.numbers.decimals import decimals_if_finite
from planner.interpret.execution import Interpretation, Scopes
from planner.interpret.scalars import compile_scalar
from planner.ir.aggregate import SortKey
from planner.ir.scalar import scalar_type


class _Reversed:
    """A key with the reverse order."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __lt__(self, other: _Reversed) -> bool:
        return bool(other.key < self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and bool(self.key == other.key)


_Key = Callable[[Row, Scopes], Any]


def _key(key: SortKey, execution: Interpretation) -> _Key:
    evaluate = compile_scalar(key.expression, execution)
    order = key_function(scalar_type(key.expression))
    null = 0 if key.nulls_first else 2

    def make(row: Row, scopes: Scopes) -> Any:
        value = evaluate(row, scopes)
        if value is None:
            return (null,)
        place = value if order is None else order(value)
        return (1, _Reversed(place) if key.descending else place)

    return make


def sorter(
    keys: Sequence[SortKey], types: Sequence[ScalarType], execution: Interpretation
) -> Callable[[list[Row], Scopes], list[Row]]:
    """Sorts rows of `types` by `keys`, then by the whole row."""
    place = order_key(keys, execution)
    whole = tie_breaker(types)

    def sort(rows: list[Row], scopes: Scopes) -> list[Row]:
        return sorted(rows, key=lambda row: (place(row, scopes), whole(row)))

    return sort


def order_key(keys: Sequence[SortKey], execution: Interpretation) -> _Key:
    """Returns the sort key of rows; equal for peers."""
    parts = [_key(key, execution) for key in keys]
    return lambda row, scopes: [part(row, scopes) for part in parts]


def tie_breaker(types: Sequence[ScalarType]) -> Callable[[Row], Any]:
    """Returns a total order of rows in which only indistinguishable rows tie, where their types have an order: of equal
    numerics, those with fewer decimals come first."""
    whole = row_key(types)
    numerics = [at for at, type_ in enumerate(types) if has_own_decimals(type_)]
    if not numerics:
        return whole

    def key(row: Row) -> Any:
        shown = [decimals_if_finite(value) if isinstance(value := row[at], Decimal) else -1 for at in numerics]
        return whole(row), shown

    return key
