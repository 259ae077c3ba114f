"""A new data directory's superuser has the name that is asked for, also in the file with the generated password."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from tests.server_process import start_server

_NAME = "bo:ss"


@pytest.mark.spark
def test_the_superuser_has_the_name_that_was_asked_for(tmp_path: Path) -> None:
    server = start_server(tmp_path / "data", "--superuser", _NAME)
    try:
        dsn = psycopg.conninfo.make_conninfo(server.dsn(), user=_NAME)
        with psycopg.connect(dsn, autocommit=True) as connection:
            asked = "SELECT rolname, rolsuper, current_user FROM pg_roles WHERE oid = 10"
            assert connection.execute(asked).fetchall() == [(_NAME, True, _NAME)]
        # In libpq's form a colon within a field has a backslash.
        assert re.fullmatch(r"\*:\d+:\*:bo\\:ss:\S{20,}\n", (tmp_path / "data" / "pgpass").read_text())
        with pytest.raises(psycopg.OperationalError, match='role "headwater" does not exist'):
            psycopg.connect(psycopg.conninfo.make_conninfo(server.dsn(), user="headwater"))
    finally:
        server.stop()
