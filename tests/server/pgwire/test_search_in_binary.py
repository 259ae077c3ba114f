"""tsvector and tsquery have PostgreSQL's bytes, come back from them, and wrong bytes are refused as PostgreSQL refuses
them."""

from __future__ import annotations

import struct

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.search.query_text import parse_query
from model.search.vector_text import parse_vector
from model.text.context import DEFAULT_CONTEXT
from model.types.scalar_type import TSQUERY, TSVECTOR, ScalarType
from server.pgwire.encoding.dispatch import receiver, sender
from server.pgwire.messages import BINARY_FORMAT
from tests.planner.functions.search.drawn_texts import DrawnTexts


def _parsed(type_: ScalarType, text: str) -> bytes | None:
    try:
        return parse_vector(text) if type_ == TSVECTOR else parse_query(text)
    except SqlError:
        return None


@pytest.mark.parametrize("type_", [TSVECTOR, TSQUERY], ids=str)
def test_values_are_sent_as_postgres_sends_them(
    type_: ScalarType, postgres: psycopg.Connection[tuple[object, ...]]
) -> None:
    draw = DrawnTexts(5)
    texts = [draw.vector() if type_ == TSVECTOR else draw.query() for _ in range(400)]
    send, receive = sender(type_, BINARY_FORMAT, DEFAULT_CONTEXT), receiver(type_, BINARY_FORMAT, DEFAULT_CONTEXT)
    known = {text: datum for text in texts if (datum := _parsed(type_, text)) is not None}
    assert len(known) > 100
    for text, datum in known.items():
        row = postgres.execute(f"SELECT {type_}send(%s)".encode(), (text,)).fetchone()
        assert row is not None
        assert send(datum) == row[0], text
        assert receive(send(datum)) == datum, text


_LEXEME = b"\1\0\0a\0"


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        (TSVECTOR, struct.pack(">i", -1)),
        (TSVECTOR, struct.pack(">i", 1)),
        (TSVECTOR, struct.pack(">i", 1) + b"a"),
        (TSVECTOR, struct.pack(">i", 1) + b"a\0\0\1"),
        (TSVECTOR, struct.pack(">i", 1) + b"a\0\0\2\0\2\0\1"),
        (TSVECTOR, struct.pack(">i", 1) + b"a\0\2\0"),
        (TSVECTOR, struct.pack(">i", 0) + b"x"),
        (TSVECTOR, struct.pack(">i", 1) + b"a" * 3000 + b"\0\0\0"),
        (TSQUERY, struct.pack(">i", -1)),
        (TSQUERY, struct.pack(">i", 1)),
        (TSQUERY, struct.pack(">i", 1) + b"\7"),
        (TSQUERY, struct.pack(">i", 1) + b"\2\1"),
        (TSQUERY, struct.pack(">i", 2) + b"\2\2" + _LEXEME),
        (TSQUERY, struct.pack(">i", 2) + b"\2\t" + _LEXEME),
        (TSQUERY, struct.pack(">i", 2) + _LEXEME * 2),
        (TSQUERY, struct.pack(">i", 1) + b"\1\x1f\0a\0"),
        (TSQUERY, struct.pack(">i", 1) + b"\1\0\0" + b"a" * 3000 + b"\0"),
    ],
)
def test_wrong_bytes_are_refused_as_by_postgres(
    type_: ScalarType, data: bytes, postgres: psycopg.Connection[tuple[object, ...]]
) -> None:
    with pytest.raises(psycopg.Error) as theirs:
        result = postgres.pgconn.exec_params(f"SELECT $1::{type_}::text".encode(), [data], [TYPE_OIDS[type_]], [1])
        raise psycopg.errors.lookup((result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) or b"").decode())
    with pytest.raises(SqlError) as ours:
        receiver(type_, BINARY_FORMAT, DEFAULT_CONTEXT)(data)
    assert ours.value.sqlstate.value == theirs.value.sqlstate


TYPE_OIDS = {TSVECTOR: 3614, TSQUERY: 3615}
