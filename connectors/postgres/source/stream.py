"""Follows a publication's stream of changes: puts messages together to units, gives the units to the reader, and
acknowledges durable bounds.

    transaction ──▶ before the first unit's point? ──yes──▶ into the first unit
                                                  └──no───▶ a unit of its own; in files, where it is large
    keepalive while no transaction is open ──▶ everything before its `wal_end` is read
    a look at the catalogs, now and then ──▶ tables that were altered stop
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, Protocol

from connectors.postgres.source.assembly import Assembly, TableChanges, WholeTransaction
from connectors.postgres.source.copies import Copies
from connectors.postgres.source.looks import Looks
from connectors.postgres.source.pgoutput import decode_message, decode_streamed
from connectors.postgres.source.session import ReplicationSession
from connectors.postgres.source.units import FirstUnit, Unit, forget_tables
from connectors.postgres.source.walsender import Keepalive, PluginMessage
from connectors.sources.spilled import SpilledTables
from model.external.publications import PublishedTable
from model.time.clock import Clock

SPILL_BYTES = 16 << 20
"""The size in bytes above which a transaction goes to files."""
_POLL_S = 0.1
_TOLD_NS = 200_000_000
_ANSWERED_NS = 5_000_000_000
_LOOKED_NS = 10_000_000_000
"""The interval at which the stream looks whether all tables are still published: upstream sends nothing of a table that
is not, and says nothing about the lack."""


class UnitReceiver(Protocol):
    """The reader, as the stream sees it. Each method raises Left when upstream is to be left."""

    def give(self, unit: Unit) -> None:
        """Takes a unit, to be read after the units given before."""
        ...

    def reach(self, bound: int) -> None:
        """Notes that everything below the bound was given, or concerns none of the tables."""
        ...

    def standing(self, wait_s: float) -> tuple[bool, int]:
        """Returns whether the reader is full, and the bound below which all is durable. The reader is full while
        too many given units wait to be taken; then the call waits up to `wait_s` for room."""
        ...

    @property
    def reached(self) -> int:
        """Returns the bound below which everything was given."""
        ...


class PublicationStream:
    """One stream over one connection.

    `session`: has begun to stream
    `assembly`: puts messages together; the stream closes it
    `first`: the initial copy, where the stream has to come to its point yet
    `copies`: the files of the initial copy, removed once everything in them is durable
    """

    def __init__(
        self,
        session: ReplicationSession,
        assembly: Assembly,
        looks: Looks,
        first: FirstUnit | None,
        copies: Copies,
        tables: Mapping[str, PublishedTable],
        receiver: UnitReceiver,
        clock: Clock,
    ) -> None:
        self._session = session
        self._assembly = assembly
        self._looks = looks
        self._first = first
        self._copies = copies
        self._tables = tables
        self._receiver = receiver
        self._clock = clock
        self._spilled: SpilledTables | None = None
        self._kept_copies = True
        self._told = self._told_ns = 0
        self._looked_ns = clock.elapsed_ns()

    def follow(self) -> NoReturn:
        """Follows the stream until an exception says why no further."""
        try:
            while True:
                full, durable = self._receiver.standing(_POLL_S)
                asked = False
                self._looks.outdate()
                for frame in () if full else self._session.frames(_POLL_S):
                    if isinstance(frame, PluginMessage):
                        self._handle(frame)
                    else:
                        asked = self._kept_alive(frame) or asked
                if durable and self._kept_copies:
                    self._kept_copies = False
                    self._copies.remove()
                self._answer(durable, asked=asked)
                self._look()
        finally:
            self._assembly.close()
            if self._spilled is not None:
                self._spilled.close()

    def _handle(self, frame: PluginMessage) -> None:
        """Handles a message; a transaction that grows too large goes on in files."""
        committed = _assembled(self._assembly, frame)
        if committed is not None and committed.spilled is not None:
            self._spilled = committed.spilled
        if self._assembly.size > SPILL_BYTES or (committed is not None and self._spilled is not None):
            self._spilled = self._spilled or SpilledTables()
            self._spill(committed.changes if committed else self._assembly.taken()[0], self._spilled)
        if committed is not None:
            self._committed(committed, self._spilled)
            self._spilled = None

    def _spill(self, changes: Mapping[str, TableChanges], spilled: SpilledTables) -> None:
        for name, each in changes.items():
            if each.emptied:
                spilled.empty(name)
            if each.rows:
                spilled.add(name, each.columns(self._tables[name]))

    def _committed(self, committed: WholeTransaction, spilled: SpilledTables | None) -> None:
        if self._first is not None:
            if committed.bound <= self._first.point:
                self._spill(committed.changes, self._first.rows)
                if spilled is not None:
                    self._first.rows.follow(spilled)
                self._first.stop(committed.stopped)
                return
            self._give_first(self._first)
        if spilled is not None:
            forget_tables(spilled, committed.stopped)
            self._receiver.give(Unit(committed.bound, {}, 0, spilled, committed.stopped))
        elif committed.changes or committed.stopped:
            unit = Unit(committed.bound, committed.changes, committed.size, stopped=committed.stopped)
            self._receiver.give(unit)
        else:
            self._receiver.reach(committed.bound)

    def _kept_alive(self, frame: Keepalive) -> bool:
        """Handles a keepalive; tells whether the server wants an answer."""
        if not self._assembly.open:
            if self._first is not None and frame.wal_end >= self._first.point:
                self._give_first(self._first)
            if self._first is None:
                self._receiver.reach(frame.wal_end)
        return frame.reply

    def _give_first(self, first: FirstUnit) -> None:
        """Gives the initial copy, once all tables are at the same transactions."""
        self._first = None
        self._receiver.give(first.whole())

    def _answer(self, durable: int, *, asked: bool) -> None:
        """Tells upstream how far everything is read and durable: when asked, when more is durable, now and then."""
        late_ns = self._clock.elapsed_ns() - self._told_ns
        if asked or late_ns > _ANSWERED_NS or (durable > self._told and late_ns > _TOLD_NS):
            self._session.answer(max(self._receiver.reached, durable), durable, self._clock.now_ms() * 1_000)
            self._told, self._told_ns = durable, self._clock.elapsed_ns()

    def _look(self) -> None:
        """Looks at upstream's catalogs, when the last look was long ago, and stops the tables that were altered."""
        if self._clock.elapsed_ns() - self._looked_ns <= _LOOKED_NS:
            return
        if stopped := self._assembly.stop(self._looks.changed() or {}):
            forget_tables(self._spilled, stopped)
            if self._first is None:
                self._receiver.give(Unit(self._receiver.reached, {}, 0, stopped=stopped))
            else:
                self._first.stop(stopped)
        self._looked_ns = self._clock.elapsed_ns()


def _assembled(assembly: Assembly, frame: PluginMessage) -> WholeTransaction | None:
    """Hands a message to the assembly; returns the transaction that ends with the message, if any."""
    if assembly.streaming:
        committed = assembly.handle(*decode_streamed(frame.data))
        if assembly.streamed_size > SPILL_BYTES:
            assembly.spill_streams()
        return committed
    return assembly.handle(decode_message(frame.data))
