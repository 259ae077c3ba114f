"""Conversations in the protocol's own messages, held with PostgreSQL and with Headwater: both answer alike."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, call, close, describe, execute, parse, query
from tests.server.pgwire.talk import Oid, Turn, talking

_CREATED = (
    "DROP SCHEMA IF EXISTS talks CASCADE",
    "CREATE SCHEMA talks",
    "SET search_path = talks",
    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    "CREATE TYPE spot AS (x int4, label text)",
    "CREATE DOMAIN posint AS int4 CHECK (VALUE > 0)",
    "CREATE DOMAIN code AS varchar(3) NOT NULL",
    "CREATE DOMAIN mooddomain AS mood",
    "CREATE TABLE t (id int4 PRIMARY KEY, m mood NOT NULL, s spot, p posint, CONSTRAINT low CHECK (id < 100))",
    "INSERT INTO t VALUES (1, 'sad', NULL, 1), (2, 'ok', NULL, 2), (3, 'ok', NULL, 3)",
    "CREATE VIEW v AS SELECT id AS a, id + 1 AS b FROM t",
    "CREATE MATERIALIZED VIEW mv AS SELECT id AS a FROM t",
)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        server.environment.prepared.most = 20
        yield server


def _given(sql: str, type_: str, value: bytes | None, *, binary: bool = False) -> Turn:
    """A statement of one parameter whose type the client declares; "" leaves it to the server."""

    def turn(oid: Oid) -> bytes:
        declared = [oid(type_)] if type_ else []
        formats = (1,) if binary else ()
        read = bind("", "", [value], formats, formats)
        return parse("", sql, declared) + describe("S", "") + read + describe("P", "") + execute("") + SYNC

    return turn


def _binary_spot(oid: Oid) -> bytes:
    value = struct.pack(">iIiiIi", 2, oid("int4"), 4, 7, oid("text"), 2) + b"ab"
    return parse("", "SELECT $1", [oid("spot")]) + bind("", "", [value], (1,), (1,)) + describe("P", "") + SYNC


def _run(sql: str, rows: int = 0) -> bytes:
    """A statement through the extended protocol, told of before and after it is bound."""
    return parse("", sql) + describe("S", "") + bind("", "") + describe("P", "") + execute("", rows) + SYNC


def _portal(name: str, sql: str, *rows: int) -> bytes:
    return parse("", sql) + bind(name, "") + b"".join(execute(name, count) for count in rows) + SYNC


def _numbers(*values: int) -> list[bytes | None]:
    return [struct.pack(">i", value) for value in values]


_LO_OPEN, _LO_CLOSE, _LOREAD, _LOWRITE, _LO_CREATE, _LO_UNLINK, _ABS = 952, 953, 954, 955, 715, 964, 1397
_DECLARE = query("DECLARE c CURSOR FOR SELECT id, m FROM t ORDER BY id")
_BEGIN, _END, _FAIL = query("BEGIN"), query("ROLLBACK"), query("SELECT nothing")

_TALKS: dict[str, Sequence[Turn]] = {
    "functions are called by oid, with values in either format": [
        call(_ABS, _numbers(-7)),
        call(_ABS, [b"-7"], (), 0),
        call(_ABS, [b"-7"], (0,), 1),
        call(_ABS, [None]),
        call(_ABS, [b"seven"], (0,), 0),
        call(_ABS, [b"\0"]),
        call(_ABS, _numbers(-(1 << 31))),
        call(_ABS, _numbers(1, 2)),
        call(_ABS, _numbers(1), (1, 1)),
        call(_ABS, _numbers(1), (2,)),
        call(999_999, []),
        _BEGIN,
        call(_ABS, [b"seven"], (0,), 0),
        call(_ABS, _numbers(-7)),
        _END,
    ],
    "large objects as libpq reads and writes them": [
        query("SELECT lo_unlink(oid) FROM pg_largeobject_metadata WHERE oid = 4711"),
        call(_LO_CREATE, _numbers(4711)),
        _BEGIN,
        call(_LO_OPEN, _numbers(4711, 0x60000)),
        call(_LOWRITE, [*_numbers(0), b"bytes\0and more"]),
        call(_LOREAD, _numbers(0, 5)),
        query("SELECT lo_lseek(0, 3, 0)"),
        call(_LOREAD, _numbers(0, 5)),
        call(_LO_CLOSE, _numbers(0)),
        query("COMMIT"),
        call(_LO_OPEN, _numbers(4711, 0x40000)),
        call(_LOREAD, _numbers(0, 5)),
        call(_LO_UNLINK, _numbers(4711)),
        call(_LO_UNLINK, _numbers(4711)),
    ],
    "parameters have the users' types that clients declare": [
        _given("SELECT $1", "mood", b"ok"),
        _given("SELECT $1", "mood", b"ok", binary=True),
        _given("SELECT $1", "mood", b"none of them"),
        _given("SELECT $1", "_mood", b"{ok,sad}"),
        _given("SELECT $1", "spot", b"(1,a)"),
        _given("SELECT $1", "_spot", b'{"(1,a)"}'),
        _given("SELECT $1", "mooddomain", b"ok"),
        _binary_spot,
        lambda oid: parse("", "SELECT $1", [999_999]) + SYNC,
        lambda oid: parse("", "SELECT $1", [705]) + describe("S", "") + SYNC,
    ],
    "parameters of domains keep their type and are checked when they are bound": [
        _given("SELECT $1", "posint", b"5"),
        _given("SELECT $1", "posint", b"-5"),
        _given("SELECT $1", "posint", b"\0\0\0\5", binary=True),
        _given("SELECT $1", "posint", b"\xff\xff\xff\xff", binary=True),
        _given("SELECT $1", "posint", None),
        _given("SELECT $1", "code", None),
        _given("SELECT $1", "code", b"abcd"),
        _given("SELECT $1 + 1", "posint", b"5"),
        _given("SELECT $1::posint", "", b"5"),
        _given("UPDATE t SET p = $1 WHERE id = 1", "", b"7"),
        _given("UPDATE t SET p = $1 WHERE id = 1", "", b"0"),
        _given("SELECT $1", "_posint", b"{5,6}"),
        _given("SELECT $1", "_posint", b"{5,-6}"),
        query("PREPARE one (posint) AS SELECT $1 + 1"),
        query("EXECUTE one(5)"),
        query("EXECUTE one(-5)"),
        query("EXECUTE one('7')"),
        query("SELECT parameter_types FROM pg_prepared_statements WHERE name = 'one'"),
        query("DEALLOCATE one"),
    ],
    "a type that has changed since is read as it is now": [
        parse("kept", "SELECT 'ok'::mood < 'later'") + SYNC,
        lambda oid: parse("kept", "SELECT $1", [oid("mood")]) + SYNC,
        query("ALTER TYPE mood ADD VALUE 'later'"),
        bind("", "kept", [b"later"]) + execute("") + SYNC,
        close("S", "kept") + SYNC,
    ],
    "columns of results tell the table that they come from": [
        _run("SELECT * FROM t ORDER BY id"),
        _run("SELECT id, id + 1, p FROM t WHERE id = 1"),
        _run("SELECT x.a, x.b FROM (SELECT id AS a, m AS b FROM t ORDER BY id LIMIT 1) x"),
        _run("SELECT * FROM v ORDER BY a"),
        _run("SELECT * FROM mv ORDER BY a"),
        _run("SELECT id, count(*) FROM t GROUP BY id ORDER BY id"),
        _run("SELECT DISTINCT m FROM t ORDER BY m"),
        _run("SELECT id FROM t UNION SELECT 1 ORDER BY 1"),
        _run("WITH c AS (SELECT id FROM t) SELECT * FROM c ORDER BY id"),
        _run("SELECT a.id, b.m FROM t a LEFT JOIN t b USING (id) ORDER BY 1"),
        _run("SELECT id FROM t a FULL JOIN t b USING (id) ORDER BY 1"),
        _run("SELECT id FROM t a RIGHT JOIN t b USING (id) ORDER BY 1"),
        _run("SELECT id, row_number() OVER (ORDER BY id) FROM t, generate_series(1, 2) LIMIT 0"),
        _run("SELECT (SELECT id FROM t ORDER BY id LIMIT 1)"),
        _run("INSERT INTO t VALUES (77, 'ok', NULL, 1) RETURNING *, id + 1"),
        _run("UPDATE t SET p = 3 WHERE id = 77 RETURNING id, p"),
        _run("DELETE FROM t USING v WHERE t.id = 77 AND v.a = 1 RETURNING t.id, v.b, m"),
        _run("SELECT relname FROM pg_class LIMIT 0"),
        query("SELECT id, p, m FROM t ORDER BY id"),
    ],
    "FETCH tells what it will return": [
        _BEGIN,
        _DECLARE,
        _run("FETCH 2 FROM c"),
        _run("MOVE 1 FROM c"),
        _run("FETCH 1 FROM c", 1),
        _END,
        _run("FETCH 1 FROM c"),
    ],
    "EXECUTE tells what it will return": [
        query("PREPARE q (int) AS SELECT id, m FROM t WHERE id = $1"),
        _run("EXECUTE q(1)"),
        _run("EXECUTE q(2)", 1),
        query("DEALLOCATE q"),
        _run("EXECUTE q(2)"),
        query("PREPARE q (int) AS INSERT INTO t VALUES ($1, 'ok', NULL, 1)"),
        _run("EXECUTE q(60)"),
        query("DEALLOCATE q"),
        query("PREPARE q AS SELECT id FROM t WHERE id = 60"),
        parse("later", "EXECUTE q") + describe("S", "later") + SYNC,
        query("DEALLOCATE q"),
        query("PREPARE q AS SELECT m, id FROM t WHERE id = 60"),
        bind("", "later") + describe("P", "") + execute("") + SYNC,
        query("DEALLOCATE q"),
        close("S", "later") + SYNC,
        query("DELETE FROM t WHERE id = 60"),
    ],
    "a cursor that was declared is a portal": [
        _BEGIN,
        _DECLARE,
        describe("P", "c") + execute("c", 2) + SYNC,
        execute("c", 2) + SYNC,
        execute("c", 2) + SYNC,
        query("FETCH BACKWARD 1 FROM c"),
        close("P", "c") + SYNC,
        query("FETCH 1 FROM c"),
        _END,
        _BEGIN,
        _DECLARE,
        query("FETCH 1 FROM c"),
        execute("c") + SYNC,
        query("FETCH BACKWARD 2 FROM c"),
        _END,
    ],
    "a cursor that was declared BINARY is, in the simple protocol": [
        _BEGIN,
        query("DECLARE c BINARY CURSOR FOR SELECT id, m FROM t ORDER BY id"),
        query("FETCH 1 FROM c"),
        _run("FETCH 1 FROM c"),
        describe("P", "c") + execute("c", 1) + SYNC,
        _END,
    ],
    "a portal is a cursor": [
        _BEGIN,
        _portal("own", "SELECT id FROM t ORDER BY id", 1),
        query("FETCH 1 FROM own"),
        execute("own", 1) + SYNC,
        execute("own", 1) + SYNC,
        query("CLOSE own"),
        execute("own", 1) + SYNC,
        _END,
    ],
    "in a failed transaction what has rows waits for its end": [
        parse("kept", "SELECT id FROM t ORDER BY id") + SYNC,
        _BEGIN,
        bind("own", "kept") + execute("own", 1) + SYNC,
        _FAIL,
        execute("own", 1) + SYNC,
        describe("P", "own") + SYNC,
        describe("S", "kept") + SYNC,
        bind("other", "kept") + SYNC,
        execute("none") + SYNC,
        close("P", "own") + SYNC,
        parse("", "SELECT 1") + SYNC,
        parse("", "ROLLBACK") + bind("", "") + execute("") + SYNC,
        close("S", "kept") + SYNC,
    ],
    "a portal goes on with its rows, and can't be run again": [
        _portal("", "SELECT id FROM t ORDER BY id", 3, 1),
        _portal("", "SELECT id FROM t ORDER BY id", 2, 2, 2),
        _portal("", "SELECT id FROM t ORDER BY id", 0, 0),
        _portal("", "UPDATE t SET m = m WHERE id < 3 RETURNING m", 1, 0),
        _portal("", "INSERT INTO t VALUES (88, 'ok', NULL, 1)", 0, 0),
        query("SELECT count(*) FROM t WHERE id = 88"),
        _portal("", "BEGIN", 0, 0),
        _END,
    ],
    "an error tells the constraint that it is about": [
        query("INSERT INTO t VALUES (1, 'ok', NULL, 1)"),
        query("INSERT INTO t VALUES (500, 'ok', NULL, 1)"),
        query("INSERT INTO t VALUES (5, NULL, NULL, 1)"),
        query("INSERT INTO t VALUES (5, 'ok', NULL, -1)"),
        query("UPDATE t SET id = 1"),
        query("UPDATE t SET m = NULL"),
        query("SELECT NULL::code"),
        query("CREATE UNIQUE INDEX u ON t (m)"),
        query("ALTER TABLE t ADD CONSTRAINT z CHECK (id > 50)"),
    ],
    "a transaction is prepared, and ended outside of every other": [
        _BEGIN,
        query("INSERT INTO t VALUES (90, 'ok', 'prepared', 1)"),
        query("PREPARE TRANSACTION 'x'"),
        query("PREPARE TRANSACTION 'x'"),
        query("SELECT count(*) FROM t WHERE id = 90"),
        query("SELECT gid, owner, database FROM pg_prepared_xacts"),
        _BEGIN,
        query("COMMIT PREPARED 'x'"),
        query("PREPARE TRANSACTION 'y'"),
        query("COMMIT PREPARED 'x'; SELECT 1"),
        _BEGIN,
        query("PREPARE TRANSACTION 'x'"),
        query("SHOW max_prepared_transactions"),
        _portal("", "COMMIT PREPARED 'x'", 0),
        _END,
        query("COMMIT PREPARED 'x'"),
        query("SELECT count(*) FROM t WHERE id = 90"),
        _BEGIN,
        query("DELETE FROM t WHERE id = 90"),
        query(f"PREPARE TRANSACTION '{'n' * 200}'"),
        query("SELECT count(*) FROM t WHERE id = 90"),
        _BEGIN,
        query("DELETE FROM t WHERE id = 90"),
        query(f"PREPARE TRANSACTION '{'n' * 199}'"),
        query(f"ROLLBACK PREPARED '{'n' * 199}'"),
        query(f"ROLLBACK PREPARED '{'n' * 199}'"),
        query("SELECT count(*) FROM t WHERE id = 90"),
    ],
    "what needs its session is not prepared": [
        *(
            each
            for sql in (
                "CREATE TEMPORARY TABLE own (a int)",
                "NOTIFY told",
                "LISTEN told",
                "DECLARE kept CURSOR WITH HOLD FOR SELECT 1",
                "SELECT pg_advisory_lock(7), pg_advisory_xact_lock(7)",
            )
            for each in (_BEGIN, query(sql), query("PREPARE TRANSACTION 'x'"), query("PREPARE TRANSACTION 'x'"))
        ),
        query("SELECT pg_advisory_unlock(7)"),
        _BEGIN,
        query("SET application_name = 'set before'"),
        query("SET LOCAL datestyle = 'German'"),
        query("PREPARE TRANSACTION 'x'"),
        query("SHOW application_name"),
        query("SHOW datestyle"),
        query("ROLLBACK PREPARED 'x'"),
        query("SHOW application_name"),
    ],
    "SET LOCAL lasts as long as the statements that come together": [
        query("SET LOCAL datestyle = 'German'; SELECT date '2020-03-01'"),
        query("SELECT date '2020-03-01'"),
        query("SELECT 1; SET LOCAL datestyle = 'German'; SET datestyle = 'ISO, DMY'; SHOW datestyle"),
        query("SHOW datestyle"),
        query("SET LOCAL datestyle = 'German'; COMMIT; SHOW datestyle"),
        query("SET LOCAL datestyle = 'German'; BEGIN; SHOW datestyle; COMMIT; SHOW datestyle"),
        query("SET LOCAL datestyle = 'German'"),
        query("SHOW datestyle"),
        query("SET LOCAL datestyle = 'German'; SELECT 1 / 0"),
        query("SHOW datestyle"),
        query("SELECT set_config('datestyle', 'German', true); SHOW datestyle"),
        parse("", "SET LOCAL datestyle = 'German'") + bind("", "") + execute("") + _run("SHOW datestyle"),
        query("RESET datestyle"),
    ],
    "what can't be chained is not ended before": [
        query("INSERT INTO t VALUES (50, 'ok', NULL, 1); COMMIT AND CHAIN"),
        query("SELECT count(*) FROM t WHERE id = 50"),
        query("INSERT INTO t VALUES (51, 'ok'); COMMIT; INSERT INTO t VALUES (52, 'ok'); COMMIT AND CHAIN"),
        query("SELECT id FROM t WHERE id > 50 ORDER BY id"),
        query("INSERT INTO t VALUES (53, 'ok', NULL, 1); ROLLBACK AND CHAIN; SELECT 1"),
        query("COMMIT AND CHAIN"),
        query("ROLLBACK AND CHAIN"),
        query("BEGIN; INSERT INTO t VALUES (54, 'ok', NULL, 1); COMMIT AND CHAIN"),
        query("SELECT 1; ROLLBACK AND CHAIN"),
        _END,
        query("SELECT id FROM t WHERE id > 50 ORDER BY id"),
        _END,
        query("DELETE FROM t WHERE id > 50"),
    ],
    "comments are kept until what they are on is gone": [
        query("COMMENT ON TABLE t IS 'the table'"),
        query("COMMENT ON COLUMN t.m IS 'how it feels'"),
        query("COMMENT ON COLUMN t.p IS 'for a moment'"),
        query("COMMENT ON COLUMN t.p IS NULL"),
        query("COMMENT ON VIEW v IS 'the view'"),
        query("COMMENT ON MATERIALIZED VIEW mv IS ''"),
        query("COMMENT ON INDEX t_pkey IS 'the key'"),
        query("COMMENT ON TYPE mood IS 'the type'"),
        query("COMMENT ON SCHEMA talks IS 'the schema'"),
        query("ALTER TABLE t RENAME COLUMN m TO feeling"),
        query("ALTER TABLE t RENAME TO renamed"),
        query("SELECT obj_description('renamed'::regclass), obj_description('renamed'::regclass, 'pg_type')"),
        query("SELECT obj_description('v'::regclass, 'pg_class'), obj_description('mv'::regclass, 'pg_class')"),
        query("SELECT obj_description('t_pkey'::regclass), obj_description('mood'::regtype, 'pg_type')"),
        query("SELECT col_description('renamed'::regclass, n) FROM generate_series(0, 5) n"),
        query("SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'talks'"),
        query(
            "SELECT classoid::regclass, objsubid, description FROM pg_description"
            ' WHERE objoid >= 16384 ORDER BY description COLLATE "C"'
        ),
        _BEGIN,
        query("COMMENT ON TABLE renamed IS 'not to be'"),
        query("SELECT obj_description('renamed'::regclass)"),
        _END,
        query("SELECT obj_description('renamed'::regclass)"),
        query("COMMENT ON TABLE v IS 'no'"),
        query("COMMENT ON TABLE nothing IS 'no'"),
        query("COMMENT ON COLUMN renamed.nothing IS 'no'"),
        query("COMMENT ON SCHEMA nothing IS 'no'"),
        query("DROP VIEW v"),
        query("DROP TABLE renamed CASCADE"),
        query("SELECT description FROM pg_description WHERE objoid >= 16384 ORDER BY 1"),
    ],
    "storage parameters are checked, and change nothing": [
        query("CREATE TABLE f1 (a int PRIMARY KEY WITH (fillfactor = 50)) WITH (fillfactor = 70.5, oids = false)"),
        query("CREATE TABLE f2 (a int) WITH (autovacuum_enabled, toast.autovacuum_enabled = off)"),
        query("CREATE TABLE f3 WITH (autovacuum_vacuum_scale_factor = 0.2, parallel_workers = 4) AS SELECT 1 AS a"),
        query("CREATE INDEX ON f2 (a) WITH (fillfactor = 50, deduplicate_items = off)"),
        query("CREATE TABLE no (a int) WITH (fillfactor = 5)"),
        query("CREATE TABLE no (a int) WITH (fillfactor = 'x')"),
        query("CREATE TABLE no (a int) WITH (autovacuum_enabled = maybe)"),
        query("CREATE TABLE no (a int) WITH (autovacuum_vacuum_scale_factor = 200)"),
        query("CREATE TABLE no (a int) WITH (nonsense = 5)"),
        query("CREATE TABLE no (a int) WITH (oids)"),
        query("CREATE INDEX ON f1 (a) WITH (autovacuum_enabled = off)"),
    ],
    "there are not more columns than PostgreSQL's": [
        query(f"SELECT {', '.join(['1'] * 1665)}"),
        query(f"SELECT {', '.join(['1'] * 100_001)}"),
        query(f"VALUES ({', '.join(['1'] * 1665)})"),
        parse("", f"SELECT {', '.join(['1'] * 1665)}") + SYNC,
        query(f"CREATE TABLE wide ({', '.join(f'c{at} int' for at in range(1601))})"),
        query(f"CREATE VIEW wide AS SELECT {', '.join(f'1 AS c{at}' for at in range(1601))}"),
        query(f"CREATE TABLE wide AS SELECT {', '.join(f'1 AS c{at}' for at in range(1601))}"),
        query(f"CREATE TABLE wide ({', '.join(f'c{at} int' for at in range(900))})"),
        query("SELECT * FROM wide a, wide b"),
    ],
    "a session sees itself": [
        query(
            "SELECT pid = pg_backend_pid(), host(client_addr), client_port > 0 FROM pg_stat_activity"
            " WHERE pid = pg_backend_pid()"
        ),
    ],
}


@pytest.mark.parametrize("law", _TALKS)
def test_both_answer_alike(judge: Judge, server: MemoryServer, law: str) -> None:
    with talking(judge.port, _CREATED) as theirs, talking(server.port, _CREATED) as ours:
        for number, turn in enumerate(_TALKS[law]):
            assert ours.say(turn) == theirs.say(turn), f"turn {number}"


def test_an_error_is_sent_at_once(judge: Judge, server: MemoryServer) -> None:
    """Before Sync, and whatever was to come behind it."""
    work = parse("", "SELECT 1") + bind("", "") + execute("") + parse("", "SELECT nothing")
    for port in (judge.port, server.port):
        with talking(port) as talk:
            talk.send(work)
            assert "".join(kind for kind, _ in talk.until("E")) == "12DCE"
            talk.send(work + SYNC)
            assert [kind for kind, _ in talk.until("Z")] == ["Z"]


def test_what_would_read_texts_otherwise_is_refused(server: MemoryServer) -> None:
    refused = {
        "backslash_quote = maybe": "22023",
        "client_encoding = 'EUC_TW'": "0A000",
        "client_encoding = 'nonsense'": "22023",
        "standard_conforming_strings = maybe": "22023",
        "password_encryption = md5": "0A000",
        "password_encryption = plain": "22023",
    }
    with talking(server.port) as talk:
        for setting, sqlstate in refused.items():
            assert f"C={sqlstate} " in talk.say(query(f"SET {setting}"))[0], setting
        for setting in ("client_encoding = 'unicode'", "standard_conforming_strings = true"):
            assert talk.say(query(f"SET {setting}"))[-2].startswith("C"), setting
