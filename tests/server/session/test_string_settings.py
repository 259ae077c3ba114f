"""Backslashes in strings: standard_conforming_strings, backslash_quote and escape_string_warning, as in PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from planner.syntax.parse import parse
from planner.syntax.string_escapes import strings_as_standard
from tests.draws import draws
from tests.judge import Judge
from tests.server.memory_server import memory_server

_SCRIPT = r"""
CREATE SCHEMA strings
SET search_path = strings
SHOW standard_conforming_strings
SHOW backslash_quote
SELECT 'a\nb', length('a\nb')
SET standard_conforming_strings = off
SHOW standard_conforming_strings
SELECT 'a\nb', length('a\nb')
SELECT 'it\'s', E'it\'s', 'it''s', '\\', '\101\x42\u0043\U00000044', '\q'
SELECT $$a\n$$, "?column?" FROM (SELECT 'x\ty') AS s
SELECT length('a\n'   -- comment '@  'b\t')
SELECT '\u12'
SELECT '\xff'
SELECT '\0'
SELECT U&'\0041'
SELECT U&"?column?" FROM (SELECT 1) s
SELECT 'abc\'
SELECT 'a\nb' + nope
SELECT 'a\nb', nope
SELECT 'a\nb', nope FROM /* it's /* nested\' */ \n */ (SELECT 1) AS s
CREATE TABLE t (a text DEFAULT 'x\ny', CHECK (a <> 'q\'q'))
INSERT INTO t VALUES ('a\\b'), (E'c\\d'), (DEFAULT)
INSERT INTO t VALUES ('q\'q')
SELECT a, length(a), quote_literal(a) FROM t ORDER BY 1
CREATE VIEW v AS SELECT a FROM t WHERE a LIKE '%\n%'
SELECT a FROM t WHERE a LIKE 'a\\\\%'
PREPARE p AS SELECT 'a\tb'
EXECUTE p
SET standard_conforming_strings = on
EXECUTE p
SELECT * FROM v
SELECT '\n'
SET backslash_quote = off
SELECT E'it\'s'
SELECT E'it\n', 'it\'
SET standard_conforming_strings = off
SELECT 'it\'s'
SELECT 'it\\s'
SET backslash_quote = safe_encoding
SELECT 'it\'s'
SET backslash_quote = true
SHOW backslash_quote
SET backslash_quote = nope
RESET backslash_quote
SET escape_string_warning = off
SELECT 'a\nb', n'x\y', b'01', x'1f'
SELECT '1'::int + '\061'::int
SELECT 'a\b' 'c'
SELECT e'a\tb' || 'c\td'
SELECT length('\r\n\f\b\v')
RESET ALL
DROP SCHEMA strings CASCADE
"""
_FIELDS = ("sqlstate", "message_primary", "message_detail", "message_hint", "statement_position")


def _answers(connect: Callable[[], psycopg.Connection[Any]], *, prepared: bool) -> list[tuple[str, object, object]]:
    """Answers each line, in which @ is a line's end, and tells the warnings and what the client was told of the
    variable."""
    found: list[tuple[str, object, object]] = []
    with contextlib.closing(connect()) as connection:
        told: list[object] = []
        connection.add_notice_handler(lambda told_: told.append([getattr(told_, field) for field in _FIELDS]))
        for line in _SCRIPT.strip().splitlines():
            sql = line.replace("@", "\n")
            told.clear()
            status = connection.info.parameter_status("standard_conforming_strings")
            answer: object
            try:
                cursor = connection.execute(sql.encode(), prepare=prepared, binary=False)
                answer = cursor.fetchall() if cursor.description else cursor.statusmessage
            except psycopg.Error as error:
                answer = [getattr(error.diag, field) for field in _FIELDS]
            found.append((sql, answer, (status, [*told])))
    return found


@pytest.mark.parametrize("prepared", [False, True])
def test_strings_are_read_by_the_variables_as_in_postgres(judge: Judge, prepared: bool) -> None:
    with memory_server() as server:
        ours = _answers(server.connect, prepared=prepared)
    assert ours == _answers(judge.connect, prepared=prepared)


_PIECES = (
    "'",
    "''",
    "\\",
    "\\'",
    "a",
    "\\n",
    "\\101",
    " ",
    "\n",
    "--",
    "/*",
    "*/",
    "$$",
    "$a$",
    '"',
    "e'",
    "n'",
    "U&'",
    ",",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
@draws(300)
def test_a_text_keeps_its_length_and_says_the_same_again(text: str) -> None:
    try:
        standard = strings_as_standard(f"SELECT {text}", conforming=False, quotes_escaped=True, warnings=[])
        parse(standard)
    except SqlError:
        return
    assert len(standard) == len(text) + len("SELECT ")
