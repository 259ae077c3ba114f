"""A subscribe's reader sees each update once; where that can't be had, an error."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import pytest

from compute.controller.subscription import PendingSubscription
from compute.protocol.command import AcknowledgeBatches, Command
from compute.protocol.framing import batches_to_payload
from compute.protocol.response import PeekFailed, SubscribeBatch
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from storage.subscription import Progress, Updates

_ID = GlobalId.transient(1)
_R1, _R2 = "r1", "r2"


class _Replicas:
    """`told` are the acknowledgements, `heard` up to where each replica has heard that updates are told."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.told: Counter[str] = Counter()
        self.heard: dict[str, Antichain] = {}

    def answering(self) -> Sequence[str]:
        return self.names

    def send_each(self, command: Command, *, to: str | None = None) -> None:
        assert isinstance(command, AcknowledgeBatches) and to is not None
        self.told[to] += command.batches
        self.heard[to] = command.told


def subscription(replicas: _Replicas | None = None) -> PendingSubscription:
    return PendingSubscription(_ID, Antichain.at(5), 2, replicas or _Replicas(_R1))


def batch(lower: int, upper: int | None, error: PeekFailed | None = None, *, first: bool = False) -> SubscribeBatch:
    return SubscribeBatch(_ID, Antichain.at(lower), EMPTY if upper is None else Antichain.at(upper), error, first)


def rows(*times: int) -> bytes:
    """One row a time, which tells it."""
    columns = {"c0": times, "time": times, "diff": [1] * len(times)}
    record = pa.record_batch({name: pa.array(values, pa.int64()) for name, values in columns.items()})
    return batches_to_payload(record.schema, [record])


def taken(pending: PendingSubscription) -> list[int | str]:
    """Times of the updates of the next batch, and its progress."""
    events, more = asyncio.run(asyncio.wait_for(pending.next(), 30))
    seen: list[int | str] = []
    for event in events:
        match event:
            case Updates(table):
                seen += table.column("c0").to_pylist()
            case Progress(frontier):
                seen.append(str(frontier))
    return seen if more else [*seen, "end"]


def test_batches_are_handed_on_in_order() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 5), rows(5, 5))
    pending.batch(_R1, batch(5, 6), rows(5))
    pending.batch(_R1, batch(6, 9), b"")
    pending.batch(_R1, batch(9, None), rows(9))
    assert [taken(pending) for _ in range(4)] == [[5, 5], [5, "{6}"], ["{9}"], [9, "{}", "end"]]


def test_what_was_complete_is_not_handed_on_again() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 8), rows(5, 6))
    assert taken(pending) == [5, 6, "{8}"]
    pending.lose(_R1, "killed")
    # It begins at a later time than the first one did, with all that was there before at that time.
    pending.batch(_R1, batch(7, 8), rows(7, 7))
    pending.batch(_R1, batch(8, 12), rows(9))
    assert taken(pending) == [9, "{12}"]


def test_what_waits_and_is_not_complete_is_forgotten_with_its_replica() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 8), rows(5))
    pending.batch(_R1, batch(8, 8), rows(8))
    pending.lose(_R1, "killed")
    pending.batch(_R1, batch(7, 11), rows(7, 8, 9))
    assert [taken(pending) for _ in range(2)] == [[5, "{8}"], [8, 9, "{11}"]]


def test_it_fails_when_updates_were_seen_of_times_that_are_not_complete() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 5), rows(5))
    assert taken(pending) == [5]
    pending.lose(_R1, "killed")
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_it_fails_when_the_next_replica_can_only_begin_later() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 8), rows(5))
    pending.lose(_R1, "killed")
    pending.batch(_R1, batch(9, 10), rows(9))
    assert taken(pending) == [5, "{8}"]
    with pytest.raises(SqlError, match="was lost") as error:
        taken(pending)
    assert error.value.sqlstate.value == "58000"


def test_a_replica_that_begins_later_is_passed_over_until_another_has_told_what_it_lacks() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R1, batch(5, 8), rows(5))
    pending.lose(_R2, "killed")
    # Parts of a tick from 10 on, whose beginning is not told yet; it is told before the tick ends.
    pending.batch(_R2, batch(10, 10, first=True), rows(10))
    pending.batch(_R1, batch(8, 11), rows(9))
    pending.batch(_R2, batch(10, 12), rows(11))
    assert [taken(pending) for _ in range(2)] == [[5, "{8}"], [9, "{11}"]]
    assert replicas.told[_R2] == 2, "it is not kept waiting"
    pending.batch(_R2, batch(12, 14), rows(12, 13))
    pending.batch(_R1, batch(11, 12), rows(11))
    pending.batch(_R2, batch(14, 15), rows(14))
    assert [taken(pending) for _ in range(1)] == [[11, "{12}"]]
    pending.batch(_R1, batch(12, 15), rows(12, 13, 14))
    pending.batch(_R2, batch(15, 16), rows(15))
    assert [taken(pending) for _ in range(2)] == [[12, 13, 14, "{15}"], [15, "{16}"]]


