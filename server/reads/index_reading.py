"""Reads rows by an index at a given time: evaluates keys, looks rows up, and evaluates the rest of the query over them.

The transaction's own writes to the table are added to the rows; the query repeats the conditions on keys, and so drops
writes with other keys.

An index gives way (None) when it can't answer like the definition: the index or its past is missing, its dataflow has
an error that a narrower query need not meet, or so many rows are found that Spark should handle them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from catalog.nouns.items import Table
from compute.controller.pending import IndexPeekRequest
from compute.protocol.command import Nearest
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.order.datum_order import comparable_by_identity, identity_key, sort_key
from model.physical.columns import rows_from_arrow
from model.text.context import DEFAULT_CONTEXT, output_style
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_scalar
from planner.interpret.parameters import bind_query, bind_scalar
from planner.ir.query import Query
from planner.ir.relation import Constant, Finishing, Get, Relation
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Literal, Parameter, Scalar, scalar_type
from server.environment.environment import Environment
from server.ledgers.own_writes import in_memory, rows_after
from server.planning.access import (
    AmongArray,
    Equal,
    IndexAccess,
    IsNull,
    KeyPart,
    UsedIndex,
)
from server.planning.arranged_query import ArrangedQuery
from server.reads.behind import IndexTime, index_time
from server.transactions.evaluating import evaluated_rows
from server.transactions.execution import Execution
from storage.persist.state import Part
from timeline.footprint import KEYS_MAX, KeyColumns, ReadKeys

_KEYS_MAX = 10_000
_INTERPRETED_ROWS_MAX = 10_000
ROWS_A_BATCH = 4096
KEPT_FAILURES = frozenset((Sqlstate.QUERY_CANCELED, Sqlstate.ADMIN_SHUTDOWN, Sqlstate.CANNOT_CONNECT_NOW))
"""Failures that the query's other way would meet as well."""


FoundRows = list[Row] | AsyncGenerator[Sequence[Row]]
"""All rows, where they are few and there already; else batches to come."""


