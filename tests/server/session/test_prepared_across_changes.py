"""Statements prepared before what they name is changed: they are executed as PostgreSQL executes them, or refused as it
refuses them, and nothing that a column's type can't hold is ever stored.

Each statement is tried across each change, made by its own session and by another's, over the extended protocol and by
PREPARE and EXECUTE; what the tables hold then is compared. Without `--whole` each change meets every other statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, describe, execute, parse, query
from tests.server.pgwire.talk import Talk, talking

_CREATED = (
    "DROP SCHEMA IF EXISTS kept CASCADE",
    "DROP SCHEMA IF EXISTS other CASCADE",
    "CREATE SCHEMA kept",
    "CREATE SCHEMA other",
    "SET search_path = kept",
    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    "CREATE DOMAIN small AS int4 CHECK (VALUE < 100)",
    "CREATE TABLE t (id int4 PRIMARY KEY, a text, n int4, s small, m mood)",
    "INSERT INTO t VALUES (1, '1', 1, 1, 'ok'), (2, '2', 2, 2, 'sad')",
    "CREATE TABLE w (x int4)",
    "CREATE VIEW v AS SELECT n AS x, a AS y FROM t",
    "CREATE TABLE other.t (id int8, a numeric, n text, s text, m text)",
)

_TABLES = ("kept.t", "kept.t2", "other.t", "pg_temp.t")
_UUID = b"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

Statements = Mapping[str, tuple[tuple[bytes | None, ...], ...]]
"""Texts, and for each the parameters with which it is executed."""

_STATEMENTS: Statements = {
    "INSERT INTO t VALUES (7, $1, 7, 7)": ((b"not json",), (_UUID,), (b"3",), (None,)),
    "INSERT INTO t (id, a) VALUES ($1, $2)": ((b"7", b"long text"), (b"8", b'{"b": 1, "a": 2}')),
    "INSERT INTO t (id, n) VALUES ($1, $2)": ((b"7", b"70000"), (b"8", b"-1"), (b"1", b"1")),
    "INSERT INTO t (id, n) VALUES ($1, $2), ($3, 5)": ((b"7", b"70000", b"8"),),
    "INSERT INTO t (id, s) VALUES ($1, $2)": ((b"7", b"50"), (b"8", b"5"), (b"9", None)),
    "INSERT INTO t (id, m) VALUES ($1, $2)": ((b"7", b"ok"), (b"8", b"fine")),
    "INSERT INTO t (id, a) SELECT $1, $2": ((b"7", b"12345"),),
    "INSERT INTO t (id, a) VALUES ($1, 'x') ON CONFLICT (id) DO UPDATE SET a = $2": ((b"1", b"changed"),),
    "INSERT INTO t VALUES ($1)": ((b"7",),),
    "INSERT INTO t (id, a) VALUES (9, $1) RETURNING a": ((b"text",),),
    "UPDATE t SET a = $1 WHERE id = 1": ((b"not json",), (_UUID,), (b"5",)),
    "UPDATE t SET n = $1 WHERE id = $2": ((b"70000", b"1"),),
    "UPDATE t SET n = n + $1, s = $2 WHERE id = 1": ((b"1", b"50"),),
    "UPDATE t SET m = $1": ((b"ok",),),
    "DELETE FROM t WHERE a = $1": ((b"1",),),
    "DELETE FROM t WHERE n = $1": ((b"2",),),
    "SELECT * FROM t WHERE id = $1": ((b"1",),),
    "SELECT a FROM t WHERE a = $1": ((b"1",),),
    "SELECT count(*) FROM t WHERE n = $1": ((b"1",),),
    "SELECT n, $1 AS p FROM t ORDER BY id": ((b"p",),),
    "SELECT id FROM t WHERE n BETWEEN $1 AND $2 ORDER BY id": ((b"0", b"1"),),
    "SELECT * FROM v ORDER BY 1": ((),),
    "SELECT x FROM v WHERE y = $1": ((b"1",),),
    "SELECT $1::small": ((b"50",), (b"5",)),
    "SELECT $1::mood": ((b"ok",), (b"fine",)),
    "SELECT id FROM t WHERE m = $1": ((b"ok",),),
    "WITH i AS (INSERT INTO t (id, a) VALUES (7, $1) RETURNING id) SELECT id + 0 AS n FROM i": ((b"text",),),
    "SELECT max(n) FROM t": ((),),
    "SELECT 't'::regclass::text": ((),),
}

_CHANGES: tuple[str, ...] = (
    "ALTER TABLE t ALTER a TYPE jsonb USING a::jsonb",
    "ALTER TABLE t ALTER a TYPE uuid USING NULL",
    "ALTER TABLE t ALTER a TYPE varchar(3)",
    "ALTER TABLE t ALTER a TYPE int4 USING a::int4",
    "ALTER TABLE t ALTER a TYPE bytea USING a::bytea",
    "ALTER TABLE t ALTER n TYPE numeric(6,2)",
    "ALTER TABLE t ALTER n TYPE text",
    "ALTER TABLE t ALTER n TYPE int2",
    "ALTER TABLE t ALTER n TYPE int8",
    "ALTER TABLE t ALTER n TYPE date USING NULL",
    "ALTER TABLE t ALTER s TYPE text",
    "ALTER TABLE t ALTER id TYPE int8",
    "ALTER TABLE t ADD COLUMN more int4 DEFAULT 5",
    "ALTER TABLE t DROP COLUMN a CASCADE",
    "ALTER TABLE t DROP COLUMN n CASCADE",
    "ALTER TABLE t DROP COLUMN n CASCADE; ALTER TABLE t ADD COLUMN n text",
    "ALTER TABLE t RENAME COLUMN n TO k",
    "ALTER TABLE t RENAME COLUMN n TO k; ALTER TABLE t RENAME COLUMN a TO n; ALTER TABLE t RENAME COLUMN k TO a",
    "ALTER TABLE t RENAME TO t2",
    "ALTER TABLE t ALTER a SET NOT NULL",
    "ALTER TABLE t ADD CHECK (n < 100)",
    "ALTER TABLE t ALTER a SET DEFAULT 'd'",
    "DROP TABLE t CASCADE",
    "DROP TABLE t CASCADE; CREATE TABLE t (id int4 PRIMARY KEY, a uuid, n text, s int8, m text)",
    "DROP TABLE t CASCADE; CREATE TABLE t (id int4 PRIMARY KEY, a text, n int4, s small, m mood)",
    "ALTER DOMAIN small ADD CONSTRAINT low CHECK (VALUE < 10) NOT VALID",
    "ALTER TYPE mood ADD VALUE 'fine'",
    "ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'",
    "CREATE OR REPLACE VIEW v AS SELECT n + 10 AS x, a AS y FROM t",
    "CREATE OR REPLACE VIEW v AS SELECT n AS x, a AS y, 1 AS z FROM t",
    "DROP VIEW v; CREATE VIEW v AS SELECT n::text AS x, a AS y FROM t",
    "DROP VIEW v",
)

_OWN_CHANGES = (
    "SET search_path = other",
    "SET search_path = other, kept",
    "CREATE TEMPORARY TABLE t (id int4, a int4, n text, s text, m text)",
    "BEGIN; ALTER TABLE t ALTER n TYPE text; ROLLBACK",
    "BEGIN; ALTER TABLE t ALTER a TYPE jsonb USING a::jsonb; SAVEPOINT p; ALTER TABLE t DROP COLUMN n; ROLLBACK TO p",
)

_CASES = [
    *((change, bool(at % 2)) for at, change in enumerate(_CHANGES)),
    *((change, True) for change in _OWN_CHANGES),
]
"""Each change, and whether the session makes it itself."""


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _said(talk: Talk, turn: bytes) -> list[str]:
    """What a session is told; only with which SQLSTATE it fails, where it does: PostgreSQL plans when it binds and we
    when we execute."""
    said = talk.say(turn)
    failed = [at for at, each in enumerate(said) if each.startswith("E")]
    return [" ".join(each for each in said[failed[0]].split() if each[:2] == "C=")] if failed else said


def _held(talk: Talk, tables: Sequence[str]) -> list[list[str]]:
    return [talk.say(query(f"SELECT q.* FROM {table} q ORDER BY q.id")) for table in tables]


def _executed(talk: Talk, name: str, values: Sequence[bytes | None], tables: Sequence[str]) -> dict[str, object]:
    """What a session is told of one execution by the protocol and of one by SQL, and what tables hold after each; it
    leaves nothing behind."""
    shown = ", ".join("NULL" if value is None else f"'{value.decode()}'" for value in values)
    told: dict[str, object] = {}
    for key, turn in (
        ("by the protocol", bind("", name, list(values)) + describe("P", "") + execute("") + SYNC),
        ("by SQL", query(f"EXECUTE {name}" + (f"({shown})" if values else ""))),
    ):
        talk.say(query("BEGIN"))
        told[key] = said = _said(talk, turn)
        if any("INSERT" in each or "UPDATE" in each or "DELETE" in each for each in said if each.startswith("C")):
            told[f"{key}, held"] = _held(talk, tables)
        talk.say(query("ROLLBACK"))
    return told


def _told(port: int, change: str, statements: Statements, *, own: bool) -> dict[str, object]:
    """What a session is told of the statements, prepared before a change and executed after it."""
    told: dict[str, object] = {}
    with talking(port, _CREATED) as talk, talking(port, ("SET search_path = kept",)) as other:
        for number, sql in enumerate(statements):
            told[f"Parse: {sql}"] = talk.say(parse(f"s{number}", sql) + describe("S", f"s{number}") + SYNC)
        told["the change"] = (talk if own else other).say(query(change))
        talk.say(query("ROLLBACK"))
        talk.learn()
        tables = [table for table in _TABLES if _held(talk, [table])[0][0].startswith("T")]
        for number, (sql, arguments) in enumerate(statements.items()):
            for values in arguments:
                for step, said in _executed(talk, f"s{number}", values, tables).items():
                    told[f"{sql} of {values}, {step}"] = said
    return told


@pytest.mark.in_part(6)
@pytest.mark.parametrize(("change", "own"), _CASES)
def test_prepared_statements_keep_to_what_they_name(
    judge: Judge, server: MemoryServer, request: pytest.FixtureRequest, change: str, own: bool
) -> None:
    at, every = _CASES.index((change, own)), 1 if request.config.getoption("--whole") else 2
    statements = {sql: values for number, (sql, values) in enumerate(_STATEMENTS.items(), at) if number % every == 0}
    theirs = _told(judge.port, change, statements, own=own)
    ours = _told(server.port, change, statements, own=own)
    differing = [key for key in theirs if ours[key] != theirs[key]]
    assert {key: ours[key] for key in differing} == {key: theirs[key] for key in differing}
