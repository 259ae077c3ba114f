"""Replication slots of dropped sources: dropped once their servers allow it.

A slot retains its server's WAL, so it must go. The catalog lists leftover slots from the drop of their sources on,
across restarts. The replica may recreate a slot until it hears of the drop: the slot is looked for again a while after
its drop, and only then forgotten.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from functools import partial

import structlog

from catalog.declared.snapshot import SlotAttempts
from catalog.nouns.sources import LeftSlot
from catalog.state.catalog_state import CatalogState
from catalog.state.left_slots import left_slot_named
from connectors.postgres.settings import postgres_settings
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.time.backing_off import BackOff
from model.time.clock import Clock
from server.ledgers.committed_catalog import CommittedCatalog
from server.secrets.keyring import Keyring
from server.secrets.stored import left_secrets
from timeline.fence import Fenced

log = structlog.get_logger()

_BACK_OFF = BackOff(0.5, 60.0)
_AGAIN_S = 20.0

Forget = Callable[[str], Awaitable[object]]
"""Takes a slot out of the catalog, durably. SqlError, Fenced."""


class LeftSlots:
    """The leftover slots. `probes` are the threads that talk to servers. `begin` before use."""

    def __init__(self, clock: Clock, keyring: Keyring, probes: Executor) -> None:
        self._clock = clock
        self._keyring = keyring
        self._probes = probes
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._attempts: dict[str, SlotAttempts] = {}

    def begin(self, catalog: CommittedCatalog, forget: Forget) -> None:
        """Starts dropping slots left by earlier processes, and slots left from now on."""
        self._catalog = catalog
        self._forget = forget
        self.drop(catalog.state)

    def drop(self, state: CatalogState) -> None:
        """Starts dropping the slots left in a state."""
        for slot in state.left_slots:
            if slot not in self._tasks:
                self._tasks[slot] = asyncio.create_task(self._dropped(slot), name=f"drop {slot}")
                self._tasks[slot].add_done_callback(partial(self._end, slot))

    def attempts(self) -> Mapping[str, SlotAttempts]:
        """Returns the attempts for each slot."""
        return dict(self._attempts)

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def _end(self, slot: str, _: asyncio.Task[None]) -> None:
        del self._tasks[slot]
        self._attempts.pop(slot, None)

    async def _dropped(self, slot: str) -> None:
        await self._try_until_dropped(slot)
        await self._clock.sleep(_AGAIN_S)
        await self._try_until_dropped(slot)
        failures = 0
        while slot in self._catalog.state.left_slots:
            try:
                await self._forget(slot)
            except Fenced:
                return  # another environment looks for it
            except SqlError as error:
                failures += 1
                log.info("a replication slot is not forgotten yet", slot=slot, reason=error.message)
                await _BACK_OFF.wait(self._clock, failures)

    async def _try_until_dropped(self, slot: str) -> None:
        """Tries until the slot is dropped, or need not be. Each attempt uses the connection's present options: a
        changed password may have been the obstacle."""
        failures = 0
        while (left := left_slot_named(self._catalog.state, slot)) is not None:
            error = await self._attempt(left)
            self._attempts[slot] = SlotAttempts(failures + 1, error, dropped=error is None)
            if error is None:
                return
            failures += 1
            log.info("a replication slot is not dropped yet", slot=slot, failures=failures, error=error)
            await _BACK_OFF.wait(self._clock, failures)

    async def _attempt(self, left: LeftSlot) -> str | None:
        """Tries to drop a slot; returns the reason of a failure."""
        try:
            settings = postgres_settings(dict(left.connection.options), left_secrets(self._keyring, left))
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._probes, forget_slot, settings, left.slot, left.system)
        except Unreachable as failure:
            return failure.reason
        except SqlError as error:
            return error.message
        return None


def forget_slot(settings: Mapping[str, str], slot: str, system: str) -> None:
    """Drops a slot with `connectors.postgres.source.slots`, imported on first use."""
    from connectors.postgres.source import slots

    slots.forget_slot(settings, slot, system)
