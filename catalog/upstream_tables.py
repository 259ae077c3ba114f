"""Which of upstream's tables a source follows, for those of its own tables that there are."""

from __future__ import annotations

from catalog.sources import PostgresRecords, Source, SourceTable
from catalog.state import CatalogState
from model.generators import UpstreamTable
from model.global_id import GlobalId
from model.publications import PublishedTable


def followed_tables(state: CatalogState, source: GlobalId) -> dict[str, PublishedTable]:
    """The tables of upstream's that a source follows, by their full names, as they were when each was added."""
    definition = state.items[source].definition
    assert isinstance(definition, Source)
    records = definition.records
    known = (
        {each.full_name: each for each in records.publication.tables} if isinstance(records, PostgresRecords) else {}
    )
    followed: dict[str, PublishedTable] = {}
    for item in state.items.values():
        table = item.definition
        if isinstance(table, SourceTable) and table.source_id == source and isinstance(table.encoding, UpstreamTable):
            published = table.published or known.get(table.encoding.name or "")
            if published is not None:
                followed[published.full_name] = published
    return followed
