"""A server as users start one answers over HTTP."""

from __future__ import annotations

import httpx
import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


def test_a_server_lives_is_ready_and_answers(headwater_server: ServerProcess) -> None:
    with psycopg.connect(headwater_server.dsn(), autocommit=True) as session:
        session.execute("CREATE SOURCE served_over_http FROM WEBHOOK BODY FORMAT TEXT")
        row = session.execute(
            "SELECT url FROM mz_internal.mz_webhook_sources WHERE name = 'served_over_http'"
        ).fetchone()
        assert row is not None
        url = httpx.URL(row[0])
        session.execute("DROP SOURCE served_over_http")
    with httpx.Client(base_url=url.copy_with(path="/"), timeout=60) as client:
        assert client.get("/api/livez").text == "ok\n"
        assert client.get("/api/readyz").text == "ready\n"
        answer = client.post("/api/sql", json={"query": "SELECT 1 + 1"}, auth=("headwater", ""))
        assert answer.json()["results"][0]["rows"] == [["2"]]
        assert client.post("/api/sql", json={"query": "SELECT 1"}).status_code == 401
