"""Finds rows of a table that changed since they were read."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.timestamp import Timestamp
from server.ledgers.row_keys import RowKeys
from server.transactions.execution import Execution

_AT_ONCE = 1_000


async def changed_keys(execution: Execution, id_: GlobalId, since: Timestamp) -> set[Hashable]:
    """Returns the keys of rows added or removed after `since`, which is held."""
    storage = execution.environment.storage
    if id_ in execution.transaction.changes.created or not storage.reads.changed_after(id_, since):
        return set()
    item = execution.catalog.items[id_]
    keys = RowKeys(item, execution.catalog)
    changes = await storage.reads.changes_after(id_, since)
    found: set[Hashable] = set()
    for start in range(0, changes.num_rows, _AT_ONCE):
        found.update(map(keys.of, rows_from_arrow(changes.slice(start, _AT_ONCE), item.desc)))
        await asyncio.sleep(0)
    return found
