"""The replicas of a cluster as peeks ask them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compute.controller.connection import ReplicaConnection
from compute.protocol.command import Command
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Randomness

NO_REPLICA = "the cluster has no replica to answer"


class ConnectedReplicas:
    """The replicas of a cluster, present and to come. `replicas` changes as they come and go; `tell` hands a command on
    now, and to each replica that connects later."""

    def __init__(
        self,
        replicas: Sequence[ReplicaConnection],
        tell: Callable[[Command, bytes | None], object],
        randomness: Randomness,
    ) -> None:
        self._replicas = replicas
        self._tell = tell
        self._randomness = randomness

    def require_replica(self) -> None:
        """Raises SqlError 0A000 where there is nobody to be asked."""
        if not self._replicas:
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, NO_REPLICA)

    def tell(self, command: Command, encoded: bytes | None = None) -> object:
        """Hands a command on now, and to each replica that connects later."""
        return self._tell(command, encoded)

    def send_each(self, command: Command, *, to: str | None = None, but: str | None = None) -> None:
        """Hands a command now to each replica that is connected, or to one, or to all but one."""
        for replica in self._replicas:
            if to in (None, replica.name) and replica.name != but:
                replica.send(command)

    def answering(self) -> list[str]:
        """Returns the names of the replicas that answer at present."""
        return [each.name for each in self._replicas if each.answers]

    def any_connected(self) -> bool:
        """Returns whether some replica has, or is about to have, what was told."""
        return any(each.connected for each in self._replicas)

    def name_of_question(self) -> str:
        """Returns a name for a peek."""
        return self._randomness.token()
