"""SQL over HTTP: both forms of requests, and every field of their answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from server.api.sql import SQL
from server.http.server import HttpServer
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server) as listening:
        yield listening


@pytest.fixture
def client(http: HttpServer) -> Iterator[httpx.Client]:
    with client_of(http) as made:
        yield made


def column(name: str, oid: int, length: int, modifier: int = -1) -> dict[str, Any]:
    return {"name": name, "type_oid": oid, "type_len": length, "type_mod": modifier}


def error_of(client: httpx.Client, query: str) -> dict[str, Any]:
    """The error of the last result, which is the only one with an error."""
    *before, last = asked(client, query)
    assert all("error" not in each for each in before)
    return dict(last["error"])


def test_rows_come_with_their_tag_and_columns(client: httpx.Client) -> None:
    assert asked(client, "SELECT 1 AS n, 'a'::varchar(3) AS v, NULL::numeric(4, 1) AS d, true AS t") == [
        {
            "desc": {
                "columns": [
                    column("n", 23, 4),
                    column("v", 1043, -1, 7),
                    column("d", 1700, -1, 262149),
                    column("t", 16, 1),
                ]
            },
            "rows": [["1", "a", None, True]],
            "tag": "SELECT 1",
            "notices": [],
        }
    ]


def test_a_text_is_one_transaction(client: httpx.Client) -> None:
    told = asked(client, "CREATE TABLE one (a int); INSERT INTO one VALUES (1), (2); SELECT a FROM one ORDER BY a")
    assert [each.get("ok") or each.get("tag") for each in told] == ["CREATE TABLE", "INSERT 0 2", "SELECT 2"]
    assert told[2]["rows"] == [["1"], ["2"]]
    failed = asked(client, "INSERT INTO one VALUES (3); SELECT 1 / (a - 2) FROM one; INSERT INTO one VALUES (4)")
    assert failed[0] == {"ok": "INSERT 0 1", "notices": []}
    assert failed[1:] == [{"error": {"message": "division by zero", "code": "22012"}, "notices": []}]
    assert asked(client, "SELECT count(*) FROM one")[0]["rows"] == [["2"]]
    assert asked(client, "") == asked(client, "-- nothing") == []


def test_queries_are_each_a_transaction_and_take_parameters(client: httpx.Client) -> None:
    asked(client, "CREATE TABLE each (a int, b text)")
    queries = [
        {"query": "INSERT INTO each VALUES ($1, $2)", "params": ["100", None]},
        {"query": "INSERT INTO each VALUES ($1, 'x')", "params": ["200"]},
        {"query": "SELECT a, b FROM each WHERE a >= $1 ORDER BY a", "params": ["100"]},
        {"query": "INSERT INTO each VALUES ($1, $2)", "params": ["many", None]},
        {"query": "INSERT INTO each VALUES (300, '')"},
    ]
    told = client.post(SQL, json={"queries": queries}).json()["results"]
    assert told[:2] == [{"ok": "INSERT 0 1", "notices": []}] * 2
    assert told[2]["rows"] == [["100", None], ["200", "x"]]
    assert told[3]["error"]["code"] == "22P02"
    assert len(told) == 4, "the first error ends them"
    assert asked(client, "SELECT count(*) FROM each")[0]["rows"] == [["2"]], "what came before it stays"


def test_a_transaction_that_is_left_open_is_rolled_back(client: httpx.Client) -> None:
    asked(client, "CREATE TABLE open (a int)")
    asked(client, "BEGIN; INSERT INTO open VALUES (1)")
    client.post(SQL, json={"queries": [{"query": "BEGIN"}, {"query": "INSERT INTO open VALUES (2)"}]})
    assert asked(client, "SELECT count(*) FROM open")[0]["rows"] == [["0"]]
    told = client.post(
        SQL, json={"queries": [{"query": "BEGIN"}, {"query": "INSERT INTO open VALUES (3)"}, {"query": "COMMIT"}]}
    )
    assert [each["ok"] for each in told.json()["results"]] == ["BEGIN", "INSERT 0 1", "COMMIT"]
    assert asked(client, "SELECT count(*) FROM open")[0]["rows"] == [["1"]]


def test_each_query_is_one_statement_with_its_parameters(client: httpx.Client) -> None:
    def code(query: str, *params: str) -> str:
        told = client.post(SQL, json={"queries": [{"query": query, "params": params}]}).json()["results"]
        return str(told[0]["error"]["code"])

    assert code("SELECT 1; SELECT 2") == code("") == "42601"
    assert code("SELECT $1::int") == code("SELECT 1", "1") == "08P01"


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ("9007199254740993", "9007199254740993"),
        ("0.1::float8", "0.1"),
        ("'NaN'::float8", "NaN"),
        ("1.50::numeric(4, 2)", "1.50"),
        ("NULL::bool", None),
        ("false", False),
        ("'é\u2028\"'", 'é\u2028"'),
        ("'{\"a\": [1, null]}'::jsonb", '{"a": [1, null]}'),
        ("'\\x00ff'::bytea", "\\x00ff"),
        ("date '2026-11-27'", "2026-11-27"),
        ("interval '1 day 2 hours'", "1 day 02:00:00"),
        ("timestamptz '2026-11-27 12:00:00+02'", "2026-11-27 10:00:00+00"),
        ("ARRAY[1, NULL, 3]", ["1", None, "3"]),
        ("ARRAY[[true, false], [NULL, true]]", [[True, False], [None, True]]),
        ("'{}'::int[]", []),
        ("LIST[LIST[1], LIST[2, 3]]", [["1"], ["2", "3"]]),
        ("'{a=>1,b=>NULL}'::map[text=>int4]", {"a": "1", "b": None}),
        ("ROW(1, true, 'x'::text)", {"f1": "1", "f2": True, "f3": "x"}),
        ("int4range(1, 5)", "[1,5)"),
        ("'pg_class'::regclass", "pg_class"),
        ("'abc'::char(5)", "abc  "),
    ],
)
def test_values_are_json_where_json_has_them_and_else_their_text(client: httpx.Client, value: str, made: Any) -> None:
    assert asked(client, f"SELECT {value} AS v")[0]["rows"] == [[made]]


def test_errors_have_their_fields(client: httpx.Client) -> None:
    assert error_of(client, "SELECT nothing")["position"] == 8
    asked(client, "CREATE TABLE keyed (k int PRIMARY KEY); INSERT INTO keyed VALUES (1)")
    twice = error_of(client, "INSERT INTO keyed VALUES (1)")
    assert twice["code"] == "23505"
    assert twice["detail"] == "Key (k)=(1) already exists."
    assert "hint" in error_of(client, "SELECT nowhere()")


def test_notices_and_changed_variables_come_with_their_statement(client: httpx.Client) -> None:
    dropped, set_, shown = asked(client, "DROP TABLE IF EXISTS none; SET application_name = 'x'; SHOW application_name")
    assert dropped["notices"] == [
        {"message": 'table "none" does not exist, skipping', "code": "00000", "severity": "notice"}
    ]
    assert set_["parameters"] == [{"name": "application_name", "value": "x"}]
    assert shown["rows"] == [["x"]]
    assert "parameters" not in dropped


def test_options_are_variables_of_the_session(client: httpx.Client) -> None:
    def shown(options: str, name: str) -> str:
        answer = client.post(SQL, params={"options": options}, json={"query": f"SHOW {name}"})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["results"][0]["rows"][0][0])

    assert shown('{"application_name": "a b"}', "application_name") == "a b"
    assert shown('{"datestyle": "SQL, DMY", "database": "headwater"}', "datestyle") == "SQL, DMY"
    for options, why in (
        ('{"nothing": "1"}', "unrecognized configuration parameter"),
        ('{"datestyle": "x"}', "invalid value for parameter"),
        ('{"datestyle": 1}', "no object of strings"),
        ("[]", "no object of strings"),
        ('{"database": "none"}', 'database "none" does not exist'),
    ):
        answer = client.post(SQL, params={"options": options}, json={"query": "SELECT 1"})
        assert answer.status_code == 400
        assert why in answer.text
    assert client.post(SQL, params={"other": "1"}, json={"query": "SELECT 1"}).status_code == 400


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("COPY one FROM STDIN", "COPY FROM STDIN"),
        ("COPY (SELECT 1) TO STDOUT", "COPY TO STDOUT"),
        ("BEGIN; DECLARE c CURSOR FOR SELECT 1", "DECLARE"),
        ("FETCH c", "FETCH"),
        ("CLOSE c", "CLOSE"),
        ("SUBSCRIBE one", "SUBSCRIBE"),
        ("PREPARE p AS SUBSCRIBE one; EXECUTE p", "SUBSCRIBE"),
    ],
)
def test_what_needs_a_client_that_stays_is_refused_by_name(client: httpx.Client, query: str, named: str) -> None:
    asked(client, "CREATE TABLE IF NOT EXISTS one (a int)")
    error = error_of(client, query)
    assert (error["code"], error["message"]) == ("0A000", f"{named} over HTTP is not supported")
    *_, last = client.post(SQL, json={"queries": [{"query": each} for each in query.split("; ")]}).json()["results"]
    assert last["error"]["message"] == f"{named} over HTTP is not supported"


def test_nothing_of_a_text_runs_when_a_statement_of_it_is_refused(client: httpx.Client) -> None:
    (refused,) = asked(client, "BEGIN; CREATE TABLE half (a int); COMMIT; FETCH c")
    assert refused["error"]["code"] == "0A000"
    assert error_of(client, "SELECT * FROM half")["code"] == "42P01"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"SELECT 1",
        b"[]",
        b"{}",
        b'{"query": "SELECT 1", "queries": []}',
        b'{"query": 1}',
        b'{"query": "SELECT 1", "parms": ["1"]}',
        b'{"queries": [{"query": "SELECT $1", "params": [1]}]}',
        b'{"queries": [{"params": []}]}',
        b'{"query": "SELECT \\u0000"}',
        b'{"query": "\\ud800"}',
        b'{"query": "\xff"}',
        b'{"x": ' + b"[" * 100_000,
    ],
)
def test_bodies_that_are_no_requests_are_told_why(client: httpx.Client, body: bytes) -> None:
    answer = client.post(SQL, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.text.startswith("the body is no request for SQL: ")


def test_methods_and_content_types_are_held_to(client: httpx.Client) -> None:
    assert client.get(SQL).status_code == 405
    assert client.get(SQL).headers["allow"] == "POST"
    assert client.options(SQL).status_code == 405, "no page of another site is let in"
    for type_ in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert client.post(SQL, content=b'{"query": ""}', headers={"content-type": type_}).status_code == 415
    named = {"content-type": "application/json; charset=utf-8"}
    assert client.post(SQL, content=b'{"query": ""}', headers=named).json() == {"results": []}


def test_health_is_told_to_anybody(http: HttpServer) -> None:
    with client_of(http, auth=None, headers={"host": "elsewhere.example"}) as anybody:
        for path, text in (("/api/livez", "ok\n"), ("/api/readyz", "ready\n")):
            answer = anybody.get(path)
            assert (answer.status_code, answer.text) == (200, text)
            assert anybody.head(path).status_code == 200
            assert anybody.head(path).content == b""
            assert anybody.post(path).status_code == 405
        assert anybody.get("/api/none").status_code == 404
    with client_of(http) as client:
        for _ in range(3):
            client.get("/api/livez")
        assert http.connection_count == 1, "the connection is kept"
