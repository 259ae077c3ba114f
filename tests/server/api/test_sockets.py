"""SQL over a WebSocket: who comes in, every message, subscriptions, and what ends with its client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from server.http.server import HttpServer
from tests.http_api import api_of
from tests.server.memory_server import MemoryServer, memory_server
from tests.web_sockets import LOGIN, SqlSocket, eventually, raw_socket_to, socket_to

_READY = ("ReadyForQuery", "I")


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server) as listening:
        yield listening


@pytest.fixture
def socket(http: HttpServer) -> Iterator[SqlSocket]:
    with socket_to(http) as made:
        yield made


@pytest.fixture
def other(server: MemoryServer) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with server.connect() as connection:
        yield connection


def starting(*, has_rows: bool, is_streaming: bool = False) -> tuple[str, dict[str, bool]]:
    return "CommandStarting", {"has_rows": has_rows, "is_streaming": is_streaming}


def columns(*named: tuple[str, int, int]) -> tuple[str, dict[str, Any]]:
    told = [{"name": name, "type_oid": oid, "type_len": length, "type_mod": -1} for name, oid, length in named]
    return "Rows", {"columns": told}


def test_a_session_begins_with_its_variables_and_key(http: HttpServer) -> None:
    with raw_socket_to(http) as made:
        made.send(LOGIN | {"options": {"application_name": "page", "datestyle": "SQL, DMY"}})
        *statuses, key, ready = made.until_ready()
        told = {payload["name"]: payload["value"] for type_, payload in statuses if type_ == "ParameterStatus"}
        assert (told["application_name"], told["DateStyle"]) == ("page", "SQL, DMY")
        assert len(told) == len(statuses)
        assert key[0] == "BackendKeyData"
        assert set(key[1]) == {"conn_id", "secret_key"}
        assert ready == _READY
        assert made.rows("SELECT pg_backend_pid(), current_setting('application_name')") == [
            [str(key[1]["conn_id"]), "page"]
        ]
        kind = "SELECT backend_type FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        assert made.rows(kind) == [["websocket client"]]


def test_rows_commands_and_errors_come_in_their_order(socket: SqlSocket) -> None:
    assert socket.asked("SELECT 1 AS n, 'x' AS t UNION ALL SELECT 2, NULL ORDER BY 1") == [
        starting(has_rows=True),
        columns(("n", 23, 4), ("t", 25, -1)),
        ("Row", ["1", "x"]),
        ("Row", ["2", None]),
        ("CommandComplete", "SELECT 2"),
        _READY,
    ]
    assert socket.asked("CREATE TABLE told (a int); INSERT INTO told VALUES (1); SELECT 1 / a FROM told; SELECT x") == [
        starting(has_rows=False),
        ("CommandComplete", "CREATE TABLE"),
        starting(has_rows=False),
        ("CommandComplete", "INSERT 0 1"),
        starting(has_rows=True),
        columns(("?column?", 23, 4)),
        ("Row", ["1"]),
        ("CommandComplete", "SELECT 1"),
        starting(has_rows=False),
        ("Error", {"message": 'column "x" does not exist', "code": "42703", "position": 88}),
        _READY,
    ]
    assert socket.code("SELECT * FROM told") == "42P01", "a text is one transaction"
    assert socket.asked("") == [_READY]


def test_an_error_among_rows_ends_them(socket: SqlSocket) -> None:
    told = socket.asked("SELECT repeat('x', 1000), 1 / (5000 - n) FROM generate_series(1, 10000) n")
    assert told[0] == starting(has_rows=True)
    assert told[-2:] == [("Error", {"message": "division by zero", "code": "22012"}), _READY]
    assert not any(type_ in ("CommandComplete", "CommandStarting") for type_, _ in told[1:])


def test_queries_take_parameters(socket: SqlSocket) -> None:
    told = socket.asked(
        {
            "queries": [
                {"query": "SELECT $1::int4 + 1 AS n", "params": ["41"]},
                {"query": "SELECT $1::text AS t", "params": [None]},
                {"query": "SELECT $1::int4", "params": ["x"]},
                {"query": "SELECT 1"},
            ]
        }
    )
    assert [payload for type_, payload in told if type_ == "Row"] == [["42"], [None]]
    assert told[-3:-1] == [
        starting(has_rows=False),
        ("Error", {"message": 'invalid input syntax for type integer: "x"', "code": "22P02"}),
    ]


def test_a_transaction_goes_on_over_requests(socket: SqlSocket) -> None:
    socket.asked("CREATE TABLE over (a int)")
    assert socket.asked("BEGIN")[-1] == ("ReadyForQuery", "T")
    assert socket.asked({"queries": [{"query": "INSERT INTO over VALUES (1)"}]})[-1] == ("ReadyForQuery", "T")
    assert socket.asked("SELECT 1 / 0")[-1] == ("ReadyForQuery", "E")
    assert socket.code("SELECT 1") == "25P02"
    assert socket.asked("ROLLBACK")[-1] == _READY
    socket.asked("BEGIN; DECLARE c CURSOR FOR SELECT generate_series(1, 3)")
    assert socket.rows("FETCH 2 FROM c") == [["1"], ["2"]]
    assert socket.asked("COMMIT")[-2:] == [("CommandComplete", "COMMIT"), _READY]


def test_notices_and_changed_variables_are_told(socket: SqlSocket) -> None:
    assert socket.asked("DROP TABLE IF EXISTS none; SET application_name = 'x'") == [
        starting(has_rows=False),
        ("Notice", {"message": 'table "none" does not exist, skipping', "code": "00000", "severity": "notice"}),
        ("CommandComplete", "DROP TABLE"),
        starting(has_rows=False),
        ("CommandComplete", "SET"),
        ("ParameterStatus", {"name": "application_name", "value": "x"}),
        _READY,
    ]


def test_notifications_come_while_nothing_runs(socket: SqlSocket, other: psycopg.Connection[tuple[Any, ...]]) -> None:
    socket.asked("LISTEN news")
    other.execute("NOTIFY news, 'a'")
    type_, payload = socket.next()
    assert (type_, payload["channel"], payload["payload"]) == ("Notification", "news", "a")


def test_text_and_binary_frames_and_parts_of_them_are_taken(socket: SqlSocket) -> None:
    socket.connection.send(b'{"query": "SELECT 1"}')
    assert ("Row", ["1"]) in socket.until_ready()
    socket.connection.send(['{"query": ', '"SELECT', " '\xe9'", '"}'])
    assert ("Row", ["é"]) in socket.until_ready()
    assert socket.connection.ping().wait(60), "a ping is answered"


def test_requests_may_come_together_and_each_is_answered_once(socket: SqlSocket) -> None:
    for n in range(300):
        socket.send({"query": f"SELECT {n}"})
    for n in range(300):
        assert ("Row", [str(n)]) in socket.until_ready()


@pytest.mark.parametrize(
    "message",
    [
        "",
        "SELECT 1",
        "[]",
        "{}",
        '{"query": 1}',
        '{"query": "SELECT 1", "queries": []}',
        '{"query": "SELECT \\u0000"}',
        '{"x": ' + "[" * 100_000,
        b"\xff\xfe",
        b'{"query": "\xff"}',
    ],
)
def test_what_is_no_request_is_told_why_and_the_session_goes_on(socket: SqlSocket, message: str | bytes) -> None:
    socket.connection.send(message)
    (error, ready) = socket.until_ready()
    assert (error[0], error[1]["code"], ready) == ("Error", "08P01", _READY)
    assert socket.rows("SELECT 1") == [["1"]]


@pytest.mark.parametrize("query", ["COPY (SELECT 1) TO STDOUT", "COPY read FROM STDIN"])
def test_copy_is_refused_by_name(socket: SqlSocket, query: str) -> None:
    socket.asked("CREATE TABLE IF NOT EXISTS read (a int)")
    assert socket.code(query) == "0A000"
    assert socket.rows("SELECT 1") == [["1"]]


def test_a_subscription_streams_and_ends_with_a_cancel_request(
    socket: SqlSocket, other: psycopg.Connection[tuple[Any, ...]]
) -> None:
    other.execute("CREATE TABLE watched (a int)")
    ((pid,),) = socket.rows("SELECT pg_backend_pid()")
    socket.send({"query": "SUBSCRIBE watched"})
    assert socket.next() == starting(has_rows=True, is_streaming=True)
    assert [each["name"] for each in socket.next()[1]["columns"]] == ["mz_timestamp", "mz_diff", "a"]
    for n in range(3):
        other.execute("INSERT INTO watched VALUES (%s)", (n,))
        type_, (_, diff, value) = socket.next()
        assert (type_, diff, value) == ("Row", "1", str(n))
    other.execute("SELECT pg_cancel_backend(%s)", (int(pid),))
    error, ready = socket.until_ready()
    assert (error[1]["code"], ready) == ("57014", _READY)
    told = socket.asked({"queries": [{"query": "SUBSCRIBE watched WITH (SNAPSHOT = false) UP TO mz_now()::int8 - 1"}]})
    assert told[-1] == _READY


def test_a_closed_socket_cancels_what_runs(server: MemoryServer, http: HttpServer) -> None:
    with server.connect() as other:
        other.execute("CREATE TABLE leaving (a int)")
        active = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'websocket client'"
        for query in ("BEGIN; INSERT INTO leaving VALUES (1); SELECT pg_sleep(3600)", "SUBSCRIBE leaving"):
            with socket_to(http) as made:
                made.send({"query": query})
                eventually(lambda: other.execute(active + " AND state = 'active'").fetchall() == [(1,)])
            eventually(lambda: other.execute(active).fetchall() == [(0,)])
        assert other.execute("SELECT count(*) FROM leaving").fetchall() == [(0,)]
    eventually(lambda: server.places.taken == 0)
    assert not any(each.active for each in server.environment.clients.subscriptions)


def test_a_session_is_ended_from_outside(socket: SqlSocket, other: psycopg.Connection[tuple[Any, ...]]) -> None:
    ((pid,),) = socket.rows("SELECT pg_backend_pid()")
    other.execute("SELECT pg_terminate_backend(%s)", (int(pid),))
    assert socket.next()[1]["code"] == "57P01"
    with pytest.raises(ConnectionClosed) as closed:
        socket.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001


def test_a_running_statement_is_ended_from_outside_and_told_once(
    socket: SqlSocket, other: psycopg.Connection[tuple[Any, ...]]
) -> None:
    ((pid,),) = socket.rows("SELECT pg_backend_pid()")
    other.execute("CREATE TABLE ending (a int)")
    socket.send({"query": "SUBSCRIBE ending"})
    assert socket.next()[0] == "CommandStarting"
    other.execute("SELECT pg_terminate_backend(%s)", (int(pid),))
    told = []
    with pytest.raises(ConnectionClosed):
        while True:
            told.append(socket.next())
    assert [payload["code"] for type_, payload in told if type_ == "Error"] == ["57P01"]


def test_a_server_that_ends_says_so(server: MemoryServer) -> None:
    with api_of(server) as http:
        with socket_to(http) as idle, raw_socket_to(http) as unknown:
            server.run(http.shut_down(5))
            assert idle.next()[1]["code"] == "57P01"
            for each in (idle, unknown):
                with pytest.raises(ConnectionClosed):
                    each.next()
        assert http.connection_count == 0
