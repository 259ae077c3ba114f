"""No statement keeps the catalog in which it was planned or run: with many items it is large, and DDL makes ever new
ones, be it that of temporary tables."""

from __future__ import annotations

import gc

import pytest

from catalog.state.catalog_state import CatalogState
from tests.server.world import World, simulated

pytestmark = pytest.mark.usefixtures("new_objects_alone")


async def _kept_by(world: World, sql: str) -> int:
    """How many catalogs more there are, after some sessions that have each had one of their own."""
    counts = []
    for _ in range(2):
        for number in range(10):
            client = world.client()
            await client.query(f"CREATE TEMPORARY TABLE of_my_own_{number} (a int)")
            await client.query(sql)
            await client.session.close()
            del client
        gc.collect()
        counts.append(sum(isinstance(each, CatalogState) for each in gc.get_objects()))
    return counts[1] - counts[0]


@pytest.mark.in_part(4)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, b FROM t",
        "INSERT INTO t VALUES (1, 'x') RETURNING b",
        "SELECT 'of_no_schema_' || 'pg_class'::regclass",
        "SELECT 'pg_class'::text::regclass",
        "SELECT '{pg_class,pg_type}'::regclass[]::text",
        "SELECT oid::regclass::text FROM pg_class LIMIT 3",
        "SELECT row_to_json(x) FROM (SELECT 'pg_class'::regclass AS c) x",
        "SELECT now(), '2026-01-01'::timestamptz::text, current_schema()",
        "BEGIN; SELECT a FROM t; SAVEPOINT s; SELECT b FROM t; COMMIT",
        "DECLARE c CURSOR WITH HOLD FOR SELECT 'pg_class'::regclass; FETCH c",
        "PREPARE p AS SELECT $1::text::regclass; EXECUTE p ('pg_class')",
        "EXPLAIN SELECT * FROM t",
        "SELECT obj_description('pg_class'::regclass), has_table_privilege('pg_class', 'select')",
        "SET TimeZone = 'Asia/Tokyo'; SELECT to_regclass('t'), pg_typeof(1)",
    ],
)
def test_statements_leave_no_catalog_behind(sql: str) -> None:
    @simulated
    async def law(world: World) -> None:
        assert await _kept_by(world, sql) < 5

    law()
