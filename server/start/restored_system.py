"""Restores a backup's shards, at the backup's time or an earlier one, and changes the catalog into that of a copy.

A copy must not write where the original writes, so its catalog differs: these changes are one more commit, at the
timestamp after the restored one. AS OF an earlier time shows the original's catalog, and every present read the copy's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from catalog.changes.restored import restored_catalog
from catalog.durable.history import CatalogHistory
from catalog.durable.rows import CATALOG_DESC, CATALOG_SHARD_ID
from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item, MaterializedView, WrittenDefinition
from catalog.nouns.sinks import Sink, ViewSink
from catalog.nouns.sources import Source, SourceTable
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MAX, TIMESTAMP_MIN, Timestamp
from model.updates.update import Update, updates_from_arrow, updates_to_arrow
from server.ledgers.counting.counters import COUNTERS_SHARD_ID
from server.ledgers.scheduled import SCHEDULED_SHARD_ID
from storage.backup.cut import WritePart, cut
from storage.backup.manifest import BackupManifest
from storage.persist.batch import encode_inline
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import read_changes, read_snapshot, snapshot, updates_between
from storage.persist.state import Batch, CapabilityKind, InlineBatch, ShardState
from storage.persist.transition import Appended, apply
from timeline.durable_oracle import TIMELINE_KEY, TimelineRecord
from timeline.oracle import OracleState

_SHORT_LIVED = (SCHEDULED_SHARD_ID, COUNTERS_SHARD_ID)
"""System collections that remember no past."""


@dataclass(frozen=True, slots=True)
class RestoredSystem:
    """A system restored from a backup. `items` have got another identity, or were paused."""

    timestamp: Timestamp
    states: Sequence[ShardState]
    records: Mapping[str, bytes]
    items: tuple[Item, ...]


async def restored_system(
    manifest: BackupManifest,
    states: Sequence[ShardState],
    at: Timestamp | None,
    lineage: str,
    place: Blob,
    runner: Runner,
    write: WritePart,
) -> RestoredSystem:
    """Returns the system as it was at `at`, by default as it was when the backup was taken. Raises SqlError 22023 when
    the backup does not tell what was then, with the names of what stands in the way."""
    by_id = {GlobalId.parse(state.shard): state for state in states}
    if CATALOG_SHARD_ID not in by_id:
        raise SqlError(Sqlstate.DATA_CORRUPTED, f'backup "{manifest.name}" has no catalog')
    if TIMELINE_KEY not in manifest.records:
        raise SqlError(Sqlstate.DATA_CORRUPTED, f'backup "{manifest.name}" has no timeline')
    record = msgspec.msgpack.decode(manifest.records[TIMELINE_KEY], type=TimelineRecord)
    history = await _catalog_history(by_id[CATALOG_SHARD_ID], place, runner)
    now = record.oracle.write_ts
    if at is None:
        at = now
        ended = _of_sessions(history.at(at))
        by_id = {id_: state for id_, state in by_id.items() if id_ not in ended}
    else:
        _require_told(manifest, by_id[CATALOG_SHARD_ID], at)
        wanted = _collections(history.at(at), history.at(now), by_id, at)
        by_id = {id_: state for id_, state in by_id.items() if id_ in wanted}
        for id_, state in by_id.items():
            by_id[id_] = (
                await _as_if_from(state, at, place, runner)
                if id_ in _SHORT_LIVED and not state.since.less_equal(at)
                else await cut(state, at, place, runner, write)
            )
        record = TimelineRecord(
            epoch=record.epoch, oracle=OracleState(read_ts=at, write_ts=at), upper=Timestamp(at + 1)
        )
    catalog = restored_catalog(history.rows_at(at), lineage)
    if catalog.changes:
        time = Timestamp(record.oracle.write_ts + 1)
        updates = [Update(row, time, diff) for row, diff in catalog.changes]
        by_id[CATALOG_SHARD_ID] = _with_updates(by_id[CATALOG_SHARD_ID], updates, time)
        oracle = OracleState(read_ts=time, write_ts=time)
        record = TimelineRecord(epoch=record.epoch, oracle=oracle, upper=Timestamp(time + 1))
    records = {**manifest.records, TIMELINE_KEY: msgspec.msgpack.encode(record)}
    return RestoredSystem(at, tuple(by_id.values()), records, catalog.items)


async def _catalog_history(state: ShardState, place: Blob, runner: Runner) -> CatalogHistory:
    since = state.since.time
    assert since is not None, "the catalog is never dropped"
    changes = updates_between(state, TIMESTAMP_MIN, TIMESTAMP_MAX)
    return CatalogHistory(updates_from_arrow(await read_changes(changes, place, runner), CATALOG_DESC), since)


def _require_told(manifest: BackupManifest, catalog: ShardState, at: Timestamp) -> None:
    if at > manifest.timestamp or not catalog.since.less_equal(at):
        message = f'backup "{manifest.name}" can\'t be restored as of {at}'
        detail = f"It was taken at {manifest.timestamp}, and its catalog begins at {catalog.since}."
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, detail=detail)


def _collections(
    then: CatalogState, now: CatalogState, states: Mapping[GlobalId, ShardState], at: Timestamp
) -> set[GlobalId]:
    """Returns the collections of what was there `then`, but for temporary relations; raises SqlError naming each item
    whose contents are not told any more."""
    wanted = {id_ for id_ in states if id_ in (CATALOG_SHARD_ID, *_SHORT_LIVED)}
    missed = []
    for id_, item in sorted(then.items.items()):
        if is_temporary_item(then, id_):
            continue
        own = [each for each in _collections_of(item) if each in states]
        wanted.update(own)
        if (why := _why_missed(item, now.items.get(id_), [states[each] for each in own], at)) is not None:
            missed.append(f'"{item.name}" {why}')
    if missed:
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f"the backup no longer tells everything as of {at}",
            detail="; ".join(missed) + ".",
            hint="Restore a later time, or a backup that was taken earlier.",
        )
    return wanted


def _of_sessions(state: CatalogState) -> set[GlobalId]:
    """Returns the collections of temporary relations, which end with their sessions."""
    own = (item for id_, item in state.items.items() if is_temporary_item(state, id_))
    return {collection for item in own for collection in _collections_of(item)}


def _collections_of(item: Item) -> tuple[GlobalId, ...]:
    match item.definition:
        case MaterializedView(collection=collection):
            return (collection,)
        case Source():
            return item.id, GlobalId.remapping(item.id)
        case ViewSink(collection=collection):
            return item.id, collection
        case SourceTable() | Sink():
            return (item.id,)
        case _:
            return (item.id,) if isinstance(item.definition, WrittenDefinition) else ()


def _why_missed(item: Item, later: Item | None, states: Sequence[ShardState], at: Timestamp) -> str | None:
    if len(states) < len(_collections_of(item)) or any(state.dropped for state in states):
        return "was dropped, or replaced, since"
    for state in states:
        if not state.since.less_equal(at):
            return f"is kept from {state.since} on"
    if later is not None and later.desc.arity != item.desc.arity:
        return "has other columns since"
    return None


async def _as_if_from(state: ShardState, at: Timestamp, place: Blob, runner: Runner) -> ShardState:
    """Returns a collection that remembers no past with its last contents, as if written at `at`: sequences skip values
    rather than give values twice, and rows that wait for their time go on waiting.
    """
    known = snapshot(state, TIMESTAMP_MAX)
    table = await read_snapshot(known, place, runner)
    end = Antichain.at(at + 1)
    batches: tuple[Batch, ...] = ()
    if table.num_rows:
        batches = (_batch(encode_inline(table, state.desc), at, Antichain.at(at), end, state.next_batch),)
    held = tuple(
        replace(each, frontier=end if each.kind is CapabilityKind.WRITE else Antichain.at(at)) for each in state.held
    )
    moved = replace(state, since=Antichain.at(at), upper=end, batches=batches, held=held)
    return replace(moved, next_batch=state.next_batch + 1)


def _with_updates(state: ShardState, updates: Sequence[Update], time: Timestamp) -> ShardState:
    """Returns a state with one more append."""
    inline = encode_inline(updates_to_arrow(updates, CATALOG_DESC).drop_columns([TIME_COLUMN]), CATALOG_DESC)
    batch = _batch(inline, time, Antichain.at(time), Antichain.at(time + 1), 0)
    return apply(state.shard, state, Appended(batch=batch), state.seqno + 1)


def _batch(inline: InlineBatch, time: Timestamp, lower: Antichain, upper: Antichain, id_: int) -> Batch:
    timed = replace(inline, time=time, time_min=time, time_max=time)
    return Batch(id=id_, lower=lower, upper=upper, since=Antichain.at(TIMESTAMP_MIN), inline=timed)
