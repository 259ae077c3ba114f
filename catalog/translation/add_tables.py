"""CREATE TABLE … FROM SOURCE, and ALTER SOURCE … ADD SUBSOURCE and REFRESH: adds tables to an existing source."""

from __future__ import annotations

from dataclasses import replace

from catalog.changes.change import Change
from catalog.facts.upstream_tables import followed_tables, left_out_notices
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sources import Source, new_source_table
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.create_source import CreateSourceItem
from catalog.translation.refresh_tables import translate_refresh_tables
from connectors.sources.decode.schema_fields import require_readable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import PublishedTable
from model.external.records import RecordEncoding
from planner.plans.sources import AddedTable, AddTablesPlan, RefreshTablesPlan


def translate_source_tables(
    plan: AddTablesPlan | RefreshTablesPlan, state: CatalogState, allocator: IdAllocator, create: CreateSourceItem
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    if isinstance(plan, RefreshTablesPlan):
        return translate_refresh_tables(plan, state)
    if plan.if_not_exists and state.find(plan.tables[0].name) is not None:
        return (), (skipping(Sqlstate.DUPLICATE_TABLE, f'relation "{plan.tables[0].name.name}" already exists'),)
    source = state.items[plan.source]
    assert isinstance(source.definition, Source), "it was looked up"
    followed = followed_tables(state, plan.source)
    for table in plan.tables:
        _require_same(table, followed)
        if isinstance(table.encoding, RecordEncoding):
            require_readable(table.encoding)
    created = tuple(
        create(
            table.name,
            replace(
                new_source_table(
                    table.desc,
                    plan.source,
                    table.encoding,
                    source.definition.retain_history_ms if table.rest is None else table.retain_history_ms,
                ),
                added=True,
                published=table.published,
                rest=table.rest,
            ),
            allocator.user_id(),
        )
        for table in plan.tables
    )
    return created, left_out_notices(table.published for table in plan.tables if table.published is not None)


def _require_same(table: AddedTable, followed: dict[str, PublishedTable]) -> None:
    """Raises 55000 where another table of the source follows an older form of the same table of upstream's: the two
    could not be told apart."""
    if table.published is None:
        return
    known = followed.get(table.published.full_name)
    if known is not None and known != table.published:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'upstream\'s table "{known.full_name}" is followed already, with other columns',
            detail="It was altered there since, or its columns are text in one of the two only.",
            hint="Drop the source's table of its rows first.",
        )
