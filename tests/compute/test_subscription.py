"""A subscribe's reader sees each update once; where that can't be had, an error."""

from __future__ import annotations

import asyncio

import pyarrow as pa
import pytest

from compute.controller.subscription import PendingSubscription
from compute.protocol.framing import batches_to_payload
from compute.protocol.response import PeekFailed, SubscribeBatch
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from storage.subscription import Progress, Updates

_ID = GlobalId.transient(1)


def batch(lower: int, upper: int | None, error: PeekFailed | None = None) -> SubscribeBatch:
    return SubscribeBatch(_ID, Antichain.at(lower), EMPTY if upper is None else Antichain.at(upper), error)


def rows(*times: int) -> bytes:
    """One row a time, which tells it."""
    columns = {"c0": times, "time": times, "diff": [1] * len(times)}
    record = pa.record_batch({name: pa.array(values, pa.int64()) for name, values in columns.items()})
    return batches_to_payload(record.schema, [record])


def taken(pending: PendingSubscription) -> list[int | str]:
    """Times of the updates of the next batch, and its progress."""
    events, more = asyncio.run(pending.next())
    seen: list[int | str] = []
    for event in events:
        match event:
            case Updates(table):
                seen += table.column("c0").to_pylist()
            case Progress(frontier):
                seen.append(str(frontier))
    return seen if more else [*seen, "end"]


def test_batches_are_handed_on_in_order() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 5), rows(5, 5))
    pending.batch(batch(5, 6), rows(5))
    pending.batch(batch(6, 9), b"")
    pending.batch(batch(9, None), rows(9))
    assert [taken(pending) for _ in range(4)] == [[5, 5], [5, "{6}"], ["{9}"], [9, "{}", "end"]]


def test_what_was_complete_is_not_handed_on_again() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 8), rows(5, 6))
    assert taken(pending) == [5, 6, "{8}"]
    pending.restart("killed")
    # It begins at a later time than the first one did, with all that was there before at that time.
    pending.batch(batch(7, 8), rows(7, 7))
    pending.batch(batch(8, 12), rows(9))
    assert [taken(pending) for _ in range(2)] == [[], [9, "{12}"]]


def test_what_waits_and_is_not_complete_is_forgotten_with_its_replica() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 8), rows(5))
    pending.batch(batch(8, 8), rows(8))
    pending.restart("killed")
    pending.batch(batch(7, 11), rows(7, 8, 9))
    assert [taken(pending) for _ in range(2)] == [[5, "{8}"], [8, 9, "{11}"]]


def test_it_fails_when_updates_were_seen_of_times_that_are_not_complete() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 5), rows(5))
    assert taken(pending) == [5]
    pending.restart("killed")
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_it_fails_when_the_next_replica_can_only_begin_later() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 8), rows(5))
    pending.restart("killed")
    pending.batch(batch(9, 10), rows(9))
    assert taken(pending) == [5, "{8}"]
    with pytest.raises(SqlError, match="was lost") as error:
        taken(pending)
    assert error.value.sqlstate.value == "58000"


def test_an_error_comes_after_what_came_before_it() -> None:
    pending = PendingSubscription(Antichain.at(5))
    pending.batch(batch(5, 8), rows(5))
    pending.batch(batch(8, 9, PeekFailed("22012", "division by zero")), b"")
    assert taken(pending) == [5, "{8}"]
    taken(pending)
    with pytest.raises(SqlError, match="division by zero"):
        taken(pending)
