"""The tables that hold the large objects of a database, created by the transaction that makes its first object.

    pg_large_objects.pg_largeobject        (loid, pageno, data)  pages of 2 kB; what is zero may have none
    pg_large_objects.stored_large_objects  (oid, owner, acl, size, comment)  shown in pg_largeobject_metadata

They are tables like any other, so a transaction's own writes, its snapshot, conflicts, history and backups hold for
large objects, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from catalog.changes.change import CreateItem, CreateSchema
from catalog.lookup.large_objects import OBJECTS, PAGES, SCHEMA
from catalog.nouns.items import SUPERUSER_OID, Item, WrittenDefinition
from catalog.state.catalog_state import CatalogState
from catalog.translation.statements import translate
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType
from planner.catalog_view import QualifiedName
from planner.plans.queries import SelectPlan
from planner.plans.tables import CreateTablePlan
from planner.syntax.parse import ParsedStatement, parse
from server.planning.statement_plans import PlanningSession
from server.session.planned import begin_statement, execution_of, planned_in_its_catalog
from server.statements.select import sequence_select
from server.transactions.execution import Execution
from server.transactions.transaction import Transaction
from server.writes.writing import TableWriter, require_writable

if TYPE_CHECKING:
    from server.session.asking import SessionAsker

_PAGES = "loid oid, pageno int4, data bytea NOT NULL, PRIMARY KEY (loid, pageno)"
_OBJECTS = "oid oid PRIMARY KEY, owner oid NOT NULL, acl text, size int8 NOT NULL, comment text"
_TABLES = f"CREATE TABLE {SCHEMA}.{PAGES} ({_PAGES})", f"CREATE TABLE {SCHEMA}.{OBJECTS} ({_OBJECTS})"


@lru_cache(maxsize=32)
def _parsed(sql: str) -> ParsedStatement:
    return parse(sql)[0]


class ObjectTables:
    """The tables of the session's database, for one call in its transaction. They are read and written as the
    superuser; whoever calls has asked for rights."""

    def __init__(self, execution: Execution, asker: SessionAsker) -> None:
        self._environment = execution.environment
        self._transaction: Transaction = execution.transaction
        self._asker = asker.as_superuser()
        self._session = PlanningSession(asker.database, (), "", own=True)

    def found(self, name: str) -> Item | None:
        """Returns a table as the transaction sees the table; None before the database's first large object."""
        transaction = self._transaction
        state = self._newest if transaction.reads.seen is None else transaction.sees()
        return state.find(self._named(name))

    @property
    def _newest(self) -> CatalogState:
        return self._transaction.changes.catalog or self._environment.catalog.state

    def _named(self, name: str) -> QualifiedName:
        return QualifiedName(self._session.database, SCHEMA, name)

    def ensure(self) -> None:
        """Creates missing tables, in the transaction."""
        if self.found(OBJECTS) is not None:
            return
        if self._newest.find(self._named(OBJECTS)) is not None:
            message = "could not serialize access: another transaction has created the database's first large object"
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message)
        execution = Execution(self._environment, self._asker, self._transaction)
        allocator = self._environment.catalog.allocator
        schema = CreateSchema(allocator.oid(), self._session.database, SCHEMA, SUPERUSER_OID, own=True)
        execution.buffer_changes((schema,))
        for sql in _TABLES:
            state = execution.catalog
            plan = self._environment.planning.plan(_parsed(sql), state, self._session, cacheable=False).plan
            assert isinstance(plan, CreateTablePlan)
            changes = translate(plan, state, execution.ddl_session, allocator, self._asker.now_ms()).changes
            execution.buffer_changes(changes)
            self._transaction.changes.created |= {
                each.id
                for each in changes
                if isinstance(each, CreateItem) and isinstance(each.definition, WrittenDefinition)
            }

    async def rows(self, sql: str, types: tuple[ScalarType, ...], *parameters: Datum) -> AsyncGenerator[Sequence[Row]]:
        """Yields the rows of a query over existing tables."""
        statement = _parsed(sql)
        while True:
            planned = planned_in_its_catalog(self._environment, self._transaction, self._session, statement, types)
            execution = execution_of(
                planned, self._environment, self._asker, self._transaction, parameters, later=False
            )
            if not await begin_statement(planned, execution):
                break
        assert isinstance(planned.plan, SelectPlan)
        result = await sequence_select(planned.plan, planned, execution)
        if result.whole is not None:
            yield result.whole
            return
        async for batch in result.batches:
            yield batch

    async def write(self, name: str, changes: Sequence[tuple[Row | None, Row | None]]) -> None:
        """Adds rows' changes, from the first to the second of each pair, to the transaction's writes."""
        old = [before for before, after in changes if before is not None and before != after]
        new = [after for before, after in changes if after is not None and before != after]
        if not (old or new):
            return
        writer = self.writer(name)
        try:
            await writer.change(old, new)
            write = await writer.finish()
        except BaseException:
            await writer.abandon()
            raise
        self._transaction.writes.buffered.append(write)

    async def remove(self, name: str, batches: AsyncGenerator[Sequence[Row]]) -> None:
        """Adds the removal of rows, as they come, to the transaction's writes."""
        writer = self.writer(name)
        removed = 0
        try:
            async with contextlib.aclosing(batches):
                async for rows in batches:
                    removed += len(rows)
                    if rows:
                        await writer.change(rows, ())
            write = await writer.finish()
        except BaseException:
            await writer.abandon()
            raise
        if removed:
            self._transaction.writes.buffered.append(write)

    def writer(self, name: str) -> TableWriter:
        """Returns a writer of rows into a table."""
        item = self.found(name)
        assert item is not None, "tables are written once they are there"
        execution = Execution(self._environment, self._asker, self._transaction)
        require_writable(execution, item.id, "lo_put()")
        return TableWriter(execution, item)
