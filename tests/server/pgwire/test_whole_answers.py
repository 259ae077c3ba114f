"""Rows that are all there at once are answered without batches, and still don't pile up before their client."""

from __future__ import annotations

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
