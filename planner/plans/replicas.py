"""Plans of statements about cluster replicas."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReplicaName:
    cluster: str
    name: str

    def __str__(self) -> str:
        return f"{self.cluster}.{self.name}"


@dataclass(frozen=True, slots=True)
class CreateReplicaPlan:
    """One more replica. `memory` and `master` are those of its Spark session; None: as the server's options say."""

    replica: ReplicaName
    memory: str | None
    master: str | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class DropReplicasPlan:
    replicas: tuple[ReplicaName, ...]
    if_exists: bool


ReplicaPlan = CreateReplicaPlan | DropReplicasPlan
