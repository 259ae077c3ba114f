"""Which of upstream's tables a source follows, for those of its own tables that there are."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.items import Item
from catalog.sources import PostgresRecords, Source, SourceTable
from catalog.state import CatalogState
from model.generators import UpstreamTable
from model.global_id import GlobalId
from model.publications import PublishedTable


def followed_tables(state: CatalogState, source: GlobalId) -> dict[str, PublishedTable]:
    """The tables of upstream's that a source follows, by their full names, as they were when each was added, or
    refreshed last."""
    known = _at_creation(state, source)
    found = (_published_as(item, source, known) for item in state.items.values())
    return {published.full_name: published for published in found if published is not None}


def published_as(state: CatalogState, item: Item, source: GlobalId) -> PublishedTable | None:
    """What upstream published of a table of the source when it was added, or refreshed last; None of other items."""
    return _published_as(item, source, _at_creation(state, source))


def _published_as(item: Item, source: GlobalId, known: Mapping[str, PublishedTable]) -> PublishedTable | None:
    table = item.definition
    if isinstance(table, SourceTable) and table.source_id == source and isinstance(table.encoding, UpstreamTable):
        return table.published or known.get(table.encoding.name or "")
    return None


def _at_creation(state: CatalogState, source: GlobalId) -> Mapping[str, PublishedTable]:
    definition = state.items[source].definition
    assert isinstance(definition, Source)
    records = definition.records
    return {each.full_name: each for each in records.publication.tables} if isinstance(records, PostgresRecords) else {}
