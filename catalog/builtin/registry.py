"""All system relations, found by id, by oid and by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from catalog.builtin.information_schema import INFORMATION_SCHEMA_ROWS
from catalog.builtin.mz_catalog_rows import MZ_CATALOG_ROWS
from catalog.builtin.mz_internal_rows import MZ_INTERNAL_ROWS
from catalog.builtin.pg_catalog.contents import PG_CATALOG_ROWS
from catalog.declared.listing import declarations
from catalog.declared.relation import BuiltinRelation, no_rows
from model.ids.global_id import GlobalId, Namespace

_ROWS = {
    "pg_catalog": PG_CATALOG_ROWS,
    "information_schema": INFORMATION_SCHEMA_ROWS,
    "mz_catalog": MZ_CATALOG_ROWS,
    "mz_internal": MZ_INTERNAL_ROWS,
}


@cache
def builtin_relations() -> tuple[BuiltinRelation, ...]:
    """Returns all built-in relations, ordered by oid; ids, oids and qualified names are each unique."""
    return tuple(
        BuiltinRelation(r.oid, r.schema, r.name, r.kind, r.desc, _ROWS[r.schema].get(r.name, no_rows))
        for r in declarations()
    )


@cache
def _by_oid() -> Mapping[int, BuiltinRelation]:
    return {relation.oid: relation for relation in builtin_relations()}


@cache
def _by_name() -> Mapping[tuple[str, str], BuiltinRelation]:
    return {(relation.schema, relation.name): relation for relation in builtin_relations()}


def builtin_with_id(id: GlobalId) -> BuiltinRelation | None:
    return _by_oid().get(id.number) if id.namespace is Namespace.SYSTEM else None


def builtin_with_oid(oid: int) -> BuiltinRelation | None:
    return _by_oid().get(oid)


def builtin_named(schema: str, name: str) -> BuiltinRelation | None:
    return _by_name().get((schema, name))
