"""mz_audit_events: what is told of each change of the catalog, in which order, to whom, and for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from catalog.declared.snapshot import AuditEvent
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.updates.update import Update, updates_from_arrow
from server.ledgers.audit_log import AUDIT_DESC, AuditLog
from tests.server.memory_server import MemoryServer, memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus

Told = tuple[Any, ...]
_EVENTS = 'SELECT event_type, object_type, details, "user" FROM mz_audit_events'


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


class Session:
    """A session, and the events since the last time that it looked."""

    def __init__(self, connection: psycopg.Connection[Told]) -> None:
        self.connection = connection
        self._last = self._newest()

    def _newest(self) -> int:
        ((last,),) = self.connection.execute("SELECT coalesce(max(id::text::bigint), 0) FROM mz_audit_events")
        return int(last)

    def told(self, *statements: str) -> list[Told]:
        """Runs statements, and returns what is told of them: the event, the type, the details without ids, the user."""
        for statement in statements:
            self.connection.execute(statement.encode())
        query = f"{_EVENTS} WHERE id::text::bigint > {self._last} ORDER BY id"
        found = self.connection.execute(query.encode()).fetchall()
        self._last = self._newest()
        return [(event, type_, _named(details), user) for event, type_, details, user in found]


def _named(details: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if key != "id" and not key.endswith("_id")}


@pytest.fixture
def session(server: MemoryServer) -> Iterator[Session]:
    with server.connect() as connection:
        yield Session(connection)


def _item(name: str, schema: str = "public") -> dict[str, str]:
    return {"item": name, "schema": schema, "database": "headwater"}


def test_each_statement_is_told_once_committed_in_order(session: Session) -> None:
    user = "headwater"
    told = session.told("CREATE TABLE t (a int, b text)", "CREATE VIEW v AS SELECT a FROM t", "DROP TABLE t CASCADE")
    assert told == [
        ("create", "table", _item("t"), user),
        ("create", "view", _item("v"), user),
        ("drop", "view", _item("v"), user),
        ("drop", "table", _item("t"), user),
    ]


def test_indexes_and_views_are_told_with_their_cluster(session: Session) -> None:
    session.told("CREATE TABLE kept (a int PRIMARY KEY)")
    session.connection.execute("CREATE MATERIALIZED VIEW held AS SELECT a FROM kept")
    session.connection.execute("CREATE INDEX by_a ON held (a)")
    query = f"{_EVENTS} WHERE details->>'cluster_id' = '16385' ORDER BY id DESC LIMIT 2"
    assert [row[2]["item"] for row in session.connection.execute(query.encode())] == ["by_a", "held"]
    ids = "SELECT o.name FROM mz_audit_events e JOIN mz_objects o ON o.id = e.details->>'id' WHERE o.name = 'held'"
    assert session.connection.execute(ids.encode()).fetchall() == [("held",)]
    dropped = session.told("DROP TABLE kept CASCADE")
    assert {row[2]["item"] for row in dropped if row[0] == "drop"} == {"kept", "kept_pkey", "held", "by_a"}


def test_alterations_say_what_was_altered(session: Session) -> None:
    session.told("CREATE TABLE a (x int)", "CREATE SCHEMA s", "CREATE TYPE mood AS ENUM ('sad')", "CREATE SEQUENCE q")
    told = session.told(
        "ALTER TABLE a ADD COLUMN y int",
        "ALTER TABLE a RENAME COLUMN y TO z",
        "ALTER TABLE a RENAME TO b",
        "ALTER TABLE b SET SCHEMA s",
        "ALTER SCHEMA s RENAME TO s2",
        "ALTER TYPE mood ADD VALUE 'ok'",
        "ALTER SEQUENCE q INCREMENT 2",
        "ALTER TABLE s2.b ENABLE ROW LEVEL SECURITY",
    )
    assert [(event, type_, details) for event, type_, details, _ in told] == [
        ("alter", "table", _item("a") | {"change": "added column"}),
        ("alter", "table", _item("a") | {"change": "renamed column", "old_column": "y", "new_column": "z"}),
        ("alter", "table", {"old_name": _item("a"), "new_name": _item("b")}),
        ("alter", "table", {"old_name": _item("b"), "new_name": _item("b", "s")}),
        ("alter", "schema", {"database_name": "headwater", "old_name": "s", "new_name": "s2"}),
        ("alter", "type", _item("mood") | {"change": "added label"}),
        ("alter", "sequence", _item("q")),
        ("alter", "table", _item("b", "s2") | {"change": "switched row security"}),
    ]
    dropped = session.told("DROP SCHEMA s2 CASCADE")
    assert [(event, type_) for event, type_, _, _ in dropped] == [("drop", "table"), ("drop", "schema")]


def test_moves_to_other_clusters_say_from_where_to_where(session: Session) -> None:
    session.told("CREATE CLUSTER c (REPLICATION FACTOR 0)", "CREATE SOURCE moved FROM LOAD GENERATOR COUNTER")
    ((oid,),) = session.connection.execute("SELECT id FROM mz_clusters WHERE name = 'c'").fetchall()
    (moved,) = session.told("ALTER SOURCE moved SET CLUSTER c")
    assert moved == ("alter", "source", _item("moved"), "headwater")
    places = (
        "SELECT details->>'old_cluster_id', details->>'new_cluster_id' FROM mz_audit_events ORDER BY id DESC LIMIT 1"
    )
    assert session.connection.execute(places.encode()).fetchall() == [("16385", oid)]
    session.told("DROP SOURCE moved", "DROP CLUSTER c")


def test_roles_privileges_owners_and_comments_are_told(session: Session) -> None:
    told = session.told(
        "CREATE TABLE g (a int)",
        "CREATE ROLE alice LOGIN PASSWORD 'never-told'",
        "CREATE ROLE readers",
        "GRANT readers TO alice",
        "GRANT SELECT ON g TO alice, PUBLIC",
        "GRANT SELECT ON g TO alice",
        "GRANT UPDATE (a) ON g TO readers",
        "REVOKE SELECT ON g FROM PUBLIC",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO readers",
        "COMMENT ON COLUMN g.a IS 'a word that is not told'",
        "ALTER TABLE g OWNER TO alice",
        "ALTER ROLE alice PASSWORD 'nor-this'",
        "ALTER ROLE alice SET search_path = s",
        "REVOKE readers FROM alice",
        "DROP OWNED BY readers",
        "DROP TABLE g",
        "DROP ROLE readers",
    )
    assert [(event, type_) for event, type_, _, _ in told] == [
        ("create", "table"),
        ("create", "role"),
        ("create", "role"),
        ("grant", "role"),
        ("grant", "table"),
        ("grant", "table"),
        ("grant", "table"),
        ("revoke", "table"),
        ("grant", "table"),
        ("comment", "table"),
        ("alter", "table"),
        ("alter", "role"),
        ("alter", "role"),
        ("revoke", "role"),
        *[(event, type_) for event, type_, _, _ in told[14:-2]],
        ("drop", "table"),
        ("drop", "role"),
    ]
    assert ("revoke", "table") in [(event, type_) for event, type_, _, _ in told[14:-2]]
    assert told[4][2] == {"privileges": "r"} and told[6][2] == {"privileges": "w", "column": "a"}
    assert told[9][2] == _item("g") | {"column": "a"}
    assert told[11][2] == {"name": "alice", "changed": ["password"]}
    assert told[12][2] == {"name": "alice", "setting": "search_path"}
    everything = str(session.connection.execute(_EVENTS.encode()).fetchall())
    assert "never-told" not in everything and "nor-this" not in everything and "not told" not in everything


def test_a_transaction_is_told_at_its_commit_and_what_it_took_back_is_not(session: Session) -> None:
    connection = session.connection
    assert session.told() == []
    with pytest.raises(psycopg.errors.DivisionByZero), connection.transaction():
        connection.execute("CREATE TABLE taken_back (a int)")
        connection.execute("SELECT 1 / 0")
    with connection.transaction():
        connection.execute("CREATE TABLE first (a int)")
        assert connection.execute(f"{_EVENTS} WHERE details->>'item' = 'first'".encode()).fetchall() == []
        with pytest.raises(psycopg.errors.DivisionByZero), connection.transaction():
            connection.execute("CREATE TABLE second (a int)")
            connection.execute("SELECT 1 / 0")
        connection.execute("CREATE TABLE third (a int)")
    assert [details["item"] for _, _, details, _ in session.told()] == ["first", "third"]


def test_each_event_names_the_user_that_came_in(server: MemoryServer, session: Session) -> None:
    session.told("CREATE ROLE worker SUPERUSER", "CREATE ROLE mask SUPERUSER")
    session.connection.execute("SET SESSION AUTHORIZATION worker")
    session.connection.execute("SET ROLE mask")
    ((event, type_, _, user),) = session.told("CREATE SCHEMA masked")
    assert (event, type_, user) == ("create", "schema", "worker")


def test_temporary_relations_are_nobodys_business(session: Session) -> None:
    assert (
        session.told(
            "CREATE TEMPORARY TABLE mine (a int)",
            "CREATE INDEX mine_a ON mine (a)",
            "GRANT SELECT ON mine TO PUBLIC",
            "COMMENT ON TABLE mine IS 'mine'",
            "DROP TABLE mine",
        )
        == []
    )


def test_the_past_has_the_events_of_its_time(session: Session) -> None:
    connection = session.connection
    session.told("CREATE TABLE early (a int)")
    ((now,),) = connection.execute("SELECT mz_now()::text")
    session.told("CREATE TABLE late (a int)")
    named = "details->>'item' IN ('early', 'late')"
    past = f"SELECT details->>'item' FROM mz_audit_events WHERE {named} AS OF {now}"
    assert connection.execute(past.encode()).fetchall() == [("early",)]
    times = (
        "SELECT count(*) FROM (SELECT occurred_at < lag(occurred_at) OVER (ORDER BY id) AS back FROM mz_audit_events)"
    )
    assert connection.execute(f"{times} AS each WHERE back".encode()).fetchall() == [(0,)]


def test_events_outlive_the_server_and_go_on_where_they_were() -> None:
    places = MemoryConsensus(), MemoryBlob()
    with memory_server(*places) as server, server.connect() as connection:
        connection.execute("CREATE TABLE kept (a int)")
        before = connection.execute("SELECT * FROM mz_audit_events ORDER BY id").fetchall()
    with memory_server(*places) as server, server.connect() as connection:
        connection.execute("DROP TABLE kept")
        *first, last = connection.execute("SELECT * FROM mz_audit_events ORDER BY id").fetchall()
        assert first == before and last[1:3] == ("drop", "table")
        assert int(last[0]) == int(first[-1][0]) + 1


def _events(first: int, last: int) -> list[AuditEvent]:
    return [AuditEvent(number, "create", "table", "{}", None, number) for number in range(first, last + 1)]


def _written(log: AuditLog, events: list[AuditEvent]) -> list[Update]:
    return updates_from_arrow(log.updates(events, Timestamp(9)), AUDIT_DESC)


@pytest.mark.parametrize("come", [1, 2, 3, 4, 7])
def test_the_newest_events_are_kept_alike_in_memory_and_in_the_shard(come: int) -> None:
    log, durable = AuditLog((), most=4), list[Update]()
    for first, last in ((1, 3), (4, 3 + come), (4 + come, 4 + come)):
        events = _events(first, last)
        durable += _written(log, events)
        log.add(events)
    assert [event.number for event in log.until(Timestamp(1_000))] == list(range(come + 1, come + 5))
    assert AuditLog(durable, most=4).until(Timestamp(1_000)) == log.until(Timestamp(1_000))
    held = Counter[Row]()
    for update in durable:
        held[update.row] += update.diff
    assert {number for (number, *_), count in held.items() if count} == set(range(come + 1, come + 5))
    assert [event.number for event in log.until(Timestamp(come + 2))] == [come + 1, come + 2]
