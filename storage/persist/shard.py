"""One shard's newest known state, and the preparation of writes.

Preparing changes nothing durable except staging parts; `commit` (storage.persist.commit) makes any number of prepared
writes, of one or several shards, durable together. A prepared write states its intent as transitions, and can so be
applied even after another writer has committed to the shard, as long as the intent still fits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa
from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, memory_of
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc
from storage.persist.batch import encode_inline
from storage.persist.location import Consensus
from storage.persist.snapshot import find_state
from storage.persist.state import Batch, Held, InlineBatch, Part, Piece, ShardState
from storage.persist.transition import (
    Appended,
    CapabilitiesChanged,
    Created,
    RetentionChanged,
    ShardDropped,
    Transition,
    Widened,
)
from storage.persist.version import shard_key
from storage.persist.write import Stage

P = TypeVar("P", Part, InlineBatch)

INLINE_BYTES = 64 * 1024
"""A smaller append is held in the shard's state; a larger one goes to the blob store as parts."""


@dataclass(frozen=True, slots=True)
class PreparedWrite:
    """An intended change of one shard. `parts` are the keys of the parts staged for the change."""

    machine: ShardMachine
    transitions: tuple[Transition, ...]
    parts: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Returns the key of consensus that the commit will write."""
        return self.machine.key

    def abandon(self) -> None:
        """Gives the write up: its staged parts may be collected."""
        self.machine.stage.settle(list(self.parts))


class ShardMachine:
    """A shard as its writers see it. `state` is None until the shard is created; `lock` is held during a commit to the
    shard."""

    def __init__(self, shard: str, consensus: Consensus, stage: Stage, state: ShardState | None = None) -> None:
        self.shard = shard
        self.key = shard_key(shard)
        self.consensus = consensus
        self.stage = stage
        self.lock = asyncio.Lock()
        self._state = state

    @property
    def seqno(self) -> int | None:
        return None if self._state is None else self._state.seqno

    @property
    def exists(self) -> bool:
        return self._state is not None

    @property
    def state(self) -> ShardState:
        """Returns the shard's state. Raises SqlError (undefined_object) before the shard is created."""
        if self._state is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"collection {self.shard} does not exist")
        return self._state

    def known_state(self) -> ShardState | None:
        return self._state

    def adopt(self, state: ShardState) -> None:
        """Adopts a durable state; states older than the known state are ignored."""
        if self._state is None or state.seqno >= self._state.seqno:
            self._state = state

    async def refresh(self) -> None:
        """Reads the commits of others; a shard forgotten meanwhile no longer exists."""
        known = self._state
        state = await find_state(self.consensus, self.shard, known)
        if state is known and known is not None and (await self.consensus.head([self.key]))[self.key] is None:
            self.vanish()
        elif state is not None:
            self.adopt(state)

    def vanish(self) -> None:
        """Forgets the shard, as if it had never been created."""
        self._state = None

    def prepare_create(
        self,
        desc: RelationDesc,
        since: Antichain,
        upper: Antichain,
        *,
        timeline: bool,
        retain_ms: int | None = None,
        held: tuple[Held, ...] = (),
    ) -> PreparedWrite:
        """Binds the shard's id; `held` are the first capabilities."""
        created = Created(desc=desc, since=since, upper=upper, timeline=timeline, retain_ms=retain_ms, held=held)
        return PreparedWrite(self, (created,))

    async def prepare_append(
        self,
        updates: Sequence[pa.Table | Part],
        lower: Antichain,
        upper: Antichain,
        *,
        capability: str | None = None,
        exact: bool = False,
        desc: RelationDesc | None = None,
    ) -> PreparedWrite:
        """Appends updates with times in [lower, upper) and completes the shard up to `upper`.

        Tables and parts without a time get upper - 1, the last time that is sealed. `lower` is at or after the
        frontier that the writer may write from, exactly there when `exact`. `capability` None is the environment's
        right. `desc` is needed when the shard is created in the same commit. Raises SqlError when a time lies outside,
        or as staging fails.
        """
        desc = self.state.desc if desc is None else desc
        last = lower.time if upper.time is None else upper.time - 1
        tables = [table for table in updates if isinstance(table, pa.Table) and table.num_rows > 0]
        given = [part for part in updates if isinstance(part, Part)]
        # Given parts may come from an attempt that was abandoned.
        self.stage.underway.update(part.key for part in given)
        inline: InlineBatch | None = None
        staged: list[Part] = []
        if tables:
            table = tables[0] if len(tables) == 1 else _united(tables, last)
            inline, staged = await self._encode(table, desc)
        pieces = [_timed(part, last) for part in (*given, *staged)]
        timed_inline = None if inline is None else _timed(inline, last)
        try:
            for piece in (*pieces, *(() if timed_inline is None else (timed_inline,))):
                self._check_times(piece, lower, upper)
        except SqlError:
            self.stage.settle([part.key for part in staged])
            raise
        batch = Batch(
            id=0,
            lower=lower,
            upper=upper,
            since=Antichain.at(0),
            parts=tuple(pieces),
            inline=timed_inline,
        )
        transition = Appended(batch=batch, capability=capability, exact=exact)
        return PreparedWrite(self, (transition,), tuple(part.key for part in pieces))

    def prepare_capabilities(
        self, *, needs: Sequence[str] = (), drop: Sequence[str] = (), put: Sequence[Held] = ()
    ) -> PreparedWrite:
        """Returns a write that drops and puts capabilities, provided that all capabilities in `needs` are in force."""
        return PreparedWrite(self, (CapabilitiesChanged(needs=tuple(needs), drop=tuple(drop), put=tuple(put)),))

    def prepare_retention(self, retain_ms: int | None) -> PreparedWrite:
        """Returns a write that changes how much of the past the shard keeps."""
        return PreparedWrite(self, (RetentionChanged(retain_ms=retain_ms),))

    def prepare_widening(self, desc: RelationDesc) -> PreparedWrite:
        """Returns a write that adds columns at the end; older rows have NULL in the new columns."""
        return PreparedWrite(self, (Widened(desc=desc),))

    def prepare_drop(self) -> PreparedWrite:
        """Prepares that the environment gives up writing."""
        return PreparedWrite(self, (ShardDropped(),))

    async def _encode(self, table: pa.Table, desc: RelationDesc) -> tuple[InlineBatch | None, list[Part]]:
        if memory_of(table) <= INLINE_BYTES:
            inline = encode_inline(table, desc)
            if inline.bytes <= INLINE_BYTES:
                return inline, []
        return None, await self.stage.stage_parts(self.shard, desc, table)

    def _check_times(self, piece: Piece, lower: Antichain, upper: Antichain) -> None:
        assert piece.time_min is not None and piece.time_max is not None
        beyond = upper.time is not None and piece.time_max >= upper.time
        if beyond or lower.time is None or piece.time_min < lower.time:
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f"updates of collection {self.shard} at times {piece.time_min} to {piece.time_max}"
                f" are not between {lower} and {upper}",
            )


def _timed(piece: P, time: int | None) -> P:
    if not piece.timeless:
        return piece
    return replace(piece, time=time, time_min=time, time_max=time)


def _united(tables: list[pa.Table], time: int | None) -> pa.Table:
    """Joins tables into one; times and diffs become columns if any of the tables has such a column."""
    timed = any(TIME_COLUMN in table.column_names for table in tables)
    counted = any(DIFF_COLUMN in table.column_names for table in tables)
    whole = []
    for table in tables:
        columns = [name for name in table.column_names if name not in (TIME_COLUMN, DIFF_COLUMN)]
        row = table.select(columns)
        for name, wanted, constant in ((TIME_COLUMN, timed, time), (DIFF_COLUMN, counted, 1)):
            if wanted and name in table.column_names:
                row = row.append_column(name, table.column(name))
            elif wanted:
                row = row.append_column(name, pa.array(np.full(table.num_rows, constant, np.int64)))
        whole.append(row)
    return pa.concat_tables(whole)
