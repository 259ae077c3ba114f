"""ALTER SYSTEM: settings of the whole server, which hold once they are loaded."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.server.memory_server import memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus


def _value(connection: psycopg.Connection[tuple[Any, ...]], name: str) -> tuple[Any, ...]:
    query = "SELECT setting, source, reset_val FROM pg_settings WHERE name = %s"
    found = connection.execute(query, (name,)).fetchone()
    assert found is not None
    return found


def _failure(connection: psycopg.Connection[tuple[Any, ...]], *statements: str) -> str | None:
    with pytest.raises(psycopg.Error) as raised:
        for statement in statements:
            connection.execute(statement.encode())
    connection.execute("ROLLBACK")
    connection.execute("RESET ROLE")
    return raised.value.sqlstate


def test_a_setting_holds_for_all_sessions_once_it_is_loaded_and_after_a_restart() -> None:
    consensus, blob = MemoryConsensus(), MemoryBlob()
    with memory_server(consensus, blob) as server, server.connect() as here, server.connect() as there:
        here.execute("ALTER SYSTEM SET lock_timeout = '3s'")
        here.execute("ALTER SYSTEM SET work_mem = '8MB'")
        assert _value(there, "lock_timeout") == ("0", "default", "0")
        there.execute("SET work_mem = '1MB'")
        assert here.execute("SELECT pg_reload_conf()").fetchall() == [(True,)]
        assert _value(there, "lock_timeout") == ("3000", "configuration file", "3000")
        assert _value(there, "work_mem") == ("1024", "session", "8192")
        there.execute("RESET work_mem")
        assert there.execute("SHOW work_mem").fetchall() == [("8MB",)]
        here.execute("ALTER ROLE headwater SET work_mem = '2MB'")
        with server.connect() as later:
            assert _value(later, "work_mem") == ("2048", "user", "2048")
    with memory_server(consensus, blob) as server, server.connect() as here:
        query = "SELECT name, setting FROM pg_file_settings ORDER BY seqno"
        assert here.execute(query).fetchall() == [("lock_timeout", "3s"), ("work_mem", "8MB")]
        assert here.execute("SHOW lock_timeout").fetchall() == [("3s",)]
        here.execute("ALTER SYSTEM RESET ALL")
        assert here.execute("SHOW lock_timeout").fetchall() == [("3s",)]
        here.execute("SELECT pg_reload_conf()")
        assert here.execute("SHOW lock_timeout").fetchall() == [("0",)]
        assert here.execute(query).fetchall() == []


def test_what_a_transaction_has_set_is_given_back_as_the_loaded_setting() -> None:
    with memory_server() as server, server.connect() as here, server.connect() as there:
        there.execute("BEGIN")
        there.execute("SET LOCAL work_mem = '1MB'")
        there.execute("SET lock_timeout = '1s'")
        here.execute("ALTER SYSTEM SET work_mem = '8MB'")
        here.execute("ALTER SYSTEM SET lock_timeout = '9s'")
        here.execute("SELECT pg_reload_conf()")
        assert there.execute("SHOW work_mem").fetchall() == [("1MB",)]
        there.execute("COMMIT")
        assert there.execute("SHOW work_mem").fetchall() == [("8MB",)]
        assert there.execute("SHOW lock_timeout").fetchall() == [("1s",)]


def test_sessions_know_both_ends_of_their_connection_and_who_may_alter_the_system() -> None:
    with memory_server() as server, server.connect() as here:
        query = "SELECT host(inet_client_addr()), inet_client_port(), host(inet_server_addr()), inet_server_port()"
        client, port, address, ours = here.execute(query).fetchall()[0]
        assert (client, address, ours) == ("127.0.0.1", "127.0.0.1", server.port) and port not in (None, ours)
        here.execute("CREATE ROLE reader")
        asked = "SELECT has_parameter_privilege('work_mem', 'SET, alter system with grant option')"
        assert here.execute(asked).fetchall() == [(True,)]
        assert here.execute("SELECT has_parameter_privilege('reader', 'work_mem', 'SET')").fetchall() == [(False,)]
        here.execute("SET ROLE reader")
        assert here.execute(asked).fetchall() == [(False,)]
        assert _failure(here, "SELECT has_parameter_privilege('work_mem', 'READ')") == "22023"


@pytest.mark.parametrize(
    ("statements", "sqlstate"),
    [
        (("ALTER SYSTEM SET nosuch = 1",), "42704"),
        (("ALTER SYSTEM RESET nosuch",), "42704"),
        (("ALTER SYSTEM SET my.own = 1",), "42704"),
        (("ALTER SYSTEM SET server_version = '1'",), "55P02"),
        (("ALTER SYSTEM SET transaction_isolation = 'serializable'",), "55P02"),
        (("ALTER SYSTEM SET role = 'x'",), "55P02"),
        (("ALTER SYSTEM SET work_mem = 'lots'",), "22023"),
        (("ALTER SYSTEM SET application_name = E'a\\nb'",), "22023"),
        (("BEGIN", "ALTER SYSTEM SET work_mem = '8MB'"), "25001"),
        (("SET ROLE reader", "ALTER SYSTEM SET work_mem = '8MB'"), "42501"),
        (("SET ROLE reader", "ALTER SYSTEM RESET ALL"), "42501"),
        (("SET ROLE reader", "SELECT * FROM pg_file_settings"), "42501"),
    ],
)
def test_what_can_not_be_set_is_refused_as_by_postgres(statements: tuple[str, ...], sqlstate: str) -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE ROLE reader")
        assert _failure(connection, *statements) == sqlstate
        assert connection.execute("SELECT * FROM pg_file_settings").fetchall() == []
