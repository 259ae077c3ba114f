"""The state after one change of roles, memberships, owners or privileges; with PostgreSQL's errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from catalog.changes.policies import without_role
from catalog.changes.roles.role_changes import (
    AlterRole,
    ChangeAcl,
    ChangeDefaultAcl,
    ChangeOwner,
    CreateRole,
    DropAcls,
    DropRole,
    GrantRole,
    RevokeRole,
    RoleChange,
    SetRoleSetting,
    SetSystemSetting,
)
from catalog.facts.roles.default_acls import first_default_acl
from catalog.facts.roles.predefined import known_role, predefined_roles
from catalog.facts.roles.securables import column_acl, securable
from catalog.nouns.acl import Acl, granted, revoked, with_new_owner
from catalog.nouns.items import SUPERUSER_OID, Item, Role, Table
from catalog.nouns.memberships import Membership, MembershipKey
from catalog.nouns.names import quote
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def with_role_change(state: CatalogState, change: RoleChange) -> CatalogState:
    match change:
        case CreateRole(role):
            _require_free(state, role.name)
            return edits.with_role(state, role)
        case AlterRole(oid, attributes):
            return _altered(state, oid, dict(attributes))
        case DropRole(oid):
            return _dropped(state, oid)
        case GrantRole(membership):
            return _granted_role(state, membership)
        case RevokeRole():
            return _revoked_role(state, change)
        case ChangeAcl():
            return _changed_acl(state, change)
        case ChangeDefaultAcl():
            return _changed_default_acl(state, change)
        case ChangeOwner(oid, owner):
            return _owned(state, oid, owner)
        case DropAcls(role, database):
            return _without_acls(state, role, database)
        case SetRoleSetting():
            return _with_setting(state, change)
        case SetSystemSetting(name, value):
            return replace(state, system_settings=_changed(state.system_settings, name, value))
        case _:
            assert_never(change)


def _require_free(state: CatalogState, name: str) -> None:
    if name.startswith("pg_") or name in ("public", "none"):
        detail = 'Role names starting with "pg_" are reserved.' if name.startswith("pg_") else None
        raise SqlError(Sqlstate.RESERVED_NAME, f'role name "{name}" is reserved', detail=detail)
    if state.role_named(name) is not None:
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'role "{name}" already exists')


def _role(state: CatalogState, oid: int) -> Role:
    role = state.roles.get(oid)
    if role is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "role was dropped by a concurrent statement")
    return role


def _require_roles(state: CatalogState, *oids: int) -> None:
    for oid in oids:
        if oid and oid not in state.roles and oid not in predefined_roles():
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, "role was dropped by a concurrent statement")


def _altered(state: CatalogState, oid: int, attributes: dict[str, str | int | bool | None]) -> CatalogState:
    role = _role(state, oid)
    name = attributes.get("name")
    if isinstance(name, str) and name != role.name:
        _require_free(state, name)
    return edits.with_role(state, replace(role, **attributes))  # type: ignore[arg-type]


def _dropped(state: CatalogState, oid: int) -> CatalogState:
    role = _role(state, oid)
    if oid == SUPERUSER_OID:
        raise SqlError(
            Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
            f"cannot drop role {quote(role.name)} because it is required by the database system",
        )
    needing = [*_owned_by(state, oid), *_granted_to(state, oid), *_targeted_by(state, oid)]
    if needing:
        raise SqlError(
            Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
            f'role "{role.name}" cannot be dropped because some objects depend on it',
            detail="\n".join(needing),
        )
    mine = [each.key for each in state.memberships if oid in (each.role, each.member)]
    settings = {key: each for key, each in state.role_settings.items() if key[1] != oid}
    state = replace(state, memberships=state.memberships.without(mine), role_settings=settings)
    return edits.without_role(state, oid)


def _owned_by(state: CatalogState, oid: int) -> Iterator[str]:
    yield from (f"owner of database {quote(d.name)}" for d in state.databases.values() if d.owner == oid)
    yield from (f"owner of schema {quote(s.name)}" for s in state.schemas.values() if s.owner == oid)
    yield from (f"owner of {i.kind.value} {quote(i.name)}" for i in state.items.values() if i.owner == oid)
    yield from (f"owner of cluster {quote(c.name)}" for c in state.clusters.values() if c.owner == oid)
    yield from (f"owner of read hold {quote(h.name)}" for h in state.read_holds.values() if h.owner == oid)


def _targeted_by(state: CatalogState, oid: int) -> Iterator[str]:
    for item in state.items.values():
        for policy in item.definition.row_security.policies if isinstance(item.definition, Table) else ():
            if oid in policy.roles:
                yield f"target of policy {quote(policy.name)} on table {quote(item.name)}"


def _granted_to(state: CatalogState, oid: int) -> Iterator[str]:
    for (on, column), acl in sorted(state.acls.items()):
        object_ = securable(state, on)
        if object_ is None or object_.owner == oid or not any(oid in (e.grantee, e.grantor) for e in acl):
            continue
        name = f"{object_.noun} {quote(object_.name)}"
        yield (
            f"privileges for column {_column_name(state, on, column)} of {name}" if column else f"privileges for {name}"
        )
    for (role, schema, kind), acl in state.default_acls.items():
        if role == oid or any(each.grantee == oid for each in acl):
            names = {each.oid: each.name for each in (*state.roles.values(), *predefined_roles().values())}
            inside = f" in schema {quote(state.schemas[schema].name)}" if schema in state.schemas else ""
            noun = "relation" if kind == "table" else kind
            words = "owner of" if role == oid else "privileges for"
            yield f"{words} default privileges on new {noun}s belonging to role {names[role]}{inside}"
    for each in state.memberships:
        if each.grantor == oid and oid not in (each.role, each.member):
            roles = state.roles
            yield f"privileges for membership of role {roles[each.member].name} in role {_name_of(state, each.role)}"


def _name_of(state: CatalogState, oid: int) -> str:
    return known_role(state, oid).name


def _column_name(state: CatalogState, oid: int, column: int) -> str:
    item = state.item_by_oid(oid)
    assert item is not None, "lists of columns are on items"
    return quote(next(desc.name for number, _, desc in item.numbered_columns if number == column))


def _granted_role(state: CatalogState, membership: Membership) -> CatalogState:
    _require_roles(state, membership.role, membership.member, membership.grantor)
    if membership.member in state.memberships.member_of(membership.role, None):
        role, member = _name_of(state, membership.role), _name_of(state, membership.member)
        message = f'role "{role}" is a member of role "{member}"'
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)
    known = state.memberships.by_key.get(membership.key)
    if known is not None:
        membership = replace(membership, oid=known.oid)
    return edits.given(replace(state, memberships=state.memberships.with_one(membership)), membership.oid)


def _revoked_role(state: CatalogState, change: RevokeRole) -> CatalogState:
    known = state.memberships.by_key.get(change.key)
    if known is None:
        return state
    admin_lost = known.admin and change.option in (None, "admin")
    memberships = (
        state.memberships.without([known.key])
        if change.option is None
        else state.memberships.with_one(replace(known, **{change.option: False}))
    )
    if not admin_lost:
        return replace(state, memberships=memberships)
    gone: list[MembershipKey] = []
    while True:
        left = memberships.without(gone)
        orphans = [
            each.key
            for each in left
            if each.role == known.role
            and each.grantor not in (SUPERUSER_OID,)
            and not any(o.role == each.role and o.member == each.grantor and o.admin for o in left)
        ]
        if not orphans:
            return replace(state, memberships=left)
        if not change.cascade:
            hint = "Use CASCADE to revoke them too."
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, "dependent privileges exist", hint=hint)
        gone += orphans


def _changed_acl(state: CatalogState, change: ChangeAcl) -> CatalogState:
    object_ = securable(state, change.oid)
    if object_ is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what privileges are on was dropped by a concurrent statement")
    _require_roles(state, change.grantor, *change.grantees)
    before = column_acl(state, change.oid, change.column) if change.column else object_.acl
    after = next_acl(before, object_.owner, change.grantor, change)
    return edits.with_acl(state, change.oid, change.column, after or None if change.column else after)


def next_acl(acl: Acl, owner: int, grantor: int, change: ChangeAcl | ChangeDefaultAcl) -> Acl:
    """Returns a list of rights after a change."""
    if change.revoke:
        option, cascade = change.option, change.cascade
        return revoked(acl, owner, grantor, change.grantees, change.rights, option=option, cascade=cascade)
    return granted(acl, owner, grantor, change.grantees, change.rights, option=change.option)


def _changed_default_acl(state: CatalogState, change: ChangeDefaultAcl) -> CatalogState:
    _require_roles(state, change.role, *change.grantees)
    key = change.role, change.schema, change.kind
    first = first_default_acl(change.role, change.schema, change.kind)
    before = state.default_acls.get(key, first)
    after = next_acl(before, change.role, change.role, change)
    others = {kept: acl for kept, acl in state.default_acls.items() if kept != key}
    # As PostgreSQL does, what says no more than nothing is not kept.
    return replace(state, default_acls=others if set(after) == set(first) else {**others, key: after})


def _owned(state: CatalogState, oid: int, owner: int) -> CatalogState:
    _require_roles(state, owner)
    before = securable(state, oid)
    if before is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what is to have another owner was dropped by a concurrent statement")
    item = state.item_by_oid(oid)
    if item is not None:
        state = edits.with_item(state, replace(item, owner=owner))
        state = _with_parts_owned(state, item, owner)
    elif oid in state.schemas:
        state = edits.with_schema(state, replace(state.schemas[oid], owner=owner))
    elif oid in state.clusters:
        state = edits.with_cluster(state, replace(state.clusters[oid], owner=owner))
    else:
        state = edits.with_database(state, replace(state.databases[oid], owner=owner))
    acls = {key: with_new_owner(acl, before.owner, owner) if key[0] == oid else acl for key, acl in state.acls.items()}
    return replace(state, acls=acls)


def _with_parts_owned(state: CatalogState, item: Item, owner: int) -> CatalogState:
    """Gives a relation's indexes, and its columns' sequences, the relation's owner."""
    for part in (*state.indexes_on(item.id), *state.owned_sequences(item.id)):
        if part.owner == owner:
            continue
        kept = state.acls.get((part.oid, 0))
        state = edits.with_item(state, replace(part, owner=owner))
        if kept is not None:
            state = edits.with_acl(state, part.oid, 0, with_new_owner(kept, part.owner, owner))
    return state


