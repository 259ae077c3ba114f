"""The relations of mz_catalog about types, functions, clusters and their replicas; much of this is also in
pg_catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.pg_catalog.code import pg_proc
from catalog.builtin.pg_catalog.types import pg_type
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc
from catalog.facts.roles.securables import cluster_securable
from catalog.facts.roles.shown_acls import shown_items
from catalog.nouns.derived_oids import relation_of_rows
from model.ids.global_id import GlobalId
from model.types.datum import Row

_CATEGORIES = {"A": "array", "P": "pseudo"}


def _clusters(snapshot: SystemSnapshot) -> Iterable[Row]:
    for cluster in snapshot.state.clusters.values():
        own = cluster_securable(snapshot.state, cluster.oid)
        privileges = () if own is None else shown_items(snapshot.state, own.acl)
        shape = False, None, len(cluster.replicas), None
        yield cluster.id, cluster.name, str(cluster.owner), *shape, privileges, cluster.partitions


def _cluster_replicas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for cluster in snapshot.state.clusters.values():
        for replica in cluster.replicas:
            yield replica.id, replica.name, cluster.id, replica.memory, None, str(cluster.owner), None


def _types(snapshot: SystemSnapshot) -> Iterable[Row]:
    place = {name: at for at, name in enumerate(stored_desc("pg_type").names)}
    users = {item.oid: item for item in snapshot.state.items.values()}
    for row in pg_type(snapshot):
        oid = row[place["oid"]]
        assert isinstance(oid, int)
        if row[place["typelem"]] in users or relation_of_rows(oid) is not None:
            # Arrays of a user's type have no id, nor have rows of relations and arrays of them.
            continue
        id_ = str(users[oid].id if oid in users else GlobalId.system(oid))
        category = _CATEGORIES.get(str(row[place["typcategory"]]), "base")
        if row[place["typtype"]] == "c":
            category = "composite"
        owner, schema = str(row[place["typowner"]]), str(row[place["typnamespace"]])
        yield id_, oid, schema, row[place["typname"]], category, owner, None


def _functions(snapshot: SystemSnapshot) -> Iterable[Row]:
    place = {name: at for at, name in enumerate(stored_desc("pg_proc").names)}
    for row in pg_proc(snapshot):
        oid, arguments = row[place["oid"]], row[place["proargtypes"]]
        assert isinstance(oid, int) and isinstance(arguments, tuple)
        variadic = row[place["provariadic"]]
        yield (
            str(GlobalId.system(oid)),
            oid,
            str(row[place["pronamespace"]]),
            row[place["proname"]],
            tuple(_type_id(type_) for type_ in arguments),
            _type_id(variadic) if variadic else None,
            _type_id(row[place["prorettype"]]),
            row[place["proretset"]],
            str(row[place["proowner"]]),
        )


def _type_id(oid: object) -> str:
    assert isinstance(oid, int)
    return str(GlobalId.system(oid))


MZ_CATALOG_SYSTEM_ROWS: Mapping[str, Rows] = {
    "mz_cluster_replicas": _cluster_replicas,
    "mz_clusters": _clusters,
    "mz_functions": _functions,
    "mz_types": _types,
}
