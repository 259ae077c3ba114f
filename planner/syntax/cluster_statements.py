"""Statements about cluster replicas, as written."""

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


ReplicaStatement = CreateReplicaStatement | DropReplicaStatement
