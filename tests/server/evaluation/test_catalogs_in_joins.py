"""System relations in a query over users' tables: their rows are made where nobody waits for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from catalog.builtin.registry import builtin_with_id
from catalog.declared.relation import BuiltinRelation
from catalog.declared.snapshot import SystemSnapshot
from model.ids.global_id import GlobalId
from model.types.datum import Row
from server.evaluation import system_rows
from tests.server.memory_server import memory_server

_PATIENCE_S = 20
"""How long rows that hold up the event loop wait for what only the loop can do."""


def test_others_are_answered_while_the_rows_of_a_catalog_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered = threading.Event(), threading.Event()
    waits: list[bool] = []
    counts: list[object] = []

    def waiting(id_: GlobalId) -> BuiltinRelation | None:
        found = builtin_with_id(id_)
        if found is None:
            return None

        def rows(snapshot: SystemSnapshot) -> Iterator[Row]:
            begun.set()
            waits.append(answered.wait(_PATIENCE_S))
            yield from found.rows(snapshot)

        return replace(found, rows=rows)

    monkeypatch.setattr(system_rows, "builtin_with_id", waiting)
    with memory_server() as server, server.connect() as one, server.connect() as other:
        one.execute("CREATE TABLE wide (a int, b int, c int)")
        one.execute("INSERT INTO wide VALUES (2, 0, 0)")
        joined = b"SELECT count(*) FROM wide, pg_attribute WHERE attrelid = 'wide'::regclass AND attnum = a"
        asking = threading.Thread(target=lambda: counts.append(one.execute(joined).fetchone()))
        asking.start()
        assert begun.wait(60)
        assert other.execute("SELECT 1").fetchone() == (1,)
        answered.set()
        asking.join(60)
    assert counts == [(1,)] and waits == [True]
