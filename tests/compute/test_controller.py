"""The controller answers every peek, whatever becomes of its replica."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.controller.address import AddressHost, CountedLooks
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.link import Host, Link, ReplicaUnavailable, Silence
from compute.controller.pending import PeekRequest
from compute.controller.replica_status import ReplicaPhase
from compute.protocol import framing, vocabulary
from compute.protocol.command import Command, CreateInstance, Peek, Ping
from compute.protocol.dataflow import Import
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Constant, Finishing, Negate, Relation
from tests.compute.in_process import InProcessHost

pytestmark = pytest.mark.asyncio

_PATIENCE_S = 60.0
"""After which what is waited for is taken to hang: far longer than it takes on a machine that does much else."""
_REQUEST = PeekRequest(Constant((), RelationDesc(())), (), Timestamp(5), Finishing((), None, None, ()))


class QuickClock(SystemClock):
    """Sleeps a hundredth of what it is asked to."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 100)


class ImpatientClock(SystemClock):
    """Lets others go on, and does not wait."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


def _batch(*values: int) -> pa.RecordBatch:
    return pa.record_batch({"c0": pa.array(values, pa.int64())})


@asynccontextmanager
async def running(
    evaluate: Callable[[CreateInstance, Peek], Awaitable[Iterable[pa.RecordBatch]]], *, available: bool = True
) -> AsyncIterator[tuple[ComputeController, InProcessHost]]:
    host = InProcessHost(evaluate, available=available)
    options = ControllerOptions("sqlite:a", "file:b", nonce="1", timeline="timeline/t", preconditions=())
    controller = ComputeController(options, {"r1": host}, QuickClock(), SystemRandomness())
    controller.start()
    try:
        yield controller, host
    finally:
        await controller.stop()


async def _rows(controller: ComputeController) -> list[int]:
    return [value for batch in [b async for b in controller.peek(_REQUEST)] for value in batch.column(0).to_pylist()]


async def test_a_peek_yields_its_rows_in_order() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        assert instance == CreateInstance("sqlite:a", "file:b", "timeline/t", ()) and peek.as_of == 5
        return [_batch(i) for i in range(50)]

    async with running(evaluate) as (controller, _):
        assert await _rows(controller) == list(range(50))
        assert controller.status().peeks == 1 and controller.status().phase is ReplicaPhase.READY


async def test_a_slow_reader_holds_back_only_its_own_peek() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(i) for i in range(100)]

    async with running(evaluate) as (controller, _):
        slow = controller.peek(_REQUEST)
        assert (await anext(slow)).column(0).to_pylist() == [0]
        assert await _rows(controller) == list(range(100))
        rest = [batch.column(0)[0].as_py() async for batch in slow]
        assert rest == list(range(1, 100))


async def test_an_error_keeps_its_fields() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        raise SqlError(Sqlstate.DIVISION_BY_ZERO, "division by zero", detail="d", hint="h")

    async with running(evaluate) as (controller, _):
        with pytest.raises(SqlError) as caught:
            await _rows(controller)
        error = caught.value
        assert (error.sqlstate, error.message, error.detail, error.hint) == (
            Sqlstate.DIVISION_BY_ZERO,
            "division by zero",
            "d",
            "h",
        )


async def test_a_peek_is_asked_once_more_when_its_replica_is_lost() -> None:
    asked = 0

    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        nonlocal asked
        asked += 1
        if asked == 1:
            host.crash()
            await asyncio.sleep(60)
        return [_batch(7)]

    async with running(evaluate) as (controller, host):
        assert await _rows(controller) == [7]
        assert asked == 2 and controller.status().restarts == 1


async def test_a_peek_that_loses_two_replicas_fails() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        host.crash()
        await asyncio.sleep(60)
        return []

    async with running(evaluate) as (controller, host):
        with pytest.raises(SqlError) as caught:
            await asyncio.wait_for(_rows(controller), _PATIENCE_S)
        assert caught.value.sqlstate is Sqlstate.SYSTEM_ERROR


async def test_a_peek_whose_rows_were_seen_is_not_asked_again() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(i) for i in range(100)]

    async with running(evaluate) as (controller, host):
        rows = controller.peek(_REQUEST)
        await anext(rows)
        host.crash()
        with pytest.raises(SqlError) as caught:
            while True:
                await asyncio.wait_for(anext(rows), _PATIENCE_S)
        assert caught.value.sqlstate is Sqlstate.SYSTEM_ERROR


async def test_statements_wait_for_a_replica() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(1)]

    async with running(evaluate, available=False) as (controller, host):
        waiting = asyncio.create_task(_rows(controller))
        await asyncio.sleep(0)
        assert not waiting.done()
        host.available = True
        assert await asyncio.wait_for(waiting, _PATIENCE_S) == [1]


async def test_statements_fail_when_no_replica_comes_up() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return []

    async with running(evaluate, available=False) as (controller, _):
        with pytest.raises(SqlError) as caught:
            await asyncio.wait_for(_rows(controller), _PATIENCE_S)
        assert caught.value.sqlstate is Sqlstate.CANNOT_CONNECT_NOW


@pytest.mark.parametrize("error", [ReplicaUnavailable("none"), OSError(24, "Too many open files"), KeyError("defect")])
async def test_a_replica_that_comes_up_after_very_many_failures_answers(error: Exception) -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(1)]

    class Hopeless(InProcessHost):
        failures = 0

        async def connect(self) -> Link:
            if self.failures < 1_100:
                self.failures += 1
                raise error
            return await super().connect()

    host = Hopeless(evaluate)
    options = ControllerOptions("sqlite:a", "file:b", nonce="1", timeline="timeline/t", preconditions=())
    controller = ComputeController(options, {"r1": host}, ImpatientClock(), SystemRandomness())
    with capture_logs() as logs:
        controller.start()
        await asyncio.wait_for(controller.wait_ready(), _PATIENCE_S)
    assert len(logs) >= 1_100
    assert await _rows(controller) == [1]
    await controller.stop()


class Hanging(InProcessHost):
    """Once it `hangs` nothing that it is told arrives, until it is replaced. It is waited for at `patience` looks."""

    hangs = False
    asked = 0
    patience = 3

    def silence(self) -> Silence | None:
        return CountedLooks(self.patience)

    def take(self, number: int, command: Command) -> None:
        self.asked += isinstance(command, Ping)
        if not self.hangs:
            super().take(number, command)

    def crash(self) -> None:
        self.hangs = False
        super().crash()


@asynccontextmanager
async def _controlled(host: Host) -> AsyncIterator[ComputeController]:
    options = ControllerOptions("sqlite:a", "file:b", nonce="1", timeline="timeline/t", preconditions=(), drain_s=0)
    controller = ComputeController(options, {"r1": host}, QuickClock(), SystemRandomness())
    controller.start()
    try:
        yield controller
    finally:
        await controller.stop()


async def _one(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
    return [_batch(1)]


async def test_a_replica_that_hangs_is_replaced_and_what_waits_for_it_is_answered() -> None:
    host = Hanging(_one)
    async with _controlled(host) as controller:
        assert await _rows(controller) == [1]
        host.hangs = True
        with capture_logs() as logs:
            assert await asyncio.wait_for(_rows(controller), _PATIENCE_S) == [1]
        assert controller.status().restarts == 1
        assert "the replica does not answer" in [entry.get("reason") for entry in logs]


async def test_a_replica_that_answers_is_kept_however_long_it_has_nothing_to_say() -> None:
    host = Hanging(_one)
    async with _controlled(host) as controller:
        assert await _rows(controller) == [1]
        while host.asked < 20:
            await asyncio.sleep(0.01)
        assert controller.status().restarts == 0


async def test_a_replica_elsewhere_whose_machine_is_gone_is_connected_to_anew() -> None:
    """Nothing ends its connection: what was sent is on its way for ever."""
    connections: list[asyncio.StreamWriter] = []
    again = asyncio.Event()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        if len(connections) > 1:
            again.set()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with _controlled(AddressHost(f"127.0.0.1:{server.sockets[0].getsockname()[1]}", "")) as controller:
        await asyncio.wait_for(again.wait(), _PATIENCE_S)
        assert controller.status().restarts >= 1
    server.close()
    for writer in connections:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def test_cancelling_the_reader_stops_the_work() -> None:
    stopped = asyncio.Event()
    began = asyncio.Event()

    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        try:
            began.set()
            await asyncio.sleep(60)
        finally:
            stopped.set()
        return []

    async with running(evaluate) as (controller, _):
        reader = asyncio.create_task(_rows(controller))
        await began.wait()
        reader.cancel()
        await asyncio.wait_for(stopped.wait(), _PATIENCE_S)
        with pytest.raises(asyncio.CancelledError):
            await reader
        assert controller.status().pending == 0


async def test_a_new_environment_takes_over_the_replica() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(1)]

    async with running(evaluate) as (controller, host):
        assert await _rows(controller) == [1]
        options = ControllerOptions("sqlite:a", "file:b", nonce="2", timeline="timeline/t", preconditions=())
        successor = ComputeController(options, {"r1": host}, QuickClock(), SystemRandomness())
        successor.start()
        assert await _rows(successor) == [1]
        with pytest.raises(SqlError) as caught:
            await asyncio.wait_for(_rows(controller), _PATIENCE_S)
        assert caught.value.sqlstate is Sqlstate.ADMIN_SHUTDOWN
        await controller.stop()
        assert await _rows(successor) == [1]
        assert successor.status().restarts == 0
        await successor.stop()


async def test_stopping_fails_what_does_not_end_in_time() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        await asyncio.sleep(60)
        return []

    async with running(evaluate) as (controller, _):
        reader = asyncio.create_task(_rows(controller))
        await asyncio.sleep(0.01)
        await controller.stop()
        with pytest.raises(SqlError) as caught:
            await asyncio.wait_for(reader, _PATIENCE_S)
        assert caught.value.sqlstate is Sqlstate.ADMIN_SHUTDOWN
        with pytest.raises(SqlError):
            await _rows(controller)


async def test_a_plan_nested_too_deeply_fails_alone() -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(1)]

    async with running(evaluate) as (controller, _):
        relation: Relation = _REQUEST.relation
        for _depth in range(5_000):
            relation = Negate(relation)
        with pytest.raises(SqlError) as caught:
            await anext(controller.peek(dataclasses.replace(_REQUEST, relation=relation)))
        assert caught.value.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX
        assert await _rows(controller) == [1] and controller.status().pending == 0


async def test_what_is_too_long_to_be_sent_is_refused_and_never_sent_to_the_next_replica(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def evaluate(instance: CreateInstance, peek: Peek) -> list[pa.RecordBatch]:
        return [_batch(1)]

    monkeypatch.setattr(vocabulary, "MESSAGE_BYTES_MAX", 4096)
    monkeypatch.setattr(framing, "MESSAGE_BYTES_MAX", 4096)
    async with running(evaluate) as (controller, _):
        long = dataclasses.replace(
            _REQUEST, imports=(Import(GlobalId.user(1), "u1", RelationDesc(()), written=b"x" * 5000),)
        )
        with pytest.raises(SqlError, match="of 4096 that it may take") as raised:
            async for _ in controller.peek(long):
                pass
        assert raised.value.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED
        assert controller.status().peeks == 0
        assert await _rows(controller) == [1]
