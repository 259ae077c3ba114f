"""DDL's effects on dataflows: shards made and dropped in a commit, dataflows that begin and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from catalog.nouns.items import Computed, Index, Item, View, WrittenDefinition, cluster_of
from catalog.state.catalog_state import CatalogState
from compute.protocol.dataflow import ShardExport
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from server.objects.maintained.as_of import Bounds
from server.objects.maintained.dataflows import MaintainedDataflows, PreparedDataflow, in_order
from server.objects.maintained.description import Outline, outline
from server.objects.maintained.redefined import redefined
from server.objects.sources.commits import SourcesCommit
from server.planning.statement_plans import Planning
from storage.persist.shard import PreparedWrite
from timeline.commit_part import CommitPart


@dataclass(frozen=True, slots=True)
class CatalogDifferences:
    """The differences between two states of the catalog. `created` is in the order of installation."""

    created: tuple[Item, ...]
    dropped: tuple[tuple[GlobalId, bool], ...]
    """Collections, and whether they are shards."""
    retained_anew: tuple[Item, ...]
    moved: tuple[Item, ...] = ()
    """What another cluster is to write, into the same shard."""


def differences(before: CatalogState, after: CatalogState) -> CatalogDifferences:
    """Returns created and dropped collections; a replaced item has both."""
    old, new = _maintained(before), _maintained(after)
    return CatalogDifferences(
        created=tuple(item for item in in_order(after) if _collection(item) not in old),
        dropped=tuple(
            (collection, not isinstance(item.definition, Index))
            for collection, item in old.items()
            if collection not in new
        ),
        retained_anew=tuple(
            item
            for collection, item in new.items()
            if collection in old and old[collection].retain_history_ms != item.retain_history_ms
        ),
        moved=tuple(
            item
            for collection, item in new.items()
            if collection in old and cluster_of(old[collection].definition) != cluster_of(item.definition)
        ),
    )


@dataclass(slots=True)
class MaintainedCommit(CommitPart):
    """The part of a commit for dataflows. `rebuilt` are collections built before the commit, with their outlines,
    `arriving` those that another cluster has begun to write; `sources` is the part for sources; `base` is the catalog
    in which the transaction began to change it."""

    catalog: CatalogCommit
    sources: SourcesCommit
    dataflows: MaintainedDataflows
    planning: Planning
    base: CatalogState
    rebuilt: Mapping[GlobalId, Outline] = field(default_factory=dict)
    arriving: Mapping[GlobalId, Outline] = field(default_factory=dict)
    _differences: CatalogDifferences = CatalogDifferences((), (), ())
    _prepared: list[tuple[Item, PreparedDataflow]] = field(default_factory=list)

    def validate(self, timestamp: Timestamp) -> None:
        """Checks the dataflows that the commit creates. Raises SqlError 40001 when a rebuilt dataflow would have to be
        built otherwise by now, or more dataflows would have to be rebuilt.

        A new item over a view that was replaced meanwhile is SqlError 40001, too, because nobody's rights were compared
        with the view's present query.
        """
        before, after = self.catalog.before, self.catalog.after
        self._differences = differences(before, after)
        for item in self._differences.created:
            known = self.rebuilt.get(_collection(item))
            if known is not None and known != outline(after, item, self.planning):
                raise _changed(item)
            if any(_definition(self.base, view) != _definition(before, view) for view in _views_beneath(after, item)):
                raise _changed(item)
        for item in redefined(before, after, self.planning):
            raise _changed(item)
        for item in self._differences.moved:
            if self.arriving.get(_collection(item)) != outline(after, item, self.planning):
                raise _changed(item)
        if len(self._differences.moved) != len(self.arriving):
            # Another statement has moved, or replaced, one of them.
            message = "what was to move was moved by a concurrent statement"
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message)

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns writes that create and drop shards, and change their retention."""
        after, lower = self.catalog.after, self.catalog.lower
        dataflows, storage = self.dataflows, self.dataflows.storage
        now = Timestamp(max(TIMESTAMP_MIN, (lower.time or 1) - 1))
        begun = {
            id_: Bounds(lower, lower)
            for id_, item in after.items.items()
            if isinstance(item.definition, WrittenDefinition) and not storage.exists(id_)
        }
        begun |= self.sources.begun
        writes = []
        for item in self._differences.created:
            if _collection(item) in self.rebuilt:
                continue
            prepared = dataflows.prepare(outline(after, item, self.planning), item.retain_history_ms, now, begun)
            self._prepared.append((item, prepared))
            as_of = Antichain(prepared.as_of)
            begun[prepared.collection] = Bounds(as_of, as_of)
            if not isinstance(item.definition, Index):
                writes.append(create_shard(dataflows, item, prepared))
        writes += [storage.prepare_drop(collection) for collection, stored in self._differences.dropped if stored]
        writes += [
            storage.prepare_retention(_collection(item), dataflows.retention(item))
            for item in self._differences.retained_anew
            if not isinstance(item.definition, Index)
        ]
        return writes

    def applied(self, timestamp: Timestamp) -> None:
        """Drops dataflows, readers first, and installs new ones."""
        for collection, _ in reversed(self._differences.dropped):
            self.dataflows.drop(collection)
        for item, prepared in self._prepared:
            self.dataflows.install(item, prepared)
        self._prepared.clear()
        for item in self._differences.moved:
            self.dataflows.change_over(item, _collection(item))
        for item in self._differences.retained_anew:
            self.dataflows.retain(item)

    def abandon(self) -> None:
        """Releases the prepared dataflows."""
        for _, prepared in self._prepared:
            prepared.release()
        self._prepared.clear()


def _views_beneath(state: CatalogState, item: Item) -> set[GlobalId]:
    """Returns the views that an item reads, through views alone."""
    found, waiting = set[GlobalId](), [*item.depends_on]
    while waiting:
        beneath = state.items.get(waiting.pop())
        if beneath is not None and isinstance(beneath.definition, View) and beneath.id not in found:
            found.add(beneath.id)
            waiting += beneath.depends_on
    return found


def _definition(state: CatalogState, id_: GlobalId) -> object:
    item = state.items.get(id_)
    return None if item is None else item.definition


def _changed(item: Item) -> SqlError:
    message = f'what "{item.name}" reads was changed by a concurrent statement'
    return SqlError(Sqlstate.SERIALIZATION_FAILURE, message)


def create_shard(dataflows: MaintainedDataflows, item: Item, prepared: PreparedDataflow) -> PreparedWrite:
    """Returns the write that creates a materialized view's shard, which begins at the dataflow's as_of."""
    as_of, (export,) = Antichain(prepared.as_of), prepared.description.exports
    assert isinstance(export, ShardExport), "an index has no shard"
    creation = dataflows.storage.prepare_create(
        prepared.collection, export.desc, as_of, as_of, timeline=False, retain_ms=dataflows.retention(item)
    )
    return creation.write


def _maintained(state: CatalogState) -> dict[GlobalId, Item]:
    """Returns maintained items by collection, in order of creation."""
    items = sorted(state.items.values(), key=lambda item: item.oid)
    return {_collection(item): item for item in items if isinstance(item.definition, Computed)}


def _collection(item: Item) -> GlobalId:
    assert isinstance(item.definition, Computed)
    return item.definition.collection
