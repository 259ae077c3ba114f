"""What is known of a query ends with it: there are ever new ones, and some have the rows of a statement in them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from unittest.mock import patch

import pytest

from planner.interpret.parameters import bind_query
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from server.evaluation.query_facts import facts_of, program_of
from tests.planner.small_catalog import SmallCatalog
from tests.server.world import World, simulated

pytestmark = pytest.mark.usefixtures("new_objects_alone")


@pytest.mark.parametrize("ask", [facts_of, program_of])
@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT $1::int + 1", "VALUES ($1::int), (2)", "SELECT a FROM t"])
def test_what_is_known_of_a_query_does_not_keep_it(ask: Callable[[Query], object], sql: str) -> None:
    catalog = SmallCatalog()
    catalog.run("CREATE TABLE t (a int)")
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    query = plan.query
    ask(query)
    left = weakref.ref(query)
    del plan, query
    gc.collect()
    assert left() is None


@simulated
async def test_statements_leave_no_queries_behind(world: World) -> None:
    client = world.client()
    counts = []
    for _ in range(3):
        for _ in range(20):
            assert await client.query("INSERT INTO t VALUES (1, 'x') RETURNING b") == [("x",)]
        gc.collect()
        counts.append(sum(isinstance(each, Query) for each in gc.get_objects()))
    assert counts[2] - counts[1] < 10


@simulated
async def test_values_are_filled_in_once(world: World) -> None:
    client = world.client()
    for rows in (1, 2, 50):
        values = ", ".join(f"({row}, CURRENT_USER || $1)" for row in range(rows))
        await client.query(f"PREPARE p{rows} (text) AS INSERT INTO t VALUES {values}")
        with patch("server.reads.reading.bind_query", wraps=bind_query) as bound:
            await client.query(f"EXECUTE p{rows} ('x')")
        assert bound.call_count == int(rows > 1)
    assert await client.query("SELECT count(*) FROM t WHERE b = 'headwaterx'") == [(53,)]
