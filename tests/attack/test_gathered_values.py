"""One value of an aggregate that is larger than a group's rows may be in Java: a worker takes the rows as they come."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server_process import await_spark, java_of, start_server

_TEXTS, _LENGTH = 144, 1 << 20


@pytest.mark.spark
@pytest.mark.slow
def test_a_text_made_of_more_than_a_group_may_be_is_answered(tmp_path: Path) -> None:
    server = start_server(tmp_path, "--replica-memory", "1g")
    try:
        await_spark(tmp_path)
        with server.connect() as connection:
            connection.execute("CREATE TABLE texts (number int, text text)")
            asked = "SELECT string_agg(text, ','), array_agg(number) FILTER (WHERE number < 0) FROM texts"
            assert connection.execute(asked).fetchone() == (None, None)
            assert connection.execute("SELECT string_agg(text, ',') FROM texts").fetchone() == (None,)
            with connection.cursor().copy("COPY texts FROM STDIN") as copy:
                for number in range(_TEXTS):
                    copy.write(f"{number}\t{number:08}{'x' * (_LENGTH - 8)}\n".encode())
            before = java_of(tmp_path)
            asked = "SELECT length(string_agg(text, '')) FROM texts"
            assert connection.execute(asked).fetchone() == (_TEXTS * _LENGTH,)
            asked = "SELECT string_agg(left(text, 8), ',' ORDER BY number DESC) FILTER (WHERE number < 3) FROM texts"
            assert connection.execute(asked).fetchone() == ("00000002,00000001,00000000",)
            assert java_of(tmp_path) == before, "the JVM was ended"
    finally:
        server.stop()