def _without_acls(state: CatalogState, role: int, database: int) -> CatalogState:
    """Removes a role from the access lists of a database, but for lists of what the role owns; a default list stays
    where the role is in none."""
    acls = dict(state.acls)
    for (oid, column), acl in state.acls.items():
        object_ = securable(state, oid)
        if object_ is None or not _in_database(state, oid, database):
            continue
        left = tuple(each for each in acl if role not in (each.grantee, each.grantor) or object_.owner == role)
        if left or not column:
            acls[oid, column] = left
        else:
            del acls[oid, column]
    defaults = {}
    for key, acl in state.default_acls.items():
        left = tuple(each for each in acl if each.grantee != role)
        if key[0] != role and (left or left == acl):
            defaults[key] = left
    for item in list(state.items.values()):
        if isinstance(item.definition, Table) and _in_database(state, item.oid, database):
            security = without_role(item.definition.row_security, role)
            if security != item.definition.row_security:
                state = edits.with_item(
                    state, replace(item, definition=replace(item.definition, row_security=security))
                )
    return replace(state, acls=acls, default_acls=defaults)


def _in_database(state: CatalogState, oid: int, database: int) -> bool:
    """Databases themselves are in each of them."""
    item = state.item_by_oid(oid)
    schema = state.schemas.get(oid if item is None else item.schema)
    return schema is None or schema.database == database


