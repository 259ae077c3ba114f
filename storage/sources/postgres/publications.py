"""What a publication has: its tables, their columns, and as which of our types these are held."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

import psycopg

from model.errors import SqlError
from model.physical import has_physical_form
from model.publications import (
    STOPPED,
    Publication,
    PublishedColumn,
    PublishedTable,
    require_same_column,
    require_same_table,
)
from model.scalar_type import REGISTERED, TEXT, ScalarType, TypeName, array_of, type_from_oid
from model.sqlstate import Sqlstate
from storage.sources.postgres.probe import Upstream, connected, reason_of
from storage.sources.postgres.slots import identify
from storage.unreachable import Unreachable

_SETTINGS = """
    SELECT current_setting('wal_level'), p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate
    FROM (SELECT) AS one LEFT JOIN pg_publication p ON p.pubname = %s
"""
_TABLES = """
    WITH RECURSIVE published AS (
        SELECT pubname, schemaname, tablename, to_jsonb(p) AS told FROM pg_publication_tables p WHERE pubname = %s
    ), bases (oid, base, modifier) AS (
        SELECT oid, typbasetype, typtypmod FROM pg_type WHERE typtype = 'd'
        UNION ALL
        SELECT b.oid, t.typbasetype, CASE WHEN b.modifier = -1 THEN t.typtypmod ELSE b.modifier END
        FROM bases b JOIN pg_type t ON t.oid = b.base WHERE t.typtype = 'd'
    )
    SELECT n.nspname, c.relname, c.oid::int8, concat_ws('/', pub.oid, r.oid, s.oid), c.relreplident::text,
        c.relkind = 'p', p.told ->> 'rowfilter',
        a.attname, a.atttypid::int8, a.atttypmod, coalesce(b.base, a.atttypid)::int8, coalesce(b.modifier, a.atttypmod),
        e.typtype = 'e'
    FROM published p
    JOIN pg_namespace n ON n.nspname = p.schemaname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
    JOIN pg_publication pub ON pub.pubname = p.pubname
    LEFT JOIN pg_publication_rel r ON r.prpubid = pub.oid AND r.prrelid = c.oid
    LEFT JOIN pg_publication_namespace s ON s.pnpubid = pub.oid AND s.pnnspid = n.oid
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        AND (p.told ->> 'attnames' IS NULL OR p.told -> 'attnames' ? a.attname::text)
    LEFT JOIN bases b ON b.oid = a.atttypid AND NOT EXISTS (SELECT FROM bases o WHERE o.oid = b.base)
    LEFT JOIN pg_type t ON t.oid = coalesce(b.base, a.atttypid)
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    ORDER BY n.nspname, c.relname, a.attnum
"""
_FULL = "f"
_AS_TEXT = REGISTERED | {TypeName.ACLITEM, TypeName.PG_NODE_TREE, TypeName.MZ_TIMESTAMP, TypeName.JSONPATH}
"""Types that are names of things that only upstream has, or that nobody computes with."""


def found_publication(settings: Mapping[str, str], name: str, slot: str) -> Publication:
    """What a source that is created now follows. Unreachable when the server doesn't tell; SqlError for a publication
    that can't be followed."""
    try:
        # It is the right to replicate that is tried here, too.
        with connected(settings, replication=True) as replication:
            system, _ = identify(replication)
        with connected(settings) as upstream:
            return Publication(name, published_tables(upstream, name), system, slot)
    except psycopg.Error as failure:
        raise Unreachable(reason_of(failure)) from None


def published_tables(upstream: Upstream, publication: str) -> tuple[PublishedTable, ...]:
    """The tables, by name. SqlError for a publication that can't be followed."""
    _require_publication(upstream, publication)
    rows = upstream.execute(_TABLES, (publication,)).fetchall()
    tables = []
    for told, members in groupby(rows, lambda row: row[:7]):
        schema, name, oid, membership, identity, partitioned, row_filter = told
        columns = tuple(_column(*member[7:]) for member in members if member[7] is not None)
        # A change of a row in a partition is told as the partition's identity says: only a change shows that.
        old_rows = identity == _FULL or partitioned
        tables.append(PublishedTable(schema, name, oid, membership, columns, row_filter, partitioned, old_rows))
    return tuple(tables)


def changed_tables(known: Mapping[str, PublishedTable], upstream: Upstream, publication: str) -> Mapping[str, SqlError]:
    """Those that are no longer published as they were when they were added, by name, and what has changed (55000)."""
    now = {table.full_name: table for table in published_tables(upstream, publication)}
    changed = {}
    for name, table in known.items():
        try:
            _require_same(table, now.get(name), publication)
        except SqlError as error:
            changed[name] = error
    return changed


def _require_same(table: PublishedTable, found: PublishedTable | None, publication: str) -> None:
    """Whether old rows are told is seen with the first change without: nothing is lost before."""
    name = table.full_name
    if found is None:
        raise _left_out(f'table "{name}" is no longer in publication "{publication}"')
    require_same_table(table, found.oid)
    if (found.membership, found.row_filter) != (table.membership, table.row_filter):
        raise _left_out(f'table "{name}" was taken out of publication "{publication}", or has another row filter')
    columns = {column.name: (column.upstream_oid, column.upstream_modifier) for column in found.columns}
    for column in table.columns:
        require_same_column(table, column, columns.get(column.name))


def _left_out(message: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail="Changes may have been left out since.", hint=STOPPED
    )


def _require_publication(upstream: Upstream, publication: str) -> None:
    row = upstream.execute(_SETTINGS, (publication,)).fetchone()
    assert row is not None
    wal_level, whole = row
    if wal_level != "logical":
        message, hint = "upstream keeps no WAL to follow changes by", "Set wal_level = logical there, and restart it."
        detail = f"Its wal_level is {wal_level}."
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=detail, hint=hint)
    if whole is None:
        message, hint = f'upstream has no publication "{publication}"', "CREATE PUBLICATION … FOR ALL TABLES makes one."
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message, hint=hint)
    if not whole:
        message = f'publication "{publication}" does not publish all changes'
        hint = "ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate') there."
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint)


def _column(
    name: str, oid: int, modifier: int, base: int, base_modifier: int, of_enums: bool | None
) -> PublishedColumn:
    type_ = array_of(TEXT) if of_enums else held_as(base, base_modifier)
    return PublishedColumn(name, type_, oid, modifier)


def held_as(oid: int, modifier: int) -> ScalarType:
    """Our type of upstream's; what has no counterpart is text."""
    type_ = type_from_oid(oid)
    if type_ is None or not has_physical_form(type_) or (type_.element or type_).name in _AS_TEXT:
        return TEXT
    if type_.element is not None:
        return array_of(ScalarType(type_.element.name, modifier))
    return ScalarType(type_.name, modifier)
