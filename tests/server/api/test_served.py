"""A server as users start one answers over HTTP."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import psycopg
import pytest

from server.api.metrics import METRICS
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


def _address(session: psycopg.Connection[tuple[object, ...]]) -> httpx.URL:
    """Where the server listens for HTTP, as it tells of a webhook source."""
    session.execute("CREATE SOURCE served_over_http FROM WEBHOOK BODY FORMAT TEXT")
    row = session.execute("SELECT url FROM mz_internal.mz_webhook_sources WHERE name = 'served_over_http'").fetchone()
    assert row is not None
    session.execute("DROP SOURCE served_over_http")
    return httpx.URL(str(row[0]))


def test_a_server_lives_is_ready_and_answers(headwater_server: ServerProcess) -> None:
    with psycopg.connect(headwater_server.dsn(), autocommit=True) as session:
        url = _address(session)
    with httpx.Client(base_url=url.copy_with(path="/"), timeout=60) as client:
        assert client.get("/api/livez").text == "ok\n"
        assert client.get("/api/readyz").text == "ready\n"
        answer = client.post("/api/sql", json={"query": "SELECT 1 + 1"}, auth=("headwater", ""))
        assert answer.json()["results"][0]["rows"] == [["2"]]
        assert client.post("/api/sql", json={"query": "SELECT 1"}).status_code == 401


def test_the_dashboard_asks_for_metrics_and_labels_that_a_server_tells(headwater_server: ServerProcess) -> None:
    with psycopg.connect(headwater_server.dsn(), autocommit=True) as session:
        session.execute("CREATE TABLE dashed (a int)")
        session.execute("CREATE MATERIALIZED VIEW dashes AS SELECT count(*) FROM dashed")
        session.execute("INSERT INTO dashed VALUES (1)")
        assert session.execute("SELECT * FROM dashed").fetchall() == [(1,)]
        url = _address(session)
        told = httpx.get(url.copy_with(path=METRICS), auth=("headwater", ""), timeout=60).text
        session.execute("DROP MATERIALIZED VIEW dashes")
        session.execute("DROP TABLE dashed")
    dashboard = json.loads((Path(__file__).parents[3] / "docs" / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names = {name for expr in asked for name in re.findall(r"\b(?:mz|headwater)_\w+", expr)}
    assert len(names) > 20
    described = {line.split()[2] for line in told.splitlines() if line.startswith("# TYPE ")}
    for name in names:
        assert any(name in (known, f"{known}_bucket", f"{known}_count") for known in described), name
    for label in {
        label for expr in asked for group in re.findall(r"by \(([^)]*)\)", expr) for label in group.split(", ")
    }:
        assert re.search(rf'[{{,]{label}="', told), label
