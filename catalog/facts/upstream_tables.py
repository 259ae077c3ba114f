"""Finds the tables of upstream that a source follows, for the source's existing tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.nouns.items import Item
from catalog.nouns.notices import Notice
from catalog.nouns.sources import Source, SourceTable
from catalog.state.catalog_state import CatalogState
from connectors.postgres.publication import PostgresPublication
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.external.publications import PublishedTable
from model.ids.global_id import GlobalId

_GENERATED = "It is generated there, and the values of generated columns are not replicated."
_UNLISTED = "The publication publishes a list of columns, and it is none of these."


def followed_tables(state: CatalogState, source: GlobalId) -> dict[str, PublishedTable]:
    """Returns upstream's tables that a source follows, by full name, as of each one's addition or last refresh."""
    known = _at_creation(state, source)
    found = (_published_as(item, source, known) for item in state.items.values())
    return {published.full_name: published for published in found if published is not None}


def published_as(state: CatalogState, item: Item, source: GlobalId) -> PublishedTable | None:
    """Returns upstream's table behind an item of the source, as of its addition or last refresh; None for other
    items."""
    return _published_as(item, source, _at_creation(state, source))


def _published_as(item: Item, source: GlobalId, known: Mapping[str, PublishedTable]) -> PublishedTable | None:
    table = item.definition
    if isinstance(table, SourceTable) and table.source_id == source and isinstance(table.encoding, UpstreamTable):
        return table.published or known.get(table.encoding.name or "")
    return None


def left_out_notices(tables: Iterable[PublishedTable]) -> tuple[Notice, ...]:
    """Returns notices about columns of upstream's tables that a source can't show."""
    return tuple(
        Notice(
            Sqlstate.SUCCESSFUL_COMPLETION,
            f'column "{column.name}" of upstream\'s table "{table.full_name}" is left out',
            _GENERATED if column.generated else _UNLISTED,
        )
        for table in tables
        for column in table.unpublished
    )


def _at_creation(state: CatalogState, source: GlobalId) -> Mapping[str, PublishedTable]:
    definition = state.items[source].definition
    assert isinstance(definition, Source)
    records = definition.records
    published = records.publication.tables if isinstance(records, PostgresPublication) else ()
    return {each.full_name: each for each in published}
