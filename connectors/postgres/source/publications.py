"""Finds the tables of a publication, their columns, and the types that hold these here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

import psycopg

from connectors.postgres.probe import Upstream, connected, reason_of
from connectors.postgres.source.slots import identify
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import Publication, PublishedColumn, PublishedTable, UnpublishedColumn
from model.physical.columns import decimal_bounds, has_physical_form
from model.text.numerics import DIGITS_MAX
from model.types.scalar_type import REGISTERED, TEXT, ScalarType, TypeName, array_of, type_from_oid

_SETTINGS = """
    SELECT current_setting('wal_level'), p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate
    FROM (SELECT) AS one LEFT JOIN pg_publication p ON p.pubname = %s
"""
_TABLES = """
    WITH RECURSIVE pub AS (SELECT *, xmin AS altered FROM pg_publication WHERE pubname = %s), publishable AS (
        SELECT * FROM pg_class WHERE relkind IN ('r', 'p') AND relpersistence = 'p' AND oid >= 16384
    ), named (oid) AS (
        SELECT c.oid FROM pub JOIN publishable c ON pub.puballtables
        UNION SELECT r.prrelid FROM pub JOIN pg_publication_rel r ON r.prpubid = pub.oid
        UNION SELECT c.oid FROM pub JOIN pg_publication_namespace s ON s.pnpubid = pub.oid
            JOIN publishable c ON c.relnamespace = s.pnnspid
    ), tree (root, oid) AS (
        SELECT c.oid, c.oid FROM named JOIN pg_class c USING (oid) WHERE c.relkind = 'p'
        UNION ALL SELECT tree.root, i.inhrelid FROM tree JOIN pg_inherits i ON i.inhparent = tree.oid
    ), published (oid) AS (
        SELECT oid FROM named WHERE (SELECT pubviaroot FROM pub)
            AND NOT EXISTS (SELECT FROM tree WHERE tree.oid = named.oid AND tree.root <> named.oid)
        UNION SELECT c.oid FROM (SELECT oid FROM named UNION SELECT oid FROM tree) AS any_of JOIN pg_class c USING (oid)
        WHERE NOT (SELECT pubviaroot FROM pub) AND c.relkind = 'r'
    ), stored (oid, storage) AS (
        SELECT tree.root, sum(c.relfilenode::int8) FROM tree JOIN pg_class c USING (oid) GROUP BY tree.root
    ), bases (oid, base, modifier) AS (
        SELECT oid, typbasetype, typtypmod FROM pg_type WHERE typtype = 'd'
        UNION ALL
        SELECT b.oid, t.typbasetype, CASE WHEN b.modifier = -1 THEN t.typtypmod ELSE b.modifier END
        FROM bases b JOIN pg_type t ON t.oid = b.base WHERE t.typtype = 'd'
    )
    SELECT n.nspname, c.relname, c.oid::int8, concat_ws('/', pub.oid, r.oid, s.oid), c.relreplident::text,
        c.relkind = 'p', CASE WHEN listed THEN pg_get_expr(r.prqual, r.prrelid) END,
        concat_ws('/', pub.altered, CASE WHEN r.oid IS NULL AND NOT pub.puballtables THEN moved.xmin END),
        coalesce(CASE WHEN c.relkind = 'p' THEN stored.storage ELSE c.relfilenode::int8 END, 0)::int8,
        c.xmin::text::int8,
        a.attgenerated = '' AND (NOT listed OR r.prattrs IS NULL OR a.attnum = ANY (r.prattrs)),
        a.attgenerated <> '', a.attname, a.attnum::int4, a.xmin::text::int8, a.atttypid::int8, a.atttypmod,
        coalesce(b.base, a.atttypid)::int8, coalesce(b.modifier, a.atttypmod), e.typtype = 'e', labels.told
    FROM pub CROSS JOIN published p
    JOIN pg_class c ON c.oid = p.oid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_publication_rel r ON r.prpubid = pub.oid AND r.prrelid = c.oid
    LEFT JOIN pg_publication_namespace s ON s.pnpubid = pub.oid AND s.pnnspid = n.oid
    CROSS JOIN LATERAL (SELECT r.oid IS NOT NULL AND s.oid IS NULL AND NOT pub.puballtables AS listed) AS how
    LEFT JOIN stored ON stored.oid = c.oid
    LEFT JOIN pg_depend moved ON moved.classid = 'pg_class'::regclass AND moved.objid = c.oid AND moved.objsubid = 0
        AND moved.refclassid = 'pg_namespace'::regclass
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN bases b ON b.oid = a.atttypid AND NOT EXISTS (SELECT FROM bases o WHERE o.oid = b.base)
    LEFT JOIN pg_type t ON t.oid = coalesce(b.base, a.atttypid)
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    LEFT JOIN LATERAL (
        SELECT array_agg(l.oid || ':' || l.enumlabel ORDER BY l.oid) AS told FROM pg_enum l
        WHERE l.enumtypid IN (t.oid, e.oid)
    ) labels ON 'e' IN (t.typtype, e.typtype)
    ORDER BY n.nspname, c.relname, a.attnum
