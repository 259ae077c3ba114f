"""Reads rows of a table by the columns of a foreign key, on either side; by an index on the columns, if any.

Keys have their parts in the foreign key's order, and in the types of their own side; values outside the other side's
type are in none of its rows.
"""

from __future__ import annotations

import decimal
from collections.abc import Hashable, Iterable, Mapping, Sequence

from catalog.nouns.items import Index, Item
from catalog.nouns.names import quote
from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from model.text.numerics import fits_decimal
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType, TypeName
from planner.catalog_view import KeyKind, KeyRule
from planner.ir.scalar import Column
from planner.plans.constraints import RowKey
from server.transactions.execution import Execution
from server.writes.constraints.key_reading import KeyReader, key_form

_BITS = {TypeName.INT2: 16, TypeName.INT4: 32, TypeName.INT8: 64}
_NO_INDEX = GlobalId.user(0)


class _Absent(Exception):
    """No row of the other side can have the value."""


class Side:
    """The rows of `table` by `columns`."""

    def __init__(self, table: Item, columns: Sequence[int], execution: Execution) -> None:
        order, index = _index_of(table, columns, execution)
        types = [table.desc.types[at] for at in columns]
        parts = tuple(Column(columns[at], types[at]) for at in order)
        texts = tuple(quote(table.desc.names[columns[at]]) for at in order)
        key = RowKey(table.name, index, parts, texts, KeyRule(KeyKind.INDEX, nulls_distinct=True))
        self.types = types
        self._columns = tuple(columns)
        self._order = order
        self._form = key_form(key, execution)
        self._reader = KeyReader(execution, table, key, self._form)
        self._identity = identity_key(types)

    def key(self, row: Row) -> Row:
        """Returns the row's key, including NULLs."""
        return tuple([row[at] for at in self._columns])

    def identity(self, key: Row) -> Hashable:
        """Returns a value equal for equal keys of this side, which have no NULL."""
        found: Hashable = self._identity(key)
        return found

    def converted(self, key: Row, types: Sequence[ScalarType]) -> Row | None:
        """Converts a key of the other side; None when no row of this side can have it."""
        try:
            return tuple(_as(value, own) for value, own in zip(key, self.types, strict=True))
        except _Absent:
            return None

    async def present(self, keys: Iterable[Row]) -> set[Hashable]:
        """Returns the identities of the keys that rows have."""
        wanted = self._wanted(keys)
        found = await self._reader.present({inner: key for inner, (_, key) in wanted.items()})
        return {identity for inner, (identity, _) in wanted.items() if inner in found}

    async def rows(self, keys: Iterable[Row]) -> list[Row]:
        """Returns all rows with one of the keys."""
        wanted = self._wanted(keys)
        return await self._reader.all_rows({inner: key for inner, (_, key) in wanted.items()})

    def _wanted(self, keys: Iterable[Row]) -> Mapping[Hashable, tuple[Hashable, Row]]:
        """Returns, in the order of the index, by identity there: the identity here, and the key."""
        wanted = {}
        for key in keys:
            ordered = tuple([key[at] for at in self._order])
            wanted[self._form.identity(ordered)] = self.identity(key), ordered
        return wanted


def _index_of(table: Item, columns: Sequence[int], execution: Execution) -> tuple[tuple[int, ...], GlobalId]:
    """Returns an index on exactly these columns, and the places of its keys among them."""
    for item in execution.catalog.indexes_on(table.id):
        assert isinstance(item.definition, Index)
        keys = [key.column for key in item.definition.keys]
        if sorted(-1 if key is None else key for key in keys) == sorted(columns):
            return tuple(columns.index(key) for key in keys if key is not None), item.id
    return tuple(range(len(columns))), _NO_INDEX


def _as(value: Datum, type_: ScalarType) -> Datum:
    """Converts a value to a type comparable with its own."""
    name = type_.base().name
    if name in (TypeName.NUMERIC, TypeName.WIDE) and isinstance(value, int):
        return decimal.Decimal(value)
    if name is TypeName.NUMERIC and isinstance(value, decimal.Decimal) and not fits_decimal(value):
        raise _Absent
    if name in _BITS:
        if isinstance(value, decimal.Decimal):
            if value != value.to_integral_value():
                raise _Absent
            value = int(value)
        bound = 1 << (_BITS[name] - 1)
        if isinstance(value, int) and not -bound <= value < bound:
            raise _Absent
    return value
