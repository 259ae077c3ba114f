"""Statements about clusters and their replicas, as written."""

from __future__ import annotations

from dataclasses import dataclass

from planner.syntax.options import Option
from planner.syntax.own_statements import Place


@dataclass(frozen=True, slots=True)
class CreateReplicaStatement:
    """CREATE CLUSTER REPLICA cluster.name [(option, …)]."""

    name: Place
    options: tuple[Option, ...]
    if_not_exists: bool

    @property
    def kind(self) -> str:
        return "create_replica_stmt"


@dataclass(frozen=True, slots=True)
class DropReplicaStatement:
    """DROP CLUSTER REPLICA cluster.name, …."""

    names: tuple[Place, ...]
    if_exists: bool

    @property
    def kind(self) -> str:
        return "drop_replica_stmt"


@dataclass(frozen=True, slots=True)
class WrittenReplica:
    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class CreateClusterStatement:
    """CREATE CLUSTER name, with replicas by name, or `options` of several that are alike."""

    name: str
    replicas: tuple[WrittenReplica, ...] | None
    options: tuple[Option, ...]
    if_not_exists: bool

    @property
    def kind(self) -> str:
        return "create_cluster_stmt"


@dataclass(frozen=True, slots=True)
class RenameClusterStatement:
    """ALTER CLUSTER name RENAME TO name."""

    name: str
    new_name: str
    if_exists: bool

    @property
    def kind(self) -> str:
        return "rename_cluster_stmt"


@dataclass(frozen=True, slots=True)
class SwapClustersStatement:
    """ALTER CLUSTER name SWAP WITH name."""

    name: str
    other: str

    @property
    def kind(self) -> str:
        return "swap_clusters_stmt"


@dataclass(frozen=True, slots=True)
class AlterClusterStatement:
    """ALTER CLUSTER name SET (option, …)."""

    name: str
    options: tuple[Option, ...]
    if_exists: bool

    @property
    def kind(self) -> str:
        return "alter_cluster_stmt"


@dataclass(frozen=True, slots=True)
class ClusterOwnerStatement:
    """ALTER CLUSTER name OWNER TO role."""

    name: str
    role: str
    if_exists: bool

    @property
    def kind(self) -> str:
        return "cluster_owner_stmt"


@dataclass(frozen=True, slots=True)
class CommentOnClusterStatement:
    """COMMENT ON CLUSTER name IS text; None takes the comment away."""

    name: str
    text: str | None

    @property
    def kind(self) -> str:
        return "comment_on_cluster_stmt"


@dataclass(frozen=True, slots=True)
class SetClusterStatement:
    """ALTER INDEX or MATERIALIZED VIEW name SET CLUSTER name."""

    materialized_view: bool
    name: Place
    cluster: str
    if_exists: bool

    @property
    def kind(self) -> str:
        return "set_cluster_stmt"


@dataclass(frozen=True, slots=True)
class DropClusterStatement:
    """DROP CLUSTER name, … [CASCADE | RESTRICT]."""

    names: tuple[str, ...]
    if_exists: bool
    cascade: bool

    @property
    def kind(self) -> str:
        return "drop_cluster_stmt"


ClusterStatement = (
    CreateReplicaStatement
    | DropReplicaStatement
    | CreateClusterStatement
    | RenameClusterStatement
    | SwapClustersStatement
    | AlterClusterStatement
    | ClusterOwnerStatement
    | CommentOnClusterStatement
    | SetClusterStatement
    | DropClusterStatement
)
