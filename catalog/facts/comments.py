"""Comments on what users made, as the system catalogs list them."""

from __future__ import annotations

from catalog.nouns.items import AccessObject, FunctionDefinition, Table
from catalog.state.catalog_state import CatalogState


def comment_on(state: CatalogState, oid: int, catalog: str | None, column: int) -> str | None:
    """Returns the comment on the object with `oid` in a system catalog, in any of them for None; None when there is
    none."""
    return state.comments.get((oid, column)) if catalog in (None, catalog_of(state, oid)) else None


def policy_oids(state: CatalogState) -> frozenset[int]:
    """Returns the oids of the policies of all tables."""
    tables = (item.definition for item in state.items.values() if isinstance(item.definition, Table))
    return frozenset(policy.oid for table in tables for policy in table.row_security.policies)


def catalog_of(state: CatalogState, oid: int) -> str:
    """Returns the system catalog that lists the object of a comment; an mz_ catalog for kinds that PostgreSQL lacks."""
    if oid in state.schemas:
        return "pg_namespace"
    if oid in state.clusters:
        return "mz_clusters"
    item = state.item_by_oid(oid)
    if item is None:
        return "pg_policy" if oid in policy_oids(state) else "pg_constraint"
    if isinstance(item.definition, AccessObject):
        return f"mz_{item.kind.value}s"
    if isinstance(item.definition, FunctionDefinition):
        return "pg_proc"
    return "pg_class" if item.type is None else "pg_type"
