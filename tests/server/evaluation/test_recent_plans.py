"""Plans that are kept have a bound, whatever their texts are, and keep no catalog that has been followed by another."""

from __future__ import annotations

import gc
from dataclasses import dataclass

import pytest

from catalog.state.catalog_state import CatalogState
from planner.syntax.parse import parse
from server.planning.recent_plans import LENGTH_MAX, RecentPlans
from server.planning.statement_plans import Planned, Planning, PlanningSession
from tests.catalog.miniature import Miniature

pytestmark = pytest.mark.usefixtures("new_objects_alone")
_SESSION = PlanningSession("headwater", ("public",), "headwater")


@dataclass(frozen=True)
class _Plan:
    name: str
    base: CatalogState | None = None


def _based(plan: _Plan, base: CatalogState | None) -> _Plan:
    return _Plan(plan.name, base)


def _states(count: int) -> list[CatalogState]:
    miniature, states = Miniature(), []
    for number in range(count):
        miniature.execute(f"CREATE TABLE of_state_{number} (a int)")
        states.append(miniature.state)
    return states


def test_long_texts_make_room_but_the_newest_stays() -> None:
    (state,) = _states(1)
    plans = RecentPlans[_Plan](_based, length_max=100)
    for name in "abc":
        plans.put(name, _Plan(name, state), 40, state)
    assert [plans.get(name, state) is not None for name in "abc"] == [False, True, True]
    plans.put("c", _Plan("c", state), 60, state)
    assert [plans.get(name, state) is not None for name in "bc"] == [True, True]
    plans.put("d", _Plan("d", state), 500, state)
    assert [plans.get(name, state) is not None for name in "bcd"] == [False, False, True]


def test_those_used_last_stay() -> None:
    (state,) = _states(1)
    plans = RecentPlans[_Plan](_based, count_max=2)
    for name in "ab":
        plans.put(name, _Plan(name, state), 1, state)
    assert plans.get("a", state) == _Plan("a", state)
    plans.put("c", _Plan("c", state), 1, state)
    assert [plans.get(name, state) is not None for name in "abc"] == [True, False, True]


def test_a_plan_holds_in_the_catalog_that_is_asked_of() -> None:
    one, other = _states(2)
    plans = RecentPlans[_Plan](_based)
    plans.put("a", _Plan("a", one), 1, one)
    plans.put("b", _Plan("b", other), 1, other)
    for state in (one, other, one, one):
        for name in "ab":
            assert plans.get(name, state) == _Plan(name, state)


def test_plans_keep_no_catalog_but_the_last() -> None:
    miniature, planning = Miniature(), Planning()
    planned = 20
    for number in range(planned):
        miniature.execute(f"CREATE TABLE t{number} (a int)")
        (statement,) = parse(f"SELECT a FROM t{number}")
        for _ in range(2):
            planning.plan(statement, miniature.state, _SESSION)
    del statement
    gc.collect()
    kept = [each for each in gc.get_objects() if isinstance(each, CatalogState)]
    assert sum(any(f"t{number}" in {i.name for i in s.items.values()} for number in range(planned)) for s in kept) < 4


def test_statements_with_their_rows_in_them_are_not_all_kept() -> None:
    miniature, planning = Miniature(), Planning()
    miniature.execute("CREATE TABLE t (a text)")
    text = "x" * 100_000
    for number in range(3 * LENGTH_MAX // len(text)):
        (statement,) = parse(f"INSERT INTO t VALUES ('{text}{number}')")
        planning.plan(statement, miniature.state, _SESSION)
    del statement
    gc.collect()
    kept = sum(isinstance(each, Planned) for each in gc.get_objects())
    assert kept * len(text) < 2 * LENGTH_MAX
