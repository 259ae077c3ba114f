"""Values of generated columns in rows that no plan computes: those that COPY reads and that foreign keys change."""

from __future__ import annotations

from collections.abc import Sequence

from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from planner.interpret.evaluate import row_function
from planner.plans.constraints import TableRules
from server.transactions.execution import Execution


class GeneratedValues:
    """The values of a table's generated columns, for one statement."""

    def __init__(self, rules: TableRules, execution: Execution) -> None:
        context = execution.evaluation_context(TIMESTAMP_MIN)
        self._functions = [(at, row_function(value, context)) for at, value in rules.generated]

    def filled(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Returns whole rows of the table with the values of their generated columns; errors of the expressions."""
        if not self._functions:
            return rows
        filled = []
        for row in rows:
            whole = list(row)
            for at, function in self._functions:
                whole[at] = function(row)
            filled.append(tuple(whole))
        return filled
