"""Clients of several servers, of which one leads at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import psycopg

from tests.server_process import ServerProcess


def connect_to_leader(servers: Sequence[ServerProcess]) -> psycopg.Connection[tuple[object, ...]]:
    """A connection to the server that leads, as libpq finds it. Raises psycopg.OperationalError where none does."""
    ports, hosts = ",".join(str(each.port) for each in servers), ",".join(each.host for each in servers)
    place = f"host={hosts} port={ports} user=headwater dbname=headwater"
    return psycopg.connect(f"{place} target_session_attrs=read-write connect_timeout=2", autocommit=True)


@dataclass
class PairWriter:
    """A client that writes two rows of a table a transaction, and reconnects when it is told that the server ends.

    insert: the statement that writes a row, of a number and of a half, 1 or 2
    acknowledged: each number, and when its transaction was durable
    failed: what failed within a transaction
    """

    servers: Sequence[ServerProcess]
    insert: str = "INSERT INTO t VALUES (%s, %s)"
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    stopped: bool = False

    def run(self) -> None:
        number = 0
        while not self.stopped:
            try:
                with connect_to_leader(self.servers) as connection:
                    while not self.stopped:
                        connection.execute("BEGIN")
                        number += 1
                        self._transact(connection, number)
            except psycopg.OperationalError:
                time.sleep(0.02)

    def _transact(self, connection: psycopg.Connection[tuple[object, ...]], number: int) -> None:
        try:
            for half in (1, 2):
                connection.execute(self.insert.encode(), (number, half))
                time.sleep(0.02)
            connection.execute("COMMIT")
        except psycopg.Error as error:
            self.failed.append(f"{number}: {error}")
            raise
        self.acknowledged.append((number, time.monotonic()))

    def longest_pause_s(self) -> float:
        """The longest time between two transactions that were acknowledged one after the other."""
        moments = [moment for _, moment in self.acknowledged]
        return max(after - before for before, after in pairwise(moments))
