"""ALTER SOURCE … REFRESH: tables of a PostgreSQL source as upstream has them now, with what was added there."""

from __future__ import annotations

from dataclasses import replace

from catalog.changes import AlterSourceTable, Change
from catalog.items import Item
from catalog.notices import Notice
from catalog.sources import SourceTable
from catalog.state import CatalogState
from catalog.upstream_tables import published_as
from model.errors import SqlError
from model.publications import PublishedTable, no_old_rows, require_same_column
from model.sqlstate import Sqlstate
from planner.plans.sources import RefreshTablesPlan


def translate_refresh_tables(
    plan: RefreshTablesPlan, state: CatalogState
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """55000 where upstream's table is no longer what ours can become. Tables of the same one go together."""
    now = {table.full_name: table for table in plan.published}
    items = [item for _, item in sorted(state.items.items())]
    followed = {item.id: (item, known) for item in items if (known := published_as(state, item, plan.source))}
    wanted = {followed[id_][1].full_name for id_ in plan.tables if id_ in followed}
    changes: list[Change] = []
    for item, known in followed.values():
        if plan.tables and known.full_name not in wanted:
            continue
        published = _as_it_is(known, now.get(known.full_name))
        if plan.tables or _differs(known, published):
            table = item.definition
            assert isinstance(table, SourceTable)
            changes.append(AlterSourceTable(item.id, table, _refreshed(item, table, known, published)))
    if changes:
        return tuple(changes), ()
    detail = "REFRESH SUBSOURCE reads a table anew in any case."
    return (), (Notice(Sqlstate.SUCCESSFUL_COMPLETION, "no table has changed upstream", detail),)


def _as_it_is(known: PublishedTable, found: PublishedTable | None) -> PublishedTable:
    """The columns that are known first, as they are held, then others."""
    if found is None:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'table "{known.full_name}" is no longer in the publication',
            hint="Drop the source's table of these rows. REFRESH SUBSOURCE refreshes others.",
        )
    if not found.old_rows:
        raise no_old_rows(found)
    others = {column.name: column for column in found.columns}
    kept = []
    for column in known.columns:
        now = others.pop(column.name, None)
        require_same_column(known, column, None if now is None else (now.upstream_oid, now.upstream_modifier))
        kept.append(column if now is None else replace(now, type=column.type))
    return replace(found, columns=(*kept, *others.values()))


def _differs(known: PublishedTable, published: PublishedTable) -> bool:
    """Whether it is read anew. That texts may be longer now is all the same."""
    if len(known.columns) != len(published.columns):
        return True
    return (known.oid, known.membership, known.row_filter) != (
        published.oid,
        published.membership,
        published.row_filter,
    )


def _refreshed(item: Item, table: SourceTable, known: PublishedTable, published: PublishedTable) -> SourceTable:
    for column in published.columns[len(known.columns) :]:
        if column.name in table.desc.names:
            message = f'column "{column.name}" of relation "{item.name}" already exists'
            raise SqlError(Sqlstate.DUPLICATE_COLUMN, message, hint="Rename it: upstream has another one of that name.")
    return table.refreshed(known, published)
