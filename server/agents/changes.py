"""Tells what an open transaction would change: by table, how many rows are added and taken, and the first of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pyarrow as pa

from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.text.context import TextContext
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.updates.update import signed_rows
from server.agents.limited_answer import BYTES_MAX
from server.api.json_values import JsonRows
from server.transactions.transaction import Transaction

_ROWS_READ_MAX, _BYTES_READ_MAX = 5_000, 2 << 20
"""Changes beyond are not told by rows: summing them would hold up others."""


def told_changes(
    transaction: Transaction, state: CatalogState, context: TextContext, rows_max: int
) -> list[dict[str, Any]]:
    """Returns the changes by table, in order of the tables' ids."""
    written = sorted(transaction.written_ids())
    return [_of_table(transaction, id_, state, context, rows_max) for id_ in written if id_ in state.items]


def _of_table(
    transaction: Transaction, id_: GlobalId, state: CatalogState, context: TextContext, rows_max: int
) -> dict[str, Any]:
    item = state.items[id_]
    told: dict[str, Any] = {"table": state.full_name(item)}
    updates = transaction.writes_of(id_)
    tables = [each for each in updates if isinstance(each, pa.Table)]
    rows, size = sum(each.num_rows for each in tables), sum(each.nbytes for each in tables)
    if len(tables) < len(updates) or rows > _ROWS_READ_MAX or size > _BYTES_READ_MAX:
        return told | {"too_many": True}
    net = [(row, diff) for row, diff in _net(tables, item.desc).values() if diff]
    maker = JsonRows(item.desc, context)
    kept: list[dict[str, Any]] = []
    left = BYTES_MAX
    for row, diff in net[:rows_max]:
        (encoded,) = maker.encode_each((row,))
        left -= len(encoded)
        if left < 0:
            break
        kept.append({"diff": diff, "row": msgspec.Raw(encoded)})
    return told | {
        "columns": list(item.desc.names),
        "inserted": sum(diff for _, diff in net if diff > 0),
        "deleted": -sum(diff for _, diff in net if diff < 0),
        "rows": kept,
        "truncated": len(kept) < len(net),
    }


def _net(tables: list[pa.Table], desc: RelationDesc) -> dict[str, tuple[Row, int]]:
    """Sums the updates of equal rows, as rows are written."""
    net: dict[str, tuple[Row, int]] = {}
    for table in tables:
        for row, diff in signed_rows(table, desc):
            written = repr(row)
            _, known = net.get(written, (row, 0))
            net[written] = row, known + diff
    return net
