"""A server whose code has changed goes on with what the former code kept, but for views over a mended function."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.polling import polls
from tests.server_process import ServerProcess, start_from_command_line
from tests.tidy.sources import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_OPTIONS = ("--replica-memory", "1g", "--spark-master", "local[2]", "--http-listen", "none")
_PACKAGES = ("catalog", "compute", "connectors", "model", "planner", "server", "storage", "timeline")
_OBJECTS = """
CREATE TABLE t (a int, word text);
INSERT INTO t SELECT n, 'some ' || n % 3 || 'x words' FROM generate_series(1, 300) AS g (n);
CREATE MATERIALIZED VIEW mended AS SELECT initcap(word) AS word, count(*) AS n FROM t GROUP BY 1;
CREATE MATERIALIZED VIEW straight AS SELECT initcap(word) AS word, a FROM t;
CREATE MATERIALIZED VIEW sums AS SELECT word, sum(a) AS s FROM t GROUP BY word;
CREATE MATERIALIZED VIEW newest AS SELECT DISTINCT ON (word) word, a FROM t ORDER BY word, a DESC;
CREATE VIEW joined AS SELECT t.a, u.word FROM t JOIN t AS u ON t.a = u.a + 1;
CREATE INDEX of_joined ON joined (a);
"""
_DATAFLOWS = 5
_PATIENCE_S = 240.0
_OPENED = re.compile(r"dataflow open .*?hydrated\W+(True|False|true|false)")


def _copy_of_the_code(place: Path) -> Path:
    for package in _PACKAGES:
        # With what is compiled of it, but for files that another process is writing.
        shutil.copytree(ROOT / package, place / package, ignore=shutil.ignore_patterns("*.pyc.*"))
    return place


@contextmanager
def _started(data_dir: Path, code: Path) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    server: ServerProcess = start_from_command_line(data_dir, *_OPTIONS, cwd=code)
    try:
        with server.connect() as connection:
            _until_running(connection)
            yield connection
    finally:
        server.stop()


def _until_running(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    for _ in polls(_PATIENCE_S):
        found = connection.execute("SELECT count(*) FROM mz_internal.mz_dataflow_statuses WHERE status = 'running'")
        if found.fetchone() in ((0,), (_DATAFLOWS,)):
            return
    raise AssertionError("not all dataflows run")


def _opened(data_dir: Path) -> list[bool]:
    """Whether each dataflow of the last replica has gone on with what was kept."""
    life = (data_dir / "replica.log").read_text().rpartition("replica listening")[2]
    return sorted(each.lower() == "true" for each in _OPENED.findall(life))


def _change(source: Path, old: str, new: str) -> None:
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))


@pytest.mark.timeout(900)
def test_changed_code_keeps_all_states_and_a_mended_function_those_of_others(tmp_path: Path) -> None:
    code, data = _copy_of_the_code(tmp_path / "code"), tmp_path / "data"
    mended, straight = "SELECT word, n FROM mended ORDER BY word", "SELECT DISTINCT word FROM straight ORDER BY word"
    with _started(data, code) as connection:
        connection.execute(_OBJECTS)
        _until_running(connection)
        before = [("Some 0x Words", 100), ("Some 1x Words", 100), ("Some 2x Words", 100)]
        assert connection.execute(mended).fetchall() == before
    assert not any(_opened(data))

    for source in (code / "compute").rglob("*.py"):
        source.write_text(f"{source.read_text()}\n_OF_A_NEWER_VERSION = True\n")
    with _started(data, code) as connection:
        assert connection.execute(mended).fetchall() == before
        connection.execute("INSERT INTO t VALUES (301, 'some 0x words')")
        assert connection.execute("SELECT s FROM sums WHERE word = 'some 0x words'").fetchone() == (15451,)
    assert _opened(data) == [True] * _DATAFLOWS, "0 replaced"

    characters = code / "planner" / "functions" / "text" / "characters.py"
    _change(characters, 'function("initcap", _T, TEXT, initcap)', _MENDED)
    _change(code / "planner" / "functions" / "answer_numbers.py", "int]] = {", 'int]] = {"initcap_text": 2,')
    with _started(data, code) as connection:
        after = [("SOME 0X WORDS", 101), ("SOME 1X WORDS", 100), ("SOME 2X WORDS", 100)]
        assert connection.execute(mended).fetchall() == after
        assert connection.execute(straight).fetchall() == [(word,) for word, _ in after]
    assert _opened(data) == [False] * 2 + [True] * (_DATAFLOWS - 2), "the two views that call it"


_MENDED = 'function("initcap", _T, TEXT, str.upper)'
