"""Savepoints: random walks over DDL, savepoints and writes within transactions end as PostgreSQL's do."""

from __future__ import annotations

import random
from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server

_BEGIN = (
    "DROP TABLE IF EXISTS u, t CASCADE",
    "DROP SEQUENCE IF EXISTS s",
    "CREATE TABLE t (a int PRIMARY KEY, c0 int)",
    "INSERT INTO t VALUES (1, 1), (2, NULL), (3, 3)",
)
_COLUMNS = ("c0", "c1", "c2")
_STEPS = 16
_SEEDS = (*range(16), 75, 103, 127)
"""With the last three something was left of what had been rolled back."""
_PENDING_TRIGGERS = "55006"
"""PostgreSQL alters no table while a deferred constraint of the table waits; where it refuses that, a walk is over."""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


class _Over(Exception):
    """The walk can't go on."""


class Walk:
    """A random walk. Statements may fail: what counts is that they fail alike. `names`: the columns, constraints and
    tables that there are, as far as the walk knows, so that most statements do not fail."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._names = {"c0"}
        self._savepoints: list[tuple[str, set[str]]] = []

    def steps(self) -> Iterator[str]:
        """Yields the statements of some transactions."""
        for _ in range(3):
            yield "BEGIN"
            self._savepoints = []
            before = set(self._names)
            for _ in range(self._draw.randrange(4, _STEPS)):
                yield self._draw.choices((self._savepoint, self._write, self._define), (3, 3, 4))[0]()
            end = self._draw.choices(("COMMIT", "ROLLBACK"), (5, 1))[0]
            yield end
            if end == "ROLLBACK":
                self._names = before
            yield "SELECT * FROM t ORDER BY a"

    def after_error(self) -> str:
        """Returns what goes on after an error in a transaction."""
        return self._rolled_back()

    def _savepoint(self) -> str:
        word = self._draw.choices(("SAVEPOINT", "ROLLBACK TO", "RELEASE"), (4, 5, 1))[0]
        if word == "SAVEPOINT" or not self._savepoints:
            name = self._draw.choice("pq")
            self._savepoints.append((name, set(self._names)))
            return f"SAVEPOINT {name}"
        if word == "ROLLBACK TO":
            return self._rolled_back()
        name = self._draw.choice(self._savepoints)[0]
        del self._savepoints[self._at(name) :]
        return f"RELEASE {name}"

    def _rolled_back(self) -> str:
        if not self._savepoints:
            return "ROLLBACK TO p"
        name = self._draw.choice(self._savepoints)[0]
        at = self._at(name)
        del self._savepoints[at + 1 :]
        self._names = set(self._savepoints[at][1])
        return f"ROLLBACK TO {name}"

    def _at(self, name: str) -> int:
        return max(at for at, (each, _) in enumerate(self._savepoints) if each == name)

    def _column(self) -> str:
        there = sorted(each for each in self._names if each.startswith("c"))
        return self._draw.choice(there) if there and self._draw.random() < 0.9 else self._draw.choice(_COLUMNS)

    def _number(self) -> int:
        return self._draw.randrange(1, 9)

    def _write(self) -> str:
        column, value = self._column(), self._number()
        key = self._draw.randrange(4, 1000) if self._draw.random() < 0.7 else self._number()
        statements = [
            f"INSERT INTO t (a) VALUES ({key})",
            f"INSERT INTO t (a, {column}) VALUES ({key}, {value})",
            f"INSERT INTO t (a, {column}) VALUES ({key}, {value}) ON CONFLICT (a) DO UPDATE SET {column} = 77",
            f"INSERT INTO t (a, c0) SELECT a + 1000, {value} FROM t WHERE a < 1000",
            f"UPDATE t SET {column} = {value} WHERE a = {key}",
            f"UPDATE t SET {column} = {value}",
            f"DELETE FROM t WHERE a = {key}",
            "TRUNCATE t",
            "SELECT * FROM t ORDER BY a",
        ]
        if "u" in self._names:
            row = f"INSERT INTO u VALUES ({self._number()}, {value})"
            statements += [row, row, f"DELETE FROM u WHERE a = {key}", "SELECT * FROM u ORDER BY a, b"]
        return self._draw.choice(statements)

    def _define(self) -> str:
        column, number = self._column(), self._number()
        named = {
            "u": ["CREATE TABLE u (a int, b int)", "CREATE TABLE u (a int REFERENCES t, b int)"],
            "k": [
                f"ALTER TABLE t ADD CONSTRAINT k CHECK (a < {number + 2000})",
                f"ALTER TABLE t ADD CONSTRAINT k CHECK ({column} <> {number})",
            ],
            "i": [f"CREATE UNIQUE INDEX i ON t ({column})", f"CREATE INDEX i ON t ({column})"],
            "f": ["ALTER TABLE u ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES t DEFERRABLE INITIALLY DEFERRED"],
        }
        for each in _COLUMNS:
            add = f"ALTER TABLE t ADD COLUMN {each} int"
            named[each] = [add, f"{add} DEFAULT {number}", f"{add} NOT NULL DEFAULT {number}", f"{add} CHECK (a > 0)"]
        dropped = {"u": "DROP TABLE u", "i": "DROP INDEX i", "f": "ALTER TABLE u DROP CONSTRAINT f"}
        dropped |= {each: f"ALTER TABLE t DROP COLUMN {each}" for each in _COLUMNS}
        dropped |= {"k": "ALTER TABLE t DROP CONSTRAINT k"}
        if self._draw.random() < 0.7:
            name = self._draw.choice(sorted(named))
            there = name in self._names
            self._names ^= {name}
            return dropped[name] if there else self._draw.choice(named[name])
        return self._draw.choice(
            (
                f"ALTER TABLE t ALTER {column} TYPE text",
                f"ALTER TABLE t ALTER {column} TYPE int USING {column}::int",
                f"ALTER TABLE t ALTER {column} SET NOT NULL",
                f"ALTER TABLE t ALTER {column} DROP NOT NULL",
                f"ALTER TABLE t ALTER {column} SET DEFAULT {number}",
                f"ALTER TABLE t RENAME {column} TO {self._draw.choice(_COLUMNS)}",
            )
        )


def _answer(connection: psycopg.Connection[tuple[object, ...]], statement: str) -> object:
    """Returns the rows, or the tag, or the error's SQLSTATE."""
    try:
        cursor = connection.execute(statement.encode())
    except psycopg.Error as error:
        return error.sqlstate
    return cursor.fetchall() if cursor.description else cursor.statusmessage


