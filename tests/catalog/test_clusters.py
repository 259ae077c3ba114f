"""Clusters in the catalog: kept durably, brought into older catalogs, with the replicas of the server's options."""

from __future__ import annotations

import pytest

from catalog.changes.apply import apply
from catalog.changes.change import CreateItem, CreateReplica, DropReplica, SetCluster
from catalog.changes.clusters import given_replicas
from catalog.durable.migrations.row_texts import Rows
from catalog.durable.rows import initial_state, load, rows
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from catalog.nouns.items import SUPERUSER_OID, cluster_of
from catalog.state import edits
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from tests.catalog.miniature import Miniature


def _names(state: CatalogState) -> list[str]:
    return [replica.name for replica in state.clusters[DEFAULT_CLUSTER_OID].replicas]


def _given(state: CatalogState, *names: str) -> CatalogState:
    return apply(state, given_replicas(state, names, IdAllocator(state)))


def test_a_catalog_without_clusters_gets_the_first_one() -> None:
    written: Rows = [row for row in rows(initial_state()) if row[0] != "cluster" and row[1] != "16385.0"]
    older = [("config", "catalog_version", "2") if row[0] == "config" else row for row in written]
    assert load(older) == initial_state()


def test_replicas_are_those_of_the_options_and_survive_a_restart() -> None:
    state = _given(initial_state(), "r1", "r2", "r3")
    assert _names(state) == ["r1", "r2", "r3"]
    assert load(rows(state)) == state
    assert _given(state, "r1", "r2", "r3") == state
    fewer = _given(state, "r1", "r3")
    assert _names(fewer) == ["r1", "r3"]
    again = _given(fewer, "r1", "r2", "r3")
    oids = {replica.oid for each in (state, again) for replica in each.clusters[DEFAULT_CLUSTER_OID].replicas}
    assert len(oids) == 4, "an oid is given once"


def test_options_leave_other_replicas_alone() -> None:
    own = ClusterReplica(30_000, "own", given=False)
    state = apply(initial_state(), (CreateReplica(DEFAULT_CLUSTER_OID, own),))
    assert _names(_given(state, "r1")) == ["r1", "own"] and state.next_oid == 30_001
    with pytest.raises(SqlError, match=r'cluster replica "default.own" already exists'):
        apply(state, (CreateReplica(DEFAULT_CLUSTER_OID, own),))
    assert _names(apply(state, (DropReplica(DEFAULT_CLUSTER_OID, own.oid),))) == ["r1"]


_TELLER = "CREATE SOURCE tx FROM KAFKA CONNECTION k (TOPIC 'x') FORMAT JSON"
_BOUND = """
    CREATE SOURCE changed FROM KAFKA CONNECTION k (TOPIC 'y') FORMAT JSON
    ENVELOPE DEBEZIUM (TRANSACTION METADATA (SOURCE tx, COLLECTION 'y'))
"""


def test_sources_that_are_bound_together_are_in_one_cluster_whoever_commits_first() -> None:
    miniature = Miniature()
    miniature.execute("CREATE CONNECTION k TO KAFKA (BROKER '127.0.0.1:9092')")
    miniature.execute(_TELLER)
    before = edits.with_cluster(miniature.state, Cluster(30_000, "c", SUPERUSER_OID, ()))
    (tx,) = (each for each in before.items.values() if each.name == "tx")
    miniature.execute(_BOUND)
    (bound,) = (each for each in miniature.state.items.values() if each.name == "changed")
    create = CreateItem(
        bound.id, bound.oid, "headwater", "public", "changed", bound.owner, bound.created_ms, bound.definition
    )
    move = SetCluster(tx.id, 30_000)
    moved = apply(apply(before, (create,)), (move,))
    assert [cluster_of(moved.items[id_].definition) for id_ in (tx.id, bound.id)] == [30_000, 30_000]
    with pytest.raises(SqlError, match='source "tx" was moved by a concurrent statement'):
        apply(apply(before, (move,)), (create,))
