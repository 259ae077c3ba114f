"""What goes on while a transaction of a sink commits: the next one is read, combined, and asks for what it needs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from compute.replica.sinks import sink_runner
from compute.replica.sinks.driver_thread import DriverChannel, DriverThread
from compute.replica.sinks.open_transaction import OpenTransaction
from connectors.sinks.description import SinkDescription
from connectors.sinks.driver import Driver
from connectors.sinks.messages import Acknowledge, DriverResponse, Load, Request, StartCommit
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from model.types.datum import Datum
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4
from storage.persist.state import ShardState
from tests.compute.dataflows.world import DESC, Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.stores import StagedStore, TransactionalStore
from tests.compute.sinks.world import TABLE, Faults, UnreliableChannel, create_sink, rows_by_key

_AMOUNTS = relation_desc(("a", INT4), ("n", INT4))


class _SlowChannel(UnreliableChannel):
    """Commits, and applies what was staged, in three seconds; tells what is said and what was answered."""

    def __init__(self, driver: Driver, clock: Clock, told: list[str]) -> None:
        super().__init__(driver, clock, random.Random(1), Faults())
        self._told = told
        self._time = clock

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        self._told.append(type(request).__name__)
        return await super().ask(request)

    async def _carry_out(
        self, request: Request, after: asyncio.Task[tuple[DriverResponse, ...]] | None
    ) -> tuple[DriverResponse, ...]:
        if after is not None:
            await asyncio.wait([after])
        if isinstance(request, StartCommit | Acknowledge):
            await self._time.sleep(3.0)
        responses = await super()._carry_out(request, None)
        self._told.extend(type(each).__name__ for each in responses)
        return responses


def _pipelined(
    desc: RelationDesc,
    sums: tuple[int, ...],
    destination: TransactionalStore | StagedStore,
    told: list[str],
    come: list[int],
) -> None:
    """Two transactions, during the first of which so many rows come in each of some commits."""

    async def work(world: World) -> None:
        await world.table(TABLE, desc)
        description = replace(await create_sink(world, desc), sums=sums)
        value: Callable[[int], Datum] = (lambda key: key) if sums else str

        def opened(
            _sink: SinkDescription, _token: str, _directory: Path, _slow: Callable[[str], None]
        ) -> DriverChannel:
            return _SlowChannel(destination.driver(), world.clock, told)

        replica = Replica(world, open_driver=opened)
        replica.start(description)
        await world.commit({TABLE: [((0, value(0)), 1)]})
        replica.hint()
        await replica.until(lambda: "StartCommit" in told)
        first = 1
        for count in come:
            await world.commit({TABLE: [((key, value(key)), 1) for key in range(first, first + count)]})
            first += count
            replica.hint()
            await world.clock.sleep(0.5)
        await replica.until(lambda: destination.frontier == world.now)
        assert destination.rows == rows_by_key(world, world.now)
        await replica.dataflows.stop()

    run(work)


def _between(told: list[str], begin: str, end: str) -> list[str]:
    at = told.index(begin)
    return told[at + 1 : told.index(end, at)]


def _tell_of_reading(told: list[str], patch: pytest.MonkeyPatch) -> None:
    read, combine = OpenTransaction._read_to, OpenTransaction._combine

    async def read_to(transaction: OpenTransaction, state: ShardState, upper: Timestamp) -> None:
        await read(transaction, state, upper)
        told.append("read")

    async def combined(transaction: OpenTransaction) -> None:
        await combine(transaction)
        told.append("combined")

    patch.setattr(OpenTransaction, "_read_to", read_to)
    patch.setattr(OpenTransaction, "_combine", combined)


def test_the_next_transaction_is_read_while_one_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As changes come; and it goes on to be read until it may close, since it isn't full."""
    told: list[str] = []
    _tell_of_reading(told, monkeypatch)
    _pipelined(DESC, (), TransactionalStore(), told, [2, 2, 2])
    assert _between(told, "StartCommit", "StartedCommit") == ["read"] * 3
    assert told.count("StartCommit") == 2, "one transaction has what came meanwhile"


def test_a_transaction_that_is_full_is_combined_while_one_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes behind it is of the one after it."""
    told: list[str] = []
    _tell_of_reading(told, monkeypatch)
    _pipelined(DESC, (), TransactionalStore(), told, [15, 15, 15])
    assert _between(told, "StartCommit", "StartedCommit") == ["read", "combined"]
    assert told.count("StartCommit") == 4


def test_documents_are_asked_for_before_the_last_commit_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are given behind it, and their loading ends behind it: a driver answers in order."""
    told: list[str] = []
    _tell_of_reading(told, monkeypatch)
    _pipelined(_AMOUNTS, (1,), StagedStore(), told, [15, 15, 15])
    committed = told[told.index("StartedCommit") :]
    assert "Load" in _between(committed, "Acknowledge", "Acknowledged")
    assert _between(committed, "Acknowledged", "FlushLoads").count("Loaded") == 1


def test_a_transaction_that_closes_while_it_becomes_full_has_all_that_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """What parts of the input tell about its size may change while it is read, and others then have it end later."""
    told: list[str] = []
    _tell_of_reading(told, monkeypatch)
    read = OpenTransaction._read_to

    async def read_slowly(transaction: OpenTransaction, state: ShardState, upper: Timestamp) -> None:
        await transaction._places.clock.sleep(5.0)
        await read(transaction, state, upper)

    monkeypatch.setattr(OpenTransaction, "_read_to", read_slowly)
    monkeypatch.setattr(sink_runner, "closing_time", lambda _state, _lower, upper, _rows_max: upper)
    _pipelined(DESC, (), TransactionalStore(), told, [5, 5, 20])
    assert "combined" in told


class _Refusing:
    """Refuses Acknowledge, and would answer all else."""

    def __init__(self) -> None:
        self.asked: list[type] = []

    def answer(self, request: Request) -> tuple[DriverResponse, ...]:
        self.asked.append(type(request))
        if isinstance(request, Acknowledge):
            raise SqlError(Sqlstate.CONNECTION_FAILURE, "the destination is away")
        return ()

    def abort(self) -> None:
        """Nothing hangs."""

    def close(self) -> None:
        """Nothing is held."""


def test_a_driver_that_has_failed_is_not_asked_what_was_said_behind_that() -> None:
    """What was staged would not be applied yet when documents are loaded."""
    driver = _Refusing()

    async def work() -> None:
        channel = DriverThread(driver, "a driver", lambda _message: None)
        load = Load(pa.table({"c0": [1]}))
        answers = await asyncio.gather(channel.ask(Acknowledge()), channel.ask(load), return_exceptions=True)
        assert [type(each) for each in answers] == [SqlError, SqlError]
        await channel.close()

    asyncio.run(work())
    assert driver.asked == [Acknowledge]
