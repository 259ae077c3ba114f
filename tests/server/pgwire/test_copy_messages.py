"""COPY in many small messages: a batch's cost is that of many rows, however the client cuts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from server.writes.writing import TableWriter
from tests.server.memory_server import memory_server
from tests.server.pgwire.frames import COPY_DONE, frame, query
from tests.server.pgwire.talk import Talk

_ROWS = 3_000


@pytest.mark.parametrize("at_once", [1, 100, _ROWS])
def test_rows_are_staged_many_at_once(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    sizes: list[int] = []
    add_rows = TableWriter.add_rows

    async def counted(self: TableWriter, rows: Sequence[Any]) -> None:
        sizes.append(len(rows))
        await add_rows(self, rows)

    monkeypatch.setattr(TableWriter, "add_rows", counted)
    with memory_server() as server:
        talk = Talk(server.port)
        talk.say(query("CREATE TABLE t (a int, b text)"))
        talk.send(query("COPY t FROM STDIN"))
        talk.until("G")
        for start in range(0, _ROWS, at_once):
            talk.send(b"".join(frame("d", f"{row}\tx\n".encode()) for row in range(start, start + at_once)))
        talk.send(COPY_DONE)
        assert talk.until("Z")[0] == ("C", b"COPY 3000\0")
        assert any("3000" in told for told in talk.say(query("SELECT count(DISTINCT a) FROM t")))
        talk.close()
    assert len(sizes) <= 4


def test_what_a_row_breaks_is_told_however_late_it_is_staged() -> None:
    with memory_server() as server:
        talk = Talk(server.port)
        talk.say(query("CREATE TABLE t (a int NOT NULL CHECK (a > 0))"))
        for bad, sqlstate in (("\\N", "23502"), ("0", "23514")):
            talk.send(query("COPY t FROM STDIN"))
            talk.until("G")
            talk.send(frame("d", b"5\n") + frame("d", f"{bad}\n".encode()) + COPY_DONE)
            assert f"C{sqlstate}".encode() in talk.until("E")[-1][1]
            talk.until("Z")
        assert talk.say(query("SELECT a FROM t"))[-2] == "C b'SELECT 0\\x00'"
        talk.close()
