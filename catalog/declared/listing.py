"""Lists all system relations, without their contents, for the relations that list relations."""

from __future__ import annotations

from functools import cache

from catalog.declared.mz_catalog import MZ_CATALOG
from catalog.declared.mz_internal import MZ_INTERNAL
from catalog.declared.relation import Declaration
from catalog.declared.stored import stored_relations


@cache
def declared_names() -> frozenset[tuple[str, str]]:
    """(schema, name) of each."""
    return frozenset((relation.schema, relation.name) for relation in declarations())


@cache
def declarations() -> tuple[Declaration, ...]:
    """Returns the system relations by oid."""
    return tuple(sorted((*stored_relations(), *MZ_CATALOG, *MZ_INTERNAL), key=lambda relation: relation.oid))
