"""Which index answers a query: whatever is answered by keys must ask for no other rows."""

from __future__ import annotations

import pytest

from planner.syntax.parse import parse
from server.planning.access import AmongArray, Equal, IndexAccess, IsNull
from server.planning.statement_plans import Planning, PlanningSession
from tests.catalog.miniature import Miniature

SETUP = """
CREATE TABLE t (a int, b text, c timestamptz);
CREATE VIEW v AS SELECT b, count(*) AS n FROM t GROUP BY b;
CREATE VIEW local AS SELECT a, c::date AS day FROM t;
CREATE TABLE bare (a int);
CREATE TABLE items (id int, kind text, v vector);
CREATE INDEX items_kind ON items (kind);
CREATE INDEX t_a ON t (a);
CREATE INDEX t_a_lower ON t (a, lower(b));
CREATE INDEX v_b ON v (b);
CREATE INDEX local_a ON local (a);
"""


@pytest.fixture(scope="module")
def world() -> tuple[Miniature, Planning]:
    miniature = Miniature()
    miniature.execute(SETUP)
    return miniature, Planning()


def _access(world: tuple[Miniature, Planning], sql: str) -> IndexAccess | None:
    miniature, planning = world
    (statement,) = parse(sql)
    session = PlanningSession("headwater", ("public",), "headwater")
    return planning.plan(statement, miniature.state, session).access


def _name(world: tuple[Miniature, Planning], access: IndexAccess) -> str:
    return world[0].state.items[access.index.item].name


@pytest.mark.parametrize(
    ("sql", "index", "kinds", "direct"),
    [
        ("SELECT * FROM t WHERE a = 1", "t_a", [[Equal]], True),
        ("SELECT b FROM t WHERE $1::int = a ORDER BY c LIMIT 3", "t_a", [[Equal]], True),
        ("SELECT a + 1 FROM t WHERE a = 1", "t_a", [[Equal]], False),
        ("SELECT * FROM t WHERE a = 1 AND b > 'x'", "t_a", [[Equal]], False),
        ("SELECT * FROM t WHERE a IN (1, 2) ORDER BY a + 1", "t_a", [[AmongArray]], False),
        ("SELECT * FROM t WHERE a IS NULL OR a = 5", "t_a", [[IsNull, Equal]], True),
        ("SELECT * FROM t WHERE a = 1 AND lower(b) = ANY ($1)", "t_a_lower", [[Equal], [AmongArray]], True),
        ("SELECT x FROM (SELECT a AS k, b AS x FROM t) q WHERE k = 1", "t_a", [[Equal]], True),
        ("SELECT n FROM v WHERE b = 'x'", "v_b", [[Equal]], True),
    ],
)
def test_a_query_of_a_whole_key_is_a_lookup(
    world: tuple[Miniature, Planning], sql: str, index: str, kinds: list[list[type]], direct: bool
) -> None:
    access = _access(world, sql)
    assert access is not None and access.keys is not None
    assert _name(world, access) == index
    assert [[type(value) for value in part] for part in access.keys] == kinds
    assert (access.direct is not None) == direct


@pytest.mark.parametrize("sql", ["SELECT * FROM t", "SELECT c, a FROM t ORDER BY b DESC LIMIT 2", "TABLE v"])
def test_a_query_of_columns_alone_is_a_scan(world: tuple[Miniature, Planning], sql: str) -> None:
    access = _access(world, sql)
    assert access is not None and access.keys is None and access.direct is not None


@pytest.mark.parametrize(
    ("sql", "keys", "distance"),
    [
        ("SELECT id FROM items ORDER BY v <-> '[1]' LIMIT 3", False, "l2_distance"),
        ("SELECT id, v <=> $1 AS d FROM items WHERE id > 3 ORDER BY d DESC, id LIMIT $2", False, "cosine_distance"),
        ("SELECT id + 1 FROM items WHERE v <-> '[1]' < 3 ORDER BY $1 <+> v LIMIT 3", False, "l1_distance"),
        ("SELECT 1 FROM items WHERE kind = 'a' ORDER BY inner_product(v, '[1]') DESC LIMIT 3", True, "inner_product"),
    ],
)
def test_an_order_by_distance_with_a_limit_is_the_nearest(
    world: tuple[Miniature, Planning], sql: str, keys: bool, distance: str
) -> None:
    access = _access(world, sql)
    assert access is not None and access.nearest is not None
    assert (access.keys is not None, access.nearest.distance) == (keys, distance)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM items ORDER BY v <-> '[1]'",
        "SELECT id FROM items ORDER BY id, v <-> '[1]' LIMIT 3",
        "SELECT id FROM items ORDER BY v <-> v LIMIT 3",
        "SELECT id FROM items WHERE 1 / id > 0 ORDER BY v <-> '[1]' LIMIT 3",
        "SELECT id FROM items ORDER BY -(v <-> '[1]') LIMIT 3",
        "SELECT DISTINCT id, v <-> '[1]' FROM items ORDER BY v <-> '[1]' LIMIT 3",
    ],
)
def test_other_orders_are_not_the_nearest(world: tuple[Miniature, Planning], sql: str) -> None:
    access = _access(world, sql)
    assert access is None or access.nearest is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM bare WHERE a = 1",
        "SELECT * FROM t WHERE a > 1",
        "SELECT * FROM t WHERE a = 1 OR b = 'x'",
        "SELECT * FROM t WHERE a <> ALL (ARRAY[1])",
        "SELECT * FROM t WHERE a = length(b)",
        "SELECT * FROM t WHERE b = 'x'",
        "SELECT a + 1 FROM t",
        "SELECT * FROM t ORDER BY a + 1",
        "SELECT count(*) FROM t WHERE a = 1",
        "SELECT DISTINCT a FROM t WHERE a = 1",
        "SELECT * FROM t WHERE a = 1 AND EXISTS (SELECT 1 FROM bare)",
        "SELECT * FROM t x, t y WHERE x.a = 1",
        "SELECT * FROM t WHERE a::int8 = 1",
        "SELECT n FROM v WHERE n = 1",
        "SELECT * FROM pg_class WHERE oid = 1",
    ],
)
def test_a_query_that_asks_for_more_is_not_answered_by_an_index(world: tuple[Miniature, Planning], sql: str) -> None:
    assert _access(world, sql) is None


def test_a_view_that_depends_on_settings_is_told_apart(world: tuple[Miniature, Planning]) -> None:
    for sql, settings in (("SELECT day FROM local WHERE a = 1", True), ("SELECT n FROM v WHERE b = 'x'", False)):
        access = _access(world, sql)
        assert access is not None and access.index.settings == settings
