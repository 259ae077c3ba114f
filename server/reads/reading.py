"""Reads a query's rows at one timestamp.

    holds taken -> timestamp chosen -> inputs complete at it -> parameters filled in -> rows

Queries over users' collections are answered by an index, or run on Spark through a peek, which reads indexed views from
their indexes; so do groups of very many rows of a series. The interpreter evaluates constants and system relations; in
a query over both kinds, a system relation becomes a constant. The transaction's own writes are added to its reads.

A materialized view is read from its shard, but computed from its definition when that gives another or an earlier
answer: after changes of its inputs by the transaction, before hydration, while its dataflow fails, at a time before its
since.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence, Set
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

import pyarrow as pa

from catalog.nouns.items import MaterializedView
from compute.controller.pending import PeekRequest
from compute.protocol.dataflow import Import, IndexImport, LineForm
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Row
from model.types.scalar_type import MZ_TIMESTAMP
from planner.interpret.asking import with_answers
from planner.interpret.effort import gathers_many
from planner.interpret.parameters import bind_query
from planner.interpret.streaming import constant_rows
from planner.ir.query import AsOf, Query, whole_query
from planner.ir.reads import reads_of
from planner.ir.relation import Get, Relation
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Literal
from server.evaluation.query_facts import facts_of, program_of
from server.evaluation.system_rows import with_system_rows
from server.ledgers.counting.positions import with_positions
from server.ledgers.counting.split import Split
from server.ledgers.own_writes import created_rows, staged_parts, written_stream
from server.ledgers.pieces import Pieces
from server.objects.maintained.collections import ItemNotMaintained
from server.pgwire.large_values import LARGE_BYTES, done
from server.planning.access import IndexAccess, UsedIndex, asked_columns
from server.planning.arranged_query import ArrangedQuery
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import ReadSet, read_set
from server.reads.answers import (
    ByIndex,
    ByIndexes,
    ByInterpreter,
    BySpark,
    InTurn,
    OfConstant,
    OfKey,
    OfProjection,
    OfRead,
    immediate_choice,
    indexes_of,
    lasting_choice,
    way_without_tables,
    ways_of,
)
from server.reads.index_reading import ROWS_A_BATCH, FoundRows, IndexReader, begun
from server.reads.keys_read import keys_read, keys_said
from server.reads.projection import projected
from server.reads.read_point import ReadPoints
from server.transactions.evaluating import evaluated
from server.transactions.noting import note
from server.transactions.trace import ReadPlace
from timeline.footprint import ReadKeys

_OWN_BYTES_MAX = 32 << 20
"""Of one collection's updates that are sent with the plan that reads it."""


def _plain_table(batch: pa.RecordBatch) -> pa.Table:
    """Removes Spark's knowledge about NULLs from a table's types: tables with different types can't be concatenated."""
    if not batch.num_columns:
        return pa.Table.from_batches([batch])
    columns = [each.cast(_plain_type(each.type)) if pa.types.is_nested(each.type) else each for each in batch.columns]
    return pa.Table.from_arrays(columns, names=batch.schema.names)


def _plain_type(type_: pa.DataType) -> pa.DataType:
    """Returns the type with everything inside nullable."""
    if pa.types.is_struct(type_):
        return pa.struct([(field.name, _plain_type(field.type)) for field in type_])
    return pa.list_(_plain_type(type_.value_type)) if pa.types.is_list(type_) else type_


async def in_batches(found: FoundRows) -> AsyncGenerator[Sequence[Row]]:
    if isinstance(found, list):
        yield found
        return
    async with contextlib.aclosing(found):
        async for rows in found:
            yield rows


