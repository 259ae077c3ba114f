"""The replica serves the newest environment, answers every peek once, and reconciles as if started afresh."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from compute.protocol.command import (
    AcknowledgeRows,
    AllowCompaction,
    AllowWrites,
    CancelPeek,
    Command,
    CreateDataflow,
    Hello,
    InitializationComplete,
    Peek,
    Schedule,
)
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.protocol.response import (
    Frontiers,
    PeekCancelled,
    PeekCompleted,
    PeekDone,
    PeekRows,
    Refused,
    Response,
    Status,
)
from compute.replica.events import (
    AllowRows,
    Disconnected,
    Event,
    Exit,
    HangUp,
    Instruction,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    Retain,
    RowsProduced,
    Send,
    StartPeek,
    StopPeek,
    WorkerReady,
)
from compute.replica.reconcile import RunningDataflow, compatible, reconcile
from compute.replica.state import ReplicaState
from model.antichain import EMPTY, Antichain
from model.global_id import GlobalId
from model.relation_desc import RelationDesc
from model.timestamp import Timestamp
from planner.ir.relation import Constant, Finishing, Get, Union
from tests.compute.test_history import INSTANCE, histories

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
    all_ = (Hello(nonce, "v", "s"), INSTANCE, *commands, InitializationComplete())
    return _run(state, *(Received(connection, command) for command in all_))


def _sent(instructions: list[Instruction], connection: int) -> list[Response]:
    return [i.response for i in instructions if isinstance(i, Send) and i.connection == connection]


def test_a_peek_starts_streams_and_ends() -> None:
    state = _state()
    begun = _begin(state, 1, "a")
    assert begun == [Send(1, Status(True, "ready")), OpenInstance(INSTANCE), Retain(())]
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
    early = _run(state, Received(1, Hello("a", "v", "s")), Received(1, INSTANCE), Received(1, _peek("p")))
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
    assert isinstance(_sent(taken, 1)[0], Refused) and HangUp(1) in taken and StopPeek(PeekKey(1, "p")) in taken
    assert _run(state, RowsProduced(PeekKey(1, "p"), 1, b""), PeekEnded(PeekKey(1, "p"), _DONE)) == []
    assert _run(state, Received(1, _peek("q"))) == [HangUp(1)]


def test_an_older_environment_is_refused() -> None:
    state = _state()
    _begin(state, 1, "b")
    refused = _run(state, Received(2, Hello("a", "v", "s")))
    assert isinstance(_sent(refused, 2)[0], Refused) and refused[-1] == HangUp(2)
    assert _run(state, Received(1, _peek("p"))) == [StartPeek(PeekKey(1, "p"), _peek("p"))]


def test_a_wrong_secret_or_version_is_refused() -> None:
    for hello in (Hello("a", "v", "wrong"), Hello("a", "other", "s")):
        assert isinstance(_sent(_run(_state(), Received(1, hello)), 1)[0], Refused)


def test_the_same_environment_may_come_back() -> None:
    state = _state()
    _begin(state, 1, "a", _peek("p"))
    assert _run(state, Disconnected(1)) == [StopPeek(PeekKey(1, "p"))]
    again = _begin(state, 2, "a", _peek("p"))
    assert StartPeek(PeekKey(2, "p"), _peek("p")) in again


def test_other_locations_end_the_process() -> None:
    state = _state()
    _begin(state, 1, "a")
    moved = (Hello("b", "v", "s"), dataclasses.replace(INSTANCE, consensus_url="sqlite:z"), InitializationComplete())
    assert isinstance(_run(state, *(Received(2, command) for command in moved))[-1], Exit)


def test_dropping_an_export_reports_the_empty_frontier_once() -> None:
    state = _state()
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)))
    drop = Received(1, AllowCompaction(GlobalId.user(1), EMPTY))
    assert _run(state, drop, drop) == [Send(1, Frontiers(GlobalId.user(1), EMPTY, EMPTY, EMPTY, EMPTY))]


def test_reconciliation_keeps_what_is_wanted_and_counts() -> None:
    state = _state()
    _begin(state, 1, "a", CreateDataflow(_dataflow(1)), CreateDataflow(_dataflow(2)))
    _begin(state, 2, "b", CreateDataflow(_dataflow(1, 7)), CreateDataflow(_dataflow(3)))
    assert (state.kept, state.replaced) == (1, 1)
    assert {str(id_) for exports in state.dataflows for id_ in exports} == {"u1", "u3"}


def test_a_dataflow_compacted_beyond_the_new_as_of_is_replaced() -> None:
    old = dataclasses.replace(RunningDataflow.of(_dataflow(1)), since={GlobalId.user(1): Antichain.at(9)})
    assert reconcile([old], [_dataflow(1, 9)]).kept
    assert reconcile([old], [_dataflow(1, 8)]).dropped == (old,)


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
    assert sorted(map(str, _sent(used_out, 2))) == sorted(map(str, _sent(fresh_out, 2)))


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
