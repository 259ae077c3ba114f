"""CHECK VIEW: what is maintained, and what its definition gives at the same time, subtracted from each other.

An index's rows come from its arrangement; a materialized view's from its shard; the definition is computed over tables.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack

from catalog.items import Index, Item, MaterializedView
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.protocol.dataflow import Import
from model.datum import Row
from model.errors import NotSupported, SqlError
from model.physical import rows_from_arrow
from model.relation_desc import RelationDesc
from model.scalar_type import INT8
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from planner.interpret.parameters import bind_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Finishing, Get, Map, Negate, Relation, Threshold, Union
from planner.ir.scalar import Literal, SessionName
from planner.plans import CheckPlan
from server.coordinator.execution import Execution
from server.coordinator.maintained.maintainable import settled_relation
from server.coordinator.planning import ReadSet, read_set
from server.coordinator.reading import Reader
from server.coordinator.sequence.results import counted_rows
from server.pgwire.backend import Rows

_ARRANGED_ROWS_MAX = 500_000


async def sequence_check(plan: CheckPlan, execution: Execution) -> Rows:
    return counted_rows(plan.desc, _Check(plan, execution).rows(), "CHECK")


class _Check:
    def __init__(self, plan: CheckPlan, execution: Execution) -> None:
        self._plan = plan
        self._execution = execution
        self._environment = execution.environment
        self._state = self._environment.catalog.state

    async def rows(self) -> AsyncIterator[Sequence[Row]]:
        """The differences, by object that is maintained."""
        for item in self._maintained():
            yield await self._differences(item)

    def _maintained(self) -> list[Item]:
        """A materialized view or an index by itself; for a view, its indexes. SqlError 55000 when there are none."""
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

    async def _differences(self, item: Item) -> list[Row]:
        definition = item.definition
        assert isinstance(definition, MaterializedView | Index)
        on = item if isinstance(definition, MaterializedView) else self._state.items[definition.on.id]
        computed = settled_relation(self._environment.planning, self._state, on)
        with ExitStack() as holds:
            reads = read_set(computed)
            timestamp = await self._time(item, reads, holds)
            bound = bind_relation(computed, (), {SessionName.MZ_NOW: timestamp})
            kept: Relation = Get(item.id, on.desc)
            imports = list(self._environment.collections.imports_of(bound))
            if isinstance(definition, MaterializedView):
                imports.append(self._environment.collections.import_of(Get(item.id, on.desc)))
            else:
                kept = await self._arranged(definition, on.desc, timestamp)
            signed = Union((_beyond(kept, bound, 1), _beyond(bound, kept, -1)))
            return await self._run(signed, tuple(dict.fromkeys(imports)), timestamp)

    async def _time(self, item: Item, reads: ReadSet, holds: ExitStack) -> Timestamp:
        """AS OF's, or now; the maintained item is complete at it."""
        reader = Reader(self._environment, self._execution)
        ids = set(reads.user) | ({item.id} if isinstance(item.definition, MaterializedView) else set())
        answer = await reader.choose(ReadSet(frozenset(ids), frozenset(), True), ids, self._plan.as_of, holds)
        for id_ in sorted(ids):
            await self._environment.collections.wait_for_upper(id_, answer.timestamp)
        return answer.timestamp

    async def _arranged(self, index: Index, desc: RelationDesc, timestamp: Timestamp) -> Constant:
        """The rows that the index has."""
        whole = Finishing((), None, None, tuple(range(desc.arity)))
        controller = self._environment.dataflows.controller
        counts: Counter[Row] = Counter()
        with controller.hold(index.collection, timestamp):
            await controller.wait_for_upper(index.collection, timestamp)
            request = IndexPeekRequest(index.collection, None, timestamp, whole)
            async with contextlib.aclosing(self._environment.compute.peek_index(request)) as batches:
                async for batch in batches:
                    counts.update(rows_from_arrow(batch, desc))
                    if counts.total() > _ARRANGED_ROWS_MAX:
                        raise NotSupported(
                            f"CHECK of an index of more than {_ARRANGED_ROWS_MAX} rows",
                            hint="Create a materialized view of the same query, and check that.",
                        )
        return Constant(tuple(counts.items()), desc)

    async def _run(self, relation: Relation, imports: tuple[Import, ...], timestamp: Timestamp) -> list[Row]:
        """The rows of `relation` (the object's columns, then the sign), each once; how often it counts is in front."""
        desc = relation_desc_of(relation)
        finishing = Finishing((), None, None, tuple(range(desc.arity)))
        counts: Counter[Row] = Counter()
        request = PeekRequest(relation, imports, timestamp, finishing)
        async with contextlib.aclosing(self._environment.compute.peek(request)) as batches:
            async for batch in batches:
                counts.update(rows_from_arrow(batch, desc))
        return [(_signed(row, count), *row[:-1]) for row, count in counts.items()]


def _beyond(one: Relation, other: Relation, sign: int) -> Relation:
    """The rows of `one` that are not in `other`, with multiplicities, and the sign behind."""
    positive = Threshold(Union((one, Negate(other))))
    return Map(positive, (Literal(sign, INT8),), ("sign",))


def _signed(row: Row, count: int) -> int:
    sign = row[-1]
    assert isinstance(sign, int)
    return sign * count