def _with_setting(state: CatalogState, change: SetRoleSetting) -> CatalogState:
    _require_roles(state, change.role)
    key = change.database, change.role
    kept = _changed(state.role_settings.get(key, ()), change.name, change.value)
    others = {known: each for known, each in state.role_settings.items() if known != key}
    return replace(state, role_settings={**others, key: kept} if kept else others)


def _changed(settings: tuple[str, ...], name: str | None, value: str | None) -> tuple[str, ...]:
    """Returns settings `name=value` with one changed, which comes last, or removed; without any for no name."""
    if name is None:
        return ()
    kept = tuple(each for each in settings if each.partition("=")[0] != name)
    return kept if value is None else (*kept, f"{name}={value}")


def with_present_acls(state: CatalogState) -> CatalogState:
    """Returns the state without the lists of what is no more, and without default lists in schemas that are gone."""
    gone = {key for key in state.acls if not _present(state, *key)}
    defaults = {key for key in state.default_acls if key[1] and key[1] not in state.schemas}
    if not (gone or defaults):
        return state
    acls = {key: acl for key, acl in state.acls.items() if key not in gone}
    kept = {key: acl for key, acl in state.default_acls.items() if key not in defaults}
    return replace(state, acls=acls, default_acls=kept)


def _present(state: CatalogState, oid: int, column: int) -> bool:
    if oid in state.schemas or oid in state.databases or oid in state.clusters:
        return True
    item = state.item_by_oid(oid)
    if item is None or column == 0:
        return item is not None
    return any(number == column for number, _, _ in item.numbered_columns)
