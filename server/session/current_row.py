"""The row at which a cursor stands, for WHERE CURRENT OF: as the transaction's own statements have left it since the
cursor was declared.

All reads of the transaction are at one time, so nobody else changes the row. Rows have no identity: each place of a
cursor stands for one of several equal rows, and a statement through the place follows the changes of this row.
"""

from __future__ import annotations

from catalog.nouns.items import Item
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import identity_key
from model.types.datum import Row
from planner.ir.query import whole_query
from planner.ir.relation import Get
from server.cursors.cursor import Cursor
from server.cursors.holdings import Holdings
from server.ledgers.row_keys import RowKeys
from server.planning.statement_plans import read_set
from server.reads.reading import Reader
from server.transactions.execution import Execution
from server.transactions.row_moves import Mover


class CurrentRows:
    """The rows at which the cursors of one session stand."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings

    async def row(self, execution: Execution, name: str, item: Item) -> tuple[Row | None, Mover]:
        """Returns a cursor's row of a table, None for a row that is gone, and the place. Raises SqlError 34000 and
        24000 as PostgreSQL does, 0A000 behind changes that were not kept row by row."""
        cursor = self._cursor(name)
        if not cursor.own:
            raise _invalid(f'cursor "{name}" is held from a previous transaction')
        columns = _columns_of(cursor, item)
        found = await cursor.here()
        if found is None:
            raise _invalid(f'cursor "{name}" is not positioned on a row')
        row = tuple(found[at] for at in columns)
        return await _followed(execution, cursor, item, row), Mover(cursor, cursor.position)

    def _cursor(self, name: str) -> Cursor:
        cursor = self._holdings.cursors.get(name)
        if cursor is not None:
            if cursor.result.live is not None:
                raise _invalid(f'cursor "{name}" is not a SELECT query')
            return cursor
        if name and name in self._holdings.portals:
            raise NotSupported("WHERE CURRENT OF a portal", hint="DECLARE the cursor.")
        raise SqlError(Sqlstate.INVALID_CURSOR_NAME, f'cursor "{name}" does not exist')


def _columns_of(cursor: Cursor, item: Item) -> tuple[int, ...]:
    """Returns the places of the table's columns in the cursor's rows."""
    found = [each.columns for each in cursor.scanned if each.table == item.id]
    name, table = cursor.name, item.name
    if cursor.locking and not found:
        raise _invalid(f'cursor "{name}" does not have a FOR UPDATE/SHARE reference to table "{table}"')
    if cursor.locking and len(found) > 1:
        raise _invalid(f'cursor "{name}" has multiple FOR UPDATE/SHARE references to table "{table}"')
    if not found:
        raise _invalid(f'cursor "{name}" is not a simply updatable scan of table "{table}"')
    return found[0]


async def _followed(execution: Execution, cursor: Cursor, item: Item, row: Row) -> Row | None:
    """Returns the row after the transaction's own changes; None for a deleted row."""
    identity, version, doubtful = identity_key(item.desc.types), row, False
    for write in execution.transaction.writes.buffered[cursor.writes_before :]:
        moves = write.moves
        if write.id != item.id or moves is None:
            continue
        if moves.pairs is None:
            hint = "Fetch the row again, by a cursor that is declared now."
            raise NotSupported("WHERE CURRENT OF behind such a change of the table in the same transaction", hint=hint)
        sought = identity(version)
        after = [new for old, new in moves.pairs if identity(old) == sought]
        if not after or (moves.by is not None and _is_another(moves.by, cursor)):
            continue
        if moves.by is not None and moves.by.cursor is not cursor and not RowKeys(item, execution.catalog).keyed:
            # One of several equal rows, perhaps: while there is one left, that is the row.
            if await _held(execution, item, version):
                continue
        doubtful = doubtful or moves.by is None
        if after[0] is None:
            return None
        version = after[0]
    if doubtful and not RowKeys(item, execution.catalog).keyed and not await _held(execution, item, version):
        return None
    return version


def _is_another(mover: Mover, cursor: Cursor) -> bool:
    """Tells whether the mover is another place of the same cursor, and so another row."""
    return mover.cursor is cursor and mover.position != cursor.position


async def _held(execution: Execution, item: Item, row: Row) -> bool:
    """Tells whether the transaction sees an equal row in the table."""
    identity = identity_key(item.desc.types)
    sought, whole = identity(row), whole_query(Get(item.id, item.desc))
    async for batch in Reader(execution.environment, execution).rows(whole, read_set(whole.relation)):
        if any(identity(each) == sought for each in batch):
            return True
    return False


def _invalid(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_CURSOR_STATE, message)
