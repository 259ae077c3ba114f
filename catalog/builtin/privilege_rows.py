"""What the reading role may do with databases, schemas, clusters and objects, granted to it, to a role whose privileges
it has, or to everybody: Materialize's mz_show_my_…_privileges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from catalog.builtin.mz_catalog_rows import objects_of
from catalog.builtin.shown_to import reader_of
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.roles.securables import (
    Securable,
    cluster_securable,
    database_securable,
    item_securable,
    schema_securable,
)
from catalog.facts.roles.shown_acls import role_name
from model.types.datum import Row
from planner.privileges import NAMES, PUBLIC

_CONNECT, _USAGE = "c", "USAGE"


def _mine(snapshot: SystemSnapshot, object_: Securable | None) -> Iterator[tuple[str, str, str]]:
    """Yields grantor, grantee and privilege of what the reader may do. CONNECT on a database is also told as USAGE,
    Materialize's word for what lets a role find the database's schemas."""
    if object_ is None:
        return
    state, reader = snapshot.state, reader_of(snapshot)
    for each in object_.acl:
        if each.grantee == PUBLIC or reader.has_privileges_of(each.grantee):
            grantee = "PUBLIC" if each.grantee == PUBLIC else role_name(state, each.grantee)
            for letter in each.rights:
                yield role_name(state, each.grantor), grantee, NAMES[letter]
                if object_.kind == "database" and letter == _CONNECT:
                    yield role_name(state, each.grantor), grantee, _USAGE


def _databases(snapshot: SystemSnapshot) -> Iterable[Row]:
    for database in snapshot.state.databases.values():
        for grantor, grantee, privilege in _mine(snapshot, database_securable(snapshot.state, database.oid)):
            yield grantor, grantee, database.name, privilege


def _schemas(snapshot: SystemSnapshot) -> Iterable[Row]:
    state = snapshot.state
    for schema in state.schemas.values():
        place = state.databases[schema.database].name, schema.name
        for grantor, grantee, privilege in _mine(snapshot, schema_securable(state, schema.oid)):
            yield grantor, grantee, *place, privilege


def _clusters(snapshot: SystemSnapshot) -> Iterable[Row]:
    for cluster in snapshot.state.clusters.values():
        for grantor, grantee, privilege in _mine(snapshot, cluster_securable(snapshot.state, cluster.oid)):
            yield grantor, grantee, cluster.name, privilege


def _objects(snapshot: SystemSnapshot) -> Iterable[Row]:
    state = snapshot.state
    for each in objects_of(snapshot):
        if each.item is not None:
            schema = state.schemas[each.item.schema]
            named = state.databases[schema.database].name, schema.name, each.name, each.kind
            for grantor, grantee, privilege in _mine(snapshot, item_securable(state, each.item)):
                yield grantor, grantee, *named, privilege


def _schedules(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists each cluster as one that runs until somebody stops it: there are no other schedules."""
    for cluster in snapshot.state.clusters.values():
        yield cluster.id, "manual", None


PRIVILEGE_ROWS: Mapping[str, Rows] = {
    "mz_cluster_schedules": _schedules,
    "mz_show_my_cluster_privileges": _clusters,
    "mz_show_my_database_privileges": _databases,
    "mz_show_my_object_privileges": _objects,
    "mz_show_my_schema_privileges": _schemas,
}
