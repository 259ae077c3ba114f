"""Rows that are all there at once are answered without batches, and still don't pile up before their client."""

from __future__ import annotations

import psycopg
import pytest

from server.pgwire.state import Machine
from tests.server.memory_server import memory_server

_WIDE = 1 << 17
_STATEMENTS = 20


def test_one_message_of_many_statements_is_answered_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    send_encoded = Machine.send_encoded

    def watched(machine: Machine, data: bytes) -> None:
        send_encoded(machine, data)
        kept.append(machine.output_bytes)

    monkeypatch.setattr(Machine, "send_encoded", watched)
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (k int, wide text)")
        connection.execute("CREATE INDEX ON t (k)")
        connection.execute("INSERT INTO t VALUES (1, repeat('x', %s))", (_WIDE,))
        cursor = connection.execute("SELECT wide FROM t WHERE k = 1;" * _STATEMENTS)
        told = [cursor.fetchall()]
        while cursor.nextset():
            told.append(cursor.fetchall())
    assert told == [[("x" * _WIDE,)]] * _STATEMENTS
    assert _WIDE <= max(kept) < 3 * _WIDE


def test_lookups_of_one_transaction_hold_what_they_read_once() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (k int, v int)")
        connection.execute("CREATE INDEX ON t (k)")
        connection.execute("INSERT INTO t SELECT g % 3, g FROM generate_series(1, 30) g")
        environment = server.environment
        table = next(item.id for item in environment.catalog.state.items.values() if item.name == "t")

        async def held() -> int:
            return len(environment.storage.collection(table).holds)

        connection.execute("BEGIN")
        counts = []
        for _ in range(3):
            for _ in range(10):
                connection.execute("SELECT v FROM t WHERE k = 1 ORDER BY v LIMIT 1").fetchall()
            counts.append(server.run(held()))
        assert counts[0] == counts[1] == counts[2], counts
        connection.execute("COMMIT")
        assert server.run(held()) < counts[0]


def test_a_cursor_reads_its_rows_when_it_is_asked_for_them() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (k int, v int)")
        connection.execute("CREATE INDEX ON t (k)")
        connection.execute("INSERT INTO t VALUES (1, 0)")
        connection.execute("BEGIN")
        connection.execute("DECLARE c CURSOR FOR SELECT 1 / v FROM t WHERE k = 1")
        with pytest.raises(psycopg.errors.DivisionByZero):
            connection.execute("FETCH c")
        connection.execute("ROLLBACK")
