"""Metrics: what Prometheus reads of a scrape moves with what happens, stays bounded, and is for monitors alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_families
from prometheus_client.parser import text_string_to_metric_families

from model.time.clock import SystemClock, SystemRandomness
from server.admission.gate import WITH_PASSWORD
from server.api import metric_families
from server.api.loop_delay import LoopDelay
from server.api.metrics import METRICS
from server.http.server import HttpServer
from server.ledgers import measures
from server.ledgers.statement_log import StatementLog
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.verifier import Verifier
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server

_PATIENCE_S = 120.0
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


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


def scraped(client: httpx.Client) -> Samples:
    answer = client.get(METRICS)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return samples_of(answer.text)


def samples_of(text: str) -> Samples:
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in found, "a series is told once"
            found[key] = sample.value
    return found


def value(samples: Samples, of: str, /, **labels: str) -> float | None:
    """The only sample with at least these labels; None when there is none."""
    found = [each for (known, given), each in samples.items() if known == of and labels.items() <= dict(given).items()]
    assert len(found) < 2, found
    return found[0] if found else None


def test_statements_sessions_and_commits_are_counted(server: MemoryServer, client: httpx.Client) -> None:
    asked(client, "CREATE TABLE counted (a int)")
    before = scraped(client)
    asked(client, "INSERT INTO counted VALUES (1); SELECT 1; SELECT 2")
    with server.connect() as session:
        session.execute("INSERT INTO counted VALUES (%s)", [2])
        after = scraped(client)

    def gained(name: str, /, **labels: str) -> float:
        return (value(after, name, **labels) or 0) - (value(before, name, **labels) or 0)

    kinds = {kind: gained("mz_query_total", session_type="user", statement_type=kind) for kind in ("insert", "select")}
    assert kinds == {"insert": 2, "select": 2}
    assert gained("headwater_query_duration_seconds_count") == 2
    assert gained("headwater_commits_total") == gained("headwater_committed_transactions_total") == 2
    assert value(after, "mz_active_sessions", session_type="user") == 1
    assert (value(after, "headwater_process_resident_memory_bytes", part="server") or 0) > 1 << 20
    assert (value(after, "headwater_process_cpu_seconds_total", part="server") or 0) > 0


def test_ends_of_statements_are_counted_by_application(
    server: MemoryServer, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(application: str) -> dict[str, float]:
        return {
            dict(labels)["status"]: found
            for (name, labels), found in scraped(client).items()
            if name == "mz_adapter_commands_total" and dict(labels)["application_name"] == application
        }

    with server.connect() as session:
        session.execute("SET application_name = 'counted by name'")
        session.execute("SELECT 1")
        session.execute("SELECT %s::int", [2])
        with pytest.raises(psycopg.Error):
            session.execute("SELECT 1 / 0")
        with pytest.raises(psycopg.Error):
            session.execute("SELECT %s::int / 0", [2])
        session.execute("SET statement_timeout = '10 ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):
            session.execute("SELECT pg_sleep(60)")
        session.execute("SET statement_timeout = 0")
        monkeypatch.setattr(server.environment.observed, "statement_log", StatementLog(SystemClock(), 0))
        with server.connect() as unlogged:
            unlogged.execute("SET application_name = 'without a log'")
            unlogged.execute("SELECT 1")
        # The first SET was still another application's.
        assert ends("counted by name") == {"success": 4, "error": 2, "canceled": 1}
        assert ends("without a log") == {"success": 1}
        monkeypatch.setattr(measures, "_APPLICATIONS_MAX", 0)
        session.execute("SET application_name = 'one too many'")
        session.execute("SELECT 1")
        assert ends("one too many") == {}
        assert ends("(others)") == {"success": 1}


def test_commands_to_replicas_are_counted(client: httpx.Client) -> None:
    asked(client, "CREATE TABLE commanded (a int)")

    def gained() -> tuple[float, float]:
        samples = scraped(client)
        created = value(samples, "mz_compute_commands_total", command_type="CreateDataflow") or 0
        return created, value(samples, "mz_compute_replica_history_dataflow_count") or 0

    created, known = gained()
    asked(client, "CREATE MATERIALIZED VIEW commands AS SELECT count(*) FROM commanded")
    assert gained() == (created + 1, known + 1)


def test_subscriptions_are_counted_until_they_end(server: MemoryServer, client: httpx.Client) -> None:
    asked(client, "CREATE TABLE followed (a int)")
    assert value(scraped(client), "mz_active_subscribes", session_type="user") == 0
    with server.connect() as session:
        session.execute("BEGIN")
        session.execute("DECLARE c CURSOR FOR SUBSCRIBE followed")
        session.execute("FETCH 1 c WITH (TIMEOUT = '0 s')")
        assert value(scraped(client), "mz_active_subscribes", session_type="user") == 1
        session.execute("ROLLBACK")
        assert value(scraped(client), "mz_active_subscribes", session_type="user") == 0


def test_maintained_objects_tell_their_lag_once_they_are_hydrated(client: httpx.Client) -> None:
    asked(client, "CREATE TABLE base (a int); INSERT INTO base VALUES (1)")
    asked(client, "CREATE MATERIALIZED VIEW kept AS SELECT sum(a) FROM base")
    asked(client, "SELECT * FROM kept")
    samples = scraped(client)
    (id_,) = [
        dict(labels)["object_id"]
        for (name, labels) in samples
        if name == "mz_object_info" and dict(labels)["name"] == "kept"
    ]
    assert value(samples, "mz_object_info", object_id=id_, type="materialized-view", schema_name="public") == 1
    assert value(samples, "headwater_dataflow_hydrated", collection_id=id_) == 1
    assert value(samples, "headwater_dataflow_failing", collection_id=id_) == 0
    lag = value(samples, "mz_dataflow_wallclock_lag_seconds", collection_id=id_, quantile="1")
    assert lag is not None and 0 <= lag < 60
    assert value(samples, "mz_compute_controller_hydration_queue_size") == 0


def test_sources_and_sinks_tell_whether_they_run(client: httpx.Client, tmp_path: Path) -> None:
    asked(client, "CREATE SOURCE ticking FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100 ms')")
    asked(client, "CREATE TABLE sunk (a int); INSERT INTO sunk VALUES (1)")
    asked(client, f"CREATE SINK down FROM sunk INTO SQLITE (PATH '{tmp_path}/out.db') KEY (a)")
    asked(client, "INSERT INTO sunk VALUES (2)")

    def rows_gone_out() -> float | None:
        return value(scraped(client), "headwater_sink_rows_total")

    deadline = time.monotonic() + _PATIENCE_S
    while rows_gone_out() != 2:
        assert time.monotonic() < deadline, rows_gone_out()
    samples = scraped(client)
    assert value(samples, "headwater_sink_running") == value(samples, "headwater_source_running") == 1
    assert value(samples, "mz_source_info", type="load-generator", envelope_type="") == 1
    assert value(samples, "mz_sink_info", type="sqlite", envelope_type="upsert") == 1
    names = {dict(labels)["name"]: dict(labels)["object_id"] for name, labels in samples if name == "mz_object_info"}
    completion = value(samples, "headwater_completion_lag_seconds", object_id=names["sunk"])
    assert completion is not None and 0 <= completion < _PATIENCE_S
    assert value(samples, "headwater_completion_lag_seconds", object_id=names["ticking"]) is None, "no sink"
    asked(client, "INSERT INTO sunk VALUES (2)")
    while value(scraped(client), "headwater_sink_running") != 0:
        assert time.monotonic() < deadline
    asked(client, "DROP SINK down; DROP SOURCE ticking")
    assert value(scraped(client), "headwater_sink_running") is None


def test_series_are_bounded_and_what_is_left_out_is_counted(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(client, "".join(f"CREATE TABLE many_{number} (a int);" for number in range(12)))
    monkeypatch.setattr(metric_families, "OBJECTS_MAX", 10)
    samples = scraped(client)
    assert sum(name == "mz_object_info" for name, _ in samples) == 10
    assert (value(samples, "headwater_series_left_out", family="mz_object_info") or 0) >= 2


def test_names_of_any_letters_are_read_back(client: httpx.Client) -> None:
    name = 'a"b\\c\nd é'
    quoted = '"' + name.replace('"', '""') + '"'
    asked(client, f"CREATE TABLE {quoted} (a int)")
    assert value(scraped(client), "mz_object_info", name=name) == 1


def test_the_open_metrics_format_is_spoken(client: httpx.Client) -> None:
    answer = client.get(METRICS, headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert "mz_query" in {family.name for family in open_families(answer.text)}  # type: ignore[no-untyped-call]


def test_metrics_are_for_monitors(server: MemoryServer) -> None:
    policy = AuthenticationPolicy(Verifier.of("whole", SystemRandomness()))
    with server.connect() as session:
        for role in ("watching", "curious"):
            session.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'x'")
        session.execute("GRANT pg_monitor TO watching")
        with api_of(server, WITH_PASSWORD, policy) as http, client_of(http, auth=None) as client:
            assert client.get(METRICS).status_code == 401
            assert client.get(METRICS, auth=("curious", "x")).status_code == 403
            assert client.get(METRICS, auth=("watching", "x")).status_code == 200
            assert client.get(METRICS, auth=("headwater", "whole")).status_code == 200
            rebound = {"host": "evil.example"}
            assert client.get(METRICS, auth=("headwater", "whole"), headers=rebound).status_code == 403
            assert client.post(METRICS, auth=("headwater", "whole")).status_code == 405
            session.execute("REVOKE pg_monitor FROM watching")
            assert client.get(METRICS, auth=("watching", "x")).status_code == 403


async def test_the_loops_delay_is_seen() -> None:
    registry = CollectorRegistry()
    delay = LoopDelay(registry)
    delay.start()
    await asyncio.sleep(0)
    threading.Event().wait(0.6)
    await asyncio.sleep(0.01)
    delay.stop()
    samples = samples_of(generate_latest(registry).decode())
    late = value(samples, "headwater_event_loop_delay_seconds_sum")
    assert late is not None and late > 0.2
