"""Roles, their memberships and settings, and what is granted on objects to come."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.default_acls import DEFAULT_KINDS
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.roles.shown_acls import shown_items
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import Role
from model.text.dispatch import parse_datum
from model.types.datum import Datum, Row
from model.types.scalar_type import TIMESTAMPTZ

_HIDDEN = "********"


def roles(snapshot: SystemSnapshot) -> list[Role]:
    """Returns the catalog's roles, followed by the predefined roles."""
    return [*snapshot.state.roles.values(), *predefined_roles().values()]


def _until(role: Role) -> Datum:
    return None if role.valid_until is None else parse_datum(role.valid_until, TIMESTAMPTZ)


def _settings(snapshot: SystemSnapshot, role: Role) -> tuple[str, ...] | None:
    return snapshot.state.role_settings.get((0, role.oid))


def _attributes(role: Role) -> dict[str, Datum]:
    """Returns the columns of pg_authid and pg_roles that are alike."""
    return {
        "oid": role.oid,
        "rolname": role.name,
        "rolsuper": role.superuser,
        "rolinherit": role.inherit,
        "rolcreaterole": role.createrole,
        "rolcreatedb": role.createdb,
        "rolcanlogin": role.login,
        "rolreplication": role.replication,
        "rolbypassrls": role.bypass_row_security,
        "rolconnlimit": role.connection_limit,
        "rolvaliduntil": _until(role),
    }


def pg_authid(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Yields the rows of pg_authid, which superusers alone may read."""
    make = shape("pg_authid")
    for role in roles(snapshot):
        yield make(**_attributes(role), rolpassword=role.password)


def pg_roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_roles")
    for role in roles(snapshot):
        yield make(**_attributes(role), rolpassword=_HIDDEN, rolconfig=_settings(snapshot, role))


def pg_user(snapshot: SystemSnapshot) -> Iterable[Row]:
    return _users("pg_user", snapshot, hidden=True)


def pg_shadow(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Yields the rows of pg_shadow, which superusers alone may read."""
    return _users("pg_shadow", snapshot, hidden=False)


def _users(name: str, snapshot: SystemSnapshot, *, hidden: bool) -> Iterable[Row]:
    make = shape(name)
    for role in snapshot.state.roles.values():
        if role.login:
            yield make(
                usename=role.name,
                usesysid=role.oid,
                usecreatedb=role.createdb,
                usesuper=role.superuser,
                userepl=role.replication,
                usebypassrls=role.bypass_row_security,
                passwd=_HIDDEN if hidden else role.password,
                valuntil=_until(role),
                useconfig=_settings(snapshot, role),
            )


def pg_group(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_group")
    for role in roles(snapshot):
        if not role.login:
            members = tuple(sorted({each.member for each in snapshot.state.memberships if each.role == role.oid}))
            yield make(groname=role.name, grosysid=role.oid, grolist=members)


def pg_auth_members(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_auth_members")
    for each in sorted(snapshot.state.memberships, key=lambda each: each.oid):
        yield make(
            oid=each.oid,
            roleid=each.role,
            member=each.member,
            grantor=each.grantor,
            admin_option=each.admin,
            inherit_option=each.inherit,
            set_option=each.set,
        )


def pg_db_role_setting(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_db_role_setting")
    for (database, role), settings in sorted(snapshot.state.role_settings.items()):
        yield make(setdatabase=database, setrole=role, setconfig=settings)


def pg_default_acl(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_default_acl")
    kinds = list(DEFAULT_KINDS)
    for (role, schema, kind), acl in sorted(snapshot.state.default_acls.items()):
        yield make(
            oid=derived_oid(schema or role, kinds.index(kind)),
            defaclrole=role,
            defaclnamespace=schema,
            defaclobjtype=DEFAULT_KINDS[kind],
            defaclacl=shown_items(snapshot.state, acl),
        )