class IndexReader:
    """Reads indexes for one execution of one statement, which sees the transaction's first `writes` writes; None:
    all."""

    def __init__(self, environment: Environment, execution: Execution, writes: int | None = None) -> None:
        self._environment = environment
        self._execution = execution
        self._writes = writes

    def usable_for(self, access: IndexAccess) -> bool:
        """Returns whether the index is usable, or the transaction's own writes are to the table itself and can be
        added."""
        on = self._environment.catalog.state.items.get(access.index.on)
        written = on is not None and isinstance(on.definition, Table) and bool(self._own_updates(on.id))
        return self._usable(access.index, own=written and access.keys is not None)

    def usable(self, index: UsedIndex) -> bool:
        """Returns whether the index exists, and shows the transaction's view."""
        return self._usable(index, own=False)

    def _usable(self, index: UsedIndex, *, own: bool) -> bool:
        environment, transaction = self._environment, self._execution.transaction
        item = environment.catalog.state.items.get(index.item)
        if transaction.changes.catalog is not None or item is None:
            return False
        changed = {write.id for write in transaction.writes.buffered[: self._writes]} | transaction.changes.created
        if changed and not own and changed & environment.catalog.state.tables_under([index.on]):
            return False
        if index.settings and not self._default_settings():
            return False
        return environment.dataflows.usable(index.collection)

    def usable_together(self, arranged: ArrangedQuery) -> bool:
        """Returns whether all indexes of the query are usable."""
        return all(map(self.usable, arranged.indexes))

    async def readable(self, index: UsedIndex, as_of: Timestamp) -> bool:
        """Returns whether the index still exists, goes back to `as_of`, and will be complete there soon; waits while it
        hydrates."""
        controller = self._environment.dataflows.controller
        if not controller.exists(index.collection):
            return False
        if not controller.frontiers(index.collection).since.less_equal(as_of):
            return False
        return await self._environment.dataflows.complete_soon(index.collection, as_of)

    async def readable_together(self, arranged: ArrangedQuery, as_of: Timestamp) -> bool:
        """Returns whether all indexes of the query are readable, and hurries them."""
        for index in arranged.indexes:
            if not await self.readable(index, as_of):
                return False
        for index in arranged.indexes:
            self._environment.dataflows.controller.progress.hurry(index.collection, as_of)
        return True

    def _default_settings(self) -> bool:
        text = self._execution.asker.text_context
        return output_style(text) == output_style(DEFAULT_CONTEXT)

    async def rows(self, access: IndexAccess, as_of: Timestamp) -> FoundRows | None:
        """Returns the query's rows, or None when the index gives way."""
        if not await self.readable(access.index, as_of):
            return None
        self._environment.observed.index_uses.note(access.index.collection, as_of)
        values = Values(self._execution, as_of)
        try:
            keys = None if access.keys is None else _keys(access.keys, values)
            direct = None if access.direct is None else _literal(access.direct, values)
        except SqlError:
            return None
        if keys is not None and len(keys) > _KEYS_MAX:
            return None
        told = self._keys_told(access, keys)
        own = in_memory(self._own_updates(access.index.on))
        if own is None or _rows_of(own) > _INTERPRETED_ROWS_MAX:
            return None
        desc, known_rows = access.index.desc, self._environment.known_rows
        known = None if told is None else known_rows.at(access.index.collection, told, desc, as_of)
        if known is not None:
            if direct is None or own or _orders(direct):
                return await self._finished(access, known, own, as_of)
            return [tuple([row[at] for at in direct.project]) for row in known]
        time = self._time(access, told, as_of)
        if own or time.updates:
            access, direct = access.whole_rows(), None
        self._environment.dataflows.controller.progress.hurry(access.index.collection, time.as_of)
        if access.nearest is not None and not (own or time.updates):
            asked = _nearest(access, values)
            found = None if asked is None else await self._found_nearest(access, keys, time.as_of, asked)
            if found is not None or keys is None:
                return found
        if direct is not None and (_orders(direct) or keys is None):
            return await begun(self._streamed(access, keys, time.as_of, direct))
        whole = tuple(range(desc.arity))
        request = IndexPeekRequest(access.index.collection, keys, time.as_of, Finishing((), None, None, access.asked))
        try:
            found = await self._found(access, request)
        except SqlError as error:
            if error.sqlstate in KEPT_FAILURES:
                raise
            return None
        if direct is not None and found is None:
            return await begun(self._streamed(access, keys, time.as_of, direct))
        if found is None or len(found) + _rows_of([*time.updates, *own]) > _INTERPRETED_ROWS_MAX:
            return None
        found = rows_after(found, time.updates, desc)
        if told is not None and access.asked == whole:
            known_rows.keep(access.index.collection, told, desc, as_of, found)
        return list(access.wanted(found)) if direct is not None else await self._finished(access, found, own, as_of)

    def _keys_told(self, access: IndexAccess, keys: Sequence[Row] | None) -> ReadKeys | None:
        """Returns the keys in the form of recent commits; None for keys without such a form."""
        parts, desc = access.keys or (), access.index.desc
        columns = access.index.columns[: len(parts)]
        types = tuple(desc.types[at] for at in columns)
        if not keys or len(keys) > KEYS_MAX or len(columns) < len(parts) or not comparable_by_identity(types):
            return None
        if not all(map(are_of, parts, types)):
            return None
        return {KeyColumns(access.index.on, columns, types): frozenset(map(identity_key(types), keys))}

    def _time(self, access: IndexAccess, keys: ReadKeys | None, as_of: Timestamp) -> IndexTime:
        """Returns when the index is asked for the rows with the keys."""
        if keys is None:
            return IndexTime(as_of)
        return index_time(self._environment, access.index.collection, keys, access.index.desc.arity, as_of)

    async def _found(self, access: IndexAccess, request: IndexPeekRequest) -> list[Row] | None:
        """Returns the rows with the keys; None when they are too many to be had at once."""
        if not request.keys:
            return []
        with self._environment.dataflows.controller.hold(access.index.collection, request.as_of):
            return await self._environment.compute.look_up(request, access.found)

    async def _streamed(
        self, access: IndexAccess, keys: tuple[Row, ...] | None, as_of: Timestamp, finishing: Finishing
    ) -> AsyncGenerator[Sequence[Row]]:
        """Yields any number of rows."""
        environment = self._environment
        if keys is not None and not keys:
            return
        with environment.dataflows.controller.hold(access.index.collection, as_of):
            asked = replace(finishing, project=access.asked)
            request = IndexPeekRequest(access.index.collection, keys, as_of, asked)
            async with contextlib.aclosing(environment.compute.peek_index(request)) as batches:
                async for batch in batches:
                    for start in range(0, batch.num_rows, ROWS_A_BATCH):
                        yield access.wanted(rows_from_arrow(batch.slice(start, ROWS_A_BATCH), access.found))

    async def _found_nearest(
        self, access: IndexAccess, keys: tuple[Row, ...] | None, as_of: Timestamp, nearest: Nearest
    ) -> list[Row] | None:
        """Evaluates the query over the rows that are nearest; returns None when the index gives way."""
        if keys is not None and not keys:
            return []
        rows: list[Row] = []
        request = IndexPeekRequest(
            access.index.collection, keys, as_of, Finishing((), None, None, access.asked), nearest=nearest
        )
        environment = self._environment
        try:
            with environment.dataflows.controller.hold(access.index.collection, as_of):
                async with contextlib.aclosing(environment.compute.peek_index(request)) as batches:
                    async for batch in batches:
                        if len(rows) + batch.num_rows > _INTERPRETED_ROWS_MAX:
                            return None
                        rows += rows_from_arrow(batch, access.found)
            return await self._finished(access.whole_rows(), rows, (), as_of)
        except SqlError as error:
            if error.sqlstate in KEPT_FAILURES:
                raise
            return None

    def _own_updates(self, on: GlobalId) -> list[pa.Table | Part]:
        """Returns the transaction's own writes to the object."""
        return self._execution.transaction.writes.of(on, self._writes)

    async def _finished(
        self, access: IndexAccess, rows: Sequence[Row], own: Sequence[pa.Table], as_of: Timestamp
    ) -> list[Row]:
        """Evaluates the query over the rows found and the transaction's own."""
        execution, desc = self._execution, access.index.desc
        few = rows_after(rows, own, desc)
        program = access.program.compiled()
        if program is not None and program.takes(few, execution.parameters):
            session = execution.session_values(as_of) if program.session else {}
            return program.run(few, execution.parameters, session)
        session = execution.session_values(as_of)
        bound = bind_query(access.query, execution.parameters, session)
        found = Constant(tuple((row, 1) for row in few), desc)

        def contents(get: Get) -> Relation:
            return found if get.id == access.index.on else get

        query = Query(rewrite_gets(bound.relation, contents), bound.finishing, bound.desc)
        return await evaluated_rows(query, execution, as_of)


