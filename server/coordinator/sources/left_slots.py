"""Replication slots of sources that were dropped: dropped as well, as soon as their servers let us.

A slot keeps its server's WAL, so it must not stay. The replica may be about to make it anew until it hears of the drop:
so it is looked for again a while after it was dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import Executor

import structlog

from catalog.connections import Connection
from catalog.sources import PostgresRecords, Source
from catalog.state import CatalogState
from model.backing_off import BackOff
from model.clock import Clock
from model.errors import SqlError
from server.secrets.keyring import Keyring
from server.secrets.stored import secrets_of
from storage.sources.postgres.settings import postgres_settings
from storage.sources.postgres.slots import forget_slot
from storage.unreachable import Unreachable

log = structlog.get_logger()

_BACK_OFF = BackOff(0.5, 60.0)
_AGAIN_S = 20.0


class LeftSlots:
    """`probes` are the threads in which servers are spoken to."""

    def __init__(self, clock: Clock, keyring: Keyring, probes: Executor) -> None:
        self._clock = clock
        self._keyring = keyring
        self._probes = probes
        self._tasks: set[asyncio.Task[None]] = set()

    def leave(self, before: CatalogState, after: CatalogState) -> None:
        """The slots of those sources are left that `after` no longer has."""
        for id_, item in before.items.items():
            if id_ in after.items or not isinstance(item.definition, Source):
                continue
            records = item.definition.records
            if isinstance(records, PostgresRecords):
                connection = before.items[records.connection].definition
                assert isinstance(connection, Connection)
                self._forget(connection, before, records.publication.slot)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _forget(self, connection: Connection, state: CatalogState, slot: str) -> None:
        try:
            settings = postgres_settings(dict(connection.options), secrets_of(self._keyring, state, connection))
        except SqlError as error:
            log.warning("a replication slot stays", slot=slot, reason=error.message)
            return
        task = asyncio.create_task(self._forgotten(settings, slot), name=f"forget {slot}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forgotten(self, settings: Mapping[str, str], slot: str) -> None:
        await self._until_dropped(settings, slot)
        await self._clock.sleep(_AGAIN_S)
        await self._until_dropped(settings, slot)

    async def _until_dropped(self, settings: Mapping[str, str], slot: str) -> None:
        failures = 0
        while True:
            try:
                await asyncio.get_running_loop().run_in_executor(self._probes, forget_slot, settings, slot)
            except Unreachable as failure:
                failures += 1
                log.info("a replication slot is not dropped yet", slot=slot, failures=failures, error=failure.reason)
                await _BACK_OFF.wait(self._clock, failures)
            else:
                return
