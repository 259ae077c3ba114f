"""A query over system relations alone, observed by a subscription: committed contents, as the session sees them."""

from __future__ import annotations

from dataclasses import replace

from catalog.durable.rows import CATALOG_SHARD_ID
from model.time.timestamp import Timestamp, step_back
from model.types.datum import Row
from planner.interpret.parameters import bind_query
from planner.ir.query import whole_query
from planner.ir.reads import reads_of
from planner.ir.relation import Relation
from server.transactions.evaluating import evaluated_rows
from server.transactions.execution import Execution
from server.transactions.transaction import Transaction


class SystemQuery:
    """An Observable. Of the statement's transaction, only its start time is seen."""

    def __init__(self, relation: Relation, execution: Execution) -> None:
        self._relation = relation
        self._environment = execution.environment
        outside = Transaction(explicit=False, started=execution.transaction.started)
        self._execution = replace(execution, transaction=outside)

    async def settled(self, time: Timestamp) -> list[Timestamp]:
        storage = self._environment.storage
        await storage.wait_for_upper(CATALOG_SHARD_ID, time)
        upper = storage.frontiers(CATALOG_SHARD_ID).upper.time
        assert upper is not None, "the catalog never ends"
        newest = step_back(upper)
        changed = self._environment.catalog.history.changes_from(time)
        return sorted({*(each for each in changed if each < newest), newest})

    async def contents(self, time: Timestamp) -> list[Row]:
        values = self._execution.session_values(time)
        query = bind_query(whole_query(self._relation), (), values)
        await self._execution.prepare_snapshot(reads_of(query.relation).collections)
        return await evaluated_rows(query, self._execution, time, system=True)
