"""Functions called by oid answer as PostgreSQL's do, and fail as they do."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import cast

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import call, query
from tests.server.pgwire.talk import talking

_ONE, _TWO = struct.pack(">i", 1), struct.pack(">i", 2)
_CALLS: dict[str, tuple[Sequence[bytes | None], Sequence[int], int]] = {
    "int4pl(int,int)": ((_ONE, _TWO), (1,), 1),
    "int4mi(int,int)": ((_ONE,), (1,), 1),
    "int4mul(int,int)": ((_ONE, b""), (1,), 1),
    "int2pl(int2,int2)": ((b"\0\1", b"12345678"), (1,), 1),
    "int8pl(int8,int8)": ((b"x", b"2"), (0,), 1),
    "int4div(int,int)": ((_ONE, bytes(4)), (1,), 1),
    "int4and(int,int)": ((_ONE, None), (1,), 1),
    "int4or(int,int)": ((_ONE, _TWO), (1, 1, 1), 1),
    "int4gt(int,int)": ((_ONE, _TWO), (2,), 1),
    "int4lt(int,int)": ((_ONE, _TWO), (1,), 2),
    "upper(text)": ((b"\xff",), (1,), 1),
    "nextval(regclass)": ((b"missing",), (0,), 1),
    "current_database()": ((), (1,), 0),
    "sum(int)": ((_ONE,), (1,), 1),
    "row_number()": ((), (1,), 1),
    "generate_series(int,int)": ((_ONE, _TWO), (1,), 1),
    "record_eq(record,record)": ((b"(1)", b"(1)"), (0,), 0),
    "array_length(anyarray,int)": ((b"{1,2}", b"1"), (0,), 0),
    "array_append(anycompatiblearray,anycompatible)": ((b"{1,2}", b"1"), (0,), 0),
    "width_bucket(anycompatible,anycompatiblearray)": ((b"1", b"{1}"), (0,), 0),
    "to_json(anyelement)": ((b"1",), (0,), 0),
    "enum_first(anyenum)": ((b"a",), (0,), 0),
    "lower(anyrange)": ((b"[1,2)",), (0,), 0),
    'format(text,"any")': ((b"1", b"2"), (0,), 0),
    'pg_typeof("any")': ((b"1",), (0,), 0),
    "array_lower(anyarray,int)": ((None, _ONE), (1,), 1),
    "array_ndims(anyarray)": ((None,), (0,), 0),
    "array_to_string(anyarray,text)": ((None, b"1"), (0,), 0),
    "array_upper(anyarray,int)": ((None, b"x"), (0,), 0),
    "to_jsonb(anyelement)": ((None,), (0,), 0),
    "enum_last(anyenum)": ((None,), (0,), 0),
    "enum_range(anyenum)": ((None,), (1,), 0),
    "upper(anyrange)": ((None,), (1,), 1),
    "isempty(anyrange)": ((None,), (0,), 1),
    "isempty(anymultirange)": ((None,), (1,), 1),
    "array_cat(anycompatiblearray,anycompatiblearray)": ((None, None), (1,), 0),
    "array_positions(anycompatiblearray,anycompatible)": ((None, None), (1,), 0),
    "array_remove(anycompatiblearray,anycompatible)": ((None, None), (0,), 0),
    'num_nulls("any")': ((None,), (0,), 0),
    'num_nonnulls("any")': ((None,), (1,), 0),
}


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def test_a_function_that_is_called_answers_as_postgresqls(judge: Judge, server: MemoryServer) -> None:
    with judge.connect() as connection:
        found = connection.execute("SELECT unnest(%s::regprocedure[])::oid", ([*_CALLS],)).fetchall()
    oids = [cast(int, row[0]) for row in found]
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for oid, (name, (values, formats, result)) in zip(oids, _CALLS.items(), strict=True):
            message = call(oid, values, formats, result)
            assert ours.say(message) == theirs.say(message), name
        assert ours.say(call(999_999_999, ())) == theirs.say(call(999_999_999, ()))
        for talk in (theirs, ours):
            talk.say(query("BEGIN"))
            talk.say(query("SELECT 1/0"))
        for oid, (name, (values, formats, result)) in zip(oids, _CALLS.items(), strict=True):
            message = call(oid, values, formats, result)
            if len(formats) > max(len(values), 1) or 2 in (*formats, result):
                # No message of the protocol: PostgreSQL finds the transaction unusable before it reads the formats.
                continue
            assert ours.say(message) == theirs.say(message), name
        assert ours.say(call(999_999_999, ())) == theirs.say(call(999_999_999, ()))
