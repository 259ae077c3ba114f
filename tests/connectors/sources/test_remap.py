"""The remap collection: its contents are the upstream frontier, its updates are increments, and it is monotone."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.gauge import NOTE, Partition
from connectors.sources.binding_time import AHEAD_MAX_MS, binding_time
from connectors.sources.remap import NotMonotone, bound_frontier, new_binding
from connectors.systems import SOURCES
from model.time.antichain import MINIMUM, Antichain
from model.time.timestamp import Timestamp

_FRONTIERS: st.SearchStrategy[dict[Partition, int]] = st.dictionaries(st.integers(0, 5), st.integers(0, 1000))


def _joined(frontiers: list[dict[Partition, int]]) -> list[dict[Partition, int]]:
    """Each at least what is before it."""
    joined, known = [], dict[Partition, int]()
    for frontier in frontiers:
        moved = {partition: max(bound, known.get(partition, 0)) for partition, bound in frontier.items()}
        known |= moved
        joined.append(moved)
    return joined


@given(st.lists(_FRONTIERS))
def test_bindings_accumulate_to_the_last_frontier(frontiers: list[dict[Partition, int]]) -> None:
    before: dict[Partition, int] = {}
    bindings = []
    for frontier in _joined(frontiers):
        bindings.append(new_binding(before, frontier, SOURCES["KAFKA"].gauge))
        before |= frontier
    empty = new_binding({}, {}, SOURCES["KAFKA"].gauge)
    assert bound_frontier(pa.concat_tables([empty, *bindings])) == {p: bound for p, bound in before.items() if bound}


_WIDE: st.SearchStrategy[dict[Partition, int]] = st.dictionaries(st.integers(0, 3), st.integers(0, 10**60))


@given(st.lists(_WIDE))
def test_wide_bindings_accumulate_exactly_and_no_place_overflows(frontiers: list[dict[Partition, int]]) -> None:
    before: dict[Partition, int] = {}
    bindings = [new_binding({}, {}, SOURCES["KINESIS"].gauge)]
    for frontier in _joined(frontiers):
        bindings.append(new_binding(before, frontier, SOURCES["KINESIS"].gauge))
        before |= frontier
    whole = pa.concat_tables(bindings)
    assert bound_frontier(whole) == {p: bound for p, bound in before.items() if bound}
    # However they are consolidated, a place never holds more than a digit.
    at = [*range(whole.num_rows + 1)]
    for lower, upper in zip(at, at[3:], strict=False):
        sums = whole.slice(lower, upper - lower).group_by(["c0", "c1"]).aggregate([("diff", "sum")])
        assert all(abs(each) < 10**18 for each in sums.column("diff_sum").to_pylist())


def test_a_wide_frontier_that_goes_back_is_refused() -> None:
    with pytest.raises(NotMonotone):
        new_binding({1: 10**55}, {1: 10**55 - 1}, SOURCES["KINESIS"].gauge)


def test_the_seeds_example() -> None:
    first = new_binding({}, {1: 42, 2: 40}, SOURCES["KAFKA"].gauge)
    second = new_binding({1: 42, 2: 40}, {1: 45, 2: 44}, SOURCES["KAFKA"].gauge)
    assert first.to_pydict() == {"c0": [1, 2], "diff": [42, 40]}
    assert second.to_pydict() == {"c0": [1, 2], "diff": [3, 4]}
    assert bound_frontier(pa.concat_tables([first, second])) == {1: 45, 2: 44}


def test_a_frontier_that_goes_back_is_refused() -> None:
    with pytest.raises(NotMonotone, match="partition 1 is bound up to 42, not 41"):
        new_binding({1: 42}, {1: 41}, SOURCES["KAFKA"].gauge)


def test_a_note_gives_way_to_another() -> None:
    first: dict[Partition, int] = {"f": 5, f"{NOTE}a": 1}
    second: dict[Partition, int] = {"f": 9, f"{NOTE}a": 0, f"{NOTE}b": 1}
    changes = [new_binding({}, first, SOURCES["FILES"].gauge), new_binding(first, second, SOURCES["FILES"].gauge)]
    assert bound_frontier(pa.concat_tables(changes)) == {"f": 9, f"{NOTE}b": 1}
    with pytest.raises(NotMonotone):
        new_binding(first, {"f": 0}, SOURCES["FILES"].gauge)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6), st.none() | st.integers(0, 10**6))
def test_a_binding_comes_after_all_that_is_complete(now: int, timeline: int, remap: int, awaited: int | None) -> None:
    wanted = None if awaited is None else Timestamp(awaited)
    time = binding_time(now, Antichain.at(timeline), Antichain.at(remap), wanted)
    assert time >= max(timeline, remap, awaited or 0)
    assert time <= max(timeline + AHEAD_MAX_MS, remap, awaited or 0)
    assert time >= min(now, timeline + AHEAD_MAX_MS)


def test_before_the_timeline_is_known_a_clock_counts_for_little() -> None:
    assert binding_time(10**12, MINIMUM, Antichain.at(5)) == AHEAD_MAX_MS
