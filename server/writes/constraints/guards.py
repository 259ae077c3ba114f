"""Row security and WITH CHECK OPTION for rows that a statement writes, or changes by ON CONFLICT: conditions that must
be true of each."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from catalog.nouns.items import Item
from model.errors.error_sources import BROKEN_VIEW_CHECK
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT8
from planner.interpret.evaluate import row_function
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Let
from planner.plans.constraints import GuardReading, RowGuard
from server.ledgers.row_text import failing_row
from server.planning.statement_plans import read_set
from server.reads.reading import Reader
from server.transactions.execution import Execution
from server.transactions.permissions import may_read_rows


class RowGuards:
    """The guards of a statement's target; with `existing`, those on rows that are to be changed, which an INSERT calls
    new rows, and MERGE target rows."""

    def __init__(
        self,
        guards: Sequence[RowGuard],
        item: Item,
        execution: Execution,
        *,
        existing: bool = False,
        called: str = "new row",
    ) -> None:
        context = execution.evaluation_context(TIMESTAMP_MIN)
        self._item = item
        self._of_what = " (USING expression)" if existing else ""
        self._called = called
        self._guards = [
            (guard, None if guard.reading is not None else row_function(guard.condition, context)) for guard in guards
        ]
        self._execution = execution
        self._shown = may_read_rows(execution.newest_catalog, execution.role, item)
        self._text = context.text

    async def require(self, rows: Sequence[Row]) -> None:
        """Raises SqlError 42501, without the row, for the first row with a condition of row security that is false or
        NULL; raises 44000 for one of WITH CHECK OPTION, with the row, where the role may read the table.

        Must be asked before the statement's own write is the transaction's: tables are read as they were before it."""
        for refused in await self.refusals(rows):
            if refused is not None:
                raise refused

    async def refusals(self, rows: Sequence[Row]) -> list[SqlError | None]:
        """Returns for each row the error, if a condition is false or NULL."""
        read = [None if each.reading is None else await self._refused(each.reading, rows) for each, _ in self._guards]
        return [self._refusal(number, row, read) for number, row in enumerate(rows)]

    def _refusal(self, number: int, row: Row, read: Sequence[frozenset[int] | None]) -> SqlError | None:
        """Returns the error of a row; `read` are the numbers of the rows refused by conditions with subqueries."""
        for (guard, condition), refused in zip(self._guards, read, strict=True):
            passes = number not in (refused or ()) if condition is None else condition(row) is True
            if not passes:
                return self._error(guard, row)
        return None

    def _error(self, guard: RowGuard, row: Row) -> SqlError:
        if guard.view is not None:
            message = f'new row violates check option for view "{guard.view}"'
            detail = failing_row(row, self._item, self._text) if self._shown else None
            return SqlError(Sqlstate.WITH_CHECK_OPTION_VIOLATION, message, detail=detail, source=BROKEN_VIEW_CHECK)
        named = ("" if guard.policy is None else f' "{guard.policy}"') + self._of_what
        message = f'{self._called} violates row-level security policy{named} for table "{self._item.name}"'
        return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)

    async def _refused(self, reading: GuardReading, rows: Sequence[Row]) -> frozenset[int]:
        """Returns the numbers of the rows refused by a condition with subqueries."""
        if not rows:
            return frozenset()
        desc = RelationDesc((*self._item.desc.columns, ColumnDesc("number", INT8)))
        numbered = Constant(tuple(((*row, number), 1) for number, row in enumerate(rows)), desc)
        query = whole_query(Let(reading.local_id, numbered, reading.relation))
        found = Reader(self._execution.environment, self._execution).rows(query, read_set(query.relation))
        return frozenset([_number(row) async for batch in found for row in batch])


def _number(row: Row) -> int:
    (number,) = row
    assert isinstance(number, int)
    return number


async def guarded(
    source: AsyncGenerator[Sequence[Row]], guards: Sequence[RowGuard], item: Item, execution: Execution
) -> AsyncGenerator[Sequence[Row]]:
    """Yields batches of rows that may be written. Raises SqlError 42501."""
    required = RowGuards(guards, item, execution)
    async for batch in source:
        await required.require(batch)
        yield batch
