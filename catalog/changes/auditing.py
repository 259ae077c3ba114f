"""What was done to the catalog, in the words of mz_audit_events: one event for each object that a change concerns.

CREATE TABLE t (…)          create table  {"id": "u1", "item": "t", "schema": "public", "database": "headwater"}
GRANT SELECT ON t TO alice  grant table   {"object_id": "u1", "grantee_id": "20007", "privileges": "r", …}

Details hold names, ids and kinds of changes, and neither definitions nor values: those may hold what not everybody may
read. Temporary relations are their session's own business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from catalog.changes.apply import apply
from catalog.changes.change import (
    AlterComposite,
    AlterEnum,
    AlterTable,
    Change,
    ChangeOfNames,
    CreateCluster,
    CreateDatabase,
    CreateItem,
    CreateReadHold,
    CreateReplica,
    CreateSchema,
    DropCluster,
    DropDatabase,
    DropItems,
    DropReadHold,
    DropReplica,
    DropSchemas,
    ForgetSlot,
    MoveItem,
    RebuildItems,
    RenameCluster,
    RenameColumn,
    RenameDatabase,
    RenameItem,
    RenameSchema,
    SetCluster,
    SetComment,
    SetConfiguration,
    SetPartitions,
    SwapClusters,
    SwapItems,
    SwapSchemas,
    TransferReadHold,
)
from catalog.changes.clusters import ClusterChange, bound_with
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
    SetRoleSetting,
    SetSystemSetting,
)
from catalog.changes.temporary import confined
from catalog.declared.listing import declared_with_oid
from catalog.declared.snapshot import AuditEvent
from catalog.durable.migrations.row_texts import canonical
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.temporary_items import in_temporary_schema
from catalog.nouns.clusters import Cluster, ClusterReplica
from catalog.nouns.items import Index, Item, MaterializedView, Schema, Table, cluster_of
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.privileges import PUBLIC

Details = dict[str, object]
Told = tuple[str, str, Details]
"""An event's kind, the type of the object, and the details."""


@dataclass(slots=True)
class Auditing:
    """Collects the events of changes that are applied at `time`, numbered after `last`. `authors` names for each
    change the user who made it, None for the server itself."""

    last: int
    time: Timestamp
    authors: Sequence[str | None]
    events: list[AuditEvent] = field(default_factory=list)
    _seen: int = 0

    def applied(self, state: CatalogState, changes: Sequence[Change]) -> CatalogState:
        """Returns the state after the changes. Raises SqlError where they don't fit."""
        return apply(state, changes, self._watch)

    def _watch(self, before: CatalogState, after: CatalogState, change: Change) -> None:
        author = self.authors[self._seen]
        self._seen += 1
        if confined(before, change) or _of_temporary_item(before, change):
            return
        for event, object_type, details in events_of(before, after, change):
            number = self.last + len(self.events) + 1
            self.events.append(AuditEvent(number, event, object_type, canonical(details), author, int(self.time)))


def _of_temporary_item(state: CatalogState, change: Change) -> bool:
    """Tells whether a change of a comment, an owner or privileges is about a temporary relation."""
    item = state.item_by_oid(change.oid) if isinstance(change, SetComment | ChangeOwner | ChangeAcl) else None
    return item is not None and in_temporary_schema(state, item)


