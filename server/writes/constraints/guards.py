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
from planner.interpret.evaluate import row_function
from planner.plans.constraints import RowGuard
from server.ledgers.row_text import failing_row
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
        self._guards = [(guard, row_function(guard.condition, context)) for guard in guards]
        self._shown = may_read_rows(execution.newest_catalog, execution.role, item)
        self._text = context.text

    def require(self, rows: Sequence[Row]) -> None:
        """Raises SqlError 42501, without the row, for the first row with a condition of row security that is false or
        NULL; raises 44000 for one of WITH CHECK OPTION, with the row, where the role may read the table."""
        for row in rows:
            refused = self.refusal(row)
            if refused is not None:
                raise refused

    def refusal(self, row: Row) -> SqlError | None:
        """Returns the error for a row with a condition that is false or NULL; None for another row."""
        for guard, condition in self._guards:
            if condition(row) is not True:
                if guard.view is not None:
                    message = f'new row violates check option for view "{guard.view}"'
                    detail = failing_row(row, self._item, self._text) if self._shown else None
                    broken = Sqlstate.WITH_CHECK_OPTION_VIOLATION
                    return SqlError(broken, message, detail=detail, source=BROKEN_VIEW_CHECK)
                policy = guard.policy
                named = ("" if policy is None else f' "{policy}"') + self._of_what
                message = f'{self._called} violates row-level security policy{named} for table "{self._item.name}"'
                return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        return None


async def guarded(
    source: AsyncGenerator[Sequence[Row]], guards: Sequence[RowGuard], item: Item, execution: Execution
) -> AsyncGenerator[Sequence[Row]]:
    """Yields batches of rows that may be written. Raises SqlError 42501."""
    required = RowGuards(guards, item, execution)
    async for batch in source:
        required.require(batch)
        yield batch
