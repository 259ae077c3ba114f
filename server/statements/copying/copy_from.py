"""COPY t FROM STDIN: decodes rows from the wire, adds defaults for missing columns, stages parts as rows come."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item
from model.errors.sql_error import SqlError
from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import RelationDesc
from planner.interpret.evaluate import row_function
from planner.plans.copying import CopyFromPlan
from server.pgwire.backend import CopyIn, CopyReceiver
from server.pgwire.copy.blocks import Batch
from server.pgwire.large_values import Scale
from server.statements.copying.copy_options import wire_options
from server.statements.copying.wide_columns import WideningReceiver, rows_of_blocks
from server.transactions.execution import Execution
from server.writes.constraints.generated import GeneratedValues
from server.writes.constraints.held_rules import held_rules
from server.writes.constraints.references import hold_references, lock_references
from server.writes.unstorable import Unstorable
from server.writes.writing import TableWriter, item_of, lock_for_write, require_writable

_ROWS_AT_ONCE = 1024
"""A client may send its rows one by one, and a batch takes kilobytes besides its rows."""


class _Receiver:
    def __init__(self, plan: CopyFromPlan, execution: Execution) -> None:
        self._plan = plan
        self._execution = execution
        item = item_of(execution.catalog, plan.target)
        self._arity = item.desc.arity
        self._desc = copied_desc(plan, item)
        self._rules = held_rules(plan.rules, item, execution)
        self._generated = GeneratedValues(plan.rules, execution)
        self._writer = TableWriter(execution, item, self._rules)
        self.waiting: list[Row] = []
        self._scale = Scale(self._desc.types)
        as_they_come = not plan.checked and plan.where is None
        self._in_order = as_they_come and plan.columns == tuple(range(self._arity))
        self._as_stored = as_they_come and with_decimals_columns(self._desc) == item.desc

    async def feed(self, rows: Batch) -> None:
        if isinstance(rows, pa.Table):
            if self._as_stored and rows.num_columns == self._arity:
                await self.add_waiting()
                await self._writer.add(rows)
                return
            rows = rows_of_blocks(rows, self._desc)
        self.waiting.extend(rows)
        if len(self.waiting) >= _ROWS_AT_ONCE or self._scale.is_large(rows):
            await self.add_waiting()

    @property
    def rows(self) -> int:
        """Returns how many rows have been written."""
        return self._writer.rows

    async def add_waiting(self) -> None:
        """Writes the rows that wait; raises Unstorable, and keeps them, where one does not fit."""
        rows, self.waiting = self.waiting, []
        if rows:
            try:
                await self._writer.add_rows(rows if self._in_order else self._completed(rows))
            except Unstorable:
                self.waiting = rows
                raise

    async def finish(self) -> str:
        try:
            await self.add_waiting()
            references = await lock_references(self._execution, frozenset({self._plan.target}), frozenset())
            await self._require_keys()
            write = await self._writer.finish()
        except BaseException:
            await self._writer.abandon()
            raise
        self._execution.transaction.writes.buffered.append(write)
        if references:
            await hold_references(self._execution, len(self._execution.transaction.writes.buffered) - 1)
        return f"COPY {self._writer.rows}"

    async def _require_keys(self) -> None:
        execution = self._execution
        if self._rules is not None:
            if not is_temporary_item(execution.catalog, self._plan.target):
                await lock_for_write(execution.environment, execution.transaction, frozenset({self._plan.target}))
            await self._rules.require_keys()

    async def fail(self, error: SqlError) -> None:
        await self._writer.abandon()

    def _completed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Returns the rows that COPY is asked for, with all the table's columns. Defaults are evaluated for each row,
        since they may be volatile, then the condition, and generated columns at last."""
        context = self._execution.evaluation_context(TIMESTAMP_MIN)
        defaults = [(column, row_function(expression, context)) for column, expression in self._plan.defaults]
        checked = [(column, row_function(expression, context)) for column, expression in self._plan.checked]
        wanted = None if self._plan.where is None else row_function(self._plan.where, context)
        completed = []
        for row in rows:
            whole = dict(zip(self._plan.columns, row, strict=True))
            for column, check in checked:
                whole[column] = check(row)
            for column, default in defaults:
                whole[column] = default(())
            every = tuple(whole.get(column) for column in range(self._arity))
            if wanted is None or wanted(every) is True:
                completed.append(every)
        return self._generated.filled(completed)


def copied_desc(plan: CopyFromPlan, item: Item) -> RelationDesc:
    """Returns the columns of the data."""
    return RelationDesc(tuple(item.desc.columns[index] for index in plan.columns))


def sequence_copy_from(plan: CopyFromPlan, execution: Execution) -> CopyIn:
    """Begins a COPY FROM that is ready to receive."""
    receiver = copy_receiver(plan, execution)
    item = item_of(execution.catalog, plan.target)
    desc = copied_desc(plan, item)
    return CopyIn(item.name, desc, wire_options(plan.options, desc, reading=True), receiver)


def copy_receiver(plan: CopyFromPlan, execution: Execution) -> CopyReceiver:
    """Returns a receiver of rows, whatever they are read from."""
    require_writable(execution, plan.target, "COPY FROM")
    desc = copied_desc(plan, item_of(execution.catalog, plan.target))
    return WideningReceiver(plan, desc, execution, _Receiver)
