"""Access control lists of future objects, by ALTER DEFAULT PRIVILEGES."""

from __future__ import annotations

from catalog.facts.roles.securables import default_acl
from catalog.nouns.acl import Acl, AclItem
from catalog.state.catalog_state import CatalogState
from planner.privileges import in_order

DEFAULT_KINDS = {"table": "r", "sequence": "S", "function": "f", "type": "T", "schema": "n"}
"""pg_default_acl's letter of each kind of list."""


def first_default_acl(role: int, schema: int, kind: str) -> Acl:
    """Returns the list to begin with: in a schema an empty one beside the rest, else the built-in list."""
    return () if schema else default_acl(kind, role)


def acl_of_new(state: CatalogState, kind: str, owner: int, schema: int) -> Acl | None:
    """Returns the list of a new object of `owner`; None for the built-in list."""
    anywhere = state.default_acls.get((owner, 0, kind))
    here = state.default_acls.get((owner, schema, kind)) if schema else None
    if anywhere is None and here is None:
        return None
    acl = first_default_acl(owner, 0, kind) if anywhere is None else anywhere
    for each in here or ():
        acl = _merged(acl, each)
    return None if set(acl) == set(default_acl(kind, owner)) else acl


def _merged(acl: Acl, item: AclItem) -> Acl:
    for at, each in enumerate(acl):
        if (each.grantee, each.grantor) == (item.grantee, item.grantor):
            rights, grantable = in_order(each.rights + item.rights), in_order(each.grantable + item.grantable)
            return (*acl[:at], AclItem(item.grantee, item.grantor, rights, grantable), *acl[at + 1 :])
    return (*acl, item)
