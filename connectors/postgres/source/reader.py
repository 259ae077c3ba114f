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

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pyarrow as pa

from connectors.gauge import UpstreamFrontier
from connectors.postgres.probe import Upstream, connected, reason_of
from connectors.postgres.source.assembly import Assembly, TableChanges, WholeTransaction
from connectors.postgres.source.copies import CopiedRows, Copies
from connectors.postgres.source.initial_copy import CopiedTables, begin_snapshot, is_same_to_copy, lock_tables
from connectors.postgres.source.looks import Looks
from connectors.postgres.source.pgoutput import decode_message, decode_streamed
from connectors.postgres.source.session import ReplicationSession
from connectors.postgres.source.slots import (
    create_slot,
    drop_slot,
    drop_temporary_slot,
    free_slot,
    in_use,
    require_slot,
    require_system,
    standing,
)
from connectors.postgres.source.standings import Standings
from connectors.postgres.source.walsender import Keepalive, PluginMessage
from connectors.sources.description import PostgresTables
from connectors.sources.spilled import SpilledTables
from connectors.unreachable import Unreachable
from connectors.upstream import Arrived, FetchedRange, UpstreamStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock

PARTITION = 0
"""The one that there is; users don't see it."""
BUFFER_BYTES = 64 << 20
SPILL_BYTES = 16 << 20
"""A transaction that is larger goes to files."""
_POLL_S = 0.1
_TOLD_NS = 200_000_000
_ANSWERED_NS = 5_000_000_000
_LOOKED_NS = 10_000_000_000
"""So often it is seen whether all is still published: nothing is sent of what is not."""
_IDLE_NS = 1_000_000_000
"""So often a source moves along with a WAL that has nothing for it."""
_BACK_OFF = BackOff(0.2, 10.0)
_CANCEL_S = 5.0
_NO_RECORDS = pa.table({})


class _Left(Exception):
    """The reader is closed, or reads on from elsewhere."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit that is bound as a whole: a transaction, or the initial copy."""

    bound: int
    changes: Mapping[str, TableChanges]
    size: int
    spilled: SpilledTables | None = None
    stopped: Mapping[str, SqlError] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return sum(len(each.diffs) for each in self.changes.values())


@dataclass(frozen=True, slots=True)
class _First:
    """The first unit, until the stream has come to `point`."""

    rows: CopiedRows
    point: int
    stopped: dict[str, SqlError]

    def stop(self, stopped: Mapping[str, SqlError]) -> None:
        self.stopped.update(stopped)
        _forget(self.rows, stopped)


