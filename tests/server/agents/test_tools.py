"""Agents read data products, ask queries that write nothing, and write by two calls."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from server.agents.requests import AGENT, DEVELOPER
from server.http.server import HttpServer
from tests.http_api import api_of, client_of
from tests.server.agents.asking import Agent
from tests.server.memory_server import MemoryServer, memory_server

_SETUP = (
    "CREATE TABLE sales (item text, amount int)",
    "INSERT INTO sales VALUES ('nut', 3), ('nut', 4), ('bolt', 5), ('it''s', NULL)",
    "CREATE MATERIALIZED VIEW totals AS SELECT item, sum(amount) AS total FROM sales GROUP BY item",
    "COMMENT ON MATERIALIZED VIEW totals IS 'what was sold of each item'",
    "COMMENT ON COLUMN totals.total IS 'in pieces'",
    "CREATE VIEW dear AS SELECT * FROM sales WHERE amount > 3",
    "CREATE INDEX dear_by_item ON dear (item)",
    "CREATE VIEW plain AS SELECT * FROM sales",
    "CREATE TABLE written (id int PRIMARY KEY, n int)",
    "INSERT INTO written VALUES (1, 10)",
    "CREATE ROLE reader LOGIN",
    "GRANT SELECT ON totals TO reader",
)


_RULES = "host all all 127.0.0.1/32 trust"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running, running.connect() as connection:
        for sql in _SETUP:
            connection.execute(sql.encode())
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server, _RULES) as listening:
        yield listening


@pytest.fixture(scope="module")
def agent(http: HttpServer) -> Agent:
    return Agent(http)


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with server.connect() as connection:
        yield connection


def test_tools_are_listed_with_schemas_and_hints(http: HttpServer) -> None:
    tools = Agent(http).tools()
    assert set(tools) == {
        "get_data_products",
        "get_data_product_details",
        "read_data_product",
        "query",
        "check_view",
        "explain_incrementality",
        "preview_writes",
        "commit_writes",
        "discard_writes",
    }
    assert tools["query"].annotations.read_only_hint and not tools["commit_writes"].annotations.read_only_hint
    assert tools["query"].input_schema["required"] == ["sql"]
    developer = Agent(http, path=DEVELOPER).tools()
    assert set(developer) == {"query_system_catalog", "query", "check_view", "explain_incrementality"}


def test_data_products_are_what_is_kept_up_to_date_and_may_be_read(http: HttpServer, agent: Agent) -> None:
    told = agent.call("get_data_products")
    assert [each["name"] for each in told["columns"]] == ["schema", "name", "kind", "description"]
    assert told["rows"] == [
        ["public", "dear", "indexed view", None],
        ["public", "totals", "materialized view", "what was sold of each item"],
    ]
    assert [row[1] for row in Agent(http, "reader").call("get_data_products")["rows"]] == ["totals"]


def test_details_tell_columns_keys_and_freshness(http: HttpServer, agent: Agent) -> None:
    totals = agent.call("get_data_product_details", name="totals")
    assert totals["columns"]["rows"] == [["item", "text", False, None], ["total", "bigint", False, "in pieces"]]
    ((status, _, hydrated, _, since, upper),) = totals["freshness"]["rows"]
    assert (status, hydrated) == ("running", True) and int(since) <= int(upper)
    dear = agent.call("get_data_product_details", schema="public", name="dear")
    assert dear["keys"]["rows"] == [["dear_by_item", ["item"]]]
    assert agent.failure("get_data_product_details", name="plain") == "42P01"
    assert Agent(http, "reader").failure("get_data_product_details", name="dear") == "42P01"


def test_rows_are_read_by_key_and_as_of_a_time(server: MemoryServer, agent: Agent) -> None:
    assert agent.call("read_data_product", name="totals", key={"item": "nut"})["rows"] == [["nut", "7"]]
    assert agent.call("read_data_product", name="totals", key={"item": "it's"})["rows"] == [["it's", None]]
    assert agent.call("read_data_product", name="totals", key={"total": None})["rows"] == [["it's", None]]
    assert agent.call("read_data_product", name="dear", key={"item": "bolt", "amount": 5})["rows"] == [["bolt", "5"]]
    cut = agent.call("read_data_product", name="totals", limit=2)
    assert len(cut["rows"]) == 2 and cut["truncated"]
    whole = agent.call("read_data_product", name="totals", limit=3)
    assert len(whole["rows"]) == 3 and not whole["truncated"]
    with server.connect() as connection:
        ((now,),) = connection.execute("SELECT mz_now()::text FROM sales LIMIT 1").fetchall()
        connection.execute("INSERT INTO sales VALUES ('nut', 100)")
        try:
            past = agent.call("read_data_product", name="totals", key={"item": "nut"}, as_of=now)
            assert past["rows"] == [["nut", "7"]]
            assert agent.call("query", sql="SELECT sum(amount) FROM sales;", as_of=now)["rows"] == [["12"]]
            assert agent.call("read_data_product", name="totals", key={"item": "nut"})["rows"] == [["nut", "107"]]
        finally:
            connection.execute("DELETE FROM sales WHERE amount = 100")
    for comment in ("; -- note", " -- note", "/* a */; /* b; */ ;"):
        assert agent.call("query", sql=f"SELECT ';'{comment}", as_of=now)["rows"] == [[";"]]
    assert agent.failure("query", sql="SELECT 1; SELECT 2", as_of=now) == "42601"
    assert agent.failure("query", sql="; -- note", as_of=now) == "42601"
    for none in ("yesterday", "1" * 5_000, "-1", "9" * 30):
        assert agent.failure("query", sql="SELECT 1", as_of=none) == "22023"
    assert agent.failure("read_data_product", name="totals", key={"nothing": 1}) == "42703"


def test_queries_have_limits_of_rows_and_time(agent: Agent) -> None:
    told = agent.call("query", sql="SELECT i, i % 2 = 0 AS even FROM generate_series(1, 5000) AS s (i)", limit=3)
    assert told["rows"] == [["1", False], ["2", True], ["3", False]] and told["truncated"]
    assert agent.failure("query", sql="SELECT pg_sleep(30)", timeout_ms=100) == "57014"
    assert agent.failure("query", sql="SELECT 1", limit=0) == "22023"
    assert agent.failure("query", sql="SELECT 1", limit=True) == "22023"
    assert agent.failure("query", sql="SELECT 1", nonsense=1) == "22023"
    assert agent.failure("query") == "22023"
    assert agent.failure("query", sql="SELECT 1 / 0") == "22012"


def test_the_callers_variables_do_not_lift_limits(http: HttpServer) -> None:
    own = {"Statement_Timeout": "0", "DEFAULT_TRANSACTION_ISOLATION": "read committed", "Application_Name": "own"}
    agent = Agent(http, options=own)
    assert agent.failure("query", sql="SELECT pg_sleep(30)", timeout_ms=100) == "57014"
    assert agent.call("query", sql="SELECT current_setting('application_name')")["rows"] == [["own"]]
    told = agent.call("preview_writes", statements=["SELECT current_setting('transaction_isolation')"])
    agent.call("discard_writes", transaction=told["transaction"])
    assert told["results"][0]["rows"] == [["serializable"]]
    developer = Agent(http, path=DEVELOPER, options={"SEARCH_PATH": "public"})
    assert developer.failure("query_system_catalog", sql="SELECT * FROM sales") == "42P01"


def test_what_is_cut_is_no_failed_statement(agent: Agent, connection: Any) -> None:
    for sql in ("SELECT 'cut', * FROM generate_series(1, 100000)", "SELECT 'cut', * FROM sales"):
        assert agent.call("query", sql=sql, limit=2)["truncated"]
    log = "SELECT finished_status FROM mz_internal.mz_recent_activity_log WHERE sql LIKE 'SELECT ''cut''%'"
    assert connection.execute(log).fetchall() == [("success",)] * 2


def test_roles_bound_every_tool(http: HttpServer) -> None:
    reader = Agent(http, "reader")
    assert len(reader.call("query", sql="SELECT * FROM totals")["rows"]) == 3
    assert reader.failure("query", sql="SELECT * FROM sales") == "42501"
    assert reader.failure("check_view", name="dear") == "42501"
    assert reader.failure("explain_incrementality", sql="SELECT * FROM sales") == "42501"
    assert reader.failure("preview_writes", statements=["INSERT INTO written VALUES (7, 7)"]) == "42501"


def test_a_view_is_checked_and_a_query_is_explained(agent: Agent) -> None:
    assert agent.call("check_view", name="totals")["rows"] == []
    assert agent.failure("check_view", name="plain") == "55000"
    told = agent.call("explain_incrementality", sql="SELECT item, max(amount) FROM sales GROUP BY item")
    assert any("Reduce" in line for (line,) in told["rows"])
    assert agent.failure("explain_incrementality", sql="SELECT 1; SELECT 2") == "42601"
    assert agent.failure("explain_incrementality", sql="") == "42601"
    assert agent.failure("explain_incrementality", sql="DELETE FROM sales") == "0A000"


def test_developers_find_system_relations_by_name(http: HttpServer) -> None:
    developer = Agent(http, path=DEVELOPER)
    sql = "SELECT o.name, s.status FROM mz_dataflow_statuses AS s JOIN mz_objects AS o ON o.id = s.object_id"
    sql += " WHERE o.name IN ('totals', 'dear_by_item') ORDER BY 1"
    assert developer.call("query_system_catalog", sql=sql)["rows"] == [
        ["dear_by_item", "running"],
        ["totals", "running"],
    ]


def test_writes_are_told_first_and_committed_by_a_second_call(agent: Agent, connection: Any) -> None:
    told = agent.call(
        "preview_writes",
        statements=["UPDATE written SET n = n + 1 WHERE id = 1 RETURNING n", "INSERT INTO written VALUES (2, 20)"],
    )
    assert told["results"] == [
        {"columns": [{"name": "n", "type": "integer"}], "rows": [["11"]], "truncated": False},
        {"ok": "INSERT 0 1"},
    ]
    ((change),) = told["changes"]
    assert change["table"] == "headwater.public.written"
    assert (change["inserted"], change["deleted"], change["columns"]) == (2, 1, ["id", "n"])
    assert sorted((each["diff"], *each["row"]) for each in change["rows"]) == [
        (-1, "1", "10"),
        (1, "1", "11"),
        (1, "2", "20"),
    ]
    assert connection.execute("SELECT * FROM written").fetchall() == [(1, 10)]
    assert agent.call("commit_writes", transaction=told["transaction"]) == {"ok": "COMMIT"}
    assert connection.execute("SELECT * FROM written ORDER BY id").fetchall() == [(1, 11), (2, 20)]
    assert agent.failure("commit_writes", transaction=told["transaction"]) == "25P01"


def test_rows_are_told_to_who_may_read_them(http: HttpServer, agent: Agent, connection: Any) -> None:
    for sql in (
        "CREATE TABLE parents (id int PRIMARY KEY, secret text)",
        "CREATE TABLE children (parent int REFERENCES parents ON DELETE CASCADE, secret text)",
        "CREATE TABLE partly (id int, secret text)",
        "CREATE TABLE guarded (owner text, secret text)",
        "INSERT INTO parents VALUES (1, 'hidden'), (2, 'hidden')",
        "INSERT INTO children VALUES (1, 'hidden'), (1, 'hidden')",
        "INSERT INTO partly VALUES (1, 'hidden'), (2, 'guess')",
        "INSERT INTO guarded VALUES ('reader', 'hidden'), ('other', 'hidden')",
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON guarded FOR SELECT USING (owner = current_user)",
        "CREATE POLICY every ON guarded FOR DELETE USING (true)",
        "GRANT DELETE ON parents TO reader",
        "GRANT UPDATE, SELECT (id) ON partly TO reader",
        "GRANT SELECT, DELETE ON guarded TO reader",
    ):
        connection.execute(sql)
    statements = ["DELETE FROM parents", "UPDATE partly SET secret = 'guess'", "DELETE FROM guarded"]
    reader = Agent(http, "reader")
    told = reader.call("preview_writes", statements=statements)
    reader.call("discard_writes", transaction=told["transaction"])
    assert "hidden" not in str(told)
    # What an UPDATE leaves as it was is no less for that.
    changes = {each.pop("table"): each for each in told["changes"]}
    assert changes == {
        "headwater.public.parents": {"inserted": 0, "deleted": 2, "withheld": True},
        "headwater.public.children": {"inserted": 0, "deleted": 2, "withheld": True},
        "headwater.public.partly": {"inserted": 2, "deleted": 2, "withheld": True},
        "headwater.public.guarded": {"inserted": 0, "deleted": 2, "withheld": True},
    }
    owned = agent.call("preview_writes", statements=["DELETE FROM parents"])
    agent.call("discard_writes", transaction=owned["transaction"])
    assert [len(each["rows"]) for each in owned["changes"]] == [2, 1]


def test_a_commit_is_refused_where_what_was_read_has_changed(agent: Agent, connection: Any) -> None:
    connection.execute("INSERT INTO written VALUES (30, 1)")
    told = agent.call("preview_writes", statements=["UPDATE written SET n = n + 1 WHERE id = 30"])
    connection.execute("UPDATE written SET n = 50 WHERE id = 30")
    assert agent.failure("commit_writes", transaction=told["transaction"]) == "40001"
    assert connection.execute("SELECT n FROM written WHERE id = 30").fetchall() == [(50,)]


def test_what_is_discarded_or_failed_leaves_nothing(http: HttpServer, agent: Agent, connection: Any) -> None:
    before = connection.execute("SELECT * FROM written ORDER BY id").fetchall()
    insert = ["INSERT INTO written VALUES (40, 1)"]
    discarded = agent.call("preview_writes", statements=insert)["transaction"]
    assert Agent(http, "reader").failure("commit_writes", transaction=discarded) == "25P01"
    assert agent.call("discard_writes", transaction=discarded) == {"ok": "ROLLBACK"}
    assert agent.failure("preview_writes", statements=[*insert, "SELECT 1 / 0"]) == "22012"
    assert connection.execute("SELECT * FROM written ORDER BY id").fetchall() == before


def test_a_transaction_that_nobody_commits_is_given_up(server: MemoryServer, connection: Any) -> None:
    before = connection.execute("SELECT * FROM written ORDER BY id").fetchall()
    with api_of(server, _RULES, held_writes_s=0.1) as http:
        agent = Agent(http)
        name = agent.call("preview_writes", statements=["INSERT INTO written VALUES (60, 1)"])["transaction"]
        sessions = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'agent'"
        while connection.execute(sessions).fetchall() != [(0,)]:
            time.sleep(0.05)
        assert agent.failure("commit_writes", transaction=name) == "25P01"
    assert connection.execute("SELECT * FROM written ORDER BY id").fetchall() == before


def test_a_transaction_that_an_administrator_ends_is_not_committed(agent: Agent, connection: Any) -> None:
    name = agent.call("preview_writes", statements=["INSERT INTO written VALUES (50, 1)"])["transaction"]
    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'agent'")
    assert agent.failure("commit_writes", transaction=name) == "57P01"
    assert connection.execute("SELECT * FROM written WHERE id = 50").fetchall() == []


def test_what_is_ended_from_outside_frees_its_tables_and_its_place(
    http: HttpServer, agent: Agent, connection: Any
) -> None:
    connection.execute("CREATE TABLE held (id int)")
    connection.execute("SET lock_timeout = '5s'")
    ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'agent'"
    names = [agent.call("preview_writes", statements=["INSERT INTO held VALUES (1)"])["transaction"] for _ in range(4)]
    connection.execute(ends)
    connection.execute("ALTER TABLE held ADD COLUMN n int")
    while connection.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'agent'").fetchall():
        time.sleep(0.05)
    # Nor does any of them take one of the user's few places.
    later = agent.call("preview_writes", statements=["INSERT INTO held VALUES (2)"])["transaction"]
    assert [agent.failure("commit_writes", transaction=name) for name in names] == ["57P01"] * 4
    assert agent.failure("discard_writes", transaction=names[0]) == "25P01"
    assert agent.call("commit_writes", transaction=later) == {"ok": "COMMIT"}
    assert connection.execute("SELECT * FROM held").fetchall() == [(2, None)]


def test_an_idle_preview_ends_as_its_user_has_set(http: HttpServer, agent: Agent, connection: Any) -> None:
    connection.execute("CREATE ROLE impatient LOGIN")
    connection.execute("GRANT INSERT ON written TO impatient")
    connection.execute("ALTER ROLE impatient SET idle_in_transaction_session_timeout = '200ms'")
    impatient = Agent(http, "impatient")
    name = impatient.call("preview_writes", statements=["INSERT INTO written VALUES (70, 1)"])["transaction"]
    while connection.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'agent'").fetchall():
        time.sleep(0.05)
    assert impatient.failure("commit_writes", transaction=name) == "25P03"


def test_sequences_count_in_previews(agent: Agent, connection: Any) -> None:
    connection.execute("CREATE TABLE counted (id serial, n int GENERATED ALWAYS AS IDENTITY, text text)")
    told = agent.call("preview_writes", statements=["INSERT INTO counted (text) VALUES ('x'), ('y')"])
    assert sorted(each["row"] for each in told["changes"][0]["rows"]) == [["1", "1", "x"], ["2", "2", "y"]]
    assert agent.call("commit_writes", transaction=told["transaction"]) == {"ok": "COMMIT"}


def test_a_preview_is_bounded_as_a_whole(agent: Agent, connection: Any) -> None:
    begun = time.monotonic()
    assert agent.failure("preview_writes", statements=["SELECT pg_sleep(0.3)"] * 100, timeout_ms=1000) == "57014"
    assert time.monotonic() - begun < 25, "each is bounded by itself, thirty seconds in all"
    for number in (1, 2, 3):
        connection.execute(f"CREATE TABLE many_{number} (id int, text text)".encode())
    fill = "INSERT INTO many_{} SELECT i, repeat('x', {}) FROM generate_series(1, {}) AS s (i)"
    told = agent.call("preview_writes", statements=[fill.format(1, 1, 3000), fill.format(2, 1, 3000)], limit=1000)
    agent.call("discard_writes", transaction=told["transaction"])
    first, second = told["changes"]
    assert (first["inserted"], len(first["rows"]), second.get("too_many")) == (3000, 1000, True)
    told = agent.call("preview_writes", statements=[fill.format(n, 10_000, 12) for n in (1, 2, 3)], limit=1000)
    agent.call("discard_writes", transaction=told["transaction"])
    assert [len(each["rows"]) for each in told["changes"]] == [12, 12, 2]
    told = agent.call("preview_writes", statements=[fill.format(n, 1, 2) for n in (1, 2, 3)], limit=3)
    agent.call("discard_writes", transaction=told["transaction"])
    assert [(each["inserted"], len(each["rows"])) for each in told["changes"]] == [(2, 2), (2, 1), (2, 0)]


def test_a_user_has_few_transactions_that_wait(agent: Agent) -> None:
    names = [agent.call("preview_writes", statements=["SELECT 1"])["transaction"] for _ in range(4)]
    assert agent.failure("preview_writes", statements=["SELECT 1"]) == "53300"
    for name in names:
        agent.call("discard_writes", transaction=name)


def test_the_listener_asks_as_over_sql(http: HttpServer) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with client_of(http) as client:
        assert client.post(AGENT, json=ping).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert client.post(AGENT, json={"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202
        assert client.get(AGENT).status_code == 405
        assert client.post(AGENT, json=ping, headers={"Host": "evil.example"}).status_code == 403
        assert client.post(AGENT, json=ping, headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.post(AGENT, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
        old = client.post(AGENT, json=ping, headers={"MCP-Protocol-Version": "1999-01-01"})
        assert old.json()["error"]["code"] == -32600
        for body, status, code in (
            (b"{", 400, -32700),
            (b"[]", 400, -32600),
            (b'{"method": "ping", "id": 1}', 200, -32600),
            (b'{"jsonrpc": "2.0", "method": "nonsense", "id": "x"}', 200, -32601),
            (b'{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": "nonsense"}}', 200, -32602),
            (b"[" * 100_000, 400, -32600),
        ):
            refused = client.post(AGENT, content=body, headers={"Content-Type": "application/json"})
            assert (refused.status_code, refused.json()["error"]["code"]) == (status, code), body[:100]
    with httpx.Client(base_url=f"http://127.0.0.1:{http.port}") as nobody:
        assert nobody.post(AGENT, json=ping).status_code == 401
