"""Which cases of a test each run tries: of a test marked `in_part(4)` every fourth, and with `--whole` all of them.

    @pytest.mark.in_part(2, first=1)
    @pytest.mark.parametrize("name", ["a", "b", "c", "d", "e"])   # each run tries b and d

A case that is named on the command line (`test_law.py::test_law[a]`) is tried in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

MARK = "in_part"


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes from `items` the cases that each run leaves out, and reports them as deselected."""
    if config.getoption("--whole") or any("::" in argument for argument in config.args):
        return
    left_out = cases_left_out(items)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def cases_left_out(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Returns the items whose place among the cases of their test is none that its mark asks for."""
    places: Counter[str] = Counter()
    left_out = set()
    for item in items:
        mark = item.get_closest_marker(MARK)
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if not _is_tried(places[test], *mark.args, **mark.kwargs):
            left_out.add(item)
        places[test] += 1
    return left_out


def _is_tried(place: int, every: int, first: int = 0) -> bool:
    return place % every == first
