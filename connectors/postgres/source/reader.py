"""Reads the tables of a publication, behind the interface `UpstreamReader`: copied once, then followed, in a thread of
its own.

    nothing bound ──▶ new slot ──▶ its snapshot is copied to files ──▶ one range, up to the slot's consistent point
    … but a copy ──▶ the slot is as it was ──▶ the rest is copied from another snapshot ──▶ one range, up to its point
    bound up to b ──▶ the slot is there, and has all from b on ──▶ transactions that commit at b or later, in order

Bounds are exclusive, in commit LSNs: the last whole transaction's + 1, or a keepalive's `wal_end` while none is open.
Only durable bounds are acknowledged, so the slot is never ahead of the source.

An interrupted copy goes on with the incomplete tables. The tables are then at different points; the stream begins at
the first of these points, and a table gets the transactions that commit at its own point or later. The first range ends
at the last point, where all tables are at the same transactions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psycopg
import pyarrow as pa

from connectors.gauge import Partition, UpstreamFrontier
from connectors.postgres.probe import connected, reason_of
from connectors.postgres.source.asked import AskedConnections
from connectors.postgres.source.assembly import Assembly, TableChanges
from connectors.postgres.source.copies import CopiedRows, Copies
from connectors.postgres.source.copy_attempt import CopyAttempt
from connectors.postgres.source.looks import Looks
from connectors.postgres.source.session import ReplicationSession
from connectors.postgres.source.slots import free_slot, in_use, require_slot, require_system
from connectors.postgres.source.standings import Standings
from connectors.postgres.source.stream import PublicationStream
from connectors.postgres.source.units import FirstUnit, Unit
from connectors.sources.description import PostgresTables
from connectors.sources.read_ahead import BUFFER_BYTES, Left, ReadAhead
from connectors.unreachable import Unreachable
from connectors.upstream import Arrived, FetchedRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock

PARTITION = 0
"""The one that there is; users don't see it."""
_IDLE_NS = 1_000_000_000
"""So often a source moves along with a WAL that has nothing for it."""
_BACK_OFF = BackOff(0.2, 10.0)
_STEADY_NS = 10_000_000_000
"""A connection that has lasted so long was no failure: the next one is made at once."""
_NO_RECORDS = pa.table({})