"""
"""As pg_publication_tables tells, which would wait for whoever alters one of the tables."""
_NAMED = """
    SELECT w.schema || '.' || w.name, c.oid::int8 FROM unnest(%s::text[], %s::text[]) AS w (schema, name)
    JOIN pg_namespace n ON n.nspname = w.schema JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
"""
_OF_TABLE = 10
"""So many of the values are the table's, and the same for all of its columns."""
_FULL = "f"
_AS_TEXT = REGISTERED | {TypeName.ACLITEM, TypeName.PG_NODE_TREE, TypeName.MZ_TIMESTAMP, TypeName.JSONPATH}
"""Types that are names of things that only upstream has, or that nobody computes with."""


def found_publication(settings: Mapping[str, str], name: str, slot: str) -> Publication:
    """Returns the publication as a new source will follow it. Raises Unreachable when the server doesn't answer;
    raises SqlError for a publication that can't be followed."""
    try:
        # It is the right to replicate that is tried here, too.
        with connected(settings, replication=True) as replication:
            system, _ = identify(replication)
        with connected(settings) as upstream:
            return Publication(name, published_tables(upstream, name), system, slot)
    except psycopg.Error as failure:
        raise Unreachable(reason_of(failure)) from None


def published_tables(upstream: Upstream, publication: str) -> tuple[PublishedTable, ...]:
    """Returns the tables, by name. Raises SqlError for a publication that can't be followed."""
    _require_publication(upstream, publication)
    rows = upstream.execute(_TABLES, (publication,)).fetchall()
    return tuple(_table(told, members) for told, members in groupby(rows, lambda row: row[:_OF_TABLE]))


def _table(told: tuple[Any, ...], members: Iterable[tuple[Any, ...]]) -> PublishedTable:
    schema, name, oid, membership, identity, partitioned, row_filter, history, storage, version = told
    columns, unpublished = [], []
    for is_published, generated, column, number, *rest in (row[_OF_TABLE:] for row in members):
        if is_published:
            columns.append(_column(column, number, *rest))
        elif column is not None:
            unpublished.append(UnpublishedColumn(column, number, generated))
    return PublishedTable(
        schema,
        name,
        oid,
        membership,
        tuple(columns),
        row_filter,
        partitioned,
        # A change of a row in a partition is told as the partition's identity says: only a change shows that.
        old_rows=identity == _FULL or partitioned,
        history=history,
        unpublished=tuple(unpublished),
        storage=storage,
        version=version,
    )


def relations_named(upstream: Upstream, tables: Iterable[PublishedTable]) -> Mapping[str, int]:
    """Returns the oids of the relations that now have these tables' names, by full name."""
    named = [(table.schema, table.name) for table in tables]
    rows = upstream.execute(_NAMED, ([schema for schema, _ in named], [name for _, name in named])).fetchall()
    return {str(name): int(oid) for name, oid in rows}


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
        hint = (
            "ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate') there; then ALTER SOURCE … REFRESH "
            "reads its tables anew, since changes have been left out."
        )
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint)


def _column(
    name: str,
    number: int,
    version: int,
    oid: int,
    modifier: int,
    base: int,
    base_modifier: int,
    of_enums: bool | None,
    labels: list[str] | None,
) -> PublishedColumn:
    type_ = array_of(TEXT) if of_enums else held_as(base, base_modifier)
    return PublishedColumn(name, type_, oid, modifier, number, version, tuple(labels or ()))


def held_as(oid: int, modifier: int) -> ScalarType:
    """Returns the type that holds a type of upstream; text where there is no counterpart."""
    type_ = type_from_oid(oid)
    if type_ is None or not has_physical_form(type_) or (type_.element or type_).name in _AS_TEXT:
        return TEXT
    held = ScalarType((type_.element or type_).name, modifier)
    if held.name is TypeName.NUMERIC and decimal_bounds(held)[0] > DIGITS_MAX:
        held = TEXT if type_.element is not None else ScalarType(TypeName.WIDE, modifier)
    return held if type_.element is None else array_of(held)
