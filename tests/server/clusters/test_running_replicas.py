"""Which replicas run, from the first start on: those of the options by themselves, others by the catalog."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalog.changes.apply import apply
from catalog.changes.change import CreateReplica, DropReplica, SetPartitions
from catalog.changes.clusters import given_replicas
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, ClusterReplica
from catalog.state.catalog_state import CatalogState
from server.objects.replicas import Replicas
from tests.catalog.catalogs import Catalog

NAMES = ("r1", "r2")


@dataclass
class Controller:
    """The replicas that run; a name can't run twice."""

    running: list[str] = field(default_factory=lambda: list(NAMES))
    told: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def add_cluster(self, cluster: int) -> None:
        raise AssertionError("there is one")

    def remove_cluster(self, cluster: int) -> None:
        raise AssertionError("there is one")

    def add_replica(self, cluster: int, name: str, host: object) -> None:
        assert name not in self.running, f"there is a replica {name} already"
        self.running.append(name)

    def remove_replica(self, cluster: int, name: str) -> Awaitable[None]:
        self.running.remove(name)
        return asyncio.sleep(0)

    def configure(self, cluster: int, parameters: dict[str, str]) -> None:
        self.told.append((cluster, parameters))


class Places:
    def host(self, replica: ClusterReplica) -> Any:
        return replica.name

    async def clear(self, replica: ClusterReplica) -> None:
        pass

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        pass


def _noted(catalog: Catalog, state: CatalogState, names: Sequence[str]) -> CatalogState:
    for change in given_replicas(state, names, catalog.allocator):
        state = apply(state, (change,))
    return state


async def test_given_replicas_are_started_once_whatever_the_catalog_knew() -> None:
    catalog, controller = Catalog(), Controller()
    replicas = Replicas(controller, Places())
    noted = _noted(catalog, catalog.state, NAMES)
    replicas.follow(noted)
    await replicas.begin(noted)
    assert controller.running == ["r1", "r2"]
    more = apply(noted, (CreateReplica(DEFAULT_CLUSTER_OID, ClusterReplica(99_001, "big", given=False)),))
    replicas.follow(more)
    assert controller.running == ["r1", "r2", "big"]
    replicas.follow(apply(more, (DropReplica(DEFAULT_CLUSTER_OID, 99_001),)))
    await replicas.close()
    assert controller.running == ["r1", "r2"]

    # A next start with fewer options, and a replica of SQL's.
    controller = Controller(["r1"])
    replicas = Replicas(controller, Places())
    fewer = _noted(catalog, more, ("r1",))
    replicas.follow(fewer)
    await replicas.begin(fewer)
    assert controller.running == ["r1", "big"]


def test_replicas_are_told_of_partitions_when_those_change() -> None:
    """And at first, since a replica that outlives its server may have heard of others."""
    state, controller = Catalog().state, Controller()
    replicas = Replicas(controller, Places())
    for partitions in (None, 4, 4, 7, None):
        replicas.add_clusters(apply(state, (SetPartitions(DEFAULT_CLUSTER_OID, partitions),)))
    assert controller.told == [(DEFAULT_CLUSTER_OID, {"headwater.partitions": value}) for value in ("0", "4", "7", "0")]
