"""A SELECT of no columns still has as many rows as its table."""

from tests.server.memory_server import memory_server


def test_rows_without_columns_are_counted() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("INSERT INTO t SELECT generate_series(1, 5000)")
        assert connection.execute("SELECT FROM t").statusmessage == "SELECT 5000"
        assert connection.execute("SELECT FROM t WHERE a > 4990").statusmessage == "SELECT 10"
        assert connection.execute("SELECT FROM t ORDER BY a LIMIT 2").statusmessage == "SELECT 2"
