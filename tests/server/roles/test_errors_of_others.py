"""Errors quote values: system relations show them to readers who may read the rows, and to monitors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

from tests.server.memory_server import memory_server
from tests.server.sinks.test_sinks import until

_STATUSES = (
    "SELECT status, error, details IS NULL FROM mz_internal.mz_sink_statuses",
    "SELECT status, error, details IS NULL FROM mz_internal.mz_sink_status_history WHERE status = 'stalled' LIMIT 1",
    "SELECT status, error, details IS NULL FROM mz_internal.mz_source_statuses WHERE name = 'lines'",
)


def _seen(dsn: str, role: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn.replace("user=headwater", f"user={role}"), autocommit=True) as connection:
        return [row for sql in _STATUSES for row in connection.execute(sql.encode()).fetchall()]


def test_an_error_of_a_task_is_shown_to_who_may_read_the_rows(tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("a\n")
    with memory_server() as running, running.connect() as admin:
        admin.execute("CREATE ROLE reader LOGIN; CREATE ROLE monitor LOGIN IN ROLE pg_monitor; CREATE ROLE other LOGIN")
        admin.execute("CREATE TABLE t (k text, v int); INSERT INTO t VALUES ('topsecret', 1)")
        admin.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{tmp_path}/out.db') KEY (k)".encode())
        admin.execute(f"CREATE SOURCE lines FROM FILES '{tmp_path}/lines' FORMAT TEXT".encode())
        until(lambda: [status for status, *_ in _seen(running.dsn(), "headwater")], ["running"] * 2)
        admin.execute("INSERT INTO t VALUES ('topsecret', 2)")
        (tmp_path / "lines").write_text("")
        until(lambda: [status for status, *_ in _seen(running.dsn(), "headwater")], ["stalled"] * 3)
        whole = _seen(running.dsn(), "headwater")
        assert "topsecret" in whole[0][1] and "lines" in whole[2][1] and not whole[2][2]
        assert _seen(running.dsn(), "monitor") == whole
        assert _seen(running.dsn(), "other") == [("stalled", "<insufficient privilege>", True)] * 3
        admin.execute("GRANT SELECT ON t, lines TO reader")
        assert _seen(running.dsn(), "reader") == whole