class PostgresReader:
    """Reads a publication. `settings` are libpq's, with the password; the initial copy is stored below `copies`
    until it is bound. `arrived` is called in the reader's thread when there is something to take, or the status has
    changed."""

    def __init__(
        self, place: PostgresTables, settings: Mapping[str, str], clock: Clock, arrived: Arrived, copies: Path
    ) -> None:
        self._place = place
        self._copies = Copies(copies, place)
        self._kept_copies = True
        self._first: _First | None = None
        self._settings = settings
        self._tables = {table.full_name: table for table in place.tables}
        self._standings = Standings(self._tables, place.publication)
        self._clock = clock
        self._arrived = arrived
        self._changed = threading.Condition()
        self._wanted: int | None = None
        self._units: deque[_Unit] = deque()
        self._buffered = 0
        self._read = self._reached = self._taken = self._durable = self._known = 0
        self._idle_ns = 0
        self._trouble: str | None = None
        self._failure: SqlError | None = None
        self._following = False
        self._stops_taken = False
        self._asking: set[Upstream] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"postgres {place.slot}", daemon=True)
        self._thread.start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Returns the empty frontier: the initial copy comes first."""
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        bound = frontier.get(PARTITION, 0)
        with self._changed:
            if self._following and bound == self._taken and not self._stops_taken:
                return  # what was read ahead comes next
            self._wanted = self._read = self._reached = self._taken = self._durable = bound
            self._forget_units()
            self._failure = None
            self._following, self._stops_taken = True, False
            self._changed.notify_all()

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        return self._take(records_max, bytes_max, None)

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns whole transactions before `upto`."""
        return self._take(records_max, bytes_max, upto.get(PARTITION, 0))

    def _take(self, records_max: int, bytes_max: int, upto: int | None) -> FetchedRange | None:
        with self._changed:
            units: list[_Unit] = []
            size = count = 0
            while self._units and count < records_max and size < bytes_max:
                if upto is not None and self._units[0].bound > upto:
                    break
                if units and self._units[0].spilled is not None:
                    break
                unit = self._units.popleft()
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
            self._stops_taken = self._stops_taken or bool(stopped)
        if units and units[0].spilled is not None:
            spilled = units[0].spilled
            tables, emptied = spilled.taken(), frozenset(spilled.emptied)
            return FetchedRange(_NO_RECORDS, {PARTITION: frontier}, tables, emptied, stopped)
        return self._united(units, frontier, stopped)

    def _frontier_behind(self, units: list[_Unit]) -> int | None:
        """Returns the frontier behind the units; None when it has not moved, or not far enough to be worth a
        binding."""
        frontier = units[-1].bound if units else self._taken
        now_ns = self._clock.elapsed_ns()
        if not self._units and self._reached > frontier and (units or now_ns >= self._idle_ns):
            frontier = self._reached
        if frontier == self._taken:
            return None
        self._idle_ns = now_ns + _IDLE_NS
        return frontier

    def _frontier_up_to(self, upto: int, units: list[_Unit]) -> int | None:
        """Returns `upto` once the copy and all transactions before `upto` are taken, else the frontier behind the
        units; None when it has not moved."""
        frontier = units[-1].bound if units else self._taken
        is_all = self._units[0].bound > upto if self._units else self._reached >= upto
        if frontier and is_all:
            frontier = upto
        return None if frontier == self._taken else frontier

    def _united(self, units: list[_Unit], frontier: int, stopped: Mapping[str, SqlError]) -> FetchedRange:
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

    def status(self) -> UpstreamStatus:
        with self._changed:
            known = max(self._known, self._taken)
            return UpstreamStatus({PARTITION: known} if known else {}, self._trouble)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            asking = tuple(self._asking)
        for connection in asking:
            # A slot waits for all transactions that are open, a copy for disks.
            connection.cancel_safe(timeout=_CANCEL_S)
        self._thread.join()
        self._forget_units()
        if not self._place.lasting:
            self._copies.remove()

    def _forget_units(self) -> None:
        for unit in self._units:
            if unit.spilled is not None:
                unit.spilled.close()
        self._units.clear()
        self._buffered = 0

    # The thread's side

    def _run(self) -> None:
        failures = 0
        while not self._closed:
            with self._changed:
                while self._wanted is None and not self._closed:
                    self._changed.wait()
                bound, self._wanted = self._wanted, None
            if bound is None:
                return
            try:
                self._follow(bound)
            except _Left:
                failures = 0
            except SqlError as failure:
                self._fail(failure)
            except psycopg.errors.AdminShutdown as error:
                self._fail(_taken_over(self._place.slot, reason_of(error)))
            except (Unreachable, psycopg.Error) as failure:
                if self._closed:
                    return
                failures += 1
                self._retry(reason_of(failure) if isinstance(failure, psycopg.Error) else failure.reason, failures)
            except Exception as defect:  # noqa: BLE001  (whoever takes from the reader is told)
                self._fail(SqlError(Sqlstate.INTERNAL_ERROR, f"{type(defect).__name__}: {defect}"))

    def _fail(self, failure: SqlError) -> None:
        with self._changed:
            if self._wanted is None:
                self._failure, self._following = failure, False
        self._arrived()

    def _retry(self, reason: str, failures: int) -> None:
        """Begins again at the frontier read so far, unless told another one; fails where the slot has ended with the
        connection."""
        if not self._place.lasting:
            self._fail(SqlError(Sqlstate.CONNECTION_EXCEPTION, reason))
            return
        with self._changed:
            self._trouble = reason
        self._arrived()
        with self._changed:
            if self._wanted is None and not self._closed:
                self._changed.wait(_BACK_OFF.delay_s(failures))
            if self._wanted is None:
                self._wanted = self._read

    def _follow(self, bound: int) -> None:
        session, looks = (
            ReplicationSession(self._settings),
            Looks(self._standings, self._connecting, self._require_wanted),
        )
        try:
            require_system(session.connection, self._place.system, bound)
            if bound:
                with connected(self._settings) as upstream:
                    require_slot(upstream, self._place.slot, bound)
                    changed = self._standings.look(upstream)
                if changed:
                    self._put(_Unit(bound, {}, 0, stopped=changed))
                assembly = Assembly(self._standings.tables, bound, looks.error_of)
            else:
                self._answered()
                changed = self._copy(session.connection)
                bound = self._copies.start
                point = max(self._copies.points.values(), default=bound)
                self._first = _First(CopiedRows(self._copies), point, {})
                self._first.stop(changed)
                if point == bound:
                    self._put_first()
                assembly = Assembly(self._standings.tables, bound, looks.error_of, self._copies.points)
            self._start(session, bound)
            self._answered()
            assembly.stop(changed)
            self._stream(session, assembly, looks)
        finally:
            session.close()
            if self._first is not None:
                self._first.rows.close()
                self._first = None

    def _answered(self) -> None:
        """Clears the trouble: upstream answers, and has what is wanted (a copy may take long)."""
        with self._changed:
            self._trouble = None
        self._arrived()

    def _start(self, session: ReplicationSession, bound: int) -> None:
        try:
            session.start(self._place.slot, self._place.publication, bound)
        except psycopg.Error as error:
            if not in_use(error):
                raise
            with connected(self._settings) as upstream:
                free_slot(upstream, self._place.slot)
            session.start(self._place.slot, self._place.publication, bound)

    def _copy(self, replication: Upstream) -> Mapping[str, SqlError]:
        """Copies the tables that an earlier attempt has not kept; returns those that have changed and can't be
        followed."""
        with self._connecting() as upstream, self._asked(replication):
            resumed = self._resume(upstream)
            slot = f"{self._place.slot}_rest" if resumed else self._place.slot
            missing = [name for name in self._tables if name not in self._copies.points]
            if resumed and not missing:
                return self._standings.look(upstream)
            drop_slot(upstream, slot)
            point, snapshot = create_slot(replication, slot, lasting=self._place.lasting and not resumed)
            if not resumed:
                self._copies.begin(point)
            begin_snapshot(upstream, snapshot)
            changed = dict(self._standings.look(upstream))
            there = {name: self._standings.called_there(name) for name in missing if name not in changed}
            lock_tables(upstream, there.values())
            # Snapshots don't hold what alters a table: its rows lie elsewhere then, and names are those of now.
            with self._connecting() as outside:
                changed |= self._standings.look(outside)
            pairs = [(self._tables[name], table) for name, table in there.items() if name not in changed]
            for ours, table in pairs:
                if not is_same_to_copy(table, self._standings.called_there(ours.full_name)):
                    raise Unreachable(f"table {ours.full_name} was altered while it was to be copied")
            copied = CopiedTables(self._connecting, snapshot, self._copies, point, lambda _rows: self._require_wanted())
            copied.copy(upstream, pairs)
            if resumed:
                drop_temporary_slot(replication, slot)
        return changed

    def _resume(self, upstream: Upstream) -> bool:
        """Tells whether there is a copy to continue: the slot must still have everything that follows it."""
        start = standing(upstream, self._place.slot) if self._place.lasting else None
        return start is not None and self._copies.resume(start, self._tables.values())

    @contextmanager
    def _connecting(self) -> Iterator[Upstream]:
        with connected(self._settings) as upstream, self._asked(upstream):
            yield upstream

    @contextmanager
    def _asked(self, connection: Upstream) -> Iterator[None]:
        """Registers a connection that `close` may have to interrupt."""
        with self._changed:
            self._asking.add(connection)
            self._require_wanted()
        try:
            yield
        finally:
            with self._changed:
                self._asking.discard(connection)

    def _require_wanted(self) -> None:
        if self._closed or self._wanted is not None:
            raise _Left

    def _stream(self, session: ReplicationSession, assembly: Assembly, looks: Looks) -> None:
        spilled: SpilledTables | None = None
        told = told_ns = 0
        looked_ns = self._clock.elapsed_ns()
        try:
            while True:
                with self._changed:
                    self._require_wanted()
                    full, durable = self._buffered > BUFFER_BYTES, self._durable
                    if full:
                        self._changed.wait(_POLL_S)
                asked = False
                looks.outdate()
                for frame in () if full else session.frames(_POLL_S):
                    if isinstance(frame, PluginMessage):
                        committed = _handled(assembly, frame)
                        if committed is not None and committed.spilled is not None:
                            spilled = committed.spilled
                        if assembly.size > SPILL_BYTES or (committed is not None and spilled is not None):
                            spilled = spilled or SpilledTables()
                            self._spill(committed.changes if committed else assembly.taken()[0], spilled)
                        if committed is not None:
                            self._committed(committed, spilled)
                            spilled = None
                    else:
                        asked = self._kept_alive(frame, assembly) or asked
                if durable and self._kept_copies:
                    self._kept_copies = False
                    self._copies.remove()
                late_ns = self._clock.elapsed_ns() - told_ns
                if asked or late_ns > _ANSWERED_NS or (durable > told and late_ns > _TOLD_NS):
                    session.answer(max(self._read, durable), durable, self._clock.now_ms() * 1_000)
                    told, told_ns = durable, self._clock.elapsed_ns()
                if self._clock.elapsed_ns() - looked_ns > _LOOKED_NS:
                    if stopped := assembly.stop(looks.changed() or {}):
                        _forget(spilled, stopped)
                        if self._first is None:
                            self._put(_Unit(self._read, {}, 0, stopped=stopped))
                        else:
                            self._first.stop(stopped)
                    looked_ns = self._clock.elapsed_ns()
        finally:
            assembly.close()
            if spilled is not None:
                spilled.close()

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
            self._put_first()
        if spilled is not None:
            _forget(spilled, committed.stopped)
            self._put(_Unit(committed.bound, {}, 0, spilled, committed.stopped))
        elif committed.changes or committed.stopped:
            self._put(_Unit(committed.bound, committed.changes, committed.size, stopped=committed.stopped))
        else:
            self._reach(committed.bound)

    def _kept_alive(self, frame: Keepalive, assembly: Assembly) -> bool:
        """Handles a keepalive; tells whether the server wants an answer."""
        if not assembly.open:
            if self._first is not None and frame.wal_end >= self._first.point:
                self._put_first()
            if self._first is None:
                self._reach(frame.wal_end)
        return frame.reply

    def _put_first(self) -> None:
        """Puts the initial copy, once all tables are at the same transactions."""
        first, self._first = self._first, None
        assert first is not None
        self._put(_Unit(first.point, {}, 0, first.rows, first.stopped))

    def _reach(self, bound: int) -> None:
        """Notes that everything below the bound was put, or concerns none of the tables."""
        with self._changed:
            self._require_wanted()
            self._reached = self._read = max(self._read, bound)
            self._known = max(self._known, bound)

    def _put(self, unit: _Unit) -> None:
        with self._changed:
            if self._closed or self._wanted is not None:
                if unit.spilled is not None:
                    unit.spilled.close()
                raise _Left
            self._units.append(unit)
            self._buffered += unit.size
            self._read = self._reached = max(self._read, unit.bound)
            self._known = max(self._known, unit.bound)
        self._arrived()


def _handled(assembly: Assembly, frame: PluginMessage) -> WholeTransaction | None:
    if assembly.streaming:
        committed = assembly.handle(*decode_streamed(frame.data))
        if assembly.streamed_size > SPILL_BYTES:
            assembly.spill_streams()
        return committed
    return assembly.handle(decode_message(frame.data))


def _forget(spilled: SpilledTables | None, names: Iterable[str]) -> None:
    """Drops the spilled changes of these tables."""
    if spilled is not None:
        for name in names:
            spilled.forget(name)
            spilled.emptied.discard(name)


def _taken_over(slot: str, reason: str) -> SqlError:
    return SqlError(
        Sqlstate.OBJECT_IN_USE,
        f'replication slot "{slot}" is no longer read from here: {reason}',
        hint="Another process reads it, or the server was restarted; it is tried again.",
    )