class PostgresReader(ReadAhead[Unit]):
    """Reads a publication. `settings` are libpq's, with the password; the initial copy is stored below `copies`
    until it is bound. `arrived` is called in the reader's thread when there is something to take, or the status has
    changed."""

    def __init__(
        self, place: PostgresTables, settings: Mapping[str, str], clock: Clock, arrived: Arrived, copies: Path
    ) -> None:
        super().__init__(f"postgres {place.slot}", arrived)
        self._place = place
        self._copies = Copies(copies, place)
        self._settings = settings
        self._tables = {table.full_name: table for table in place.tables}
        self._standings = Standings(self._tables, place.publication)
        self._clock = clock
        self._asked = AskedConnections(settings, self._require_stay)
        self._begun = False
        self._reached = self._taken = self._durable = 0
        self._idle_ns = 0
        self._stops_taken = False
        self._start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Returns the empty frontier: the initial copy comes first."""
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        bound = frontier.get(PARTITION, 0)
        with self._changed:
            if self._begun and self._failure is None and bound == self._taken and not self._stops_taken:
                return  # what was read ahead comes next
            known = dict(self._known)
            super().begin(frontier)
            self._known = known
            self._know(bound)
            self._reached = self._taken = self._durable = bound
            self._begun, self._stops_taken = True, False

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        return self._take(records_max, bytes_max, None)

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns whole transactions before `upto`."""
        return self._take(records_max, bytes_max, upto.get(PARTITION, 0))

    def _take(self, records_max: int, bytes_max: int, upto: int | None) -> FetchedRange | None:
        with self._changed:
            units: list[Unit] = []
            size = count = 0
            while self._pieces and count < records_max and size < bytes_max:
                if upto is not None and self._pieces[0].bound > upto:
                    break
                if units and self._pieces[0].spilled is not None:
                    break
                unit = self._pieces.popleft()
                units.append(unit)
                size, count = size + unit.size, count + unit.count
                if unit.spilled is not None:
                    break
            self._buffered -= size
            self._changed.notify_all()
            frontier = self._frontier_behind(units) if upto is None else self._frontier_up_to(upto, units)
            stopped = {name: error for unit in units for name, error in unit.stopped.items()}
            if frontier is None and not stopped:
                if self._failure is not None:
                    raise self._failure
                return None
            self._taken = frontier = self._taken if frontier is None else frontier
            self._know(frontier)
            self._stops_taken = self._stops_taken or bool(stopped)
        if units and units[0].spilled is not None:
            spilled = units[0].spilled
            tables, emptied = spilled.taken(), frozenset(spilled.emptied)
            return FetchedRange(_NO_RECORDS, {PARTITION: frontier}, tables, emptied, stopped)
        return self._united(units, frontier, stopped)

    def _frontier_behind(self, units: list[Unit]) -> int | None:
        """Returns the frontier behind the units; None when it has not moved, or not far enough to be worth a
        binding."""
        frontier = units[-1].bound if units else self._taken
        now_ns = self._clock.elapsed_ns()
        if not self._pieces and self._reached > frontier and (units or now_ns >= self._idle_ns):
            frontier = self._reached
        if frontier == self._taken:
            return None
        self._idle_ns = now_ns + _IDLE_NS
        return frontier

    def _frontier_up_to(self, upto: int, units: list[Unit]) -> int | None:
        """Returns `upto` once the copy and all transactions before `upto` are taken, else the frontier behind the
        units; None when it has not moved."""
        frontier = units[-1].bound if units else self._taken
        is_all = self._pieces[0].bound > upto if self._pieces else self._reached >= upto
        if frontier and is_all:
            frontier = upto
        return None if frontier == self._taken else frontier

    def _united(self, units: list[Unit], frontier: int, stopped: Mapping[str, SqlError]) -> FetchedRange:
        changes: dict[str, TableChanges] = {}
        for unit in units:
            for name, later in unit.changes.items():
                changes.setdefault(name, TableChanges()).follow(later)
        tables = {name: each.columns(self._tables[name]) for name, each in changes.items() if each.rows}
        emptied = frozenset(name for name, each in changes.items() if each.emptied)
        return FetchedRange(_NO_RECORDS, {PARTITION: frontier}, tables, emptied, stopped)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        with self._changed:
            self._durable = frontier.get(PARTITION, 0)
            self._stops_taken = False

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._asked.interrupt()
        super().close()
        with self._changed:
            self._drop()
        if not self._place.lasting:
            self._copies.remove()

    def _drop(self) -> None:
        for unit in self._pieces:
            unit.close()
        super()._drop()

    def _know(self, bound: int) -> None:
        """Notes that there is something to read up to the bound. Under `_changed`."""
        if bound > self._known.get(PARTITION, 0):
            self._known = {PARTITION: bound}

    # The thread's side

    def _follow(self, frontier: dict[Partition, int]) -> None:
        """Reads on from a frontier, and after failures from the bound read so far."""
        bound, failures = frontier.get(PARTITION, 0), 0
        while True:
            begun_ns = self._clock.elapsed_ns()
            try:
                self._read_from(bound)
            except psycopg.errors.AdminShutdown as error:
                raise _taken_over(self._place.slot, reason_of(error)) from None
            except (Unreachable, psycopg.Error) as failure:
                reason = reason_of(failure) if isinstance(failure, psycopg.Error) else failure.reason
            if self._closed:
                raise Left
            if not self._place.lasting:
                # The slot has ended with the connection.
                raise SqlError(Sqlstate.CONNECTION_EXCEPTION, reason)
            if self._clock.elapsed_ns() - begun_ns > _STEADY_NS:
                failures = 0
            self._say(reason)
            failures += 1
            self._pause(_BACK_OFF.delay_s(failures))
            bound = self._reached

    def _read_from(self, bound: int) -> None:
        """Copies the tables, where nothing is bound, and follows the stream, over one connection."""
        session = ReplicationSession(self._settings)
        first: FirstUnit | None = None
        looks = Looks(self._standings, self._asked.connecting, self._require_stay)
        try:
            require_system(session.connection, self._place.system, bound)
            if bound:
                with connected(self._settings) as upstream:
                    require_slot(upstream, self._place.slot, bound)
                    changed = self._standings.look(upstream)
                if changed:
                    self.give(Unit(bound, {}, 0, stopped=changed))
                assembly = Assembly(self._standings.tables, bound, looks.error_of)
            else:
                self._say(None)  # upstream answers, and a copy may take long
                attempt = CopyAttempt(self._place, self._copies, self._standings, self._asked, self._require_stay)
                changed = attempt.copy(session.connection)
                bound = self._copies.start
                point = max(self._copies.points.values(), default=bound)
                first = FirstUnit(CopiedRows(self._copies), point)
                first.stop(changed)
                if point == bound:
                    self.give(first.whole())
                assembly = Assembly(self._standings.tables, bound, looks.error_of, self._copies.points)
            self._begin_stream(session, bound)
            self._say(None)
            assembly.stop(changed)
            awaited = None if first is None or first.given else first
            PublicationStream(session, assembly, looks, awaited, self._copies, self._tables, self, self._clock).follow()
        finally:
            session.close()
            if first is not None:
                first.close()

    def _begin_stream(self, session: ReplicationSession, bound: int) -> None:
        """Begins the stream; frees the slot from a reader that has left it and not said so."""
        try:
            session.start(self._place.slot, self._place.publication, bound)
        except psycopg.Error as error:
            if not in_use(error):
                raise
            with connected(self._settings) as upstream:
                free_slot(upstream, self._place.slot)
            session.start(self._place.slot, self._place.publication, bound)

    # What the stream finds

    def give(self, unit: Unit) -> None:
        """Gives a unit to whoever takes; drops the unit when upstream is to be left."""
        try:
            self._put(unit)
        except Left:
            unit.close()
            raise
        self.reach(unit.bound)

    def reach(self, bound: int) -> None:
        """Notes that everything below the bound was given, or concerns none of the tables."""
        with self._changed:
            self._require_stay()
            self._reached = max(self._reached, bound)
            self._know(bound)

    def standing(self, wait_s: float) -> tuple[bool, int]:
        """Returns whether the buffer is full, and the durable bound. When the buffer is full, waits up to `wait_s` for
        a change first."""
        with self._changed:
            self._require_stay()
            full, durable = self._buffered > BUFFER_BYTES, self._durable
            if full:
                self._changed.wait(wait_s)
            return full, durable

    @property
    def reached(self) -> int:
        """Returns the bound below which everything was given."""
        return self._reached


def _taken_over(slot: str, reason: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_IN_USE,
        f'replication slot "{slot}" is no longer read from here: {reason}',
        hint="Another process reads it, or the server was restarted; it is tried again.",
    )