@dataclass(slots=True)
class Values:
    """Evaluates expressions without columns in one execution. Constants and parameters, most keys, ask nothing of
    the session."""

    execution: Execution
    as_of: Timestamp
    _context: EvaluationContext | None = None

    def of(self, scalar: Scalar) -> Datum:
        """Evaluates an expression without columns. Raises SqlError when the expression fails."""
        match scalar:
            case Literal(value=value):
                return value
            case Parameter(number=number):
                return self.execution.parameters[number - 1]
        context = self._known_context()
        return evaluate_scalar(bind_scalar(scalar, self.execution.parameters, context.session), context)

    def bound(self, scalar: Scalar) -> Scalar:
        """Returns an expression over columns with parameters and the session's values as literals."""
        return bind_scalar(scalar, self.execution.parameters, self._known_context().session)

    def _known_context(self) -> EvaluationContext:
        if self._context is None:
            self._context = self.execution.evaluation_context(self.as_of)
        return self._context


def _keys(parts: Sequence[KeyPart], values: Values) -> tuple[Row, ...]:
    """Returns the wanted keys, each once; keys with NULL only for IS NULL."""
    chosen = [_choices(part, values) for part in parts]
    return tuple(itertools.islice(itertools.product(*chosen), _KEYS_MAX + 1))


