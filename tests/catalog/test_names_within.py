"""What writes any value as text or JSON writes names for regclass and its kin, however deep within it they stand."""

from __future__ import annotations

from random import Random

import psycopg

from tests.catalog.miniature import Miniature

_CALLS = 120
_NUMBERS = (
    "'pg_class'::regclass",
    "'int4'::regtype",
    "'timestamptz'::regtype",
    "'now'::regproc",
    "'pg_catalog'::regnamespace",
    "NULL::regtype",
)
_WRITERS = (
    "({})::text",
    "to_json({})::text",
    "to_jsonb({})::text",
    "concat('<', {}, '>')",
    "concat_ws('-', 'a', {})",
    "format('%s', {})",
    "json_build_array(1, {})::text",
    "jsonb_build_object('a', {})::text",
    "(SELECT json_agg(x)::text FROM (VALUES ({0}), ({0})) AS v (x))",
    "(SELECT jsonb_agg(x)::text FROM (VALUES ({0})) AS v (x))",
    "(SELECT row_to_json(v)::text FROM (VALUES (1, {0})) AS v (n, x))",
    "(SELECT v::text FROM (VALUES (1, {0})) AS v (n, x))",
    "array_to_string(ARRAY[{0}, {0}], ',', '*')",
    "(ARRAY[{0}])::text",
    "quote_nullable({})",
)


def _value(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(_NUMBERS)
    inner = _value(random, depth - 1)
    return random.choice((f"ARRAY[{inner}, {inner}]", f"ROW({inner}, 1)", f"ROW('a b', {inner})", inner))


def test_names_stand_wherever_they_do_in_postgres(postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    random, ours = Random("names within"), Miniature()
    for _ in range(_CALLS):
        sql = f"SELECT {random.choice(_WRITERS).format(_value(random, random.randint(0, 3)))}"
        (row,) = ours.execute(sql)[-1].rows
        assert row == postgres.execute(sql).fetchone(), sql
