"""Lists all system relations, without their contents, for the relations that list relations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from catalog.declared.mz_catalog import MZ_CATALOG
from catalog.declared.mz_histories import MZ_HISTORIES
from catalog.declared.mz_internal import MZ_INTERNAL
from catalog.declared.pg_stat_statements import PG_STAT_STATEMENTS
from catalog.declared.relation import Declaration
from catalog.declared.stored import stored_relations


@cache
def declared_names() -> frozenset[tuple[str, str]]:
    """Returns (schema, name) of each declared relation."""
    return frozenset((relation.schema, relation.name) for relation in declarations())


@cache
def _by_oid() -> Mapping[int, Declaration]:
    return {relation.oid: relation for relation in declarations()}


def declared_with_oid(oid: int) -> Declaration | None:
    return _by_oid().get(oid)


@cache
def declarations() -> tuple[Declaration, ...]:
    """Returns the system relations by oid."""
    own = *MZ_CATALOG, *MZ_INTERNAL, *MZ_HISTORIES
    return tuple(sorted((*stored_relations(), *PG_STAT_STATEMENTS, *own), key=lambda relation: relation.oid))
