"""Who reads and writes tables by key waits for no Spark: the indexes of small tables hydrate without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ports import free_port
from tests.server_process import start_server


@pytest.mark.timeout(300)
def test_a_new_table_is_changed_by_key_without_spark(tmp_path: Path) -> None:
    nobody = f"spark://127.0.0.1:{free_port()}"
    server = start_server(tmp_path, "--spark-master", nobody)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE accounts (id int PRIMARY KEY, balance int)")
            connection.execute("INSERT INTO accounts SELECT g, 100 FROM generate_series(1, 20) AS g")
            for id_ in range(1, 4):
                connection.execute("UPDATE accounts SET balance = balance - %s WHERE id = %s", (id_, id_))
            connection.execute("INSERT INTO accounts VALUES (3, 0) ON CONFLICT (id) DO UPDATE SET balance = 7")
            connection.execute("CREATE INDEX by_balance ON accounts (balance)")
            told = [
                connection.execute("SELECT balance FROM accounts WHERE id = %s", (id_,)).fetchall() for id_ in (1, 2, 3)
            ]
            found = connection.execute("SELECT id FROM accounts WHERE balance = 98").fetchall()
    finally:
        server.stop()
    assert told == [[(99,)], [(98,)], [(7,)]]
    assert found == [(2,)]