def events_of(before: CatalogState, after: CatalogState, change: Change) -> Iterator[Told]:
    """Yields what a change has done to objects that outlive their session."""
    match change:
        case CreateDatabase(oid=oid, name=name, public_oid=public):
            yield "create", "database", {"id": str(oid), "name": name}
            yield "create", "schema", _schema_details(after, after.schemas[public])
        case CreateSchema(oid=oid):
            yield "create", "schema", _schema_details(after, after.schemas[oid])
        case CreateItem(id=id):
            item = after.items[id]
            on_cluster = isinstance(item.definition, Index | MaterializedView | Source | Sink)
            cluster: Details = {"cluster_id": str(cluster_of(item.definition))} if on_cluster else {}
            yield "create", item.object_type, _item_details(after, item) | cluster
        case DropItems() | DropSchemas() | DropDatabase():
            yield from _dropped(before, after)
        case (
            RenameItem() | MoveItem() | SwapItems() | RenameColumn() | RenameSchema() | SwapSchemas() | RenameDatabase()
        ):
            yield from _of_names(before, after, change)
        case SetConfiguration(name=name):
            yield "alter", "system", {"name": name}
        case CreateReadHold(hold=hold):
            yield "create", "read-hold", {"id": str(hold.oid), "name": hold.name}
        case TransferReadHold(name=name):
            yield "alter", "read-hold", {"id": str(after.read_holds[name].oid), "name": name}
        case DropReadHold(name=name):
            yield "drop", "read-hold", {"id": str(before.read_holds[name].oid), "name": name}
        case SetCluster():
            yield from _moved(before, after, change)
        case (
            CreateCluster()
            | RenameCluster()
            | SetPartitions()
            | SwapClusters()
            | DropCluster()
            | CreateReplica()
            | DropReplica()
        ):
            yield from _of_clusters(before, after, change)
        case ForgetSlot(slot=slot):
            if slot in before.left_slots:
                yield "drop", "replication-slot", {"name": slot}
        case SetComment(oid=oid, column=column):
            object_type, details = _object(after, oid, column)
            yield "comment", object_type, details
        case RebuildItems():
            return
        case (
            CreateRole()
            | AlterRole()
            | DropRole()
            | GrantRole()
            | RevokeRole()
            | ChangeAcl()
            | ChangeDefaultAcl()
            | ChangeOwner()
            | DropAcls()
            | SetRoleSetting()
            | SetSystemSetting()
        ):
            yield from _role_events(before, after, change)
        case _:
            item = after.items[change.id]
            yield "alter", item.object_type, _item_details(after, item) | _said_of(change)


def _of_names(before: CatalogState, after: CatalogState, change: ChangeOfNames) -> Iterator[Told]:
    match change:
        case RenameItem(id=id) | MoveItem(id=id):
            yield _renamed(before, after, id)
        case SwapItems(id=id, other=other):
            yield _renamed(before, after, id)
            yield _renamed(before, after, other)
        case RenameColumn(id=id, column=column, name=name):
            item = after.items[id]
            columns: Details = {"change": "renamed column", "old_column": column, "new_column": name}
            yield "alter", item.object_type, _item_details(after, item) | columns
        case RenameSchema(oid=oid):
            yield _renamed_schema(before, after, oid)
        case SwapSchemas(oid=oid, other=swapped):
            yield _renamed_schema(before, after, oid)
            yield _renamed_schema(before, after, swapped)
        case RenameDatabase(oid=oid, name=name):
            yield "alter", "database", {"id": str(oid), "old_name": before.databases[oid].name, "new_name": name}


def _said_of(change: Change) -> Details:
    if isinstance(change, AlterComposite):
        return {"changes": [_said(each) for each in change.changes]}
    return {"change": _said(change.change)} if isinstance(change, AlterTable | AlterEnum) else {}


def _moved(before: CatalogState, after: CatalogState, change: SetCluster) -> Iterator[Told]:
    for was in bound_with(before, before.items[change.id]):
        old = cluster_of(was.definition)
        if old != change.cluster:
            places: Details = {"old_cluster_id": str(old), "new_cluster_id": str(change.cluster)}
            yield "alter", was.object_type, _item_details(after, was) | places


