"""The replica serves the newest environment, answers every peek once, and reconciles as if started afresh."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from hypothesis import given
from hypothesis import strategies as st

from compute.protocol.command import (
    AcknowledgeBatches,
    AcknowledgeRows,
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Await,
    CancelPeek,
    Command,
    CreateDataflow,
    Hello,
    InitializationComplete,
    Peek,
    PeekIndex,
    Rebuild,
    Schedule,
)
from compute.protocol.dataflow import DataflowDescription, IndexExport, Installed, SubscribeExport
from compute.protocol.response import (
    DataflowMeasures,
    DataflowPhase,
    DataflowStatus,
    Frontiers,
    PeekCancelled,
    PeekCompleted,
    PeekDone,
    PeekRows,
    Reconciled,
    ReplacedDataflow,
    Response,
    ServingRefused,
    Status,
    SubscribeBatch,
)
from compute.replica.running.reconcile import RunningDataflow, compatible, reconcile
from compute.replica.tasks.events import (
    AllowBatches,
    AllowRows,
    BatchProduced,
    BeginAnew,
    CompactExport,
    Disconnected,
    Event,
    Exit,
    HangUp,
    Hurry,
    Instruction,
    MoveTimeline,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    Reported,
    Retain,
    RowsProduced,
    Send,
    SetWritable,
    StartDataflow,
    StartPeek,
    StopDataflow,
    StopPeek,
    WorkerReady,
)
from compute.replica.tasks.state import ReplicaState
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Constant, Finishing, Get, Union
from tests.compute.test_history import INSTANCE, histories

T = TypeVar("T")
_DESC = RelationDesc(())
_NOTHING = Constant((), _DESC)
_DONE = PeekCompleted(0, 0.0)


def _peek(uuid: str) -> Peek:
    return Peek(uuid, _NOTHING, (), Timestamp(5), Finishing((), None, None, ()))


def _dataflow(number: int, as_of: int = 5) -> DataflowDescription:
    id_ = GlobalId.user(number)
    return DataflowDescription((), ((id_, _NOTHING),), (IndexExport(id_, id_, ()),), Antichain.at(as_of), EMPTY)


def _state(*, ready: bool = True) -> ReplicaState:
    return ReplicaState(secret="s", version="v", ready=ready)


def _run(state: ReplicaState, *events: Event) -> list[Instruction]:
    return [instruction for event in events for instruction in state.handle(event)]


def _begin(state: ReplicaState, connection: int, nonce: str, *commands: Command) -> list[Instruction]:
    all_ = (Hello(nonce, "v", "s", "c"), INSTANCE, *commands, InitializationComplete())
    return _run(state, *(Received(connection, command) for command in all_))


def _sent(instructions: list[Instruction], connection: int) -> list[Response]:
    return [i.response for i in instructions if isinstance(i, Send) and i.connection == connection]


def test_a_peek_starts_streams_and_ends() -> None:
    state = _state()
    begun = _begin(state, 1, "a")
    told = Send(1, Reconciled(0, ()))
    assert begun == [Send(1, Status(True, "ready")), told, OpenInstance(INSTANCE), Retain(())]
    key = PeekKey(1, "p")
    assert _run(state, Received(1, _peek("p"))) == [StartPeek(key, _peek("p"))]
    assert _run(state, RowsProduced(key, 2, b"x")) == [Send(1, PeekRows("p", 2), b"x")]
    assert _run(state, Received(1, AcknowledgeRows("p", 1))) == [AllowRows(key, 1)]
    assert _run(state, PeekEnded(key, _DONE)) == [Send(1, PeekDone("p", _DONE))]
    assert _run(state, Received(1, CancelPeek("p")), Received(1, AcknowledgeRows("p", 1))) == []


def test_peeks_wait_until_spark_is_up() -> None:
    state = _state(ready=False)
    begun = _begin(state, 1, "a", _peek("p"), _peek("q"))
    assert not any(isinstance(i, StartPeek) for i in begun)
    assert _run(state, Received(1, CancelPeek("q"))) == [Send(1, PeekDone("q", PeekCancelled()))]
    assert _run(state, WorkerReady()) == [Send(1, Status(True, "ready")), StartPeek(PeekKey(1, "p"), _peek("p"))]


def test_nothing_runs_before_initialization_is_complete() -> None:
    state = _state()
    early = _run(state, Received(1, Hello("a", "v", "s", "c")), Received(1, INSTANCE), Received(1, _peek("p")))
    assert early == [Send(1, Status(True, "ready"))]


def test_a_cancelled_peek_is_stopped_and_still_answered_once() -> None:
    state = _state()
    _begin(state, 1, "a", _peek("p"))
    key = PeekKey(1, "p")
    assert _run(state, Received(1, CancelPeek("p"))) == [StopPeek(key)]
    assert _run(state, PeekEnded(key, PeekCancelled())) == [Send(1, PeekDone("p", PeekCancelled()))]


def test_a_newer_environment_takes_over_and_the_older_one_is_told() -> None:
    state = _state()
    _begin(state, 1, "a", _peek("p"))
    taken = _begin(state, 2, "b")
    assert isinstance(_sent(taken, 1)[0], ServingRefused) and HangUp(1) in taken and StopPeek(PeekKey(1, "p")) in taken
    assert _run(state, RowsProduced(PeekKey(1, "p"), 1, b""), PeekEnded(PeekKey(1, "p"), _DONE)) == []
    assert _run(state, Received(1, _peek("q"))) == [HangUp(1)]


def test_an_older_environment_is_refused() -> None:
    state = _state()
    _begin(state, 1, "b")
    refused = _run(state, Received(2, Hello("a", "v", "s", "c")))
    assert isinstance(_sent(refused, 2)[0], ServingRefused) and refused[-1] == HangUp(2)
    assert _run(state, Received(1, _peek("p"))) == [StartPeek(PeekKey(1, "p"), _peek("p"))]


def test_another_client_is_refused_while_one_is_connected() -> None:
    state = _state()
    _begin(state, 1, "b")
    for nonce in ("a", "b", "c"):
        (refused,) = _sent(_run(state, Received(2, Hello(nonce, "v", "s", "another"))), 2)
        assert isinstance(refused, ServingRefused) and not refused.superseded
    assert _run(state, Received(1, _peek("p"))) == [StartPeek(PeekKey(1, "p"), _peek("p"))]
    _run(state, Disconnected(1))
    taken = _run(state, Received(2, Hello("a", "v", "s", "another")))
    assert isinstance(_sent(taken, 2)[0], Status)
    (refused,) = _sent(_run(state, Received(1, Hello("b", "v", "s", "c"))), 1)
    assert isinstance(refused, ServingRefused) and not refused.superseded


def test_a_wrong_secret_or_version_is_refused() -> None:
    for hello in (Hello("a", "v", "wrong", "c"), Hello("a", "other", "s", "c")):
        assert isinstance(_sent(_run(_state(), Received(1, hello)), 1)[0], ServingRefused)


def test_the_same_environment_may_come_back() -> None:
    state = _state()
    _begin(state, 1, "a", _peek("p"))
    assert _run(state, Disconnected(1)) == [StopPeek(PeekKey(1, "p"))]
    again = _begin(state, 2, "a", _peek("p"))
    assert StartPeek(PeekKey(2, "p"), _peek("p")) in again


def test_other_locations_end_the_process() -> None:
    state = _state()
    _begin(state, 1, "a")
    moved = (
        Hello("b", "v", "s", "c"),
        dataclasses.replace(INSTANCE, consensus_url="sqlite:z"),
        InitializationComplete(),
    )
    assert isinstance(_run(state, *(Received(2, command) for command in moved))[-1], Exit)


def test_dropping_an_export_reports_the_empty_frontier_once() -> None:
    state = _state()
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)))
    drop = Received(1, AllowCompaction(GlobalId.user(1), EMPTY))
    assert _run(state, drop, drop) == [Send(1, Frontiers(GlobalId.user(1), EMPTY, EMPTY, EMPTY, EMPTY))]


def test_reconciliation_keeps_what_is_wanted_and_counts() -> None:
    state = _state()
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)), CreateDataflow(_dataflow(2)))
    begun = _begin(state, 2, "b", CreateDataflow(_dataflow(1, 7)), CreateDataflow(_dataflow(3)))
    assert (state.kept, state.replaced) == (1, 1)
    dropped = ReplacedDataflow((GlobalId.user(2),), "")
    assert [each for each in _sent(begun, 2) if isinstance(each, Reconciled)] == [Reconciled(1, (dropped,))]
    assert {str(id_) for exports in state.dataflows for id_ in exports} == {"u1", "u3"}


def test_a_dataflow_compacted_beyond_the_new_as_of_is_replaced() -> None:
    old = dataclasses.replace(RunningDataflow.of(_dataflow(1)), since={GlobalId.user(1): Antichain.at(9)})
    assert reconcile([old], [_dataflow(1, 9)]).kept
    plan = reconcile([old], [_dataflow(1, 8)])
    assert plan.dropped == (old,)
    assert plan.reasons == ("its state is compacted up to 9, and is to be read from 8 on",)


def test_each_export_of_a_dataflow_may_be_compacted_as_far_as_the_commands_allow_it() -> None:
    id_, other = GlobalId.user(1), GlobalId.user(2)
    both = dataclasses.replace(_dataflow(1), exports=(*_dataflow(1).exports, IndexExport(other, other, ())))
    old = dataclasses.replace(RunningDataflow.of(both), since={id_: Antichain.at(8), other: Antichain.at(9)})
    wanted = dataclasses.replace(both, as_of=Antichain.at(8))
    assert reconcile([old], [wanted], {other: Antichain.at(9)}).kept
    assert reconcile([old], [wanted], {id_: Antichain.at(9)}).reasons == (
        "its state is compacted up to 9, and is to be read from 8 on",
    )


def _peek_index(uuid: str) -> PeekIndex:
    return PeekIndex(uuid, GlobalId.user(1), None, Timestamp(5), Finishing((), None, None, (0,)))


def test_a_replica_that_is_greeted_once_more_goes_on_with_the_peeks_that_are_named_again() -> None:
    state = _state()
    going, ended = PeekKey(1, "going"), PeekKey(1, "ended")
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)), _peek_index("going"), _peek_index("ended"))
    assert state.active == {going, ended}
    begun = _begin(state, 1, "a", CreateDataflow(_dataflow(1)), _peek_index("going"))
    assert [each for each in begun if isinstance(each, StopPeek | StartPeek)] == [StopPeek(ended)]
    assert _begin(state, 1, "a", CreateDataflow(_dataflow(1)), _peek_index("going")).count(StopPeek(ended)) == 0
    begun = _begin(state, 2, "b", CreateDataflow(_dataflow(1)))
    assert [each for each in begun if isinstance(each, StopPeek)] == [StopPeek(going)]


def test_what_is_replaced_is_told_with_the_reason() -> None:
    id_, other = GlobalId.user(1), GlobalId.user(2)
    plain = _dataflow(1)
    both = dataclasses.replace(plain, exports=(*plain.exports, IndexExport(other, other, ())))
    reasons = {
        "": (plain, []),
        "exported together with others": (plain, [both]),
        "its state begins at 5, and is to be read from 4 on": (plain, [_dataflow(1, 4)]),
        "its definition has changed": (plain, [dataclasses.replace(plain, objects=((id_, Union((_NOTHING,))),))]),
        "its exports have and its end has changed": (
            plain,
            [dataclasses.replace(plain, exports=(IndexExport(id_, other, ()),), until=Antichain.at(9))],
        ),
    }
    for reason, (old, wanted) in reasons.items():
        told = reconcile([RunningDataflow.of(old)], wanted).told
        assert told == Reconciled(0, (ReplacedDataflow((id_,), reason),))


def test_transient_names_do_not_matter_but_what_they_name_does() -> None:
    def described(first: int, second: int, *, same: bool) -> DataflowDescription:
        a, b = GlobalId.transient(first), GlobalId.transient(second)
        view = Union((Get(a, _DESC), Get(a if same else b, _DESC)))
        export = GlobalId.user(1)
        return dataclasses.replace(
            _dataflow(1),
            objects=((a, _NOTHING), (b, _NOTHING), (export, view)),
            exports=(IndexExport(export, export, ()),),
        )

    assert compatible(described(1, 2, same=False), described(8, 3, same=False))
    assert not compatible(described(1, 2, same=False), described(1, 2, same=True))


def _essence(state: ReplicaState) -> Any:
    return state.dataflows, {key.uuid for key in state.active}, state.instance


@given(histories(), histories())
def test_reconciling_equals_starting_afresh(before: list[Command], after: list[Command]) -> None:
    used, fresh = _state(), _state()
    _begin(used, 1, "a", *before[1:])
    _run(used, *(PeekEnded(key, _DONE) for key in list(used.active)))
    used.instance = fresh.instance = None
    used_out = _begin(used, 2, "b", *after[1:])
    _run(used, *(PeekEnded(key, _DONE) for key in list(used.active) if key.connection == 1))
    fresh_out = _begin(fresh, 2, "b", *after[1:])
    assert _essence(used) == _essence(fresh)
    used_told, fresh_told = (
        sorted(str(each) for each in _sent(out, 2) if not isinstance(each, Reconciled)) for out in (used_out, fresh_out)
    )
    assert used_told == fresh_told


@given(st.lists(st.integers(0, 7), max_size=40))
def test_every_peek_is_answered_exactly_once(script: list[int]) -> None:
    state = _state(ready=False)
    _begin(state, 1, "a")
    out: list[Instruction] = []
    uuids: list[str] = []
    for step in script:
        if step <= 2:
            uuids.append(str(len(uuids)))
            out += _run(state, Received(1, _peek(uuids[-1])))
        elif step <= 4 and uuids:
            out += _run(state, Received(1, CancelPeek(uuids[step % len(uuids)])))
        elif step == 5:
            out += _run(state, WorkerReady())
        elif state.active:
            out += _run(state, PeekEnded(min(state.active, key=str), _DONE))
    out += _run(state, WorkerReady())
    out += _run(state, *(PeekEnded(key, _DONE) for key in list(state.active)))
    done = [r.uuid for r in _sent(out, 1) if isinstance(r, PeekDone)]
    assert sorted(done) == sorted(uuids)


def test_schedule_and_allow_writes_mark_the_dataflow() -> None:
    state = _state()
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)))
    _run(state, Received(1, Schedule(GlobalId.user(1))), Received(1, AllowWrites(GlobalId.user(1))))
    [dataflow] = state.dataflows.values()
    assert dataflow.scheduled and dataflow.writable


# Dataflows

_ID = GlobalId.user(1)


def _started(state: ReplicaState) -> list[StartDataflow]:
    return _of_kind(_begin(state, 1, "a", CreateDataflow(_dataflow(1)), Schedule(_ID)), StartDataflow)


def _of_kind(instructions: list[Instruction], kind: type[T]) -> list[T]:
    return [each for each in instructions if isinstance(each, kind)]


def _at(upper: int) -> Frontiers:
    return Frontiers(_ID, Antichain.at(5), Antichain.at(upper), Antichain.at(upper), Antichain.at(5))


def test_a_dataflow_starts_once_when_it_is_scheduled() -> None:
    state = _state()
    assert not _of_kind(_begin(state, 1, "a", CreateDataflow(_dataflow(1))), StartDataflow)
    assert _run(state, Received(1, Schedule(_ID))) == [StartDataflow(1, _dataflow(1))]
    assert _run(state, Received(1, Schedule(_ID))) == []
    assert _run(state, Received(1, AllowWrites(_ID))) == [SetWritable(1, True)]


def test_a_dataflow_may_write_from_the_start_when_it_was_told_so_before() -> None:
    state = _state()
    begun = _begin(state, 1, "a", CreateDataflow(_dataflow(1)), AllowWrites(_ID))
    assert not _of_kind(begun, StartDataflow)
    assert _run(state, Received(1, Schedule(_ID))) == [StartDataflow(1, _dataflow(1)), SetWritable(1, True)]


def test_dropping_the_last_export_stops_the_dataflow() -> None:
    state = _state()
    assert _started(state) == [StartDataflow(1, _dataflow(1))]
    assert _run(state, Received(1, AllowCompaction(_ID, Antichain.at(7)))) == [CompactExport(1, _ID, Antichain.at(7))]
    dropped = _run(state, Received(1, AllowCompaction(_ID, EMPTY)))
    assert dropped == [Send(1, Frontiers(_ID, EMPTY, EMPTY, EMPTY, EMPTY)), StopDataflow(1)]
    assert _run(state, Reported(1, _at(9))) == [] and not state.dataflows


def test_a_new_environment_is_told_at_once_how_far_what_runs_has_come() -> None:
    state = _state()
    _started(state)
    status = DataflowStatus(_ID, DataflowPhase.RUNNING, 7, 7, "", 0)
    measures = DataflowMeasures(_ID, (), 0, None, None)
    reports = (_at(9), status, measures)
    assert _run(state, *(Reported(1, each) for each in reports)) == [Send(1, each) for each in reports]
    assert _run(state, Disconnected(1), Reported(1, _at(12))) == []
    begun = _begin(state, 2, "b", CreateDataflow(_dataflow(1, 8)), Schedule(_ID), AllowWrites(_ID))
    assert not _of_kind(begun, StartDataflow) and not _of_kind(begun, StopDataflow)
    told = Frontiers(_ID, Antichain.at(8), Antichain.at(12), Antichain.at(12), Antichain.at(8))
    assert _sent(begun, 2)[1:] == [Reconciled(1, ()), told, status, measures]
    assert _of_kind(begun, SetWritable) == [SetWritable(1, False), SetWritable(1, True)]
    assert _of_kind(begun, CompactExport) == [CompactExport(1, _ID, Antichain.at(8))]


def test_what_is_no_longer_wanted_stops_before_anything_starts() -> None:
    state = _state()
    _started(state)
    begun = _begin(state, 2, "b", CreateDataflow(_dataflow(2)), Schedule(GlobalId.user(2)))
    kinds = [type(each) for each in begun if isinstance(each, StopDataflow | StartDataflow)]
    assert kinds == [StopDataflow, StartDataflow]
    assert Retain((_dataflow(2),)) in _begin(_state(), 1, "a", CreateDataflow(_dataflow(2)))


def test_a_subscribe_ends_with_its_connection() -> None:
    export = SubscribeExport(GlobalId.transient(1), _ID, True)
    description = dataclasses.replace(_dataflow(1), exports=(export,))
    state = _state()
    _begin(state, 1, "a", CreateDataflow(description), Schedule(export.id))
    batch = SubscribeBatch(export.id, Antichain.at(5), Antichain.at(6), None)
    assert _run(state, BatchProduced(1, batch, b"x")) == [Send(1, batch, b"x")]
    assert _run(state, Received(1, AcknowledgeBatches(export.id, 1))) == [
        AllowBatches(1, export.id, 1, Antichain.at(0))
    ]
    assert _run(state, Disconnected(1)) == [StopDataflow(1)]
    begun = _begin(state, 2, "a", CreateDataflow(description), Schedule(export.id))
    assert _of_kind(begun, StartDataflow) == [StartDataflow(2, description)]
    assert _run(state, BatchProduced(1, batch, b"x")) == []


def test_indexes_are_read_before_spark_is_up() -> None:
    state = _state(ready=False)
    peek = PeekIndex("p", _ID, None, Timestamp(5), Finishing((), None, None, ()))
    begun = _begin(state, 1, "a", CreateDataflow(_dataflow(1)), Schedule(_ID), peek, _peek("q"))
    assert _of_kind(begun, StartPeek) == [StartPeek(PeekKey(1, "p"), peek)]


def test_hints_are_passed_on() -> None:
    state = _state()
    _started(state)
    hints = (Received(1, AdvanceTimeline(Antichain.at(9))), Received(1, Await(_ID, Timestamp(8))))
    assert _run(state, *hints) == [MoveTimeline(Antichain.at(9)), Hurry(1, _ID, Timestamp(8))]
    assert _run(state, Received(1, Rebuild(_ID)), Received(1, Rebuild(GlobalId.user(99)))) == [BeginAnew(1)]


def test_a_newer_fence_reaches_what_runs() -> None:
    state = _state()
    _begin(state, 1, "a")
    newer = dataclasses.replace(INSTANCE, preconditions=(("fence", 2),))
    taken = _run(
        state, Received(2, Hello("b", "v", "s", "c")), Received(2, newer), Received(2, InitializationComplete())
    )
    assert OpenInstance(newer) in taken


@given(histories(), histories())
def test_after_reconciliation_what_runs_is_what_is_wanted(before: list[Command], after: list[Command]) -> None:
    state = _state()
    running: dict[int, Installed] = {}
    for connection, (nonce, commands) in enumerate((("a", before), ("b", after)), 1):
        for instruction in _begin(state, connection, nonce, *commands[1:]):
            match instruction:
                case StartDataflow(number, description):
                    running[number] = description
                case StopDataflow(number):
                    del running[number]
    wanted = {d.number: frozenset(d.description.export_ids) for d in state.dataflows.values() if d.scheduled}
    # What an earlier environment had scheduled goes on, also before the newer one says so again.
    assert wanted.items() <= {number: frozenset(d.export_ids) for number, d in running.items()}.items()
    assert {frozenset(d.export_ids) for d in running.values()} <= state.dataflows.keys()
