"""CHECK constraints: conditions over a row, in the order of their names. A NULL condition counts as kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from catalog.nouns.items import Item
from model.errors.error_sources import BROKEN_CHECK
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Datum, Row
from planner.interpret.evaluate import row_function
from planner.plans.constraints import RowCheck
from server.ledgers.row_text import failing_row, subject_of
from server.transactions.execution import Execution


class RowChecks:
    """The CHECKs of a table, for one statement."""

    def __init__(self, checks: Sequence[RowCheck], item: Item, execution: Execution) -> None:
        context = execution.evaluation_context(TIMESTAMP_MIN)
        self._item = item
        self._catalog = execution.catalog
        self._text = context.text
        self._conditions: list[tuple[str, Callable[[Row], Datum]]] = [
            (check.name, row_function(check.condition, context)) for check in checks
        ]

    def require(self, rows: Sequence[Row]) -> None:
        """Raises SqlError 23514 for the first row that breaks a CHECK, naming the first broken CHECK."""
        conditions = self._conditions
        for row in rows:
            for name, condition in conditions:
                if condition(row) is False:
                    message = f'new row for relation "{self._item.name}" violates check constraint "{name}"'
                    detail = failing_row(row, self._item, self._text)
                    subject = subject_of(self._catalog, self._item, constraint=name)
                    raise SqlError(
                        Sqlstate.CHECK_VIOLATION, message, detail=detail, subject=subject, source=BROKEN_CHECK
                    )
