"""A small data directory as today's code writes it, packed into one file."""

from __future__ import annotations

import sqlite3
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from storage.persist.files import FileBlob
from storage.persist.sqlite import SqliteConsensus
from tests.server.memory_server import memory_server

STATES = Path(__file__).parent / "states"

_STATEMENTS = (
    "CREATE ROLE reader",
    "CREATE TYPE mood AS ENUM ('glad', 'sad')",
    "CREATE SEQUENCE numbers",
    "CREATE TABLE t (id int PRIMARY KEY, word text DEFAULT 'none', said mood, paid numeric(10, 2))",
    "CREATE VIEW glad AS SELECT id, word FROM t WHERE said = 'glad'",
    "CREATE MATERIALIZED VIEW sums AS SELECT said, count(*) AS n, sum(paid) AS paid FROM t GROUP BY said",
    "CREATE INDEX sums_by_mood ON sums (said)",
    "GRANT SELECT ON t TO reader",
    "COMMENT ON TABLE t IS 'written long ago'",
    """INSERT INTO t SELECT g, 'word ' || g, (CASE WHEN g % 3 = 0 THEN 'sad' ELSE 'glad' END)::mood, g / 4.0
    FROM generate_series(1, 3000) g""",
    "DELETE FROM t WHERE id % 10 = 0",
    "UPDATE t SET word = 'first' WHERE id = 1",
    "SELECT nextval('numbers')",
)


def write(place: Path) -> None:
    """Packs a directory with a catalog, tables and a maintained view into the file `place`."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        with memory_server(SqliteConsensus(root / "consensus.sqlite"), FileBlob(root / "blob")) as server:
            with server.connect() as connection:
                for statement in _STATEMENTS:
                    connection.execute(statement.encode())
                connection.execute(b"SELECT * FROM sums")
        with closing(sqlite3.connect(root / "consensus.sqlite")) as consensus:
            # Else the file's log has the most of it.
            consensus.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with tarfile.open(place, "w:xz") as archive:
            for path in sorted(each for each in root.rglob("*") if not each.name.endswith(("-shm", "-wal"))):
                archive.add(path, path.relative_to(root), recursive=False)


def unpack(state: Path, directory: Path) -> None:
    """Makes the data directory of a packed one."""
    with tarfile.open(state) as archive:
        archive.extractall(directory, filter="data")


if __name__ == "__main__":
    STATES.mkdir(exist_ok=True)
    write(STATES / f"{sys.argv[1]}.tar.xz")
