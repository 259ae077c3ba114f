"""Webhook sources by SQL and HTTP: what rows become of requests, which requests count, what can be done with one."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from model.time.clock import SystemRandomness
from server.secrets.keyring import Keyring, new_key
from tests.server.memory_server import MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.webhooks import listening, post, url_of

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running, listening(running):
        yield running


@pytest.fixture
def session(server: MemoryServer) -> Iterator[Session]:
    """In a schema of its own, which goes at the end."""
    with server.connect() as connection:
        connection.execute("CREATE SCHEMA own")
        connection.execute("SET search_path = own")
        yield connection
        connection.execute("DROP SCHEMA own CASCADE")


def rows(session: Session, sql: str) -> list[tuple[Any, ...]]:
    return session.execute(sql.encode()).fetchall()


def refused(session: Session, sql: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.Error) as failure:
        session.execute(sql.encode())
    return failure.value.diag


BODIES = [
    ("TEXT", "größer\n".encode(), [("größer\n",)]),
    ("TEXT", b"", [("",)]),
    ("BYTES", b"\x00\xff\n", [(b"\x00\xff\n",)]),
    ("JSON", b'{"b": 1, "a": [1.50, null]}', [({"a": [1.50, None], "b": 1},)]),
    ("JSON", b'\n{"a": 1}\n\n{"a": 2}\r\n3', [({"a": 1},), ({"a": 2},), (3,)]),
    ("JSON", b'{"a":\n 1}', [({"a": 1},)]),
    ("JSON", b"[1, 2]", [([1, 2],)]),
    ("JSON ARRAY", b'[{"a": 1}, "x", [2]]', [({"a": 1},), ("x",), ([2],)]),
    ("JSON ARRAY", b"[]", []),
    ("JSON ARRAY", b'{"a": 1}', [({"a": 1},)]),
    ("JSON ARRAY", b"[1, 2]\n[3]\n4\n", [(1,), (2,), (3,), (4,)]),
]


@pytest.mark.parametrize("padding", [0, 40_000])
@pytest.mark.parametrize(("form", "body", "expected"), BODIES)
def test_a_body_is_as_many_rows_as_its_format_has_values(
    session: Session, form: str, body: bytes, expected: list[tuple[Any, ...]], padding: int
) -> None:
    """What is long is parsed elsewhere, and alike."""
    if padding and "JSON" not in form:
        body, expected = body * padding, [(row[0] * padding,) for row in expected]
    session.execute(f"CREATE SOURCE w FROM WEBHOOK BODY FORMAT {form}".encode())
    assert post(url_of(session, "w"), body + b" " * (padding if "JSON" in form else 0)) == (200, "")
    found = rows(session, "SELECT body FROM w")
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


@pytest.mark.parametrize(
    ("form", "body", "reason"),
    [
        ("TEXT", b"\xff", "the body is not UTF-8 at byte 0"),
        ("TEXT", b"a\x00", "the body has zero characters, which text can't have"),
        ("JSON", b"", "invalid input syntax for type json"),
        ("JSON", b'{"a": }', "invalid input syntax for type json"),
        ("JSON", b'{"a": 1}\n{"a": }', "invalid input syntax for type json"),
        ("JSON", b'"\\u0000"', "unsupported Unicode escape sequence"),
        ("JSON", b"1e999999", "value overflows numeric format"),
        ("JSON ARRAY", b"[1, 2", "invalid input syntax for type json"),
    ],
)
def test_a_body_that_is_not_of_the_format_is_refused_and_leaves_nothing(
    session: Session, form: str, body: bytes, reason: str
) -> None:
    session.execute(f"CREATE SOURCE w FROM WEBHOOK BODY FORMAT {form}".encode())
    assert post(url_of(session, "w"), body) == (400, reason)
    assert post(url_of(session, "w"), body + b" " * 40_000)[0] == 400
    assert rows(session, "SELECT count(*) FROM w") == [(0,)]


def test_headers_are_a_map_without_those_that_are_left_out_or_columns_of_their_own(session: Session) -> None:
    session.execute("CREATE SOURCE every FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADERS")
    session.execute("CREATE SOURCE without FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADERS (NOT 'X-Key', NOT 'host')")
    session.execute("CREATE SOURCE named FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADERS ('X-Key', 'X-None')")
    session.execute(
        "CREATE SOURCE single FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADER 'X-Key' AS k "
        "INCLUDE HEADER 'x-key' AS b BYTES INCLUDE HEADER 'x-none' AS n"
    )
    for name in ("every", "without", "named", "single"):
        assert post(url_of(session, name), b"", {"X-Key": "one, two", "X-Other": "3"})[0] == 200
    present = "SELECT headers ? 'host', headers->'x-key', headers->'x-other' FROM "
    assert rows(session, present + "every") == [(True, "one, two", "3")]
    assert rows(session, present + "without") == [(False, None, "3")]
    assert rows(session, "SELECT headers::text FROM named") == [('{x-key=>"one, two"}',)]
    assert rows(session, "SELECT k, b, n FROM single") == [("one, two", b"one, two", None)]


def test_a_source_is_shown_as_it_was_made_but_for_its_secrets_values(session: Session) -> None:
    session.execute("CREATE SECRET own.k AS 'tr0ub4dor'")
    session.execute(
        "CREATE SOURCE w FROM WEBHOOK BODY FORMAT JSON ARRAY INCLUDE HEADERS (NOT 'a') INCLUDE HEADER 'B' AS b BYTES "
        "CHECK (WITH (HEADERS, BODY BYTES, SECRET k AS key BYTES) "
        "constant_time_eq(decode(headers->'x', 'hex'), hmac(body, key, 'sha256')) AND 'it''s' <> '') "
        "WITH (RETAIN HISTORY = FOR '1 minute')"
    )
    ((shown,),) = rows(session, "SELECT create_sql FROM mz_catalog.mz_sources WHERE name = 'w'")
    assert shown == (
        "CREATE SOURCE own.w FROM WEBHOOK BODY FORMAT JSON ARRAY INCLUDE HEADERS (NOT 'a') INCLUDE HEADER 'b' AS b "
        "BYTES CHECK (WITH (HEADERS AS headers, BODY AS body BYTES, SECRET own.k AS key BYTES) "
        "constant_time_eq(decode(headers -> 'x', 'hex'), hmac(body, key, 'sha256')) AND 'it''s' <> '') "
        "WITH (RETAIN HISTORY FOR '60000 milliseconds');"
    )
    session.execute("ALTER SECRET k RENAME TO kept")
    session.execute("DROP SOURCE w")
    session.execute(shown.replace("own.k ", "own.kept ").encode())
    ((again,),) = rows(session, "SELECT create_sql FROM mz_catalog.mz_sources WHERE name = 'w'")
    assert again == shown.replace("own.k ", "own.kept ")
    assert [row[-1] for row in rows(session, "SHOW CREATE SOURCE w")] == [again]


def test_a_check_counts_requests_that_are_signed_with_what_the_secret_is_now(session: Session) -> None:
    session.execute("CREATE SECRET key AS 'first'")
    session.execute(
        "CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT CHECK (WITH (HEADERS, BODY, SECRET key) "
        "constant_time_eq(decode(headers->'x-signature', 'hex'), hmac(body, key, 'sha256')))"
    )
    url = url_of(session, "w")

    def signed(body: bytes, key: bytes) -> int:
        return post(url, body, {"X-Signature": hmac.digest(key, body, hashlib.sha256).hex()})[0]

    assert signed(b"a", b"first") == 200
    assert signed(b"b", b"second") == 403
    session.execute("ALTER SECRET key AS 'second'")
    assert signed(b"c", b"first") == 403
    assert signed(b"d" * 600_000, b"second") == 200
    assert post(url, b"e") == (403, "the check failed")
    assert post(url, b"e", {"X-Signature": "zz"}) == (403, "the check failed: it can't be evaluated (SQLSTATE 22023)")
    assert rows(session, "SELECT left(body, 1), length(body) FROM w ORDER BY 1") == [("a", 1), ("d", 600_000)]


def test_a_check_may_ask_for_the_time_and_nothing_else_beside_the_request(session: Session) -> None:
    session.execute(
        "CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT CHECK (WITH (HEADERS AS h) "
        "abs(extract(epoch FROM now()) - (h->'x-time')::numeric) < 300)"
    )
    now = datetime.datetime.now(datetime.UTC).timestamp()
    assert post(url_of(session, "w"), b"", {"X-Time": str(now)})[0] == 200
    assert post(url_of(session, "w"), b"", {"X-Time": str(now - 1000)})[0] == 403
    for condition, state in [
        ("body = current_user", "0A000"),
        ("body = version()", "0A000"),
        ("random() < 1", "0A000"),
        ("pg_sleep(1) IS NULL", "0A000"),
        ("EXISTS (SELECT 1)", "0A000"),
        ("body", "42804"),
        ("headers IS NULL", "42703"),
        ("count(*) > 1", "42803"),
    ]:
        failure = refused(session, f"CREATE SOURCE x FROM WEBHOOK BODY FORMAT TEXT CHECK (WITH (BODY) {condition})")
        assert failure.sqlstate == state, condition


@pytest.mark.parametrize(
    ("clauses", "state"),
    [
        ("BODY FORMAT CSV WITH 2 COLUMNS", "0A000"),
        ("BODY FORMAT TEXT INCLUDE HEADER 'a' AS body", "42701"),
        ("BODY FORMAT TEXT CHECK (WITH (BODY, HEADERS AS body) true)", "42701"),
        ("BODY FORMAT TEXT CHECK (WITH (SECRET none) true)", "42704"),
        ("BODY FORMAT TEXT EXPOSE PROGRESS AS p", "0A000"),
        ("BODY FORMAT TEXT ENVELOPE NONE", "0A000"),
        ("BODY FORMAT TEXT WITH (TIMESTAMP INTERVAL '1 s')", "0A000"),
    ],
)
def test_what_a_webhook_source_can_not_be_is_refused(session: Session, clauses: str, state: str) -> None:
    assert refused(session, f"CREATE SOURCE w FROM WEBHOOK {clauses}").sqlstate == state


def test_a_source_without_a_check_is_made_with_a_warning(session: Session) -> None:
    told: list[str | None] = []
    session.add_notice_handler(lambda notice: told.append(notice.message_primary))
    session.execute("CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT")
    session.execute("CREATE SOURCE IF NOT EXISTS w FROM WEBHOOK BODY FORMAT TEXT")
    assert told == [
        "the webhook source has no CHECK: whoever reaches the server's HTTP port can write to it",
        'relation "w" already exists, skipping',
    ]


def test_a_source_is_in_the_catalog_as_what_it_is(session: Session) -> None:
    session.execute('CREATE SOURCE "W /ö" FROM WEBHOOK BODY FORMAT JSON')
    assert rows(session, "SELECT type, value_format FROM mz_catalog.mz_sources") == [("webhook", "json")]
    assert rows(session, "SELECT type FROM mz_catalog.mz_objects WHERE name = 'W /ö'") == [("source",)]
    statuses = "SELECT name, type, status, error FROM mz_internal.mz_source_statuses"
    assert rows(session, statuses) == [("W /ö", "webhook", "running", None)]
    assert rows(session, "SHOW SOURCES") == [("W /ö", "webhook", None, "running")]
    url = url_of(session, "W /ö")
    assert url.endswith("/api/webhook/headwater/own/W%20%2F%C3%B6")
    assert post(url, b"1")[0] == 200
    session.execute('ALTER SOURCE "W /ö" RENAME TO plain')
    assert post(url, b"2") == (404, "there is no webhook source of this name")
    assert post(url_of(session, "plain"), b"3")[0] == 200
    assert rows(session, "SELECT body FROM plain ORDER BY body") == [(1,), (3,)]
    session.execute("COMMENT ON SOURCE plain IS 'said'")
    session.execute("ALTER SOURCE plain SET (RETAIN HISTORY = FOR '2 h')")
    session.execute("DROP SOURCE plain")
    assert post(url.rpartition("/")[0] + "/plain", b"4")[0] == 404


def test_nobody_else_writes_to_a_source(session: Session) -> None:
    session.execute("CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT")
    for sql in (
        "INSERT INTO w VALUES ('a')",
        "UPDATE w SET body = 'a'",
        "DELETE FROM w",
        "TRUNCATE w",
        "COPY w FROM STDIN",
        "ALTER TABLE w ADD COLUMN a int",
        "ALTER TABLE w ALTER COLUMN body DROP NOT NULL",
        "ALTER VIEW w RENAME TO v",
        "DROP TABLE w",
    ):
        assert refused(session, sql).sqlstate == "42809", sql


def test_secrets_that_a_check_uses_stay(session: Session) -> None:
    session.execute("CREATE SECRET key AS 'k'")
    session.execute("CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT CHECK (WITH (BODY, SECRET key) body = key)")
    failure = refused(session, "DROP SECRET key")
    assert (failure.sqlstate, failure.message_detail) == ("2BP01", "source w depends on secret key")
    assert post(url_of(session, "w"), b"k")[0] == 200
    session.execute("DROP SECRET key CASCADE")
    assert rows(session, "SELECT count(*) FROM mz_catalog.mz_sources") == [(0,)]


def test_views_indexes_and_transactions_follow_a_source(session: Session, server: MemoryServer) -> None:
    session.execute("CREATE SOURCE w FROM WEBHOOK BODY FORMAT JSON")
    session.execute("CREATE TABLE t (n int)")
    session.execute("CREATE MATERIALIZED VIEW sums AS SELECT sum((body->>'n')::int) AS s FROM w")
    session.execute("CREATE VIEW ones AS SELECT (body->>'n')::int AS n FROM w")
    session.execute("CREATE INDEX ON ones (n)")
    url = url_of(session, "w")
    for n in (1, 2, 3):
        assert post(url, b'{"n": %d}' % n)[0] == 200
        assert rows(session, "SELECT s FROM sums") == [(n * (n + 1) // 2,)]
        assert rows(session, f"SELECT count(*) FROM ones WHERE n = {n}") == [(1,)]
    with server.connect() as other:
        other.execute("SET search_path = own")
        other.execute("BEGIN")
        other.execute("INSERT INTO t SELECT count(*) FROM w")
        assert post(url, b'{"n": 4}')[0] == 200
        with pytest.raises(psycopg.Error) as failure:
            other.execute("COMMIT")
        assert failure.value.sqlstate == "40001"
    session.execute("INSERT INTO t SELECT count(*) FROM w")
    assert rows(session, "SELECT n FROM t") == [(4,)]


def test_what_is_answered_is_there_after_a_restart(session: Session) -> None:
    consensus, blob, keyring = MemoryConsensus(), MemoryBlob(), Keyring((new_key(SystemRandomness()),))
    with memory_server(consensus, blob, keyring) as first, listening(first), first.connect() as own:
        own.execute("CREATE SECRET key AS 'k'")
        own.execute(
            "CREATE SOURCE w FROM WEBHOOK BODY FORMAT TEXT INCLUDE HEADERS ('x') INCLUDE HEADER 'y' AS y "
            "CHECK (WITH (BODY, SECRET key) starts_with(body, key))"
        )
        assert post(url_of(own, "w"), b"k1", {"X": "x", "Y": "y"})[0] == 200
        kept = rows(own, "SELECT create_sql FROM mz_catalog.mz_sources")
    with memory_server(consensus, blob, keyring) as second, listening(second), second.connect() as own:
        assert rows(own, "SELECT create_sql FROM mz_catalog.mz_sources") == kept
        assert post(url_of(own, "w"), b"k2")[0] == 200
        assert post(url_of(own, "w"), b"l")[0] == 403
        assert rows(own, "SELECT body, headers::text, y FROM w ORDER BY body") == [
            ("k1", "{x=>x}", "y"),
            ("k2", "{}", None),
        ]
