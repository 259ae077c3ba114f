"""Memberships, access control lists and settings of roles as rows of the catalog (see durable), and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.facts.roles.predefined import FIRST_MEMBERSHIPS
from catalog.nouns.acl import Acl, AclItem
from catalog.nouns.items import SUPERUSER_OID
from catalog.nouns.memberships import Membership, Memberships
from catalog.state.catalog_state import CatalogState, DefaultAclKey

RoleEntry = Membership | Acl | tuple[str, ...]

_FIRST_MEMBERSHIP_OID = 10_000


def first_memberships() -> Memberships:
    """Returns the memberships of PostgreSQL's own roles."""
    made = (
        Membership(_FIRST_MEMBERSHIP_OID + at, role, member, SUPERUSER_OID)
        for at, (role, member) in enumerate(FIRST_MEMBERSHIPS)
    )
    return Memberships({each.key: each for each in made})


def role_entries(state: CatalogState) -> dict[tuple[str, str], RoleEntry]:
    entries: dict[tuple[str, str], RoleEntry] = {}
    entries.update((("membership", ".".join(map(str, each.key))), each) for each in state.memberships)
    entries.update((("acl", f"{oid}.{column}"), acl) for (oid, column), acl in state.acls.items())
    entries.update((("default_acl", ".".join(map(str, key))), acl) for key, acl in state.default_acls.items())
    entries.update((("role_setting", f"{at}.{role}"), each) for (at, role), each in state.role_settings.items())
    if state.system_settings:
        entries["system_setting", ""] = state.system_settings
    return entries


def role_entry_value(entry: RoleEntry) -> Any:
    if isinstance(entry, Membership):
        return {"oid": entry.oid, "admin": entry.admin, "inherit": entry.inherit, "set": entry.set}
    return [
        each if isinstance(each, str) else [each.grantee, each.grantor, each.rights, each.grantable] for each in entry
    ]


def memberships_of(rows: Mapping[str, Any]) -> Memberships:
    made = []
    for key, value in rows.items():
        role, member, grantor = _numbers(key)
        made.append(Membership(value["oid"], role, member, grantor, value["admin"], value["inherit"], value["set"]))
    return Memberships({each.key: each for each in made})


def acls_of(rows: Mapping[str, Any]) -> dict[tuple[int, int], Acl]:
    found = {}
    for key, value in rows.items():
        oid, column = _numbers(key)
        found[oid, column] = _acl(value)
    return found


def default_acls_of(rows: Mapping[str, Any]) -> dict[DefaultAclKey, Acl]:
    found = {}
    for key, value in rows.items():
        role, schema, kind = key.split(".")
        found[int(role), int(schema), kind] = _acl(value)
    return found


def role_settings_of(rows: Mapping[str, Any]) -> dict[tuple[int, int], tuple[str, ...]]:
    found = {}
    for key, value in rows.items():
        database, role = _numbers(key)
        found[database, role] = tuple(value)
    return found


def _numbers(key: str) -> list[int]:
    return [int(part) for part in key.split(".")]


def _acl(value: Any) -> Acl:
    return tuple(AclItem(*each) for each in value)
