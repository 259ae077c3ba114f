"""Sources and their tables in information_schema, where tools look for what they can read."""

from __future__ import annotations

from tests.server.memory_server import memory_server

_READABLE = """SELECT relname, CASE relkind WHEN 'r' THEN 'BASE TABLE' ELSE 'VIEW' END FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND relkind IN ('r', 'v') ORDER BY 1"""
_ATTRIBUTES = """SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND relkind IN ('r', 'v') AND attnum > 0 ORDER BY 1, attnum"""


def test_information_schema_lists_sources_as_pg_class_does() -> None:
    with memory_server() as server:
        connection = server.connect()
        connection.autocommit = True
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("CREATE SOURCE counted FROM LOAD GENERATOR COUNTER")
        connection.execute("CREATE SOURCE house FROM LOAD GENERATOR AUCTION FOR ALL TABLES")
        connection.execute("CREATE VIEW v AS SELECT count(*) FROM bids")
        listed = "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
        tables = connection.execute(listed).fetchall()
        assert tables == connection.execute(_READABLE).fetchall()
        assert {("bids", "BASE TABLE"), ("counted", "BASE TABLE"), ("v", "VIEW")} < {*tables}
        columns = """SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
            ORDER BY 1, ordinal_position"""
        assert connection.execute(columns).fetchall() == connection.execute(_ATTRIBUTES).fetchall()
        changed = """SELECT table_name FROM information_schema.tables
            WHERE table_schema = 'public' AND is_insertable_into = 'YES'"""
        assert connection.execute(changed).fetchall() == [("t",)]
        used = "SELECT table_name FROM information_schema.view_table_usage WHERE view_name = 'v'"
        assert connection.execute(used).fetchall() == [("bids",)]
        connection.close()