def _role_events(before: CatalogState, after: CatalogState, change: Change) -> Iterator[Told]:
    match change:
        case CreateRole(role=role):
            yield "create", "role", {"id": str(role.oid), "name": role.name}
        case AlterRole(oid=oid, attributes=attributes):
            renamed: Details = {"old_name": before.roles[oid].name} if "name" in dict(attributes) else {}
            names = sorted(name for name, _ in attributes)
            yield "alter", "role", {"id": str(oid), "name": after.roles[oid].name, "changed": names} | renamed
        case DropRole(oid=oid):
            yield "drop", "role", {"id": str(oid), "name": before.roles[oid].name}
        case GrantRole(membership=each):
            ids: Details = {"role_id": str(each.role), "member_id": str(each.member), "grantor_id": str(each.grantor)}
            yield "grant", "role", ids
        case RevokeRole(key=(role_oid, member, grantor)):
            if before.memberships != after.memberships:
                named: Details = {"role_id": str(role_oid), "member_id": str(member), "grantor_id": str(grantor)}
                yield "revoke", "role", named
        case ChangeAcl():
            if before.acls != after.acls:
                object_type, found = _object(after, change.oid, change.column)
                column: Details = {"column": found["column"]} if change.column else {}
                for grantee in change.grantees:
                    parties: Details = {"grantee_id": _grantee(grantee), "grantor_id": str(change.grantor)}
                    rights: Details = {"object_id": found["id"], "privileges": change.rights}
                    yield _verb(change), object_type, rights | parties | column
        case ChangeDefaultAcl():
            schema = after.schemas.get(change.schema)
            place: Details = {
                "schema_id": None if schema is None else str(schema.oid),
                "database_id": None if schema is None else str(schema.database),
            }
            for grantee in change.grantees:
                granted: Details = {"role_id": str(change.role), "grantee_id": _grantee(grantee)}
                yield _verb(change), change.kind, granted | place | {"privileges": change.rights}
        case ChangeOwner(oid=oid, owner=owner):
            object_type, found = _object(after, oid, 0)
            owners: Details = {"old_owner_id": str(_owner(before, oid)), "new_owner_id": str(owner)}
            yield "alter", object_type, {"object_id": found["id"], **owners}
        case DropAcls(role=role_oid):
            for oid, number in sorted(before.acls):
                if before.acls[oid, number] != after.acls.get((oid, number)):
                    object_type, found = _object(after, oid, number)
                    yield "revoke", object_type, {"object_id": found["id"], "grantee_id": str(role_oid)}
        case SetRoleSetting(database=database, role=role_oid, name=name):
            oid = role_oid or database
            object_type, found = _object(after, oid, 0) if oid else ("system", {})
            yield "alter", object_type, found | {"setting": name or "all"}
        case SetSystemSetting(name=name):
            yield "alter", "system", {"setting": name or "all"}
        case _:
            raise AssertionError(f"{change} is no change of roles")


def _verb(change: ChangeAcl | ChangeDefaultAcl) -> str:
    return "revoke" if change.revoke else "grant"


def _grantee(role: int) -> str:
    """Returns a role's id; Materialize calls everybody `p`."""
    return "p" if role == PUBLIC else str(role)


def _owner(state: CatalogState, oid: int) -> int:
    item = state.item_by_oid(oid)
    if item is not None:
        return item.owner
    if oid in state.clusters:
        return state.clusters[oid].owner
    return state.schemas[oid].owner if oid in state.schemas else state.databases[oid].owner


def _dropped(before: CatalogState, after: CatalogState) -> Iterator[Told]:
    """Yields what is gone, the newest first, as what needs others goes before them."""
    for id in sorted(before.items.keys() - after.items.keys(), reverse=True):
        item = before.items[id]
        if not in_temporary_schema(before, item):
            yield "drop", item.object_type, _item_details(before, item)
    for oid in sorted(before.schemas.keys() - after.schemas.keys(), reverse=True):
        yield "drop", "schema", _schema_details(before, before.schemas[oid])
    for oid in sorted(before.databases.keys() - after.databases.keys()):
        yield "drop", "database", {"id": str(oid), "name": before.databases[oid].name}


def _renamed_schema(before: CatalogState, after: CatalogState, oid: int) -> Told:
    old, new = before.schemas[oid], after.schemas[oid]
    database = after.databases[new.database].name
    return "alter", "schema", {"id": str(oid), "database_name": database, "old_name": old.name, "new_name": new.name}


def _renamed(before: CatalogState, after: CatalogState, id: GlobalId) -> Told:
    old, new = _full_name(before, before.items[id]), _full_name(after, after.items[id])
    return "alter", after.items[id].object_type, {"id": str(id), "old_name": old, "new_name": new}


