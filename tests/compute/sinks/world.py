"""A sink of a table, its destination, and channels to it that fail."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from compute.replica.sinks.driver_thread import DriverChannel
from connectors.sinks.description import SinkDescription
from connectors.sinks.driver import Driver
from connectors.sinks.messages import DriverResponse, Request
from connectors.sinks.recovery_log import LOG_DESC
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SinkPolicy, SqliteTable
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.types.relation_desc import RelationDesc
from storage.persist.location import Consensus
from tests.compute.dataflows.world import DESC, Replica, World

TABLE, SINK = 1, 2


@dataclass
class Faults:
    """Chances, of each request: that it is lost, that its answer is, and that it takes its time."""

    lost: float = 0.0
    unanswered: float = 0.0
    slow: float = 0.0


class Drivable(Protocol):
    """A destination that has drivers."""

    @property
    def driver(self) -> Callable[[], Driver]: ...


class UnreliableChannel:
    """What is asked is carried out even where who asked is gone by then: a zombie."""

    def __init__(self, driver: Driver, clock: Clock, chance: random.Random, faults: Faults) -> None:
        self._driver = driver
        self._clock = clock
        self._chance = chance
        self._faults = faults
        self._after: asyncio.Task[tuple[DriverResponse, ...]] | None = None

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        self._after = asyncio.create_task(self._carry_out(request, self._after))
        return await asyncio.shield(self._after)

    async def _carry_out(
        self, request: Request, after: asyncio.Task[tuple[DriverResponse, ...]] | None
    ) -> tuple[DriverResponse, ...]:
        if after is not None:
            await asyncio.wait([after])
        chance, faults = self._chance, self._faults
        if chance.random() < faults.slow:
            await self._clock.sleep(chance.random() * 2)
        if chance.random() < faults.lost:
            raise _lost()
        responses = tuple(self._driver.answer(request))
        if chance.random() < faults.unanswered:
            raise _lost()
        return responses

    async def close(self) -> None:
        """The driver may be busy still."""


def _lost() -> SqlError:
    return SqlError(Sqlstate.CONNECTION_FAILURE, "the connection is gone")


async def create_sink(world: World, desc: RelationDesc = DESC) -> SinkDescription:
    """Its recovery log, empty; the sink of a table by its first column."""
    at = Antichain(world.now)
    await world.seed.create(GlobalId.user(SINK), LOG_DESC, at, at)
    return SinkDescription(
        sink=GlobalId.user(SINK),
        name="s",
        input=str(GlobalId.user(TABLE)),
        desc=desc,
        fallible=False,
        columns=tuple(range(desc.arity)),
        names=desc.names,
        key=(0,),
        enforced=True,
        place=SqliteTable("nowhere", "t"),
        policy=SinkPolicy(age_ms=10, rows_max=20, snapshot=True),
        as_of=at,
    )


def writing(
    world: World,
    destination: Drivable,
    chance: random.Random,
    faults: Faults,
    consensus: Consensus | None = None,
) -> Replica:
    """A life of a replica that writes to `destination`."""

    def open_driver(
        _sink: SinkDescription, _token: str, _directory: Path, _slow: Callable[[str], None]
    ) -> DriverChannel:
        return UnreliableChannel(destination.driver(), world.clock, chance, faults)

    return Replica(world, consensus=consensus, open_driver=open_driver)


def rows_by_key(world: World, time: int) -> dict[tuple[object, ...], tuple[object, ...]]:
    """What the table holds then."""
    return {(row[0],): row for row in world.rows_at(TABLE, time)}
