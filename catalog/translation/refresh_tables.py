"""ALTER SOURCE … REFRESH: follows tables of a PostgreSQL source as upstream has them now, with added columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalog.changes.change import AlterSourceTable, Change
from catalog.facts.upstream_tables import left_out_notices, published_as
from catalog.nouns.items import Item
from catalog.nouns.notices import Notice
from catalog.nouns.sources import SourceTable
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import MADE_ANEW, PublishedColumn, PublishedTable, altered_column, fits, no_old_rows
from planner.plans.sources import RefreshTablesPlan


def translate_refresh_tables(
    plan: RefreshTablesPlan, state: CatalogState
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """Translates a refresh; raises 55000 where upstream's table has changed in a way that can't be followed. All
    tables of the source that follow the same table of upstream's are refreshed together."""
    named = {table.full_name: table for table in plan.published}
    by_oid = {table.oid: table for table in plan.published}
    items = [item for _, item in sorted(state.items.items())]
    followed = {item.id: (item, known) for item in items if (known := published_as(state, item, plan.source))}
    wanted = {followed[id_][1].full_name for id_ in plan.tables if id_ in followed}
    changes: list[Change] = []
    refreshed: list[PublishedTable] = []
    for item, known in followed.values():
        if plan.tables and known.full_name not in wanted:
            continue
        published = _as_it_is(known, named.get(known.full_name) or by_oid.get(known.oid))
        if plan.tables or _differs(known, published):
            table = item.definition
            assert isinstance(table, SourceTable)
            changes.append(AlterSourceTable(item.id, table, _refreshed(item, table, known, published)))
            refreshed.append(published)
    if changes:
        return tuple(changes), left_out_notices(refreshed)
    detail = "REFRESH SUBSOURCE reads a table anew in any case."
    return (), (Notice(Sqlstate.SUCCESSFUL_COMPLETION, "no table has changed upstream", detail),)


def _as_it_is(known: PublishedTable, found: PublishedTable | None) -> PublishedTable:
    """Returns upstream's table with the known columns first, in their types here, then the others."""
    if found is None:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'table "{known.full_name}" is no longer in the publication',
            hint="Drop the source's table of these rows. REFRESH SUBSOURCE refreshes others.",
        )
    if not found.old_rows:
        raise no_old_rows(found)
    others = {column.number: column for column in found.columns}
    kept = []
    for column, now in _found_again(known, found):
        if now is None or not fits(column, now.upstream_oid, now.upstream_modifier):
            what = "is gone" if now is None else "has another type"
            raise altered_column(known, column.name, what, MADE_ANEW)
        del others[now.number]
        kept.append(replace(now, name=column.name, type=column.type))
    return replace(found, schema=known.schema, name=known.name, columns=(*kept, *others.values()))


def _found_again(
    known: PublishedTable, found: PublishedTable
) -> Iterator[tuple[PublishedColumn, PublishedColumn | None]]:
    """Yields each known column with the column that has its name now, or else with the same column under its new
    name."""
    named = {column.name: column for column in found.columns}
    heirs = {column.name: named[column.name] for column in known.columns if column.name in named}
    left = {column.number: column for column in found.columns if column not in heirs.values()}
    same_table = found.oid == known.oid
    for column in known.columns:
        yield column, heirs.get(column.name) or (left.get(column.number) if same_table else None)


def _differs(known: PublishedTable, published: PublishedTable) -> bool:
    """Tells whether a table must be read anew; longer texts alone don't matter."""
    if len(known.columns) != len(published.columns):
        return True
    kept = published.columns[: len(known.columns)]
    still = {each.number for each in published.unpublished if each.generated}
    if not {each.number for each in known.unpublished if each.generated} <= still:
        return True
    if any(
        column.number not in (0, now.number) or not set(column.labels) <= set(now.labels)
        for column, now in zip(known.columns, kept, strict=True)
    ):
        return True
    return (known.oid, known.membership, known.row_filter, known.history or published.history) != (
        published.oid,
        published.membership,
        published.row_filter,
        published.history,
    )


def _refreshed(item: Item, table: SourceTable, known: PublishedTable, published: PublishedTable) -> SourceTable:
    for column in published.columns[len(known.columns) :]:
        if column.name in table.desc.names:
            message = f'column "{column.name}" of relation "{item.name}" already exists'
            raise SqlError(Sqlstate.DUPLICATE_COLUMN, message, hint="Rename it: upstream has another one of that name.")
    return table.refreshed(known, published)
