"""What the log of statements costs: the processor's time of the server's event loop for a statement, with it over
without it, in turns on one server without Spark."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator

import asyncpg
import uvloop

from benchmarks.report import Measure
from server.ledgers.statement_log import STATEMENTS_DEFAULT, LoggedSession, StatementLog, StatementRecord
from tests.server.memory_server import MemoryServer, memory_server

_RATIO_TARGET = 1.03
_STATEMENTS = {"SELECT 1": "SELECT 1", "a row by its key": "SELECT v FROM kept WHERE k = 7"}


def measure_statement_log(rounds: int, statements: int) -> Iterator[Measure]:
    """Measures `rounds` times, each way so many statements."""
    with memory_server() as server:
        url = f"postgresql://headwater@127.0.0.1:{server.port}/headwater"
        uvloop.run(_prepare(url))
        for name, sql in _STATEMENTS.items():
            with_it: list[float] = []
            without_it: list[float] = []
            clock = server.environment.clock
            # A full one, as a server's is most of the time: it forgets as much as it keeps.
            full, session = StatementLog(clock), LoggedSession(1, "headwater", "headwater", "client backend")
            for _ in range(STATEMENTS_DEFAULT):
                full.begin(StatementRecord(session, 10, "", sql, "select", 0, 0))
            for _ in range(rounds):
                for log, taken in ((StatementLog(clock, 0), without_it), (full, with_it)):
                    server.environment.observed.statement_log = log
                    taken.append(uvloop.run(_processor_s(server, url, sql, statements)) / statements)
            ratio = statistics.median(on / off for on, off in zip(with_it, without_it, strict=True))
            each_us = statistics.median(without_it) * 1e6
            yield Measure(
                f"log of statements, {name}: on over off", ratio, "", _RATIO_TARGET, False, f"{each_us:.0f} µs"
            )


async def _prepare(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE kept (k int PRIMARY KEY, v text)")
    await connection.execute("INSERT INTO kept SELECT g, 'v' FROM generate_series(1, 1000) g")
    await connection.close()


async def _processor_s(server: MemoryServer, url: str, sql: str, statements: int) -> float:
    connection = await asyncpg.connect(url)
    statement = await connection.prepare(sql)
    for _ in range(50):
        await statement.fetch()
    began = await asyncio.to_thread(server.run, _thread_s())
    for _ in range(statements):
        await statement.fetch()
    taken = await asyncio.to_thread(server.run, _thread_s()) - began
    await connection.close()
    return taken


async def _thread_s() -> float:
    """That of the thread of the server's loop, where it runs."""
    return time.thread_time()
