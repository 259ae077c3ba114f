"""A transaction's own changes to the rows of a table, by one key: kept while writing, perhaps row by row."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from catalog.nouns.items import Item
from model.errors.sql_error import NotSupported
from model.types.datum import Row
from model.updates.update import signed_rows
from server.transactions.key_changes import KeyForm
from storage.persist.state import Part

if TYPE_CHECKING:
    from server.transactions.transaction_writes import BufferedWrite

_NONE: Mapping[Row, int] = {}
_STAGED_ROWS_MAX = 500_000
_STAGED_BYTES_MAX = 128 << 20
"""Of one table's rows in parts that are looked through for keys; in memory each takes some 200 bytes more."""
_ROWS_AT_ONCE = 2_000


class OwnKeys:
    """Rows by key that were added, less those removed."""

    def __init__(self, table: Item, form: KeyForm) -> None:
        self._table = table
        self._form = form
        self._seen = 0
        self._staged_rows = 0
        self._staged_bytes = 0
        self._last: BufferedWrite | None = None
        self._rows: dict[Hashable, dict[Row, int]] = {}

    async def follow(self, writes: Sequence[BufferedWrite], read: Callable[[Part], Awaitable[pa.Table]]) -> None:
        """Takes in what was written since; ROLLBACK TO may have taken some away. `read` reads a staged part. Raises
        0A000 where more rows are staged than may be taken into memory."""
        if self._seen and (len(writes) < self._seen or writes[self._seen - 1] is not self._last):
            self._rows.clear()
            self._seen = self._staged_rows = self._staged_bytes = 0
        for write in writes[self._seen :]:
            if write.id == self._table.id:
                for update in write.updates:
                    await self._take(update, read)
        self._seen, self._last = len(writes), writes[-1] if writes else None

    def rows_with(self, identity: Hashable) -> Mapping[Row, int]:
        """Returns the rows with the identity of a key."""
        return self._rows.get(identity, _NONE)

    async def _take(self, update: pa.Table | Part, read: Callable[[Part], Awaitable[pa.Table]]) -> None:
        if isinstance(update, Part):
            self._staged_rows += update.rows
            self._staged_bytes += max(update.bytes, update.memory)
            if self._staged_rows > _STAGED_ROWS_MAX or self._staged_bytes > _STAGED_BYTES_MAX:
                raise NotSupported(
                    f"writing to a table with keys after a load of more than {_STAGED_ROWS_MAX} rows or "
                    f"{_STAGED_BYTES_MAX >> 20} MiB in the same transaction",
                    hint="COMMIT the load first, then write.",
                )
            update = await read(update)
        for start in range(0, update.num_rows, _ROWS_AT_ONCE):
            if start:
                await asyncio.sleep(0)
            self._add(update.slice(start, _ROWS_AT_ONCE))

    def _add(self, update: pa.Table) -> None:
        for row, diff in signed_rows(update, self._table.desc):
            key = self._form.key(row)
            if key is not None:
                rows = self._rows.setdefault(self._form.identity(key), {})
                rows[row] = rows.get(row, 0) + diff
