"""W1's and W2's changes, and the totals that engines are held to, against adding up row by row."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.workloads import BATCHES, GROUPS, Workload, changes


def test_batches_carry_each_insert_and_each_delete_once() -> None:
    made = changes(1_001)
    assert [id_ for batch in range(BATCHES) for id_ in made.inserted_in(batch)] == list(range(800))
    assert [id_ for batch in range(BATCHES) for id_ in made.deleted_in(batch)] == list(range(200))
    assert made.count == 1_000


def test_no_batch_deletes_what_has_not_come() -> None:
    made = changes(1_000)
    assert all(made.deleted_in(batch).stop <= made.inserted_in(batch).stop for batch in range(BATCHES))


def test_totals_are_those_of_the_rows_that_are_left() -> None:
    made = changes(1_000)
    for workload in Workload:
        expected: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for row in made.rows.to_pylist()[made.deleted :]:
            group = row["k"] if workload is Workload.W1 else row["k"] % GROUPS
            count, total = expected[group]
            expected[group] = (count + 1, total + row["x"])
        assert made.totals(workload) == expected
