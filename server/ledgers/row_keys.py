"""The identity by which a row is locked: its primary key, or another key that is never NULL; else all columns
that have not been dropped."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from catalog.facts.constraints import key_columns
from catalog.nouns.items import Index, Item
from catalog.state.catalog_state import CatalogState
from model.order.datum_order import identity_key
from model.types.datum import Datum, Row
from planner.catalog_view import KeyKind


class RowKeys:
    """The identities of one table's rows. With `keyed`, each row has its own."""

    def __init__(self, item: Item, state: CatalogState) -> None:
        key = _key(item, state)
        self._shown = tuple(at for _, at, _ in item.numbered_columns)
        self._arity = item.desc.arity
        self.keyed = key is not None
        self.columns = self._shown if key is None else key
        self._identity = identity_key([item.desc.types[at] for at in self.columns])

    def of(self, row: Row) -> Hashable:
        """Returns what is equal for rows with the same key."""
        identity: Hashable = self._identity(tuple(row[at] for at in self.columns))
        return identity

    def stored(self, shown: Sequence[Datum]) -> Row:
        """Returns a row as it is stored, with nothing in dropped columns, of the values that a query sees."""
        row: list[Datum] = [None] * self._arity
        for at, value in zip(self._shown, shown, strict=True):
            row[at] = value
        return tuple(row)


def _key(item: Item, state: CatalogState) -> tuple[int, ...] | None:
    found: tuple[int, ...] | None = None
    for key in state.keys_of(item.id):
        index = key.definition
        assert isinstance(index, Index) and index.rule is not None
        columns = key_columns(index)
        if len(columns) < len(index.keys) or index.condition is not None or index.rule.deferrable:
            continue
        if index.rule.kind is KeyKind.PRIMARY:
            return columns
        if found is None and not any(item.desc.columns[at].nullable for at in columns):
            found = columns
    return found
