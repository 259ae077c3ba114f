"""COPY FROM into columns that become wide while rows come: a client sends the rows only once.

The rows until then are written as a COPY of their own, in the same transaction; then the columns become wide, and the
rows that did not fit are the first of another COPY.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import pyarrow as pa

from catalog.nouns.names import quote, quote_all
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.physical.columns import rows_from_arrow
from model.types.datum import Row
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import RelationDesc
from planner.ir.scalar import Column, Scalar
from planner.ir.visit import rewrite_scalar
from planner.plans.copying import CopyFromPlan
from planner.syntax.parse import parse
from server.pgwire.backend import CopyReceiver
from server.pgwire.copy.blocks import Batch
from server.statements.definitions.widen_columns import widen_columns
from server.transactions.execution import Execution
from server.writes.constraints.existing_rows import own_planning
from server.writes.unstorable import Unstorable


class PartReceiver(CopyReceiver, Protocol):
    """A receiver whose rows wait for some time before the receiver writes them. After Unstorable the rows that were not
    written wait on."""

    waiting: list[Row]

    @property
    def rows(self) -> int: ...

    async def add_waiting(self) -> None: ...


class WideningReceiver:
    """Receives rows of columns `desc`, and hands a part of the rows to each of the receivers that `begin` makes."""

    def __init__(
        self,
        plan: CopyFromPlan,
        desc: RelationDesc,
        execution: Execution,
        begin: Callable[[CopyFromPlan, Execution], PartReceiver],
    ) -> None:
        self._plan = plan
        self._desc = desc
        self._execution = execution
        self._begin = begin
        self._part = begin(plan, execution)
        self._rows = 0
        self._widened = False

    async def feed(self, rows: Batch) -> None:
        if self._widened and isinstance(rows, pa.Table):
            rows = rows_of_blocks(rows, self._desc)
        try:
            await self._part.feed(rows)
        except Unstorable as error:
            await self._widen(error)

    async def finish(self) -> str:
        try:
            await self._part.add_waiting()
        except Unstorable as error:
            await self._widen(error)
        await self._part.finish()
        return f"COPY {self._rows + self._part.rows}"

    async def fail(self, error: SqlError) -> None:
        await self._part.fail(error)

    async def _widen(self, error: Unstorable) -> None:
        """Makes columns wide until the rows that wait fit; raises SqlError 22003 for columns that can't become so."""
        failure: Unstorable | None = error
        while failure is not None:
            waiting, self._part.waiting = self._part.waiting, []
            await self._part.finish()
            self._rows += self._part.rows
            execution = replace(self._execution, seen=None)
            before = execution.catalog
            if not await widen_columns(failure.columns, execution):
                raise failure
            self._plan = _planned_anew(self._plan, before, execution)
            self._part, self._widened = self._begin(self._plan, execution), True
            self._part.waiting = waiting
            failure = None
            try:
                await self._part.add_waiting()
            except Unstorable as another:
                failure = another


def rows_of_blocks(table: pa.Table, desc: RelationDesc) -> list[Row]:
    """Returns the rows of columns `desc`, whose numerics show the decimals that the table tells."""
    if table.num_columns == desc.arity:
        return rows_from_arrow(table, desc)
    return [row[: desc.arity] for row in rows_from_arrow(table, with_decimals_columns(desc))]


def _planned_anew(plan: CopyFromPlan, before: CatalogState, execution: Execution) -> CopyFromPlan:
    """Returns the plan of the same COPY into the table as it is by now."""
    state = execution.catalog
    old, item = before.items[plan.target], state.items[plan.target]
    numbers = {at: number for number, at, _ in old.numbered_columns}
    now = {number: at for number, at, _ in item.numbered_columns}
    names = ", ".join(quote(old.desc.columns[at].name) for at in plan.columns)
    name = state.full_name(item)
    (statement,) = parse(f"COPY {quote_all(name.schema, name.name)} ({names}) FROM STDIN")
    session = own_planning(execution)
    planned = execution.environment.planning.plan(statement, state, session, cacheable=False)
    assert isinstance(planned.plan, CopyFromPlan)

    def moved(scalar: Scalar, level: int) -> Scalar | None:
        if level or not isinstance(scalar, Column) or scalar.index not in numbers:
            return None
        at = now[numbers[scalar.index]]
        return Column(at, item.desc.columns[at].type)

    where = None if plan.where is None else rewrite_scalar(plan.where, moved)
    return replace(planned.plan, where=where, options=plan.options, file=plan.file, connection=plan.connection)
