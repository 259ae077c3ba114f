"""A replication slot that was left upstream, and is remembered through crashes until upstream is back.

Nothing is left of its source then, nor of the connection.
"""

from __future__ import annotations

from tests.connectors.sources.postgres.upstream import UpstreamDatabase
from tests.server.killing.lives.life import Connection, Life, await_rows
from tests.server_process import ServerDatabase

_LEFT = "SELECT source_name, attempts > 0, error FROM mz_internal.mz_left_replication_slots"
_SLOTS = "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"


class LeftSlot(Life):
    """A source whose upstream goes away before it is dropped, and comes back after the kill."""

    name = "left_behind"

    def __init__(self, away: UpstreamDatabase) -> None:
        self._away = away
        away.run(
            "CREATE TABLE t (id int)",
            "ALTER TABLE t REPLICA IDENTITY FULL",
            "INSERT INTO t VALUES (1)",
            "CREATE PUBLICATION p FOR TABLE t",
        )

    def begin(self, database: ServerDatabase) -> None:
        judge, name = self._away.judge, self._away.name
        with database.connect() as connection:
            place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE {name}"
            connection.execute(b"CREATE SECRET pw AS 'nobody asks for it'")
            options = f"{place}, USER headwater, PASSWORD SECRET pw"
            connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({options})".encode())
            connection.execute(b"CREATE SOURCE s FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES")
            await_rows(connection, "SELECT id FROM t", lambda found: found == [(1,)])
            assert connection.execute(_LEFT.encode()).fetchall() == [] and len(self._away.rows(_SLOTS)) == 1
            self._let_in(False)
            connection.execute(b"DROP SECRET pw CASCADE")
            self._await_left(connection)

    def look(self, database: ServerDatabase) -> None:
        with database.connect() as connection:
            self._await_left(connection)
            assert len(self._away.rows(_SLOTS)) == 1
            self._let_in(True)
            await_rows(connection, _LEFT, lambda found: found == [])
            assert self._away.rows(_SLOTS) == []

    def _await_left(self, connection: Connection) -> None:
        def told(found: list[tuple[object, ...]]) -> bool:
            return [row[:2] for row in found] == [("s", True)] and "not currently accepting" in str(found[0][2])

        await_rows(connection, _LEFT, told)

    def _let_in(self, allowed: bool) -> None:
        with self._away.judge.connect("postgres") as elsewhere:
            elsewhere.execute(f"ALTER DATABASE {self._away.name} ALLOW_CONNECTIONS {allowed}".encode())
