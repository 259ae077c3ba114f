"""What planning takes grows with a query, not with 2 to the depth at which it nests; what means so much is given up."""

from __future__ import annotations

import pytest

from catalog.facts.shown import shown
from catalog.state.catalog_state import CatalogState
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.ir.steps import Steps, StepsSpent, counted
from planner.syntax.parse import parse
from server.planning.long_texts import STEPS_ON_LOOP_MAX
from server.planning.statement_plans import Planning, PlanningSession
from tests.catalog.miniature import Miniature
from tests.planner.nested_queries import DOUBLING, GROWING, nested

_SESSION = PlanningSession("headwater", ("public",), "headwater")
_BY_DEPTH_MAX = 9.5
"""Twice as deep may take so many times the steps: three passes over all that is below each level."""


@pytest.fixture(scope="module")
def catalog() -> Miniature:
    catalog = Miniature()
    catalog.execute("CREATE TABLE t (a int, b int); CREATE TABLE u (a int, b int)")
    return catalog


def _steps(catalog: Miniature, sql: str, most: int = 1_000_000) -> int:
    (statement,) = parse(sql)
    with counted(Steps(most)) as steps:
        planned = Planning().describe(statement, catalog.state, _SESSION)
    assert planned.failure is None, planned.failure
    return steps.taken


@pytest.mark.parametrize("kind", GROWING)
def test_what_nests_is_planned_in_steps_that_grow_with_it(catalog: Miniature, kind: str) -> None:
    shallow, deep = _steps(catalog, nested(kind, 6)), _steps(catalog, nested(kind, 12))
    assert deep <= _BY_DEPTH_MAX * shallow + 200, (shallow, deep)


def _cube(columns: int) -> str:
    keys = ", ".join(f"a + {number}" for number in range(columns))
    return f"SELECT {keys}, sum(b) FROM t GROUP BY CUBE ({keys})"


def test_sets_of_keys_are_not_each_planned(catalog: Miniature) -> None:
    keys = 10 * 2**9
    assert keys < _steps(catalog, _cube(10)) < 6 * keys


def test_thousands_of_sets_are_no_work_for_the_loop(catalog: Miniature) -> None:
    with pytest.raises(StepsSpent):
        _steps(catalog, _cube(11), most=STEPS_ON_LOOP_MAX)


@pytest.mark.parametrize("kind", DOUBLING)
def test_what_means_twice_as_much_by_level_is_given_up(catalog: Miniature, kind: str) -> None:
    with pytest.raises(StepsSpent):
        _steps(catalog, nested(kind, 30), most=100_000)


def test_views_that_read_the_one_below_twice_are_refused(catalog: Miniature) -> None:
    catalog.execute("CREATE VIEW v0 AS SELECT a, b FROM t")
    for level in range(1, 25):
        below = f"v{level - 1}"
        catalog.execute(f"CREATE VIEW v{level} AS SELECT x.a, y.b FROM {below} x JOIN {below} y ON x.a = y.a")
    (statement,) = parse("SELECT * FROM v24")
    with counted(Steps(200_000)):
        failure = Planning().describe(statement, catalog.state, _SESSION).failure
    assert failure is not None and failure.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX


def test_a_text_of_the_catalog_that_takes_too_much_is_begun_anew_and_none_that_cannot_be_made() -> None:
    def text(steps: Steps) -> str:
        steps.take()
        return "a text"

    with pytest.raises(StepsSpent):
        shown(text, Steps(0))


def _maintained_steps(planning: Planning, state: CatalogState, id_: GlobalId) -> int:
    with counted(Steps(1_000_000)) as steps:
        planning.maintained_relation(state, id_)
    return steps.taken


def test_what_is_maintained_is_planned_once_for_as_long_as_nothing_beneath_it_changes(catalog: Miniature) -> None:
    """A commit looks at the dataflows that its statements have planned, on the loop."""
    catalog.execute("CREATE TABLE x (a int, b int); CREATE VIEW y AS SELECT a, b FROM x WHERE a > 1")
    catalog.execute("CREATE MATERIALIZED VIEW z AS SELECT y.a, sum(y.b) FROM y JOIN x USING (a) GROUP BY y.a")
    planning, state = Planning(), catalog.state
    (id_,) = (item.id for item in state.items.values() if item.name == "z")
    assert _maintained_steps(planning, state, id_) > 10
    kept = planning.maintained_relation(state, id_)
    catalog.execute("CREATE TABLE other (a int)")
    assert _maintained_steps(planning, catalog.state, id_) == 0
    catalog.execute("CREATE OR REPLACE VIEW y AS SELECT a, b FROM x WHERE a > 2")
    assert planning.maintained_relation(catalog.state, id_) != kept
    assert planning.maintained_relation(catalog.state, id_) == Planning().maintained_relation(catalog.state, id_)
    catalog.execute("ALTER TABLE x ALTER COLUMN a SET NOT NULL")
    assert planning.maintained_relation(catalog.state, id_) == Planning().maintained_relation(catalog.state, id_)
    assert planning.maintained_relation(state, id_) == kept
