"""Rights on large objects: the owner's, and those of the list of rights."""

from __future__ import annotations

from catalog.facts.roles.decide import held, require_owner
from catalog.facts.roles.securables import Securable, default_acl
from catalog.nouns.acl import acl_kept
from catalog.state.catalog_state import CatalogState
from server.transactions.open_objects import StoredObject

KIND = "large object"


def securable(row: StoredObject) -> Securable:
    """Returns an object's row as an object with privileges."""
    acl = default_acl(KIND, row.owner) if row.acl is None else acl_kept(row.acl)
    return Securable(KIND, KIND, str(row.oid), row.oid, row.owner, acl)


def require_right(state: CatalogState, role: int, row: StoredObject, right: str) -> None:
    """Raises SqlError 42501 unless a role has a right on an object."""
    object_ = securable(row)
    if right not in held(state, role, object_):
        raise object_.refusal()


def require_ownership(state: CatalogState, role: int, row: StoredObject) -> None:
    """Raises SqlError 42501 unless a role owns an object."""
    require_owner(state, role, securable(row))
