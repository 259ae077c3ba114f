"""Guards reads of sources by transactions that write: the sources must be unchanged, decided by the commit itself.

A commit at t relies on a source's contents through t - 1. The replica writes the source's shards at any moment. The
commit's own compare-and-set therefore completes the shards up to t, without an update: if the replica was first,
nothing of the commit takes place, and it is judged anew; if not, the replica's next binding comes after t.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId, Namespace
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from server.objects.sources.ingestions import Ingestions
from server.transactions.catalog_changes import conflicting
from storage.controller import StorageController
from storage.persist.shard import PreparedWrite


def source_collections_under(state: CatalogState, ids: Iterable[GlobalId]) -> frozenset[GlobalId]:
    """Returns the collections of sources, and logs of sinks, that `ids` are made of, through any number of views."""
    found: set[GlobalId] = set()
    reached: set[GlobalId] = set()
    pending = list(ids)
    while pending:
        id_ = pending.pop()
        if id_ in reached:
            continue
        reached.add(id_)
        item = state.items.get(id_)
        match None if item is None else item.definition:
            case None:
                found |= {id_} if id_.namespace is Namespace.REMAPPING else set()
            case Source() | SourceTable() | Sink():
                found.add(id_)
            case SourceProgress(source_id=source):
                found.add(GlobalId.remapping(source))
            case _:
                assert item is not None
                pending.extend(item.depends_on)
    return frozenset(found)


async def unchanged_until(
    time: Timestamp,
    read: Iterable[GlobalId],
    read_ts: Timestamp,
    ingestions: Ingestions,
    storage: StorageController,
) -> list[PreparedWrite]:
    """Returns writes that make the commit at `time` fail unless the source collections `read` stay as they were at
    `read_ts`.

    Raises SqlError 40001 for a change.
    """
    writes: list[PreparedWrite] = []
    for source in sorted({ingestions.source_of(id_) or id_ for id_ in read}):
        shards = ingestions.shards_of(source)
        if not shards:
            raise conflicting()
        await storage.load(shards)
        for id_ in shards:
            if not storage.exists(id_) or (id_ in read and storage.reads.changed_after(id_, read_ts)):
                raise conflicting()
            upper = storage.frontiers(id_).upper
            if upper.less_equal(Timestamp(time - 1)):
                writes.append(await storage.prepare_append(id_, [], upper, Antichain(time), exact=True))
    return writes