def test_it_fails_when_only_replicas_answer_that_begin_later() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R1, batch(5, 8), rows(5))
    pending.batch(_R2, batch(9, 10, first=True), rows(9))
    replicas.names = (_R2,)
    pending.lose(_R1, "killed")
    assert taken(pending) == [5, "{8}"]
    pending.batch(_R2, batch(10, 11), rows(10))
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_who_is_amid_a_large_tick_hears_that_another_has_told_it() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    for _ in range(2):
        pending.batch(_R2, batch(5, 5), rows(5))
    pending.batch(_R1, batch(5, 6), rows(5, 5, 5))
    assert taken(pending) == [5, 5, 5, "{6}"]
    assert replicas.heard[_R2] == Antichain.at(6) and replicas.told[_R2] == 2, "its parts are left out"


def test_an_error_comes_after_what_came_before_it() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 8), rows(5))
    pending.batch(_R1, batch(8, 9, PeekFailed("22012", "division by zero")), b"")
    assert taken(pending) == [5, "{8}"]
    taken(pending)
    with pytest.raises(SqlError, match="division by zero"):
        taken(pending)


def test_of_two_replicas_each_time_is_handed_on_once() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R2, batch(5, 7), rows(5, 6))
    pending.batch(_R1, batch(5, 6), rows(5))
    pending.batch(_R1, batch(6, 9), rows(6, 7, 8))
    pending.batch(_R2, batch(7, 9), rows(7, 8))
    assert [taken(pending) for _ in range(2)] == [[5, 6, "{7}"], [7, 8, "{9}"]]
    assert replicas.told == {_R1: 1, _R2: 2}, "what is left out, too; the last is not read yet"


def test_a_replica_that_is_killed_or_stands_still_amid_a_tick_is_not_waited_for() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R1, batch(5, 5), rows(5))
    pending.batch(_R2, batch(5, 9), rows(5, 8))
    assert taken(pending) == [5, 8, "{9}"]
    pending.batch(_R2, batch(9, 9), rows(9))
    pending.lose(_R2, "killed")
    pending.batch(_R1, batch(5, 12), rows(8, 9, 11))
    assert taken(pending) == [], "what was told already is of no interest"
    assert taken(pending) == [9, 11, "{12}"]


def test_a_tick_of_many_parts_is_handed_on_while_it_comes() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R1, batch(5, 5), rows(5))
    pending.batch(_R2, batch(5, 5), rows(6))
    pending.batch(_R1, batch(5, 5), rows(6))
    assert [taken(pending) for _ in range(2)] == [[5], [6]]
    pending.batch(_R2, batch(5, 8), rows(5))
    pending.batch(_R1, batch(5, 7), b"")
    assert taken(pending) == ["{7}"]
    assert [taken(pending) for _ in range(2)] == [[], ["{8}"]]
    assert replicas.told == {_R1: 3, _R2: 1}


def test_a_full_replica_makes_room_of_what_another_one_has_told() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    pending.batch(_R2, batch(5, 5), rows(5))
    pending.batch(_R1, batch(5, 8), rows(5, 7))
    pending.batch(_R2, batch(5, 5), rows(7))
    assert replicas.told == {_R2: 2} and taken(pending) == [5, 7, "{8}"]


def test_what_nobody_else_cuts_alike_is_lost_with_its_replica() -> None:
    pending = subscription(_Replicas(_R1, _R2))
    for time in (5, 6):
        pending.batch(_R1, batch(5, 5), rows(time))
    assert taken(pending) == [5]
    pending.lose(_R2, "killed")
    assert taken(pending) == [6]
    pending.lose(_R1, "killed")
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_nothing_is_told_behind_a_tick_that_was_lost_halfway() -> None:
    pending = subscription(_Replicas(_R1, _R2))
    for time in (5, 6):
        pending.batch(_R1, batch(5, 5), rows(time))
    assert [taken(pending) for _ in range(2)] == [[5], [6]]
    pending.batch(_R2, batch(5, 8), rows(5, 6))
    pending.lose(_R1, "killed")
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_a_replica_gives_way_to_one_that_ends_first_while_nobody_has_seen_its_parts() -> None:
    replicas = _Replicas(_R1, _R2)
    pending = subscription(replicas)
    for time in (5, 6):
        pending.batch(_R1, batch(5, 5), rows(time))
    pending.batch(_R2, batch(5, 8), rows(5, 6, 7))
    assert taken(pending) == [5, 6, 7, "{8}"]
    pending.batch(_R1, batch(5, 9), rows(7, 8))
    assert taken(pending) == [8, "{9}"]
    assert replicas.told == {_R1: 2, _R2: 1}


def test_a_dataflow_that_begins_anew_at_the_same_time_tells_its_rows_once() -> None:
    pending = subscription()
    pending.batch(_R1, batch(5, 5, first=True), rows(5))
    pending.batch(_R1, batch(5, 5, first=True), rows(5))
    pending.batch(_R1, batch(5, 8), rows(6))
    assert [taken(pending) for _ in range(2)] == [[5], [6, "{8}"]]
    pending.batch(_R1, batch(8, 8), rows(8))
    assert taken(pending) == [8]
    pending.batch(_R1, batch(5, 5, first=True), rows(5))
    with pytest.raises(SqlError, match="was lost"):
        taken(pending)


def test_a_subscribe_that_another_replica_serves_does_not_stand_still() -> None:
    pending = subscription(_Replicas(_R1, _R2))
    assert not pending.stands_still()
    pending.batch(_R2, batch(5, 8), rows(5))
    assert not pending.stands_still() and pending.stands_still()
    assert subscription().stands_still()
