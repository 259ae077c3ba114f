"""Secrets and connections by SQL: what they promise each other, and what a restart keeps of them."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from confluent_kafka import Producer
from psycopg import generators, pq

from model.time.clock import SystemRandomness
from server.secrets.keyring import Keyring, new_key
from server.secrets.stored import secret_value
from storage.persist.open import open_blob, open_consensus
from tests.server.memory_server import MemoryServer, memory_server

RANDOMNESS = SystemRandomness()
_UNCHECKED = "WITH (VALIDATE = false)"
_LOGIN = "SASL MECHANISMS 'PLAIN', SASL USERNAME 'u', SASL PASSWORD SECRET"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture
def session(server: MemoryServer) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """In a schema of its own, which goes at the end."""
    with server.connect() as connection:
        connection.execute("CREATE SCHEMA own")
        connection.execute("SET search_path = own")
        yield connection
        connection.execute("DROP SCHEMA own CASCADE")


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    """The address of librdkafka's own mock of one."""
    silent = logging.getLogger("librdkafka.mock")
    silent.setLevel(logging.CRITICAL + 1)
    producer = Producer({"test.mock.num.brokers": 1}, logger=silent)
    (found,) = producer.list_topics(timeout=60).brokers.values()
    yield f"{found.host}:{found.port}"
    producer.flush()


def refused(session: psycopg.Connection[tuple[Any, ...]], sql: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.Error) as failure:
        session.execute(sql.encode())
    return failure.value.diag


def value_of(server: MemoryServer, name: str) -> bytes:
    environment = server.environment
    state = environment.catalog.state
    (item,) = (item for item in state.items.values() if item.name == name)
    return secret_value(environment.outside.keyring, state, item.id)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'it''s'", b"it's"),
        ("E'a\\nb'", b"a\nb"),
        ("$$x$$", b"x"),
        ("decode('AP8=', 'base64')", b"\x00\xff"),
        ("'\\x00ff'::bytea", b"\x00\xff"),
        ("'a' || upper('b')", b"aB"),
        ("''", b""),
    ],
)
def test_a_secret_is_text_or_bytes_of_any_constant_expression(
    server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]], written: str, value: bytes
) -> None:
    session.execute(f"CREATE SECRET s AS {written}".encode())
    assert value_of(server, "s") == value
    session.execute(f"ALTER SECRET s AS {written} || {written}".encode())
    assert value_of(server, "s") == value * 2


