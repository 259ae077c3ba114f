"""Plans of statements about clusters and their replicas."""

from __future__ import annotations

from dataclasses import dataclass

from planner.plans.objects import ObjectKind


@dataclass(frozen=True, slots=True)
class ReplicaName:
    cluster: str
    name: str

    def __str__(self) -> str:
        return f"{self.cluster}.{self.name}"


@dataclass(frozen=True, slots=True)
class WrittenReplicaOptions:
    """The options of a new replica as written, each None where the statement does not give the option.

    memory   the heap of its JVM; else what the server's options say
    master   the Spark master of its session; else what the server's options say
    address  where the replica listens that somebody else has started; else the server starts a process. Never beside
             the other two
    """

    memory: str | None = None
    master: str | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class CreateReplicaPlan:
    replica: ReplicaName
    options: WrittenReplicaOptions
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class DropReplicasPlan:
    replicas: tuple[ReplicaName, ...]
    if_exists: bool


@dataclass(frozen=True, slots=True)
class NewReplica:
    """A replica of a new cluster."""

    name: str
    options: WrittenReplicaOptions


@dataclass(frozen=True, slots=True)
class CreateClusterPlan:
    name: str
    replicas: tuple[NewReplica, ...]
    if_not_exists: bool
    partitions: int | None = None


@dataclass(frozen=True, slots=True)
class RenameClusterPlan:
    name: str
    new_name: str
    if_exists: bool


@dataclass(frozen=True, slots=True)
class SwapClustersPlan:
    """ALTER CLUSTER name SWAP WITH other: each gets the other's name, and keeps its replicas and what runs there."""

    name: str
    other: str


@dataclass(frozen=True, slots=True)
class AlterClusterPlan:
    """ALTER CLUSTER name SET (REPLICATION FACTOR factor, PARTITIONS partitions); None of what is not set. With 0
    partitions the server chooses."""

    name: str
    factor: int | None
    partitions: int | None
    if_exists: bool


@dataclass(frozen=True, slots=True)
class SetClusterPlan:
    """ALTER SOURCE, SINK, INDEX or MATERIALIZED VIEW … SET CLUSTER. `name` are the parts as written, `cluster` is the
    oid."""

    kind: ObjectKind
    name: tuple[str, ...]
    cluster: int
    if_exists: bool


@dataclass(frozen=True, slots=True)
class DropClustersPlan:
    names: tuple[str, ...]
    if_exists: bool
    cascade: bool


@dataclass(frozen=True, slots=True)
class PromotePlan:
    """ALTER SYSTEM PROMOTE: the server gives way to a standby; None: to the only one that would lead at once. With
    `force` nobody waits until its views and indexes are up to date."""

    standby: str | None
    force: bool = False


ReplicaPlan = CreateReplicaPlan | DropReplicasPlan
ClusterPlan = CreateClusterPlan | RenameClusterPlan | SwapClustersPlan | AlterClusterPlan | DropClustersPlan
