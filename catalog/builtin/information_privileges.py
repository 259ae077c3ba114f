"""information_schema's views of roles and privileges. A reader sees grants by or to the roles whose privileges the
reader has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from catalog.builtin.information_constraints import standard_items
from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.roles import roles
from catalog.builtin.pg_catalog.types import users_types
from catalog.builtin.shape import shape
from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.decide import has_privileges_of
from catalog.facts.roles.securables import column_acl, item_securable
from catalog.facts.roles.shown_acls import role_name
from catalog.nouns.acl import Acl
from catalog.nouns.items import Domain, Item, MaterializedView, SequenceDefinition
from model.types.datum import Row
from planner.privileges import COLUMN_PRIVILEGES, NAMES, PUBLIC

_Grant = tuple[str, str, str, str]
"""Grantor, grantee, privilege, YES or NO."""


def _is_enabled(snapshot: SystemSnapshot, role: int) -> bool:
    database = snapshot.state.database_named(snapshot.database)
    return has_privileges_of(
        snapshot.state, reader_of(snapshot).role, role, None if database is None else database.owner
    )


def _enabled_roles(snapshot: SystemSnapshot) -> Iterable[Row]:
    for role in roles(snapshot):
        if _is_enabled(snapshot, role.oid):
            yield (role.name,)


def _memberships(*, administrable: bool) -> Rows:
    def rows(snapshot: SystemSnapshot) -> Iterable[Row]:
        for each in snapshot.state.memberships:
            if _is_enabled(snapshot, each.member) and (each.admin or not administrable):
                member, role = (role_name(snapshot.state, oid) for oid in (each.member, each.role))
                yield member, role, "YES" if each.admin else "NO"

    return rows


def _grants(snapshot: SystemSnapshot, acl: Acl, owner: int, rights: str, *, public: bool) -> Iterator[_Grant]:
    """Yields the grants of these rights in a list, as far as the reader may see them."""
    state = snapshot.state
    for each in acl:
        seen = each.grantee != PUBLIC and _is_enabled(snapshot, each.grantee)
        if not (seen or _is_enabled(snapshot, each.grantor) or (public and each.grantee == PUBLIC)):
            continue
        grantee = "PUBLIC" if each.grantee == PUBLIC else role_name(state, each.grantee)
        owning = each.grantee != PUBLIC and has_privileges_of(state, each.grantee, owner)
        for letter in each.rights:
            if letter in rights:
                grantable = "YES" if owning or letter in each.grantable else "NO"
                yield role_name(state, each.grantor), grantee, NAMES[letter], grantable


def _tables(snapshot: SystemSnapshot) -> Iterator[Item]:
    for item in standard_items(snapshot):
        if not isinstance(item.definition, SequenceDefinition | MaterializedView):
            yield item


def _table_privileges(name: str, *, public: bool) -> Rows:
    def rows(snapshot: SystemSnapshot) -> Iterable[Row]:
        make = shape(name)
        for item in _tables(snapshot):
            acl = item_securable(snapshot.state, item).acl
            for grantor, grantee, word, grantable in _grants(snapshot, acl, item.owner, "arwdDxt", public=public):
                yield make(
                    grantor=grantor,
                    grantee=grantee,
                    table_catalog=snapshot.database,
                    table_schema=snapshot.state.schemas[item.schema].name,
                    table_name=item.name,
                    privilege_type=word,
                    is_grantable=grantable,
                    with_hierarchy="YES" if word == "SELECT" else "NO",
                )

    return rows


def _column_privileges(name: str, *, public: bool) -> Rows:
    """Returns the rows of column privileges: a right on a table is one on each of its columns."""

    def rows(snapshot: SystemSnapshot) -> Iterable[Row]:
        make = shape(name)
        for item in _tables(snapshot):
            whole = item_securable(snapshot.state, item).acl
            for number, _, column in item.numbered_columns:
                acl = (*whole, *column_acl(snapshot.state, item.oid, number))
                found = dict.fromkeys(_grants(snapshot, acl, item.owner, COLUMN_PRIVILEGES, public=public))
                for grantor, grantee, word, grantable in found:
                    yield make(
                        grantor=grantor,
                        grantee=grantee,
                        table_catalog=snapshot.database,
                        table_schema=snapshot.state.schemas[item.schema].name,
                        table_name=item.name,
                        column_name=column.name,
                        privilege_type=word,
                        is_grantable=grantable,
                    )

    return rows


def _usable(snapshot: SystemSnapshot) -> Iterator[tuple[Item, str]]:
    for item in users_types(snapshot):
        if isinstance(item.definition, Domain):
            yield item, "DOMAIN"
    for item in own_items(snapshot):
        if isinstance(item.definition, SequenceDefinition):
            yield item, "SEQUENCE"


def _usage_privileges(name: str, *, public: bool) -> Rows:
    def rows(snapshot: SystemSnapshot) -> Iterable[Row]:
        make = shape(name)
        for item, kind in _usable(snapshot):
            acl = item_securable(snapshot.state, item).acl
            for grantor, grantee, word, grantable in _grants(snapshot, acl, item.owner, "U", public=public):
                yield make(
                    grantor=grantor,
                    grantee=grantee,
                    object_catalog=snapshot.database,
                    object_schema=snapshot.state.schemas[item.schema].name,
                    object_name=item.name,
                    object_type=kind,
                    privilege_type=word,
                    is_grantable=grantable,
                )

    return rows


PRIVILEGE_ROWS: Mapping[str, Rows] = {
    "administrable_role_authorizations": _memberships(administrable=True),
    "applicable_roles": _memberships(administrable=False),
    "column_privileges": _column_privileges("column_privileges", public=True),
    "enabled_roles": _enabled_roles,
    "role_column_grants": _column_privileges("role_column_grants", public=False),
    "role_table_grants": _table_privileges("role_table_grants", public=False),
    "role_usage_grants": _usage_privileges("role_usage_grants", public=False),
    "table_privileges": _table_privileges("table_privileges", public=True),
    "usage_privileges": _usage_privileges("usage_privileges", public=True),
}
