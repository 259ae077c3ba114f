"""Assembles messages of the output plugin to whole transactions: the changes of each to the source's tables.

A transaction's changes are one unit with one bound: its commit LSN + 1. Transactions below the bound so far are
skipped. Of a table that was truncated only the changes behind that count. A table that can't be followed any more is
stopped: from the transaction at hand on, changes of the stopped table are ignored, and the remaining tables go on.

    Begin change … Commit                               a transaction that arrives whole, in the order of commits
    StreamStart change … StreamStop  …  StreamCommit    a large one, in portions between others, before it ends
                                        StreamAbort     it, or a subtransaction of it, was rolled back

When a relation is described anew, upstream's catalogs are asked whether its table is unchanged, before a later change
counts; for a transaction that has not ended, at its end, since the catalogs don't show it earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from connectors.postgres.source.pgoutput import (
    BeginMessage,
    CommitMessage,
    DeleteMessage,
    Fields,
    InsertMessage,
    Message,
    OtherMessage,
    RelationMessage,
    StreamAbortMessage,
    StreamCommitMessage,
    StreamStartMessage,
    StreamStopMessage,
    TruncateMessage,
    UpdateMessage,
)
from connectors.postgres.source.postgres_columns import changed_columns
from connectors.postgres.source.relations import Followed, Relations, Unfollowable, size_of, untold
from connectors.postgres.source.streamed import StreamedTransaction
from connectors.sources.spilled import SpilledTables
from model.errors.sql_error import SqlError
from model.external.publications import PublishedTable

Look = Callable[[str, int], SqlError | None]
"""Why a table of ours can't be followed any more, as far as the catalogs tell once the transaction of a number has
committed."""


@dataclass(slots=True)
class TableChanges:
    """The changes of a table, in order. `emptied`: the table was truncated before them."""

    rows: list[Fields] = field(default_factory=list)
    diffs: list[int] = field(default_factory=list)
    emptied: bool = False

    def empty(self) -> None:
        self.rows.clear()
        self.diffs.clear()
        self.emptied = True

    def follow(self, later: TableChanges) -> None:
        """Appends later changes."""
        if later.emptied:
            self.empty()
        self.rows += later.rows
        self.diffs += later.diffs

    def columns(self, table: PublishedTable) -> pa.Table:
        """Returns the changes of `table`, as c0, …, `err`, `diff`."""
        texts = [pa.array(values, pa.string()) for values in zip(*self.rows, strict=True)]
        return changed_columns(table, texts, pa.array(self.diffs, pa.int64()))


@dataclass(frozen=True, slots=True)
class WholeTransaction:
    """A transaction, with its changes by the tables' full names.

    `bound`: exclusive, for all transactions up to this one
    `stopped`: the tables that can't be followed from here on, with the reasons
    `spilled`: the changes in files, for a large transaction
    """

    bound: int
    changes: Mapping[str, TableChanges]
    size: int
    stopped: Mapping[str, SqlError]
    spilled: SpilledTables | None = None


class _Target(Protocol):
    """Receives the changes of a transaction; `xid` is the subtransaction that made them."""

    relations: Relations

    def add(self, name: str, row: Fields, diff: int, xid: int) -> None: ...

    def empty(self, name: str, xid: int) -> None: ...

    def stop(self, name: str, error: SqlError, xid: int) -> None: ...


class _Arriving:
    """A transaction that arrives whole, of which nothing is rolled back."""

    def __init__(self, tables: Mapping[str, PublishedTable]) -> None:
        self.relations = Relations(tables)
        self.stopped: dict[str, SqlError] = {}
        """Of all transactions so far."""
        self.changes: dict[str, TableChanges] = {}
        self.size = 0

    def add(self, name: str, row: Fields, diff: int, _xid: int) -> None:
        changes = self.changes.setdefault(name, TableChanges())
        changes.rows.append(row)
        changes.diffs.append(diff)
        self.size += size_of(row)

    def empty(self, name: str, _xid: int) -> None:
        self.changes.setdefault(name, TableChanges()).empty()

    def stop(self, name: str, error: SqlError, _xid: int) -> None:
        self.stopped.setdefault(name, error)
        self.changes.pop(name, None)


class Assembly:
    """Assembles the messages of one connection (relations are described anew on each).

    `bound`: transactions below it are skipped
    `points`: for some tables a higher bound of their own
    `look`: asks upstream's catalogs; its exceptions pass through

    Call `close` in the end.
    """

    def __init__(
        self, tables: Mapping[str, PublishedTable], bound: int, look: Look, points: Mapping[str, int] | None = None
    ) -> None:
        self._tables = tables
        self._bound = bound
        self._look = look
        self._points = points or {}
        self._commit_lsn = self._xid = 0
        self._arriving = _Arriving(tables)
        self._streams: dict[int, StreamedTransaction] = {}
        self._streaming: StreamedTransaction | None = None
        self._told: set[str] = set()
        self._passing = False
        self.open = False

    @property
    def streaming(self) -> bool:
        """Tells whether the messages that arrive belong to a transaction that has not ended."""
        return self._streaming is not None

    @property
    def size(self) -> int:
        """The size of the changes of the transaction that arrives."""
        return self._arriving.size

    @property
    def streamed_size(self) -> int:
        """The size of the changes of large transactions in memory."""
        return sum(stream.size for stream in self._streams.values())

    def spill_streams(self) -> None:
        """Writes the changes of large transactions to files."""
        for stream in self._streams.values():
            stream.spill()

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()
        self._streams.clear()

    def stop(self, stopped: Mapping[str, SqlError]) -> Mapping[str, SqlError]:
        """Stops tables that can't be followed any more; returns those that were followed until now."""
        new = {name: error for name, error in stopped.items() if name not in self._arriving.stopped}
        for name, error in new.items():
            self._arriving.stop(name, error, 0)
        self._told |= new.keys()
        return new

    def handle(self, message: Message, xid: int = 0) -> WholeTransaction | None:
        """Handles a message, and returns the transaction that it completes, if any. `xid` is the subtransaction of
        the message, while `streaming`."""
        match message:
            case BeginMessage(commit_lsn, begun):
                self.open, self._passing = True, commit_lsn < self._bound
                self._commit_lsn, self._xid = commit_lsn, begun
            case CommitMessage(commit_lsn):
                self.open = False
                if not self._passing:
                    return self._whole(commit_lsn, *self.taken(), None)
            case StreamStartMessage(top):
                self.open = True
                self._streaming = self._streams.get(top) or StreamedTransaction(self._tables)
                self._streams[top] = self._streaming
            case StreamStopMessage():
                self.open, self._streaming = False, None
            case StreamCommitMessage(top, commit_lsn):
                return self._stream_committed(top, commit_lsn)
            case StreamAbortMessage(top, sub):
                self._aborted(top, sub)
            case RelationMessage():
                self._target.relations.tell(message)
            case InsertMessage(relation, new):
                self._add(xid, relation, None, new)
            case UpdateMessage(relation, old, new):
                self._add(xid, relation, old, new, whole=old is not None)
            case DeleteMessage(relation, old):
                self._add(xid, relation, old, None, whole=old is not None)
            case TruncateMessage(relations):
                for oid in relations:
                    if (followed := self._followed(oid, xid)) is not None:
                        self._target.empty(followed.table.full_name, xid)
            case OtherMessage():
                pass
        return None

    def taken(self) -> tuple[Mapping[str, TableChanges], int]:
        """Returns the changes of the arriving transaction so far, with their size, and drops them here."""
        arriving = self._arriving
        taken = arriving.changes, arriving.size
        arriving.changes, arriving.size = {}, 0
        return taken

    @property
    def _target(self) -> _Target:
        return self._streaming or self._arriving

    def _whole(
        self, commit_lsn: int, changes: Mapping[str, TableChanges], size: int, spilled: SpilledTables | None
    ) -> WholeTransaction:
        self._bound = commit_lsn + 1
        stopped = {name: error for name, error in self._arriving.stopped.items() if name not in self._told}
        self._told |= stopped.keys()
        return WholeTransaction(self._bound, changes, size, stopped, spilled)

    def _stream_committed(self, xid: int, commit_lsn: int) -> WholeTransaction | None:
        stream = self._streams[xid]
        if commit_lsn >= self._bound:
            for name in sorted(stream.relations.all_news() - self._arriving.stopped.keys()):
                if (lost := self._look(name, xid)) is not None:
                    self._arriving.stop(name, lost, 0)
        del self._streams[xid]
        self._arriving.relations.adopt(stream.relations)
        if commit_lsn < self._bound:
            stream.close()
            return None
        before = frozenset(name for name, point in self._points.items() if commit_lsn < point)
        for name, error in stream.stopped.items():
            if name not in before:
                self._arriving.stop(name, error, 0)
        return self._whole(commit_lsn, {}, 0, stream.whole(before | self._arriving.stopped.keys()))

    def _aborted(self, top: int, sub: int) -> None:
        """Drops a transaction or subtransaction that was rolled back; it may have had no changes here."""
        if top in self._streams and sub != top:
            self._streams[top].abort(sub)
        elif top in self._streams:
            self._streams.pop(top).close()

    def _add(self, xid: int, relation: int, old: Fields | None, new: Fields | None, *, whole: bool = True) -> None:
        followed, target = self._followed(relation, xid), self._target
        if followed is None:
            return
        name = followed.table.full_name
        try:
            if not whole:
                raise untold(followed.table)
            gone = None if old is None else followed.row(old, old)
            come = None if new is None else followed.row(new, old)
        except SqlError as error:
            target.stop(name, error, xid)
            return
        if gone is not None:
            target.add(name, gone, -1, xid)
        if come is not None:
            target.add(name, come, 1, xid)

    def _followed(self, oid: int, xid: int) -> Followed | None:
        """Returns the relation's table, or None where the change does not count: it is not one of the source's
        tables, can't be followed, or lies before the bound. For a large transaction the bound is checked at its end."""
        target = self._target
        if not self.streaming:
            if self._passing or self._commit_lsn < self._points.get(target.relations.name(oid), 0):
                return None
            name = target.relations.news(oid)
            if name is not None and name not in self._arriving.stopped:
                if (error := self._look(name, self._xid)) is not None:
                    target.stop(name, error, xid)
        found = target.relations.find(oid)
        if isinstance(found, Unfollowable):
            target.stop(found.name, found.error, xid)
            return None
        return None if found is None or found.table.full_name in self._arriving.stopped else found