def are_of(part: KeyPart, type_: ScalarType) -> bool:
    """Returns whether the possible values of a key part are of the column's own type."""
    for each in part:
        match each:
            case Equal(value) if scalar_type(value).base().name is not type_.base().name:
                return False
            case AmongArray(array):
                element = scalar_type(array).element
                if element is None or element.base().name is not type_.base().name:
                    return False
    return True


def _choices(part: KeyPart, values: Values) -> list[Datum]:
    found: dict[object, Datum] = {}
    for each in part:
        match each:
            case IsNull():
                found[None] = None
            case Equal(value):
                _add(found, values.of(value), scalar_type(value))
            case AmongArray(array):
                datums = values.of(array)
                element = scalar_type(array).element
                assert element is not None and (datums is None or isinstance(datums, tuple))
                for datum in datums or ():
                    _add(found, datum, element)
    return list(found.values())


def _rows_of(updates: Sequence[pa.Table]) -> int:
    return sum(each.num_rows for each in updates)


def _orders(finishing: Finishing) -> bool:
    """Returns whether the finishing asks for more than columns."""
    return bool(finishing.order) or finishing.limit is not None or finishing.offset is not None


def _nearest(access: IndexAccess, values: Values) -> Nearest | None:
    """Returns what is asked of the index for the nearest rows; None for no vector, no limit, or too many rows."""
    asked, finishing = access.nearest, access.query.finishing
    assert asked is not None
    try:
        to, bounds = values.of(asked.to), _literal(finishing, values)
        conditions = tuple(values.bound(each) for each in access.rows.conditions)
    except SqlError:
        return None
    if not isinstance(to, bytes) or not isinstance(bounds.limit, Literal):
        return None
    offset = bounds.offset.value if isinstance(bounds.offset, Literal) else 0
    rows = _number(bounds.limit.value) + _number(offset)
    if rows > _INTERPRETED_ROWS_MAX:
        return None
    order = asked.key
    return Nearest(asked.column, asked.distance, to, order.descending, order.nulls_first, rows, conditions)


def _number(value: Datum) -> int:
    assert isinstance(value, int)
    return value


def _literal(finishing: Finishing, values: Values) -> Finishing:
    """Returns the finishing with literals for limit and offset; raises SqlError for a negative number."""
    if finishing.limit is None and finishing.offset is None:
        return finishing
    return replace(finishing, limit=_bound(finishing.limit, values), offset=_bound(finishing.offset, values))


def _add(found: dict[object, Datum], datum: Datum, type_: ScalarType) -> None:
    if datum is not None:
        found.setdefault(sort_key(type_)(datum), datum)


def _bound(scalar: Scalar | None, values: Values) -> Scalar | None:
    """Returns a limit or offset as a literal; raises SqlError for a negative number."""
    if scalar is None:
        return None
    value = values.of(scalar)
    if isinstance(value, int) and value < 0:
        raise SqlError(Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE, "LIMIT must not be negative")
    return None if value is None else Literal(value, scalar_type(scalar))


async def begun(rows: AsyncGenerator[Sequence[Row]]) -> AsyncGenerator[Sequence[Row]] | None:
    """Returns the rows once the first have come: an error shows before any row. None after an error, except for
    errors that the query would meet in any case."""
    try:
        first = await anext(rows, None)
    except SqlError as error:
        if error.sqlstate in KEPT_FAILURES:
            raise
        return None
    return _chained(first, rows)


async def _chained(first: Sequence[Row] | None, rest: AsyncGenerator[Sequence[Row]]) -> AsyncGenerator[Sequence[Row]]:
    async with contextlib.aclosing(rest):
        if first is not None:
            yield first
            async for rows in rest:
                yield rows
