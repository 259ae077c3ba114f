"""psql's scripts are cut as psql cuts them, and answers are compared by what they say."""

from __future__ import annotations

import pytest

from tools.regression.comparison import Consequences, difference
from tools.regression.scripts import Statement, statements_of
from tools.regression.session import Result

_SCRIPT = """
-- a comment; with a sign
SELECT 1; SELECT 'a;''b', "c;d" /* e; /* f; */ */, E'g\\';h', $$i;j$$, $k$ $$;l $k$;
\\set file :folder '/data'
COPY t FROM :'file';
\\pset null '(null)'
SELECT x::int, (1; 2) \\g
COPY t FROM stdin;
1;2
\\.
SELECT 3\\; SELECT 4;
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 5; SELECT 6; END;
SELECT a[1:2], 'q:file'
"""


def test_scripts_are_cut_where_psql_cuts_them() -> None:
    assert [(s.sql, s.data) for s in statements_of(_SCRIPT, {"folder": "/x"})] == [
        ("SELECT 1", ""),
        ("""SELECT 'a;''b', "c;d"  , E'g\\';h', $$i;j$$, $k$ $$;l $k$""", ""),
        ("COPY t FROM '/x/data'", ""),
        ("SELECT x::int, (1; 2)", ""),
        ("COPY t FROM stdin", "1;2\n"),
        ("SELECT 3; SELECT 4", ""),
        ("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 5; SELECT 6; END", ""),
    ]


def _rows(*values: str, names: tuple[str, ...] = ("a",), types: tuple[int, ...] = (23,)) -> list[Result]:
    return [Result("rows", names=names, types=types, rows=[(value,) for value in values])]


_ERROR = [Result("error", "22012", "division by zero")]


@pytest.mark.parametrize(
    ("theirs", "ours", "sql", "kind"),
    [
        (_rows("1", "2"), _rows("2", "1"), "SELECT a", None),
        (_rows("1", "2"), _rows("2", "1"), "SELECT a ORDER BY a", "order"),
        (_rows("1"), _rows("2"), "SELECT a", "rows"),
        (_rows("[1.50,2.0)", "10"), _rows("[1.5,2)", "10"), "SELECT a", "zeros"),
        (_rows("10"), _rows("1"), "SELECT a", "rows"),
        (_rows("1"), _rows("1", names=("b",)), "SELECT a", "names"),
        (_rows("1"), _rows("1", types=(20,)), "SELECT a", "types"),
        (_rows("1", types=(20_001,)), _rows("1", types=(20_002,)), "SELECT a", None),
        (_ERROR, _ERROR, "SELECT a", None),
        (_ERROR, [Result("error", "22003", "out of range")], "SELECT a", "sqlstate"),
        (_ERROR, _rows("1"), "SELECT a", "accepted"),
        (_rows("1"), _ERROR, "SELECT a", "refused"),
        ([Result("tag", text="INSERT 0 1")], [Result("tag", text="INSERT 0 2")], "INSERT", "tag"),
        (_rows("1"), [*_rows("1"), *_rows("1")], "SELECT a; SELECT a", "results"),
    ],
)
def test_answers_differ_by_what_they_say(theirs: list[Result], ours: list[Result], sql: str, kind: str | None) -> None:
    found = difference(theirs, ours, sql)
    assert (None if found is None else found.kind) == kind


def test_what_reads_a_table_that_is_not_alike_says_nothing() -> None:
    consequences = Consequences()
    made, read, other = (Statement(sql) for sql in ("CREATE TABLE s.Odd (a money)", "SELECT * FROM odd", "SELECT 1"))
    refused = difference([Result("tag", text="CREATE TABLE")], _ERROR, made.sql)
    wrong = difference(_rows("1"), _rows("2"), read.sql)
    assert refused is not None and wrong is not None
    assert [consequences.note(made, refused), consequences.note(read, wrong), consequences.note(other, wrong)] == [
        False,
        True,
        False,
    ]
