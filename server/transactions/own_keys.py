"""A transaction's own changes to the rows of a table, by one key: kept while writing, perhaps row by row."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from catalog.nouns.items import Item
from model.errors.sql_error import NotSupported
from model.types.datum import Row
from model.updates.update import signed_rows
from server.transactions.key_changes import KeyForm

if TYPE_CHECKING:
    from server.transactions.transaction_writes import BufferedWrite

_NONE: Mapping[Row, int] = {}


class OwnKeys:
    """Rows by key that were added, less those removed."""

    def __init__(self, table: Item, form: KeyForm) -> None:
        self._table = table
        self._form = form
        self._seen = 0
        self._last: BufferedWrite | None = None
        self._rows: dict[Hashable, dict[Row, int]] = {}

    def follow(self, writes: Sequence[BufferedWrite]) -> None:
        """Takes in what was written since; ROLLBACK TO may have taken some away. 0A000 after a bulk load, whose rows
        are not here any more."""
        if self._seen and (len(writes) < self._seen or writes[self._seen - 1] is not self._last):
            self._rows.clear()
            self._seen = 0
        for write in writes[self._seen :]:
            if write.id == self._table.id:
                for update in write.updates:
                    self._add(update)
        self._seen, self._last = len(writes), writes[-1] if writes else None

    def rows_with(self, identity: Hashable) -> Mapping[Row, int]:
        """Returns the rows with the identity of a key."""
        return self._rows.get(identity, _NONE)

    def _add(self, update: object) -> None:
        if not isinstance(update, pa.Table):
            hint = "COMMIT the load first, then write."
            raise NotSupported("writing to a table with keys after a bulk load in the same transaction", hint=hint)
        for row, diff in signed_rows(update, self._table.desc):
            key = self._form.key(row)
            if key is not None:
                rows = self._rows.setdefault(self._form.identity(key), {})
                rows[row] = rows.get(row, 0) + diff
