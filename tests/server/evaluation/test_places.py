"""The event loop and the worker processes evaluate alike; what a statement starts ends with it."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

import psutil
import pytest

from catalog.durable.rows import initial_state
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.context import DEFAULT_CONTEXT
from model.time.clock import SystemClock
from planner.functions.system.lock_lookup import AdvisoryKey, AdvisoryLock
from planner.functions.system.sequence_lookup import SequenceLookup
from planner.interpret.parameters import bind_query
from server.evaluation.here import EvaluationsHere
from server.evaluation.pool import WorkerPool
from server.evaluation.work import AskedFacts, Evaluations, Viewer, Work
from tests.planner.empty_catalog import plan_select


class _Facts:
    """A session that counts what it is asked."""

    def __init__(self) -> None:
        self.changes: list[tuple[str, str | None, bool]] = []

    def setting(self, name: str) -> str | None:
        return self.changes[-1][1] if self.changes else None

    def signal_session(self, pid: int, end: bool) -> bool:
        return False

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        raise AssertionError("nothing here is counted")

    def reload_configuration(self) -> bool:
        return True

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        self.changes.append((name, value, local))
        return value or ""

    def notify(self, channel: str, payload: str) -> None:
        return

    def listening_channels(self) -> tuple[str, ...]:
        return ()

    def transaction_id(self) -> int:
        raise SqlError(Sqlstate.INVALID_TRANSACTION_STATE, "none", detail="told", hint="with all fields")

    def server_version(self) -> str:
        return "9"

    def started(self) -> datetime.datetime:
        return datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        return "", None, "", None

    def stored_bytes(self, id: GlobalId) -> int:
        return 0

    @property
    def sequences(self) -> SequenceLookup:
        raise AssertionError("no sequence is asked for")

    @property
    def locks(self) -> _Locks:
        return _Locks()

    async def call_large_object(self, function: str, arguments: tuple[Any, ...]) -> Any:
        await asyncio.sleep(0)
        return function, arguments

    async def wait_for_lock(self, lock: AdvisoryLock) -> None:
        await asyncio.sleep(0)
        if lock.shared:
            raise SqlError(Sqlstate.DEADLOCK_DETECTED, "a circle", detail=str(lock.key.objid))


class _Locks:
    def try_lock(self, lock: AdvisoryLock) -> bool:
        return lock.key.objid % 2 == 0

    def unlock(self, key: AdvisoryKey, shared: bool) -> bool:
        return shared

    def unlock_all(self) -> None:
        return

    def blocking(self, pid: int) -> tuple[int, ...]:
        return (pid + 1,)


def _work(sql: str) -> Work:
    query = bind_query(plan_select(sql), (), {})
    return Work(query, DEFAULT_CONTEXT, {}, Viewer(initial_state(), "headwater", ("public",), "headwater"))


@asynccontextmanager
async def _pool() -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(SystemClock())
    try:
        yield pool
    finally:
        await pool.close()


async def _outcome(place: Evaluations, sql: str, facts: AskedFacts) -> Any:
    try:
        async with aclosing(place.rows(_work(sql), facts)) as batches:
            return [row async for batch in batches for row in batch]
    except SqlError as error:
        return error.sqlstate, error.message, error.detail, error.hint


_STATEMENTS = (
    "SELECT 1",
    "SELECT * FROM generate_series(1, 5000) ORDER BY 1 DESC LIMIT 2500 OFFSET 10",
    "SELECT a, count(*) FROM generate_series(1, 9) a, generate_series(1, 9) b WHERE a < b GROUP BY a",
    "SELECT 1 / (3 - a) FROM generate_series(1, 5) a",
    "SELECT set_config('app.x', a::text, false), current_setting('app.x') FROM generate_series(1, 4) a",
    "SELECT txid_current()",
    "SELECT pg_sleep(0.01), 'awake'",
    "SELECT pg_advisory_lock(a), pg_try_advisory_lock(1, a), pg_advisory_unlock_all() FROM generate_series(1, 4) a",
    "SELECT pg_advisory_xact_lock_shared(7), 'a circle ends it'",
    "SELECT pg_advisory_unlock_shared(7), pg_advisory_unlock(7), pg_blocking_pids(3)",
    "SELECT 'a' ~ 'b', repeat('ab', 3), version(), pg_postmaster_start_time()",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 50) SELECT sum(n) FROM r",
)


async def test_all_places_evaluate_alike() -> None:
    here = EvaluationsHere(SystemClock())
    async with _pool() as pool:
        for sql in _STATEMENTS:
            facts, others = _Facts(), _Facts()
            assert await _outcome(pool, sql, facts) == await _outcome(here, sql, others), sql
            assert facts.changes == others.changes


async def test_rows_come_before_all_are_computed_and_the_rest_never_is() -> None:
    async with _pool() as pool:
        for _ in range(5):
            async with aclosing(pool.rows(_work("SELECT * FROM generate_series(1, 1000000000000)"), _Facts())) as found:
                assert (await anext(found))[0] == (1,)
        assert len(_workers()) <= 2


async def test_many_evaluations_go_on_together() -> None:
    async with _pool() as pool:
        sleepers = [asyncio.create_task(_outcome(pool, "SELECT pg_sleep(3600)", _Facts())) for _ in range(10)]
        while len(_workers()) < 10:
            await asyncio.sleep(0.02)
        assert await _outcome(pool, "SELECT 2", _Facts()) == [(2,)]
        for sleeper in sleepers:
            sleeper.cancel()
        await asyncio.gather(*sleepers, return_exceptions=True)
        await _ended(2)


_ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT count(*) FROM r"
_TALKATIVE = "SELECT count(set_config('app.x', a::text, false)) FROM generate_series(1, 100000) a"


async def test_what_has_no_end_ends_with_its_statement() -> None:
    async with _pool() as pool:
        running = asyncio.create_task(_outcome(pool, _ENDLESS, _Facts()))
        while not _workers():
            await asyncio.sleep(0.02)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await _ended(0)
        assert await _outcome(pool, "SELECT 3", _Facts()) == [(3,)]


async def test_too_much_memory_fails_one_statement_alone() -> None:
    async with _pool() as pool:
        hungry = "SELECT length(a) + length(a || 'x') FROM (SELECT repeat('x', 700000000) a) s"
        outcome = await _outcome(pool, hungry, _Facts())
        assert outcome[0] is Sqlstate.OUT_OF_MEMORY
        assert await _outcome(pool, "SELECT 4", _Facts()) == [(4,)]


async def test_a_worker_that_dies_is_told_of_and_replaced() -> None:
    async with _pool() as pool:
        facts = _Facts()
        running = asyncio.create_task(_outcome(pool, _TALKATIVE, facts))
        # One that is killed before it has begun is replaced without a word.
        while not facts.changes:
            await asyncio.sleep(0.02)
        for worker in _workers():
            worker.kill()
        assert (await running)[:2] == (Sqlstate.OUT_OF_MEMORY, "the process that evaluated the statement has ended")
        assert await _outcome(pool, "SELECT 5", _Facts()) == [(5,)]


async def test_a_nursery_that_dies_is_replaced() -> None:
    async with _pool() as pool:
        assert await _outcome(pool, "SELECT 6", _Facts()) == [(6,)]
        for process in (*_nurseries(), *_workers()):
            process.kill()
        while _nurseries():
            await asyncio.sleep(0.02)
        assert await _outcome(pool, "SELECT 7", _Facts()) == [(7,)]


def _nurseries() -> list[psutil.Process]:
    return [child for child in _living(psutil.Process()) if "server.evaluation.nursery" in _command_line(child)]


def _command_line(process: psutil.Process) -> list[str]:
    """Returns a process's command line, empty for one that has ended."""
    try:
        line: list[str] = process.cmdline()
    except psutil.NoSuchProcess:
        return []
    return line


def _workers() -> list[psutil.Process]:
    return [child for nursery in _nurseries() for child in _living(nursery)]


def _living(process: psutil.Process) -> list[psutil.Process]:
    living = []
    for child in process.children():
        # One may end between the two looks.
        with suppress(psutil.NoSuchProcess):
            if child.status() != psutil.STATUS_ZOMBIE:
                living.append(child)
    return living


async def _ended(count: int) -> None:
    while len(_workers()) > count:
        await asyncio.sleep(0.02)
