"""Reads the rows of a table with given keys, as of before the statement: committed rows at the transaction's read
timestamp, and the transaction's own writes.

The key's index answers if there is one; else Spark does, by a join with few keys, or by reading the keys of all rows.
Either way the transaction has read the table, and its commit is validated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

import pyarrow as pa

from catalog.nouns.items import Index, Item
from compute.controller.pending import IndexPeekRequest
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import comparable_by_identity
from model.physical.columns import rows_from_arrow
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType
from planner.functions.sameness import same
from planner.interpret.evaluate import row_function
from planner.ir.columns import own_columns, remap_columns
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Finishing, Get, Join, JoinKind, Project, Relation
from planner.ir.scalar import Column, Scalar, scalar_type
from planner.plans.constraints import RowKey
from server.ledgers.own_writes import rows_after
from server.planning.statement_plans import ReadSet
from server.reads.behind import index_time
from server.reads.index_reading import KEPT_FAILURES
from server.reads.reading import Reader
from server.transactions.execution import Execution
from server.transactions.key_changes import KeyForm
from server.transactions.own_keys import OwnKeys
from storage.persist.snapshot import read_staged
from storage.persist.state import Part
from timeline.footprint import KeyColumns, ReadKeys

_JOINED_MAX = 10_000


class KeyReader:
    """A reader of one key of one table, in one statement."""

    def __init__(self, execution: Execution, item: Item, key: RowKey, form: KeyForm) -> None:
        self._execution = execution
        self._item = item
        self._key = key
        self._form = form
        self._reads = ReadSet(frozenset({item.id}), frozenset(), timed=False)

    async def present(self, wanted: Mapping[Hashable, Row]) -> set[Hashable]:
        """Returns the identities of the keys that rows have."""
        if len(wanted) <= _JOINED_MAX:
            return set(await self.rows(wanted))
        own = await self._own()
        counts = Counter({identity: sum(own.rows_with(identity).values()) for identity in wanted})
        async for identity in self._all_identities():
            if identity in wanted:
                counts[identity] += 1
        return {identity for identity, count in counts.items() if count > 0}

    async def rows(self, wanted: Mapping[Hashable, Row]) -> dict[Hashable, Row]:
        """Returns the rows with the keys, by the keys' identities."""
        found: dict[Hashable, Row] = {}
        for row, count in (await self._counts(wanted)).items():
            key = self._form.key(row) if count > 0 else None
            if key is not None and (identity := self._form.identity(key)) in wanted:
                found[identity] = row
        return found

    async def all_rows(self, wanted: Mapping[Hashable, Row]) -> list[Row]:
        """Returns all rows with the keys, several for a key, with their multiplicity."""
        counts = await self._counts(wanted)

        def has_key(row: Row) -> bool:
            key = self._form.key(row)
            return key is not None and self._form.identity(key) in wanted

        return [row for row, count in counts.items() if count > 0 and has_key(row) for _ in range(count)]

    async def _counts(self, wanted: Mapping[Hashable, Row]) -> Counter[Row]:
        """Counts rows that may have the keys, including the transaction's writes."""
        counts: Counter[Row] = Counter()
        if not wanted:
            return counts
        keys = list(wanted.values())
        for start in range(0, len(keys), _JOINED_MAX):
            counts.update(await self._stored_rows(keys[start : start + _JOINED_MAX]))
        own = await self._own()
        for identity in wanted:
            counts.update(own.rows_with(identity))
        return counts

    async def _own(self) -> OwnKeys:
        """Returns the transaction's own rows by the key."""
        transaction = self._execution.transaction
        place: tuple[GlobalId | str, ...] = (self._item.id, str(self._key.nulls_distinct), *self._key.texts)
        if self._key.condition is not None:
            place = self._key.index, *place
        own = transaction.writes.own_keys.setdefault(place, OwnKeys(self._item, self._form))
        await own.follow(transaction.writes.buffered, self._staged)
        return own

    async def _staged(self, part: Part) -> pa.Table:
        storage = self._execution.environment.storage
        return await read_staged(part, self._item.desc, str(self._item.id), storage.blob, storage.runner)

    async def _stored_rows(self, keys: Sequence[Row]) -> list[Row]:
        reader = Reader(self._execution.environment, self._execution)
        read = self.keys_read(keys)
        if await self._nothing_stored(reader, read):
            return []
        collection = self._index()
        with ExitStack() as holds:
            timestamp = (await reader.read_point(self._reads, None, holds, keys=read)).timestamp
            if collection is not None:
                found = await self._looked_up(collection, keys, read, timestamp)
                if found is not None:
                    return found
            return [row async for row in self._computed(reader, self._joined(keys), read)]

    def keys_read(self, keys: Sequence[Row]) -> ReadKeys:
        """Returns the keys in the form that COMMIT validates; none for keys of expressions."""
        columns = [part.index for part in self._key.parts if isinstance(part, Column)]
        if len(columns) < len(self._key.parts):
            return {}
        types = tuple(self._item.desc.types[at] for at in columns)
        place = KeyColumns(self._item.id, tuple(columns), types)
        return {place: frozenset(map(self._form.identity, keys))} if comparable_by_identity(types) else {}

    async def _nothing_stored(self, reader: Reader, read: ReadKeys) -> bool:
        """Returns whether the table is empty for others: it takes its first rows before Spark is up."""
        if self._item.id in self._execution.transaction.changes.created:
            return True
        with ExitStack() as holds:
            await reader.read_point(self._reads, None, holds, keys=read)
            return self._execution.environment.storage.reads.empty(self._item.id)

    def _index(self) -> GlobalId | None:
        """Returns the collection of the key's index, when it can be asked."""
        environment = self._execution.environment
        committed = environment.catalog.state.items.get(self._key.index)
        if committed is None or not isinstance(committed.definition, Index):
            return None
        collection = committed.definition.collection
        if self._execution.catalog.items[self._key.index].definition != committed.definition:
            return None
        return collection if environment.dataflows.usable(collection) else None

    async def _looked_up(
        self, collection: GlobalId, keys: Sequence[Row], read: ReadKeys, timestamp: Timestamp
    ) -> list[Row] | None:
        """Looks up keys in an index; returns None when the index can't serve the read, so that the table must be read
        instead."""
        environment, desc = self._execution.environment, self._item.desc
        controller = environment.dataflows.controller
        if not controller.exists(collection):
            return None
        if not controller.frontiers(collection).since.less_equal(timestamp):
            return None
        if not await environment.dataflows.complete_soon(collection, timestamp):
            return None
        known = environment.known_rows.at(collection, read, desc, timestamp)
        if known is not None:
            return known
        time = index_time(environment, collection, read, desc.arity, timestamp)
        controller.progress.hurry(collection, time.as_of)
        columns = tuple(range(desc.arity))
        request = IndexPeekRequest(collection, tuple(keys), time.as_of, Finishing((), None, None, columns))
        try:
            with controller.hold(collection, time.as_of):
                found = await environment.compute.look_up(request, desc)
        except SqlError as error:
            if error.sqlstate in KEPT_FAILURES:
                raise
            return None
        if found is None:
            return None
        rows = rows_after(found, time.updates, desc)
        environment.known_rows.keep(collection, read, desc, timestamp, rows)
        return rows

    def _joined(self, keys: Sequence[Row]) -> Relation:
        """Returns a relation of the table's rows with one of the keys."""
        types = tuple(scalar_type(part) for part in self._key.parts)
        desc = RelationDesc(tuple(ColumnDesc(f"k{at}", type_) for at, type_ in enumerate(types)))
        arity = self._item.desc.arity
        on = tuple(_same(part, Column(arity + at, types[at])) for at, part in enumerate(self._key.parts))
        constant = Constant(tuple((key, 1) for key in keys), desc)
        return Join(JoinKind.SEMI, Get(self._item.id, self._item.desc), constant, on)

    async def _computed(self, reader: Reader, relation: Relation, keys: ReadKeys) -> AsyncIterator[Row]:
        query = whole_query(relation)
        async for table in reader.tables(query, self._reads, own_writes=False, keys=keys):
            for row in rows_from_arrow(table, query.desc):
                yield row

    async def _all_identities(self) -> AsyncIterator[Hashable]:
        """Yields the keys of all stored rows."""
        reader = Reader(self._execution.environment, self._execution)
        if await self._nothing_stored(reader, {}):
            return
        whole, condition = self._key, self._key.condition
        columns = sorted(columns_of(whole))
        positions = {column: at for at, column in enumerate(columns)}
        narrow = replace(
            whole,
            parts=tuple(remap_columns(part, positions) for part in whole.parts),
            condition=None if condition is None else remap_columns(condition, positions),
        )
        form = key_form(narrow, self._execution)
        relation = Project(Get(self._item.id, self._item.desc), tuple(columns))
        async for row in self._computed(reader, relation, {}):
            key = form.key(row)
            if key is not None:
                yield form.identity(key)


def columns_of(key: RowKey) -> set[int]:
    """Returns the table's columns that decide a row's key, and whether it has one."""
    read = key.parts if key.condition is None else (*key.parts, key.condition)
    return {at for part in read for at in ((part.index,) if isinstance(part, Column) else own_columns(part))}


def key_form(key: RowKey, execution: Execution) -> KeyForm:
    """Returns the form of a key whose parts are over the table's rows."""
    types = tuple(scalar_type(part) for part in key.parts)
    columns = [part.index for part in key.parts if isinstance(part, Column)]
    if len(columns) == len(key.parts) and key.condition is None:
        return KeyForm(lambda row: tuple([row[at] for at in columns]), types, key.nulls_distinct)
    context = execution.evaluation_context(TIMESTAMP_MIN)
    parts = [row_function(part, context) for part in key.parts]
    condition = None if key.condition is None else row_function(key.condition, context)
    return KeyForm(lambda row: tuple([part(row) for part in parts]), types, key.nulls_distinct, condition)


def _same(left: Scalar, right: Scalar) -> Scalar:
    type_: ScalarType = scalar_type(left).base()
    return same(left, right, type_)
