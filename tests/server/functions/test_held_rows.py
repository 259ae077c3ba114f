"""What a routine reads and returns is bounded."""

from __future__ import annotations

import psycopg
import pytest

from server.statements import within_routine
from tests.server.memory_server import memory_server

_BODIES = (
    "begin loop return next 1; end loop; end",
    "begin loop return query select 'a row of a text'; end loop; end",
    "begin loop return query execute 'select array[1, 2, 3]'; end loop; end",
    "declare r record; begin for r in select repeat('x', 9) from generate_series(1, 20000) loop null; end loop; end",
)
_RESULTS = ("int", "text", "int[]", "text")


@pytest.mark.parametrize(("body", "result"), [*zip(_BODIES, _RESULTS, strict=True)])
def test_rows_without_end_end_in_an_error(body: str, result: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(within_routine, "HELD_BYTES_MAX", 1 << 20)
    with memory_server() as server, server.connect() as connection:
        text = f"CREATE FUNCTION rows () RETURNS SETOF {result} LANGUAGE plpgsql AS $$ {body} $$"
        connection.execute(text.encode())
        with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="more than 1 MB of rows"):
            connection.execute("SELECT count(*) FROM rows ()")
        connection.rollback()
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