def test_a_secret_comes_by_a_parameter(server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("CREATE SECRET s AS %s", ["hunter2"], prepare=True)
    assert value_of(server, "s") == b"hunter2"


@pytest.mark.parametrize(
    ("written", "sqlstate"),
    [
        ("hunter2", "42703"),
        ("'hunter2'::int", "22P02"),
        ("decode('hunter2$', 'base64')", "22023"),
        ("convert_from('\\xff', 'hunter2')", "22023"),
        ("hunter2('x')", "42883"),
        ("NULL", "22004"),
        ("5", "42804"),
        ("(SELECT 'hunter2')", "0A000"),
        ("max('hunter2')", "42803"),
        ("repeat('hunter2', 100000)", "54000"),
        ("'hunter2' 'x'", "42601"),
        ("('hunter2' hunter2", "42601"),
        ("CASE WHEN random() < 2 THEN chr(0) || 'hunter2' END", "54000"),
    ],
)
def test_what_is_wrong_with_a_value_is_said_without_it(
    session: psycopg.Connection[tuple[Any, ...]], written: str, sqlstate: str
) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    for statement in (f"CREATE SECRET t AS {written}", f"ALTER SECRET s AS {written}"):
        told = refused(session, statement)
        words = (told.message_primary, told.message_detail, told.message_hint, told.context, told.internal_query)
        assert told.sqlstate == sqlstate and "hunter2" not in " ".join(filter(None, words))


def test_what_others_see_of_a_statement_has_no_secret(
    server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    session.execute("CREATE SECRET s AS 'hunter2'")
    with server.connect() as other:
        views = ("SELECT query FROM pg_stat_activity", "SELECT query FROM mz_internal.mz_sessions")
        seen = [row for view in views for row in other.execute(view.encode()).fetchall()]
    assert ("CREATE SECRET s AS '…'",) in seen and "hunter2" not in str(seen)


def test_secrets_and_connections_are_listed_and_shown(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("CREATE SECRET s AS 'hunter2'")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKERS ('a:1', 'b:2'), {_LOGIN} s) {_UNCHECKED}".encode())
    assert session.execute("SHOW SECRETS").fetchall() == [("s",)]
    assert session.execute("SHOW CONNECTIONS").fetchall() == [("c", "kafka")]
    assert session.execute("SHOW CREATE CONNECTION c").fetchall() == [
        (
            "headwater.own.c",
            "CREATE CONNECTION own.c TO KAFKA (BROKERS = ('a:1', 'b:2'), SASL MECHANISMS = 'PLAIN', "
            + "SASL USERNAME = 'u', SASL PASSWORD = SECRET own.s);",
        )
    ]
    listed = session.execute("SELECT o.name, o.type FROM mz_objects o WHERE o.name IN ('s', 'c') ORDER BY 1").fetchall()
    assert listed == [("c", "connection"), ("s", "secret")]
    used = "SELECT c.name, s.name FROM mz_object_dependencies d JOIN mz_connections c ON c.id = d.object_id "
    used += "JOIN mz_secrets s ON s.id = d.referenced_object_id"
    assert session.execute(used.encode()).fetchall() == [("c", "s")]


def test_what_show_create_says_makes_the_same_connection(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("CREATE SECRET \"S'x\" AS 'y'")
    session.execute(
        "CREATE CONNECTION c TO KAFKA (BROKER 'h:1', SASL MECHANISMS plain, SASL PASSWORD SECRET \"S'x\", "
        f"SASL USERNAME E'a\\\\b''c', SSL CERTIFICATE AUTHORITY E'two\\nlines') {_UNCHECKED}".encode()
    )
    ((_, said),) = session.execute("SHOW CREATE CONNECTION c").fetchall()
    session.execute("DROP CONNECTION c")
    session.execute(f"{said.rstrip(';')} {_UNCHECKED}".encode())
    assert session.execute("SHOW CREATE CONNECTION c").fetchall() == [("headwater.own.c", said)]


def test_a_secret_in_use_is_not_dropped_but_with_what_uses_it(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1', {_LOGIN} s) {_UNCHECKED}".encode())
    told = refused(session, "DROP SECRET s")
    assert (told.sqlstate, told.message_detail) == ("2BP01", "connection c depends on secret s")
    session.execute("DROP SECRET s CASCADE")
    assert session.execute("SHOW CONNECTIONS").fetchall() == []


def test_a_secret_is_dropped_by_one_and_used_by_another_never_at_once(
    server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    session.execute("BEGIN")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1', {_LOGIN} s) {_UNCHECKED}".encode())
    with server.connect() as other:
        other.execute("DROP SECRET own.s")
    assert refused(session, "COMMIT").sqlstate == "42704"
    session.execute("ROLLBACK")


def test_two_that_change_a_connection_do_not_lose_each_other_s_change(
    server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1') {_UNCHECKED}".encode())
    session.execute("BEGIN")
    session.execute(f"ALTER CONNECTION c SET (BROKER 'b:1') {_UNCHECKED}".encode())
    with server.connect() as other:
        other.execute(f"ALTER CONNECTION own.c SET (SECURITY PROTOCOL SSL) {_UNCHECKED}".encode())
    assert refused(session, "COMMIT").sqlstate == "40001"
    session.execute("ROLLBACK")


def test_a_rolled_back_secret_never_was(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("BEGIN")
    session.execute("CREATE SECRET s AS 'x'")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1', {_LOGIN} s) {_UNCHECKED}".encode())
    session.execute("ROLLBACK")
    assert session.execute("SHOW SECRETS").fetchall() == []


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM s", "INSERT INTO s VALUES (1)", "DROP TABLE s", "ALTER TABLE s RENAME TO t"]
)
def test_secrets_and_connections_are_no_relations(session: psycopg.Connection[tuple[Any, ...]], sql: str) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    assert refused(session, sql).sqlstate == "42P01"
    assert session.execute("SELECT to_regclass('s')").fetchall() == [(None,)]


@pytest.mark.parametrize("sql", ["CREATE TABLE s (a int)", "CREATE VIEW s AS SELECT 1", "CREATE TYPE s AS ENUM ('a')"])
def test_a_schema_has_one_object_of_a_name(session: psycopg.Connection[tuple[Any, ...]], sql: str) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    assert refused(session, sql).sqlstate == "42710"
    session.execute("CREATE TABLE t (a int)")
    assert refused(session, "CREATE SECRET t AS 'x'").sqlstate == "42710"
    session.execute("CREATE SECRET IF NOT EXISTS s AS 'y'")


def test_names_comments_and_options_change(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1', {_LOGIN} s) {_UNCHECKED}".encode())
    session.execute('ALTER SECRET s RENAME TO "S"')
    session.execute("ALTER CONNECTION c RENAME TO d")
    session.execute(f"ALTER CONNECTION d SET (BROKERS ('b:1')), RESET (BROKER) {_UNCHECKED}".encode())
    ((_, said),) = session.execute("SHOW CREATE CONNECTION d").fetchall()
    assert "BROKERS = ('b:1')" in said and "BROKER =" not in said and 'SECRET own."S"' in said
    session.execute("COMMENT ON CONNECTION d IS 'theirs'")
    comment = "SELECT obj_description(oid, 'mz_connections') FROM mz_connections"
    assert session.execute(comment.encode()).fetchall() == [("theirs",)]


@pytest.mark.parametrize(
    ("options", "sqlstate", "named"),
    [
        ("BROKER 'a'", "22023", "BROKER"),
        ("BROKER 'a:1,b:2'", "22023", "BROKER"),
        ("BROKER 'ssl://a:1'", "22023", "BROKER"),
        ("BROKER E'a:1\\nsasl.username=x'", "22023", "BROKER"),
        ("BROKER 'a:99999'", "22023", "BROKER"),
        ("BROKER ('a:1', 'b:1')", "22023", "BROKER"),
        ("BROKER", "42601", "BROKER"),
        ("BROKERS ('a:1', 5)", "22023", "BROKERS"),
        ("BROKER 'a:1', BROKERS ('b:1')", "22023", "BROKERS"),
        ("SECURITY PROTOCOL SSL", "22023", "BROKER"),
        ("BROKER 'a:1', SECURITY PROTOCOL TLS", "22023", "SECURITY PROTOCOL"),
        ("BROKER 'a:1', SASL MECHANISMS 'GSSAPI'", "22023", "SASL MECHANISMS"),
        ("BROKER 'a:1', SASL MECHANISMS PLAIN", "22023", "SASL USERNAME"),
        ("BROKER 'a:1', SASL PASSWORD 'hunter2'", "22023", "SASL PASSWORD"),
        ("BROKER 'a:1', SSL KEY SECRET s", "22023", "SSL CERTIFICATE"),
        ("BROKER 'a:1', SECURITY PROTOCOL PLAINTEXT, SSL CERTIFICATE AUTHORITY 'x'", "22023", "SSL CERTIFICATE"),
        ("BROKER 'a:1', SASL USERNAME U&'\\0001'", "22023", "SASL USERNAME"),
        ("BROKER 'a:1', PLUGIN LIBRARY PATHS 'x.so'", "42601", "PLUGIN LIBRARY PATHS"),
        ("BROKER 'a:1', SASL PASSWORD SECRET missing", "42704", "missing"),
        ("BROKER 'a:1', SASL PASSWORD SECRET c", "42809", "c"),
    ],
)
def test_options_that_cannot_be_are_named(
    session: psycopg.Connection[tuple[Any, ...]], options: str, sqlstate: str, named: str
) -> None:
    session.execute("CREATE SECRET s AS 'x'")
    session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1') {_UNCHECKED}".encode())
    told = refused(session, f"CREATE CONNECTION d TO KAFKA ({options}) {_UNCHECKED}")
    assert told.sqlstate == sqlstate and named in str(told.message_primary) and told.statement_position is not None
    assert "hunter2" not in f"{told.message_primary}{told.message_detail}{told.message_hint}"


def test_a_connection_is_tried_unless_told_otherwise(session: psycopg.Connection[tuple[Any, ...]], broker: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = f"127.0.0.1:{taken.getsockname()[1]}"
    session.execute(f"CREATE CONNECTION there TO KAFKA (BROKER '{broker}')".encode())
    session.execute("VALIDATE CONNECTION there")
    for statement in (
        f"CREATE CONNECTION away TO KAFKA (BROKER '{closed}')",
        f"ALTER CONNECTION there SET (BROKER '{closed}')",
        f"CREATE CONNECTION away TO CONFLUENT SCHEMA REGISTRY (URL 'http://{closed}')",
    ):
        told = refused(session, statement)
        assert told.sqlstate == "08001" and "refused" in str(told.message_detail) and told.message_hint is not None
    session.execute(f"CREATE CONNECTION away TO KAFKA (BROKER '{closed}') {_UNCHECKED}".encode())
    assert refused(session, "VALIDATE CONNECTION away").sqlstate == "08001"
    session.execute("VALIDATE CONNECTION there")


def test_amazon_is_tried_with_keys_and_roles(session: psycopg.Connection[tuple[Any, ...]], amazon: str) -> None:
    login = "ACCESS KEY ID 'AKIA', SECRET ACCESS KEY SECRET k"
    session.execute("CREATE SECRET k AS 'hunter2'")
    session.execute(f"CREATE CONNECTION there TO AWS (ENDPOINT '{amazon}', REGION 'eu-west-1', {login})".encode())
    session.execute("VALIDATE CONNECTION there")
    session.execute("ALTER CONNECTION there SET (ASSUME ROLE ARN = 'arn:aws:iam::123456789012:role/reader')")
    session.execute("VALIDATE CONNECTION there")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}"
    told = refused(session, f"CREATE CONNECTION away TO AWS (ENDPOINT '{closed}', {login})")
    assert told.sqlstate == "08001" and "hunter2" not in f"{told.message_detail}"
    for options in (
        "REGION 'x'",
        "ACCESS KEY ID 'x', SECRET ACCESS KEY 'open'",
        f"{login}, REGION 'a b'",
        f"{login}, ASSUME ROLE SESSION NAME 'x'",
    ):
        assert refused(session, f"CREATE CONNECTION d TO AWS ({options}) {_UNCHECKED}").sqlstate == "22023"


def test_nobody_waits_for_a_broker_that_says_nothing(
    server: MemoryServer, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, server.connect() as other:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        asking = psycopg.connect(server.dsn(), autocommit=True)
        asking.pgconn.send_query(f"CREATE CONNECTION own.m TO KAFKA (BROKER '{address}')".encode())
        unanswered, _ = mute.accept()
        assert other.execute("SELECT 1").fetchall() == [(1,)]
        other.execute("SELECT pg_cancel_backend(%s)", [asking.info.backend_pid])
        # `get_result` would hold Python's lock until the answer is there, which comes from this process.
        cancelled = asking.wait(generators.fetch(asking.pgconn))
        assert cancelled is not None and cancelled.status == pq.ExecStatus.FATAL_ERROR
        asking.close()
        unanswered.close()
    assert session.execute("SHOW CONNECTIONS").fetchall() == []


def test_a_restart_and_a_new_key_keep_all_of_it_and_no_file_has_the_secret(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    old, new = new_key(RANDOMNESS), new_key(RANDOMNESS)
    needles = [b"hunter2-plain", b"hunter2-bytes", old, new]
    needles += [needle.hex().encode() for needle in needles]

    def running(ring: Keyring) -> Any:
        consensus = open_consensus(f"sqlite:///{tmp_path / 'consensus.sqlite'}")
        return memory_server(consensus, open_blob(str(tmp_path / "blob")), ring)

    with running(Keyring((old,))) as server, server.connect() as session:
        session.execute("CREATE SECRET p AS 'hunter2-plain'")
        session.execute("CREATE SECRET b AS '\\x68756e746572322d6279746573'::bytea")
        session.execute(f"CREATE CONNECTION c TO KAFKA (BROKER 'a:1', {_LOGIN} p) {_UNCHECKED}".encode())
        refused(session, "CREATE SECRET q AS 'hunter2-plain'::int")
        refused(session, "CREATE SECRET q AS 'hunter2-plain' 'hunter2-plain'")
        sql = session.execute("SHOW CREATE CONNECTION c").fetchall()
    with running(Keyring((new, old))) as server:
        assert (value_of(server, "p"), value_of(server, "b")) == (b"hunter2-plain", b"hunter2-bytes")
    with running(Keyring((new,))) as server, server.connect() as session:
        assert (value_of(server, "p"), value_of(server, "b")) == (b"hunter2-plain", b"hunter2-bytes")
        assert session.execute("SHOW CREATE CONNECTION c").fetchall() == sql
        session.execute("ALTER SECRET p AS 'hunter2-plain'")
    with running(Keyring((old,))) as server, server.connect() as session:
        assert refused(session, "VALIDATE CONNECTION c").sqlstate == "55000"
        session.execute("CREATE SECRET again AS 'x'")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    told = "".join(capfd.readouterr()).encode()
    assert files and not any(needle in text for needle in needles for text in [told, *(f.read_bytes() for f in files)])