def _full_name(state: CatalogState, item: Item) -> Details:
    schema = state.schemas[item.schema]
    return {"database": state.databases[schema.database].name, "schema": schema.name, "item": item.name}


def _item_details(state: CatalogState, item: Item) -> Details:
    return {"id": str(item.id), **_full_name(state, item)}


def _schema_details(state: CatalogState, schema: Schema) -> Details:
    return {"id": str(schema.oid), "database_name": state.databases[schema.database].name, "name": schema.name}


def _of_clusters(before: CatalogState, after: CatalogState, change: ClusterChange) -> Iterator[Told]:
    """Yields what a change of clusters has done, the replicas that came or went with a cluster included."""
    match change:
        case CreateCluster(cluster=made):
            yield "create", "cluster", {"id": made.id, "name": made.name}
            for replica in made.replicas:
                yield "create", "cluster-replica", _replica_details(made, replica)
        case RenameCluster(oid=oid):
            yield _renamed_cluster(before, after, oid)
        case SetPartitions(oid=oid, partitions=partitions):
            made = after.clusters[oid]
            yield "alter", "cluster", {"id": made.id, "name": made.name, "partitions": partitions}
        case SwapClusters(oid=oid, other=other):
            yield _renamed_cluster(before, after, oid)
            yield _renamed_cluster(before, after, other)
        case DropCluster(oid=oid):
            for replica in before.clusters[oid].replicas:
                yield "drop", "cluster-replica", _replica_details(before.clusters[oid], replica)
            yield "drop", "cluster", {"id": str(oid), "name": before.clusters[oid].name}
        case CreateReplica(cluster=oid, replica=replica):
            yield "create", "cluster-replica", _replica_details(after.clusters[oid], replica)
        case DropReplica(cluster=oid, replica=gone):
            dropped = before.clusters[oid].replica_with(gone)
            assert dropped is not None, "it was there to be dropped"
            yield "drop", "cluster-replica", _replica_details(before.clusters[oid], dropped)
        case _:
            assert_never(change)


def _renamed_cluster(before: CatalogState, after: CatalogState, oid: int) -> Told:
    details: Details = {"old_name": before.clusters[oid].name, "new_name": after.clusters[oid].name}
    return "alter", "cluster", {"id": str(oid)} | details


def _replica_details(cluster: Cluster, replica: ClusterReplica) -> Details:
    place: Details = {"cluster_id": cluster.id, "cluster_name": cluster.name}
    return place | {"replica_id": replica.id, "replica_name": replica.name}


def _object(state: CatalogState, oid: int, column: int) -> tuple[str, Details]:
    """Returns the type and the details of any object by oid, with the name of a column by number (0: none)."""
    item = state.item_by_oid(oid)
    if item is not None:
        details = _item_details(state, item)
        if column:
            details["column"] = next(each.name for number, _, each in item.numbered_columns if number == column)
        return item.object_type, details
    if oid in state.schemas:
        return "schema", _schema_details(state, state.schemas[oid])
    if oid in state.databases:
        return "database", {"id": str(oid), "name": state.databases[oid].name}
    if oid in state.clusters:
        return "cluster", {"id": str(oid), "name": state.clusters[oid].name}
    role = state.roles.get(oid) or next((each for each in predefined_roles().values() if each.oid == oid), None)
    if role is not None:
        return "role", {"id": str(oid), "name": role.name}
    system = declared_with_oid(oid)
    if system is not None:
        return "view", {"id": str(GlobalId.system(oid)), "schema": system.schema, "item": system.name}
    for owner in state.items.values():
        table = owner.definition
        if isinstance(table, Table) and any(policy.oid == oid for policy in table.row_security.policies):
            return "policy", {"id": str(oid), "table_id": str(owner.id)}
    return "constraint", {"id": str(oid)}


def _said(change: object) -> str:
    """Returns the name of a change's class in words: `added column`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", type(change).__name__).lower()
