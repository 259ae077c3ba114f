"""W3: money moves between accounts while others read; no read may see a total that is not zero.

A transfer is two rows in one statement, or two statements in a transaction; one in ten is half done and rolled back.
The views are the total, and the balance of each account; a read takes the total from its index or from a materialized
view, or adds up all balances from theirs.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

import asyncpg
import uvloop

from benchmarks.report import Measure

_ACCOUNTS = 50
_WRITERS, _READERS = 2, 32
_AMOUNT_MAX = 1_000
_SETUP = """
CREATE TABLE moves (account int, amount bigint);
CREATE VIEW balances AS SELECT account, sum(amount) AS balance FROM moves GROUP BY account;
CREATE INDEX balances_by_account ON balances (account);
CREATE VIEW total AS SELECT 1 AS one, sum(amount) AS amount FROM moves;
CREATE INDEX total_by_one ON total (one);
CREATE MATERIALIZED VIEW total_kept AS SELECT sum(amount) AS amount FROM moves
"""
# In this order: the total's index, the sum of all balances in the other, and now and then the materialized view, whose
# rows come through Spark.
_READS = ("SELECT amount FROM total WHERE one = 1", "SELECT balance FROM balances", "SELECT amount FROM total_kept")
_KEPT_EVERY = 200


@dataclass(slots=True)
class _Course:
    """What has been done so far."""

    reads_left: int
    deadline: float
    reads: int = 0
    transfers: int = 0
    wrong: list[str] = field(default_factory=list)


def measure_transfers(url: str, reads: int, reading_s: float) -> list[Measure]:
    """Until `reads` have been read, or for `reading_s`."""
    course = _Course(reads, time.monotonic() + reading_s)
    began = time.monotonic()
    uvloop.run(_run(url, course))
    seconds = time.monotonic() - began
    examples = "; ".join(course.wrong[:3])
    return [
        Measure("W3: wrong totals", float(len(course.wrong)), "", 0, at_least=False, note=examples),
        Measure("W3: reads", float(course.reads), "", reads),
        Measure("W3: reads a second", course.reads / seconds, "/s", note=f"{_READERS} readers"),
        Measure("W3: transfers a second beside them", course.transfers / seconds, "/s", note=f"{_WRITERS} writers"),
    ]


async def _run(url: str, course: _Course) -> None:
    connections = [await asyncpg.connect(url) for _ in range(_WRITERS + _READERS)]
    await connections[0].execute(_SETUP)
    await _transfer(connections[0], random.Random(0), course)
    await connections[0].execute("REFRESH MATERIALIZED VIEW total_kept")
    done = asyncio.Event()
    writers = [asyncio.create_task(_write(connections[seed], seed, course, done)) for seed in range(_WRITERS)]
    await asyncio.gather(*(_read(connection, course) for connection in connections[_WRITERS:]))
    done.set()
    await asyncio.gather(*writers)
    await connections[0].execute("DROP TABLE moves CASCADE")
    for connection in connections:
        await connection.close()


async def _write(connection: asyncpg.Connection, seed: int, course: _Course, done: asyncio.Event) -> None:
    source = random.Random(seed)
    while not done.is_set():
        await _transfer(connection, source, course)


async def _transfer(connection: asyncpg.Connection, source: random.Random, course: _Course) -> None:
    giver, taker = source.sample(range(_ACCOUNTS), 2)
    amount = source.randint(1, _AMOUNT_MAX)
    match source.randrange(10):
        case 0:
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute(f"INSERT INTO moves VALUES ({giver}, {-amount})")
            await transaction.rollback()
        case 1 | 2 | 3:
            async with connection.transaction():
                await connection.execute(f"INSERT INTO moves VALUES ({giver}, {-amount})")
                await connection.execute(f"INSERT INTO moves VALUES ({taker}, {amount})")
        case _:
            await connection.execute(f"INSERT INTO moves VALUES ({giver}, {-amount}), ({taker}, {amount})")
    course.transfers += 1


async def _read(connection: asyncpg.Connection, course: _Course) -> None:
    statements = [await connection.prepare(text) for text in _READS]
    while course.reads_left > 0 and time.monotonic() < course.deadline:
        course.reads_left -= 1
        kind = 2 if course.reads_left % _KEPT_EVERY == 0 else course.reads_left % 2
        rows = await statements[kind].fetch()
        total = sum(int(row[0]) for row in rows)
        if total != 0 or not rows:
            course.wrong.append(f"{_READS[kind]}: {total} of {len(rows)} rows")
        course.reads += 1
