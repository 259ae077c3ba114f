"""The expectations are PostgreSQL's: every record is recorded again, live, and must come out the same."""

from pathlib import Path

import psycopg
import pytest

from tests.judge import Judge
from tests.slt.records import Query, Statement, files, parse, render
from tests.slt.runner import comparable
from tools.record_slt import recorded

_RECORDS_MIN = 500


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_files_hold_what_postgres_answers(judge: Judge, path: Path) -> None:
    try:
        text = _recorded_alone(judge, path)
    except psycopg.errors.QueryCanceled:
        # PostgreSQL, which is not what is tested here, has been seen to answer nothing for minutes, once.
        text = _recorded_alone(judge, path)
    assert text == path.read_text()


def _recorded_alone(judge: Judge, path: Path) -> str:
    with judge.connect() as connection:
        return recorded(connection, path)


def test_records_are_many_and_complete() -> None:
    records = [record for path in files() for record in parse(path.read_text())]
    assert all(record.recorded for record in records)
    assert len(records) >= _RECORDS_MIN


@pytest.mark.parametrize(
    "text",
    [
        "statement ok\nCREATE TABLE t (a int)\n",
        "# why\nskipif headwater\nstatement error 22012\nSELECT 1 / 0\n",
        "query int4,text rowsort colnames\nSELECT *\nFROM t\n----\na | b\n1 | x\n",
        "statement count 2\nDELETE FROM t\n\nquery int4\nSELECT 1\n----\n1\n",
    ],
)
def test_rendering_undoes_parsing(text: str) -> None:
    assert render(parse(text)) == text


def test_numerics_differ_by_value_and_not_by_display() -> None:
    def query(cell: str) -> Query:
        return Query("SELECT", 1, types=("numeric", "text"), rows=(f"{cell} | 1.0",))

    assert comparable(query("1.50")) == comparable(query("1.5"))
    assert comparable(query("0.33333333333333333333")) == comparable(query("0.333333333333333333"))
    assert comparable(query("1.51")) != comparable(query("1.5"))
    assert comparable(query("{1.0,NULL}")) == comparable(query("{1.00,NULL}"))


def test_success_and_failure_differ() -> None:
    assert comparable(Statement("SELECT", 1, error="22012")) != comparable(Statement("SELECT", 1))
