"""Evaluates requests' checks and bodies: small ones on the event loop, others in an evaluation process, within a
time limit. They start no job, and belong to no session."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from model.ids.global_id import GlobalId
from model.text.context import DEFAULT_CONTEXT
from model.types.datum import Datum, Row
from planner.functions.growing import bytes_of
from planner.functions.system.lock_lookup import AdvisoryLock, LockLookup
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.interpret.effort import is_small
from planner.ir.query import Query
from planner.ir.scalar import SessionName
from server.environment.environment import Environment
from server.evaluation.work import Viewer, Work
from server.http.request import Refused

_AT_ONCE = 4
TOO_MANY = "the request makes too many rows, or too large ones"


@dataclass(frozen=True, slots=True)
class RequestEvaluations:
    """Evaluates queries of requests. `seconds` limits a query of one request, including its wait: only a few larger
    queries run at a time. `bytes_max` limits the rows returned."""

    environment: Environment
    seconds: float
    bytes_max: int
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def rows(self, query: Query, database: str, rows_max: int) -> list[Row]:
        """Returns the rows of a query that reads nothing. Raises SqlError as its expressions do; 413 for more rows
        than `rows_max`, 503 when it takes too long."""
        environment = self.environment
        viewer = Viewer(environment.catalog.state, database, (), "")
        work = Work(query, DEFAULT_CONTEXT, self._session(), viewer)
        if is_small(query):
            return await self._bounded(environment.evaluations.here.rows(work, _Unasked()), rows_max)
        try:
            async with asyncio.timeout(self.seconds), self.turns:
                return await self._bounded(environment.evaluations.apart.rows(work, _Unasked()), rows_max)
        except TimeoutError:
            raise Refused(503, "the request takes too long to evaluate", retry=True) from None

    async def _bounded(self, batches: AsyncGenerator[list[Row]], rows_max: int) -> list[Row]:
        found: list[Row] = []
        held = 0
        async with contextlib.aclosing(batches):
            async for batch in batches:
                found += batch
                held += sum(map(bytes_of, batch))
                if len(found) > rows_max or held > self.bytes_max:
                    raise Refused(413, TOO_MANY)
        return found

    def _session(self) -> dict[SessionName, Datum]:
        now = datetime.datetime.fromtimestamp(self.environment.clock.now_ms() / 1000, datetime.UTC)
        return dict.fromkeys((SessionName.NOW, SessionName.STATEMENT_TIME, SessionName.CLOCK_TIME), now)


class _Unasked:
    """SessionFacts without a session. Functions that would ask are refused when a check is declared."""

    def setting(self, name: str) -> str | None:
        _never(name)

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        _never(name)

    def signal_session(self, pid: int, end: bool) -> bool:
        _never(pid)

    def reload_configuration(self) -> bool:
        _never("configuration")

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        _never("statistics")

    def notify(self, channel: str, payload: str) -> None:
        _never(channel)

    def listening_channels(self) -> tuple[str, ...]:
        _never("channels")

    def transaction_id(self) -> int:
        _never("transaction")

    def server_version(self) -> str:
        _never("version")

    def started(self) -> datetime.datetime:
        _never("start")

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        _never("addresses")

    def stored_bytes(self, id: GlobalId) -> int:
        _never(id)

    @property
    def sequences(self) -> SequenceLookup:
        _never("sequences")

    @property
    def locks(self) -> LockLookup:
        _never("locks")

    async def call_large_object(self, function: str, arguments: tuple[Any, ...]) -> Any:
        _never(function)

    async def wait_for_lock(self, lock: AdvisoryLock) -> None:
        _never(lock)


def _never(asked: object) -> NoReturn:
    raise AssertionError(f"a request has no session to ask for {asked}")
