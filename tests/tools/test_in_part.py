"""Each run tries some cases of a test that is marked so, and all of any other."""

from __future__ import annotations

import pytest

from tests.in_part import MARK, cases_left_out


@pytest.mark.in_part(3)
@pytest.mark.parametrize("number", range(7))
def test_a_run_tries_every_third_case_of_this_test(number: int, request: pytest.FixtureRequest) -> None:
    asked = request.config.getoption("--whole") or any("::" in each for each in request.config.args)
    assert asked or number % 3 == 0


def test_cases_are_counted_test_by_test(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    marked = [item for item in items if item.get_closest_marker(MARK)]
    assert not cases_left_out(item for item in items if item not in marked)
    every_case = [item for item in marked if "test_a_run_tries_every_third" in item.nodeid]
    # Of what is left, each third is tried again.
    assert len(every_case) - len(cases_left_out(every_case)) == -(-len(every_case) // 3)
