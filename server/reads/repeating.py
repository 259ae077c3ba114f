"""Repeats reads at COMMIT, and compares the answers."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.changes.apply import apply
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp, step_back
from model.types.datum import Row
from planner.interpret.parameters import bind_query
from planner.ir.scalar import SessionName
from server.environment.environment import Environment
from server.reads.reading import Reader
from server.transactions.catalog_changes import conflicting
from server.transactions.noting import NotedRead
from server.transactions.transaction import Transaction


@dataclass(slots=True)
class Digest:
    """A digest of a multiset of rows as written, in bounded memory."""

    count: int = 0
    total: int = 0
    failure: tuple[str, str] | None = None

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            digest = hashlib.blake2b(repr(row).encode(), digest_size=16).digest()
            self.count += 1
            self.total = (self.total + int.from_bytes(digest)) % 2**128


async def repeat_reads(environment: Environment, transaction: Transaction, timestamp: Timestamp) -> None:
    """Raises SqlError 40001 when one of the transaction's reads would have another answer right before `timestamp`,
    the time of its commit. Nobody else commits meanwhile."""
    newest, now = environment.catalog.state, step_back(timestamp)
    if transaction.reads.unrepeatable and now != transaction.reads.at:
        raise conflicting()
    for noted in transaction.reads.noted:
        timed = noted.reads.timed and now != transaction.reads.at
        changed = bool(noted.reads.system) and noted.base is not newest
        if (timed or changed) and not await _answered_alike(noted, newest, now):
            raise conflicting()


async def _answered_alike(noted: NotedRead, newest: CatalogState, now: Timestamp) -> bool:
    """Returns whether the read, repeated in the newest committed catalog with mz_now() = `now`, gives an equal
    answer."""
    read_ts = noted.execution.transaction.reads.at
    assert read_ts is not None, "who reads has a time"
    try:
        after = apply(newest, noted.changes) if noted.changes else newest
    except SqlError:
        return False
    return await _answer(noted, noted.state, read_ts) == await _answer(noted, after, now)


async def _answer(noted: NotedRead, state: CatalogState, now: Timestamp) -> Digest:
    transaction = copy.copy(noted.execution.transaction)
    transaction.writes.buffered = list(noted.writes)
    execution = replace(noted.execution, transaction=transaction, seen=state)
    digest = Digest()
    try:
        query = bind_query(noted.query, (), {SessionName.MZ_NOW: now})
        async for rows in Reader(execution.environment, execution).repeated(query, noted.reads):
            digest.add(rows)
    except SqlError as error:
        digest.failure = error.sqlstate.value, error.message
    return digest
