"""Every system relation, without its contents: for the relations that list relations."""

from __future__ import annotations

from functools import cache

from catalog.builtin.mz_catalog import MZ_CATALOG
from catalog.builtin.mz_internal import MZ_INTERNAL
from catalog.builtin.relation import Declaration
from catalog.builtin.stored import stored_relations


@cache
def declarations() -> tuple[Declaration, ...]:
    """By oid."""
    own = tuple(Declaration(r.oid, r.schema, r.name, r.kind, r.desc) for r in (*MZ_CATALOG, *MZ_INTERNAL))
    return tuple(sorted((*stored_relations(), *own), key=lambda relation: relation.oid))