def _compare(
    ours: psycopg.Connection[tuple[object, ...]], theirs: psycopg.Connection[tuple[object, ...]], walk: Walk
) -> list[str]:
    """Returns the statements up to the first with another answer, if there is one."""
    said: list[str] = []

    def differs(statement: str) -> bool:
        said.append(statement)
        told, wanted = _answer(ours, statement), _answer(theirs, statement)
        if wanted == _PENDING_TRIGGERS:
            raise _Over
        if told != wanted:
            said.append(f"{told} instead of {wanted}")
        return told != wanted

    for statement in walk.steps():
        failed = theirs.info.transaction_status == psycopg.pq.TransactionStatus.INERROR
        try:
            if failed and statement not in ("COMMIT", "ROLLBACK") and differs(walk.after_error()):
                return said
            if differs(statement):
                return said
        except _Over:
            break
    return []


@pytest.mark.parametrize("seed", _SEEDS)
def test_what_is_rolled_back_to_a_savepoint_is_as_if_it_had_not_been(
    judge: Judge, server: MemoryServer, seed: int
) -> None:
    with server.connect() as ours, psycopg.connect(judge.dsn(), autocommit=True) as theirs:
        for statement in _BEGIN:
            _answer(ours, statement)
            _answer(theirs, statement)
        assert _compare(ours, theirs, Walk(seed)) == []


def test_a_demand_that_was_dropped_beneath_a_savepoint_is_no_conflict(server: MemoryServer) -> None:
    with server.connect() as session:
        session.execute("CREATE TABLE w (a int)")
        session.execute("BEGIN")
        for statement in (
            "INSERT INTO w VALUES (1)",
            "ALTER TABLE w ADD COLUMN b int NOT NULL DEFAULT 4",
            "SAVEPOINT p",
            "ALTER TABLE w DROP COLUMN b",
            "ROLLBACK TO p",
            "COMMIT",
        ):
            session.execute(statement.encode())
        assert session.execute("SELECT * FROM w").fetchall() == [(1, 4)]


def test_a_demand_that_was_rolled_back_is_not_taken_for_checked(server: MemoryServer) -> None:
    """Another's equal demand came after the rows: nobody has held these against it."""
    with server.connect() as session, server.connect() as other:
        session.execute("CREATE TABLE x (a int)")
        session.execute("BEGIN")
        for statement in (
            "SAVEPOINT p",
            "ALTER TABLE x ADD CONSTRAINT small CHECK (a < 10)",
            "INSERT INTO x VALUES (1)",
            "ROLLBACK TO p",
        ):
            session.execute(statement.encode())
        other.execute("ALTER TABLE x ADD CONSTRAINT small CHECK (a < 10)")
        with pytest.raises(psycopg.Error) as failure:
            session.execute("INSERT INTO x VALUES (77)")
            session.execute("COMMIT")
        assert failure.value.sqlstate in ("23514", "40001")
