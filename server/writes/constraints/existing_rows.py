"""Checks existing rows against new demands of their table: an added constraint, or a new unique index."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from catalog.lookup.planner_view import table_keys
from catalog.nouns.items import Item, Table
from catalog.nouns.names import quote, quote_all
from catalog.state.catalog_state import CatalogState
from model.errors.error_sources import (
    ABSENT_REFERENCE,
    CHECK_BROKEN_BY_EXISTING_ROWS,
    CONFLICT_IN_EXISTING_ROWS,
    DUPLICATE_IN_EXISTING_ROWS,
    NULL_IN_EXISTING_ROWS,
)
from model.errors.sql_error import ErrorSubject, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.catalog_view import DomainCheck, TableKey
from planner.plans.foreign_keys import ForeignKey
from planner.plans.queries import SelectPlan
from planner.syntax.parse import parse
from planner.temporary_schema import own_schema
from server.ledgers.row_text import key_text, subject_of
from server.planning.statement_plans import PlanningSession, ReadSet
from server.reads.reading import Reader
from server.transactions.execution import Execution


async def require_existing_rows(before: CatalogState, table: GlobalId, execution: Execution) -> None:
    """Raises SqlError 23502, 23503, 23505 or 23514 for rows that break a demand absent `before`. Rows are read as
    the transaction sees them; its commit is validated."""
    if await nothing_there(table, execution):
        return
    rows = _ExistingRows(execution, execution.catalog.items[table])
    old, new = before.items[table], execution.catalog.items[table]
    assert isinstance(old.definition, Table) and isinstance(new.definition, Table)
    for at, column in enumerate(new.desc.columns):
        was_nullable = at >= old.desc.arity or old.desc.columns[at].nullable
        if was_nullable and not column.nullable:
            await rows.require_column(column.name)
    known = {key.id for key in before.keys_of(table)}
    for key in table_keys(execution.catalog, table):
        if key.index not in known:
            await rows.require_key(key)
    for check in new.definition.checks:
        if check not in old.definition.checks:
            await rows.require_check(check.name, check.sql)
    before_keys = {key.oid for key in old.definition.foreign_keys if key.rule.validated}
    for foreign in new.definition.foreign_keys:
        if foreign.rule.validated and foreign.oid not in before_keys:
            await rows.require_foreign_key(foreign)


async def nothing_there(table: GlobalId, execution: Execution) -> bool:
    """Returns whether the table is known to be empty without a query, so that Spark need not be up."""
    transaction = execution.transaction
    if table in transaction.writes.ids():
        return False
    if table in transaction.changes.created:
        return True
    with ExitStack() as holds:
        reader = Reader(execution.environment, execution)
        await reader.read_point(ReadSet(frozenset({table}), frozenset(), timed=False), None, holds)
        return execution.environment.storage.reads.empty(table)


async def require_existing_values(
    table: Item, column: str, checks: Sequence[DomainCheck], execution: Execution, *, nullable: bool
) -> None:
    """Raises SqlError 23502 or 23514 for values of a column that break rules that are new to its domain."""
    if await nothing_there(table.id, execution):
        return
    rows = _ExistingRows(execution, table)
    if not nullable:
        await rows.require_column(column, of_domain=True)
    for check in checks:
        await rows.require_values(column, check.sql)


class _ExistingRows:
    def __init__(self, execution: Execution, table: Item) -> None:
        self._execution = execution
        self._table = table
        name = execution.catalog.full_name(table)
        self._from = f"FROM {quote_all(name.schema, name.name)}"

    async def require_column(self, column: str, *, of_domain: bool = False) -> None:
        if await self._first(f"SELECT 1 {self._from} WHERE {quote(column)} IS NULL LIMIT 1"):
            kind = "table" if of_domain else "relation"
            message = f'column "{column}" of {kind} "{self._table.name}" contains null values'
            subject = self._subject(column=column)
            raise SqlError(Sqlstate.NOT_NULL_VIOLATION, message, subject=subject, source=NULL_IN_EXISTING_ROWS)

    async def require_check(self, name: str, sql: str) -> None:
        if await self._first(f"SELECT 1 {self._from} WHERE NOT ({sql}) LIMIT 1"):
            message = f'check constraint "{name}" of relation "{self._table.name}" is violated by some row'
            subject = self._subject(constraint=name)
            raise SqlError(Sqlstate.CHECK_VIOLATION, message, subject=subject, source=CHECK_BROKEN_BY_EXISTING_ROWS)

    async def require_values(self, column: str, sql: str) -> None:
        """Requires that rows fulfil `sql`, a condition of VALUE."""
        values = f"(SELECT {quote(column)} AS value {self._from}) AS values_of_column"
        if await self._first(f"SELECT 1 FROM {values} WHERE NOT ({sql}) LIMIT 1"):
            message = f'column "{column}" of table "{self._table.name}" contains values that violate the new constraint'
            raise SqlError(Sqlstate.CHECK_VIOLATION, message, subject=self._subject(column=column))

    async def require_key(self, key: TableKey) -> None:
        parts = ", ".join(f"({sql})" for sql, _ in key.parts)
        conditions = [f"({sql}) IS NOT NULL" for sql, _ in key.parts] if key.rule.nulls_distinct else []
        conditions += [] if key.condition is None else [f"({key.condition})"]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        # Of those that occur twice the least, so that the answer is definite.
        query = f"SELECT {parts} {self._from}{where} GROUP BY {parts} HAVING count(*) > 1 ORDER BY {parts} LIMIT 1"
        found = await self._first(query)
        if found is not None:
            row, desc = found
            names: Sequence[str] = [sql for sql, _ in key.parts]
            text = key_text(names, row, desc.types, self._execution.asker.text_context)
            message = f'could not create unique index "{key.name}"'
            subject = self._subject(constraint=key.name)
            detail, source = f"{text} is duplicated.", DUPLICATE_IN_EXISTING_ROWS
            if not key.rule.unique:
                message = f'could not create exclusion constraint "{key.name}"'
                detail = f"{text} conflicts with {text[:1].lower()}{text[1:]}."
                excluded, source = Sqlstate.EXCLUSION_VIOLATION, CONFLICT_IN_EXISTING_ROWS
                raise SqlError(excluded, message, detail=detail, subject=subject, source=source)
            raise SqlError(Sqlstate.UNIQUE_VIOLATION, message, detail=detail, subject=subject, source=source)

    def _subject(self, **part: str) -> ErrorSubject:
        return subject_of(self._execution.catalog, self._table, **part)

    async def require_foreign_key(self, key: ForeignKey) -> None:
        catalog = self._execution.catalog
        parent = catalog.items[key.parent]
        place = catalog.full_name(parent)
        mine = [f"child.{quote(self._table.desc.names[at])}" for at in key.columns]
        theirs = [f"parent.{quote(parent.desc.names[at])}" for at in key.parent_columns]
        present = " AND ".join(f"{column} IS NOT NULL" for column in mine)
        if key.rule.match_full:
            absent = " AND ".join(f"{column} IS NULL" for column in mine)
            if await self._first(f"SELECT 1 {self._from} AS child WHERE NOT ({present}) AND NOT ({absent}) LIMIT 1"):
                detail = "MATCH FULL does not allow mixing of null and nonnull key values."
                raise self._dangling(key, detail)
        same = " AND ".join(f"{one} = {other}" for one, other in zip(mine, theirs, strict=True))
        there = f"SELECT 1 FROM {quote_all(place.schema, place.name)} AS parent WHERE {same}"
        columns = ", ".join(mine)
        where = f"{present} AND NOT EXISTS ({there})"
        found = await self._first(f"SELECT {columns} {self._from} AS child WHERE {where} ORDER BY {columns} LIMIT 1")
        if found is not None:
            row, desc = found
            names = [self._table.desc.names[at] for at in key.columns]
            text = key_text(names, row, desc.types, self._execution.asker.text_context)
            raise self._dangling(key, f'{text} is not present in table "{parent.name}".')

    def _dangling(self, key: ForeignKey, detail: str) -> SqlError:
        message = f'insert or update on table "{self._table.name}" violates foreign key constraint "{key.name}"'
        subject = self._subject(constraint=key.name)
        source = ABSENT_REFERENCE
        return SqlError(Sqlstate.FOREIGN_KEY_VIOLATION, message, detail=detail, subject=subject, source=source)

    async def _first(self, sql: str) -> tuple[Row, RelationDesc] | None:
        return await first_row(sql, self._execution)


def own_planning(execution: Execution) -> PlanningSession:
    """Returns what plans a query of our own, with all names qualified: it may read the session's temporary tables."""
    temporary = own_schema(execution.asker.search_path)
    return PlanningSession(execution.asker.database, () if temporary is None else (temporary,), "", own=True)


async def first_row(sql: str, execution: Execution) -> tuple[Row, RelationDesc] | None:
    """Returns the first row of a query of our own, as the transaction sees it; a query with AS OF is not relied
    upon."""
    (statement,) = parse(sql)
    session = own_planning(execution)
    planned = execution.environment.planning.plan(statement, execution.catalog, session, cacheable=False)
    assert isinstance(planned.plan, SelectPlan)
    query = planned.plan.query
    async for rows in Reader(execution.environment, execution).rows(query, planned.reads, planned.plan.as_of):
        for row in rows:
            return row, query.desc
    return None