class Reader(ReadPoints):
    """Reads for one execution of one statement."""

    async def rows(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None = None,
        access: IndexAccess | None = None,
        arranged: ArrangedQuery | None = None,
        pieces: Pieces | None = None,
    ) -> AsyncGenerator[Sequence[Row]]:
        """Yields the query's rows in batches, or writes them to `pieces`. `access` is the index that may answer,
        `arranged` the query over indexes of views."""
        facts = await self._execution.worked_out(facts_of, query)
        with ExitStack() as holds:
            match lasting_choice(facts, query.finishing, reads):
                case OfProjection(parts):
                    found: FoundRows = self._projected(parts, reads, as_of)
                case InTurn(queries):
                    found = self._in_turn(queries, reads, as_of)
                case OfRead():
                    found = await self._found(query, reads, as_of, access, arranged, holds, pieces)
                    if as_of is None:
                        note(query, reads, self._execution)
            async with contextlib.aclosing(in_batches(found)) as batches:
                async for batch in batches:
                    yield batch

    async def answer(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None = None,
        access: IndexAccess | None = None,
        arranged: ArrangedQuery | None = None,
    ) -> FoundRows:
        """Returns rows like `rows`, but complete for a constant query, or a lookup of few rows by key: the commonest
        answers skip the layers of a result that is yet to come."""
        execution = self._execution
        if as_of is None and not (execution.long or execution.later):
            found: FoundRows | None = None
            match immediate_choice(facts_of(query), reads, access):
                case OfKey(by_key):
                    found = await self._found_by_key(query, reads, by_key)
                case OfConstant():
                    found = self._rows_of_none(query)
                case None:
                    pass
            if found is not None:
                return found
        return self.rows(query, reads, as_of, access, arranged)

    def _rows_of_none(self, query: Query) -> list[Row] | None:
        """Returns the rows of a query that reads nothing, if few and simple; else None."""
        facts, execution = facts_of(query), self._execution
        if facts.constant is not None:
            program = program_of(query)
            if program is not None and program.takes(facts.constant, execution.parameters):
                session = execution.session_values(TIMESTAMP_MIN) if program.session else {}
                return program.run(facts.constant, execution.parameters, session)
        elif facts.bound is None:
            # No values make constant rows of it, and filling in those of many rows takes long.
            return None
        return constant_rows(self._bound(query, TIMESTAMP_MIN))

    async def _found_by_key(self, query: Query, reads: ReadSet, access: IndexAccess) -> FoundRows | None:
        """Returns the rows that an index finds; None when it gives way."""
        unfolded, _ = await self._unfolded(query, reads, None, frozenset())
        if unfolded is not query:
            return None
        with ExitStack() as holds:
            found = await self._looked_up(access, reads, await self._keys_read(query, reads, access), holds)
            if not (isinstance(found, list) or self._execution.transaction.lasts):
                # What comes later is read at the same time.
                self._execution.transaction.resources.callback(holds.pop_all().close)
            if found is not None:
                note(query, reads, self._execution)
            return found

    async def _in_turn(
        self, queries: Sequence[Query], reads: ReadSet, as_of: AsOf | None
    ) -> AsyncGenerator[Sequence[Row]]:
        """Yields the rows of several queries, one after the other, at one time."""
        with ExitStack() as holds:
            if as_of is not None:
                timestamp = (await self.choose(reads, set(reads.user), as_of, holds)).timestamp
                as_of = AsOf(Literal(timestamp, MZ_TIMESTAMP), at_least=False)
            for each in queries:
                async with contextlib.aclosing(self.rows(each, read_set(each.relation), as_of)) as batches:
                    async for batch in batches:
                        yield batch

    async def _found(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None,
        access: IndexAccess | None,
        arranged: ArrangedQuery | None,
        holds: ExitStack,
        pieces: Pieces | None,
    ) -> FoundRows:
        """Returns the rows from the best place. A view that proves not to be maintained while awaited is computed
        from its definition."""
        index = IndexReader(self._environment, self._execution, self._writes if as_of is None else 0)
        given_up: set[GlobalId] = set()
        while True:
            self.look_again()
            unfolded, read = await self._unfolded(query, reads, as_of, given_up)
            if not read.user:
                match way_without_tables(await self._execution.worked_out(facts_of, unfolded)):
                    case ByInterpreter():
                        return await self._system_rows(unfolded, read, as_of)
                    case BySpark():
                        return self._batches(unfolded, read, as_of, TIMESTAMP_MIN)
            if access is not None and not index.usable_for(access):
                access = None
            if arranged is not None and (unfolded is not query or not index.usable_together(arranged)):
                arranged = None
            ways = ways_of(access, arranged)
            try:
                keys = await self._keys_read(unfolded, read, access)
                timestamp = (await self.read_point(read, as_of, holds, indexes_of(ways), keys)).timestamp
                for way in ways:
                    match way:
                        case ByIndex(by_key):
                            found = await self._of_index(index, by_key, timestamp)
                        case ByIndexes(together):
                            found = await self._of_indexes(index, together, read, as_of, timestamp, pieces)
                        case BySpark(waits):
                            if waits:
                                await self.wait_for(read.user, timestamp)
                            found = self._batches(unfolded, read, as_of, timestamp, (), pieces)
                    if found is not None:
                        return found
            except ItemNotMaintained as error:
                given_up.add(error.id)
            except SqlError:
                if read.user <= given_up or not self.replaced(read.user):
                    raise
                given_up |= read.user

    async def _of_indexes(
        self,
        index: IndexReader,
        arranged: ArrangedQuery,
        reads: ReadSet,
        as_of: AsOf | None,
        timestamp: Timestamp,
        pieces: Pieces | None,
    ) -> FoundRows | None:
        """Returns the rows of a query over indexes of views; None when they give way."""
        if not await index.readable_together(arranged, timestamp):
            return None
        await self.wait_for(arranged.reads, timestamp)
        return await begun(self._batches(arranged.query, reads, as_of, timestamp, arranged.indexes, pieces))

    async def begin(self, query: Query, reads: ReadSet) -> None:
        """Chooses the time of a transaction whose first read the query is."""
        _, reads = await self._unfolded(query, reads, None, frozenset())
        await self.choose_time(reads)

    async def _projected(self, parts: Split, reads: ReadSet, as_of: AsOf | None) -> AsyncGenerator[Sequence[Row]]:
        """Yields the rows of a query whose top projection the server computes, in the order of the rows below."""
        async with contextlib.aclosing(self.rows(parts.below, reads, as_of)) as batches:
            if parts.whole:
                rows = [row async for batch in batches for row in batch]
                async for each in projected(parts, rows, self._execution):
                    yield each
                return
            async for batch in batches:
                async for each in projected(parts, batch, self._execution):
                    yield each

    async def tables(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None = None,
        *,
        own_writes: bool = True,
        keys: ReadKeys | None = None,
    ) -> AsyncIterator[pa.Table]:
        """Yields the rows of a query over users' collections, as Arrow tables of columns c0, c1, …

        Without `own_writes`, yields the rows that others see. `keys` are the keys of the read, if more is known than
        the query says.
        """
        parts = (await self._execution.worked_out(facts_of, query)).parts
        if parts is not None:
            async with contextlib.aclosing(self._projected(parts, reads, as_of)) as batches:
                async for batch in batches:
                    yield rows_to_arrow(batch, query.desc)
            return
        with ExitStack() as holds:
            unfolded, read, timestamp = await self._begun(query, reads, as_of, holds, keys)
            if as_of is None:
                note(query, reads, self._execution)
            async for table in self._computed(unfolded, read, as_of, timestamp, own_writes=own_writes):
                assert isinstance(table, pa.Table), "only what is shown comes as rows"
                yield table

    async def changed(
        self, selection: Relation, reads: ReadSet, access: IndexAccess | None
    ) -> AsyncGenerator[Sequence[Row] | pa.Table]:
        """Yields the rows that a statement is to change, at the transaction's time: as rows where the index `access`
        finds them, else as in `tables`."""
        keys: ReadKeys | None = None
        if access is not None:
            keys = await self._keys_read(access.query, reads, access)
            with ExitStack() as holds:
                found = await self._looked_up(access, reads, keys, holds)
                if found is not None:
                    note(access.query, reads, self._execution)
                    async with contextlib.aclosing(in_batches(found)) as batches:
                        async for batch in batches:
                            yield batch
                    return
        async for table in self.tables(whole_query(selection), reads, keys=keys):
            yield table

    async def _looked_up(
        self, access: IndexAccess, reads: ReadSet, keys: ReadKeys, holds: ExitStack
    ) -> FoundRows | None:
        """Returns the rows that an index finds at the transaction's time; None when it gives way."""
        index = IndexReader(self._environment, self._execution, self._writes)
        if not index.usable_for(access):
            return None
        timestamp = (await self.read_point(reads, None, holds, [access.index.collection], keys)).timestamp
        return await self._of_index(index, access, timestamp)

    def _of_index(self, index: IndexReader, access: IndexAccess, timestamp: Timestamp) -> Awaitable[FoundRows | None]:
        """Returns the index's answer to come, told to the trace, if any."""
        reading, trace = index.rows(access, timestamp), self._execution.trace
        return reading if trace is None else trace.found(access, reading)

    async def repeated(self, query: Query, reads: ReadSet) -> AsyncGenerator[Sequence[Row]]:
        """Yields again the rows of a query that the transaction has read, at its time, with all values bound."""
        with ExitStack() as holds:
            if reads.user:
                unfolded, read, timestamp = await self._begun(query, reads, None, holds)
                found = self._batches(unfolded, read, None, timestamp)
            else:
                found = await self._system_rows(query, reads, None)
            async with contextlib.aclosing(found):
                async for rows in found:
                    yield rows

    async def _begun(
        self, query: Query, reads: ReadSet, as_of: AsOf | None, holds: ExitStack, told: ReadKeys | None = None
    ) -> tuple[Query, ReadSet, Timestamp]:
        """Returns the query over maintained items, or their definitions, with its reads and its time."""
        given_up: set[GlobalId] = set()
        while True:
            self.look_again()
            unfolded, read = await self._unfolded(query, reads, as_of, given_up)
            try:
                keys = told or await self._keys_read(unfolded, read)
                return unfolded, read, (await self.read_point(read, as_of, holds, keys=keys)).timestamp
            except ItemNotMaintained as error:
                given_up.add(error.id)
            except SqlError:
                if read.user <= given_up or not self.replaced(read.user):
                    raise
                given_up |= read.user

    async def _keys_read(self, query: Query, reads: ReadSet, access: IndexAccess | None = None) -> ReadKeys:
        """Returns the keys by which the query reads tables; `access` is the index that may answer it."""
        if reads.timed or self._execution.transaction.read_only:
            return {}
        if access is not None:
            return keys_said(access.index.on, access.said, self._execution) or {}
        return await self._execution.worked_out(keys_read, query.relation, self._execution)

    async def _batches(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None,
        timestamp: Timestamp,
        indexes: tuple[UsedIndex, ...] = (),
        pieces: Pieces | None = None,
    ) -> AsyncGenerator[Sequence[Row]]:
        """Yields the result of `_computed` as rows."""
        with ExitStack() as holds:
            for index in indexes:
                holds.enter_context(self._environment.dataflows.controller.hold(index.collection, timestamp))
            # Files of other forms than lines hold numbers, not what a client sees of them.
            shown = pieces is None or isinstance(pieces.asked.form, LineForm)
            computed = self._computed(query, reads, as_of, timestamp, indexes, shown=shown, pieces=pieces)
            async with contextlib.aclosing(computed) as tables:
                async for table in tables:
                    if isinstance(table, list):
                        yield table
                        continue
                    for start in range(0, table.num_rows, ROWS_A_BATCH):
                        # A table without columns yields as many rows as a slice asks for.
                        count = min(ROWS_A_BATCH, table.num_rows - start)
                        part = table.slice(start, count)
                        yield await done(partial(rows_from_arrow, part, query.desc), large=part.nbytes >= LARGE_BYTES)

    async def _computed(
        self,
        query: Query,
        reads: ReadSet,
        as_of: AsOf | None,
        timestamp: Timestamp,
        indexes: tuple[UsedIndex, ...] = (),
        *,
        own_writes: bool = True,
        shown: bool = False,
        pieces: Pieces | None = None,
    ) -> AsyncGenerator[pa.Table | list[Row]]:
        """Yields the rows at a time at which all inputs are held and complete, except collections replaced by
        `indexes`; with `shown` numerics as a client sees them, some of them texts, and interpreted rows as they are.
        """
        bound = await self._execution.worked_out(self._bound, query, timestamp)
        relation = with_answers(bound.relation, self._execution.evaluation_context(timestamp))
        if reads.system:
            await self._execution.prepare_snapshot(reads.system)
            snapshot = self._execution.system_snapshot(timestamp, reads.system)
            # A catalog of many columns has very many rows, and their number is not known before.
            relation = await done(partial(with_system_rows, relation, snapshot), large=True)
        relation = with_positions(relation, self._execution.facts.sequences)
        if as_of is not None:
            relation = self._of_others(relation, timestamp)
        elif own_writes:
            relation = self._with_created(relation)
        if not reads_of(relation).collections and not gathers_many(relation):
            bound = Query(relation, bound.finishing, bound.desc)
            interpreted = self._traced(query, evaluated(bound, self._execution, timestamp))
            async with contextlib.aclosing(interpreted) as batches:
                async for rows in batches:
                    yield rows if shown else rows_to_arrow(rows, query.desc)
            return
        arranged = {index.on: IndexImport(index.on, index.collection, index.desc) for index in indexes}
        stored = tuple(each for each in self._collections.imports_of(relation) if each.id not in arranged)
        if as_of is None and own_writes:
            stored = tuple([await self._with_written(each) for each in stored])
            self._execution.transaction.reads.computed.update(each.id for each in stored)
        request = PeekRequest(
            relation,
            stored,
            timestamp,
            replace(bound.finishing, shown=shown),
            tuple(arranged.values()),
            pieces=None if pieces is None else pieces.asked,
            cluster=self._execution.cluster.oid,
        )
        if as_of is None and not indexes:
            await self._note_missed(query)
        trace, peek = self._execution.trace, self._environment.compute.peek
        if trace is None:
            answer = peek(request)
        else:
            read = trace.begin(ReadPlace.SPARK, query, indexes)
            answer = trace.counted(read, peek(replace(request, told=read.told)))
        async with contextlib.aclosing(answer) as batches:
            async for batch in batches:
                if pieces is None or not pieces.take(batch):
                    yield _plain_table(batch)

    async def _note_missed(self, query: Query) -> None:
        """Notes what index would have answered a query, if one would."""
        asked = await self._execution.worked_out(asked_columns, query.relation)
        if asked is not None:
            self._environment.observed.index_uses.missed.note(*asked, self._environment.clock.now_ms())

    async def _unfolded(
        self, query: Query, reads: ReadSet, as_of: AsOf | None, given_up: Set[GlobalId]
    ) -> tuple[Query, ReadSet]:
        """Replaces materialized views by their definitions, if a read from their shards is not worthwhile or they are
        `given_up`.
        """
        environment, catalog = self._environment, self._execution.catalog
        items = (catalog.items.get(id_) for id_ in reads.user)
        views = {item.id for item in items if item is not None and isinstance(item.definition, MaterializedView)}
        if not views:
            return query, reads
        time = await self.fixed_time(as_of)
        transaction = self._execution.transaction
        changed = set() if as_of is not None else transaction.writes.ids() | transaction.changes.created

        def computed(id_: GlobalId) -> bool:
            if id_ in given_up:
                return True
            committed = self._collections.item(id_)
            if committed is None or committed.definition != catalog.items[id_].definition:
                return True
            if changed and changed & catalog.tables_under([id_]):
                return True
            collections = self._collections
            return not collections.stored(id_) or (time is not None and not collections.readable_at(id_, time))

        if not any(map(computed, views)):
            return query, reads
        relation = await planned_apart(environment.planning.unfolded, query.relation, catalog, computed)
        return replace(query, relation=relation), read_set(relation)

    async def _system_rows(self, query: Query, reads: ReadSet, as_of: AsOf | None) -> AsyncGenerator[list[Row]]:
        """Returns the rows of a query over no collection of users."""
        timestamp = TIMESTAMP_MIN
        if reads.system or reads.timed or as_of is not None:
            with ExitStack() as holds:
                timestamp = (await self.read_point(reads, as_of, holds)).timestamp
        facts = await self._execution.worked_out(facts_of, query)
        bound, small = facts.bound, facts.small
        if bound is None:
            bound, small = await self._execution.worked_out(self._bound, query, timestamp), None
        await self._execution.prepare_snapshot(reads.system)
        return self._traced(query, evaluated(bound, self._execution, timestamp, system=bool(reads.system), small=small))

    def _traced(self, query: Query, rows: AsyncGenerator[list[Row]]) -> AsyncGenerator[list[Row]]:
        """Returns the interpreter's rows, told to the trace, if any."""
        trace = self._execution.trace
        return rows if trace is None else trace.counted(trace.begin(ReadPlace.INTERPRETER, query), rows)

    def _bound(self, query: Query, timestamp: Timestamp) -> Query:
        known = facts_of(query).bound
        if known is not None:
            return known
        return bind_query(query, self._execution.parameters, self._execution.session_values(timestamp))

    # What

    def _with_created(self, relation: Relation) -> Relation:
        """Replaces collections that the transaction has created by its writes to them, where these are few."""
        transaction = self._execution.transaction
        if not transaction.changes.created:
            return relation

        def contents(get: Get) -> Relation:
            if get.id not in transaction.changes.created:
                return get
            return created_rows(transaction.writes.of(get.id, self._writes), get.desc) or get

        return rewrite_gets(relation, contents)

    async def _with_written(self, item: Import) -> Import:
        """Adds the transaction's changes to a collection as of the statement's beginning: a cursor does not see
        later changes. Stages changes that are too many for a message."""
        transaction = self._execution.transaction
        writes, created = transaction.writes, item.id in transaction.changes.created
        if item.id not in writes.ids():
            return replace(item, created=created)
        updates = writes.of(item.id, self._writes)
        if sum(each.nbytes for each in updates if isinstance(each, pa.Table)) > _OWN_BYTES_MAX:
            desc = self._execution.catalog.items[item.id].desc
            await writes.stage(item.id, desc, self._environment.storage.stage)
            updates = writes.of(item.id, self._writes)
        return replace(item, written=written_stream(updates), staged=staged_parts(updates), created=created)

    def _of_others(self, relation: Relation, timestamp: Timestamp) -> Relation:
        """Returns the relation: past contents are the same for everyone. Raises SqlError for a collection that did not
        exist."""
        execution = self._execution
        for id_ in sorted(reads_of(relation).collections.keys() & execution.transaction.changes.created):
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f"Timestamp ({timestamp}) is not valid for all inputs: "
                f'"{execution.catalog.items[id_].name}" is created by this transaction',
            )
        return relation
