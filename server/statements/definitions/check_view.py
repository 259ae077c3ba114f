"""CHECK VIEW: subtracts maintained contents and the definition's contents at the same time from each other.

An index's rows come from its arrangement, a materialized view's from its shard; the definition is computed over tables.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack
from typing import cast

from catalog.nouns.items import Index, Item, MaterializedView
from compute.controller.exports import Patience
from compute.controller.pending import PeekRequest
from compute.protocol.dataflow import Import
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.scalar_type import INT8
from planner.interpret.parameters import bind_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Finishing, Get, Map, Negate, Relation, Threshold, Union
from planner.ir.scalar import Literal, SessionName
from planner.plans.views import CheckPlan
from server.pgwire.backend import Rows
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import ReadSet, read_set
from server.reads.reading import Reader
from server.statements.definitions.check_index import index_differences
from server.statements.definitions.maintainable import settled_relation
from server.statements.results import counted_rows
from server.transactions.execution import Execution


async def sequence_check(plan: CheckPlan, execution: Execution) -> Rows:
    return counted_rows(plan.desc, _Check(plan, execution).rows(), "CHECK")


async def differing_rows(plan: CheckPlan, execution: Execution) -> int:
    """Returns the number of rows that are maintained and should not be, or are missing."""
    async with contextlib.aclosing(_Check(plan, execution).rows()) as batches:
        return sum([abs(cast(int, row[0])) async for batch in batches for row in batch])


class _Check:
    def __init__(self, plan: CheckPlan, execution: Execution) -> None:
        self._plan = plan
        self._execution = execution
        self._environment = execution.environment
        self._state = self._environment.catalog.state

    async def rows(self) -> AsyncGenerator[Sequence[Row]]:
        """Yields the differences, by maintained object."""
        for item in self._maintained():
            visible = self._checked(item).layout.visible
            async with contextlib.aclosing(self._differences(item)) as batches:
                async for batch in batches:
                    yield [(row[0], *(row[1 + at] for at in visible)) for row in batch]

    def _checked(self, item: Item) -> Item:
        """Returns the materialized view itself, or what an index is on."""
        return self._state.items[item.definition.on.id] if isinstance(item.definition, Index) else item

    def _maintained(self) -> list[Item]:
        """Returns the materialized view or index itself, or a view's indexes. Raises SqlError 55000 without any."""
        item = self._state.items.get(self._plan.target)
        if item is None:
            name = self._execution.catalog.items[self._plan.target].name
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'"{name}" is not committed yet')
        if isinstance(item.definition, MaterializedView | Index):
            return [item]
        indexes = [*self._state.indexes_on(item.id)]
        if not indexes:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'nothing of view "{item.name}" is maintained',
                hint="CREATE DEFAULT INDEX ON the view first.",
            )
        return indexes

    async def _differences(self, item: Item) -> AsyncGenerator[Sequence[Row]]:
        definition = item.definition
        assert isinstance(definition, MaterializedView | Index)
        on = self._checked(item)
        computed = await planned_apart(settled_relation, self._state, on)
        with ExitStack() as holds:
            timestamp = await self._time(item, read_set(computed), holds)
            bound = bind_relation(computed, (), {SessionName.MZ_NOW: timestamp})
            if isinstance(definition, MaterializedView):
                yield await self._view_differences(Get(item.id, on.desc), bound, timestamp)
                return
            batches = index_differences(self._environment, definition, on.desc, bound, timestamp)
            async with contextlib.aclosing(batches):
                async for batch in batches:
                    yield batch

    async def _view_differences(self, kept: Get, computed: Relation, timestamp: Timestamp) -> list[Row]:
        collections = self._environment.collections
        imports = dict.fromkeys((*collections.imports_of(computed), collections.import_of(kept)))
        signed = Union((_beyond(kept, computed, 1), _beyond(computed, kept, -1)))
        return await self._run(signed, tuple(imports), timestamp)

    async def _time(self, item: Item, reads: ReadSet, holds: ExitStack) -> Timestamp:
        """Returns AS OF's time, or now; the maintained item is complete at it."""
        reader = Reader(self._environment, self._execution)
        ids = set(reads.user) | ({item.id} if isinstance(item.definition, MaterializedView) else set())
        answer = await reader.choose(ReadSet(frozenset(ids), frozenset(), True), ids, self._plan.as_of, holds)
        for id_ in sorted(ids):
            await self._environment.collections.wait_for_upper(id_, answer.timestamp, Patience.FAILURES)
        return answer.timestamp

    async def _run(self, relation: Relation, imports: tuple[Import, ...], timestamp: Timestamp) -> list[Row]:
        """Returns the rows of `relation` (the object's columns, then the sign), each once, behind its count."""
        desc = relation_desc_of(relation)
        finishing = Finishing((), None, None, tuple(range(desc.arity)))
        counts: Counter[Row] = Counter()
        request = PeekRequest(relation, imports, timestamp, finishing, cluster=self._execution.cluster.oid)
        async with contextlib.aclosing(self._environment.compute.peek(request)) as batches:
            async for batch in batches:
                counts.update(rows_from_arrow(batch, desc))
        return [(_signed(row, count), *row[:-1]) for row, count in counts.items()]


def _beyond(one: Relation, other: Relation, sign: int) -> Relation:
    """Returns the rows of `one` that are not in `other`, with multiplicities, and the sign behind."""
    positive = Threshold(Union((one, Negate(other))))
    return Map(positive, (Literal(sign, INT8),), ("sign",))


def _signed(row: Row, count: int) -> int:
    sign = row[-1]
    assert isinstance(sign, int)
    return sign * count
