"""Messages of the output plugin to whole transactions: what each did to our tables. Pure.

A transaction's changes are one unit with one bound: its commit LSN + 1. Those below what is bound already are passed
over. Of a table that was emptied only what came behind that counts. A table that can't be followed any more is stopped:
nothing of it counts from that transaction on, and the others go on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from model.errors import SqlError
from model.publications import STOPPED, PublishedTable, no_old_rows, require_same_column, require_same_table
from storage.sources.postgres.columns import changed_columns
from storage.sources.postgres.pgoutput import (
    BeginMessage,
    CommitMessage,
    DeleteMessage,
    Field,
    Fields,
    InsertMessage,
    Message,
    OtherMessage,
    RelationMessage,
    TruncateMessage,
    Unchanged,
    UpdateMessage,
)

_PASSED = f"A change was made without, which can't be passed. {STOPPED}"
_FIELD_BYTES = 60
"""What a value costs beside its text."""


@dataclass(slots=True)
class TableChanges:
    """In their order; `emptied` before any of them."""

    rows: list[Fields] = field(default_factory=list)
    diffs: list[int] = field(default_factory=list)
    emptied: bool = False

    def empty(self) -> None:
        self.rows.clear()
        self.diffs.clear()
        self.emptied = True

    def follow(self, later: TableChanges) -> None:
        """These come behind."""
        if later.emptied:
            self.empty()
        self.rows += later.rows
        self.diffs += later.diffs

    def columns(self, table: PublishedTable) -> pa.Table:
        """The changes of `table`, as c0, …, `err`, `diff`."""
        texts = [pa.array(values, pa.string()) for values in zip(*self.rows, strict=True)]
        return changed_columns(table, texts, pa.array(self.diffs, pa.int64()))


@dataclass(frozen=True, slots=True)
class WholeTransaction:
    """A transaction, by the tables' full names; `bound` is the exclusive one of all up to it. `stopped`: which can't be
    followed since, and why."""

    bound: int
    changes: Mapping[str, TableChanges]
    size: int
    stopped: Mapping[str, SqlError]


@dataclass(frozen=True, slots=True)
class _Followed:
    """A relation as upstream has it now: where our columns are among its own."""

    table: PublishedTable
    places: tuple[int, ...]


class Assembly:
    """Of one connection: relations are told anew on each. `bound`: transactions below it are passed over; `points`: for
    some tables those below other points, too, which are beyond it."""

    def __init__(
        self, tables: Mapping[str, PublishedTable], bound: int, points: Mapping[str, int] | None = None
    ) -> None:
        self._tables = tables
        self._bound = bound
        self._points = points or {}
        self._commit_lsn = 0
        self._relations: dict[int, RelationMessage | _Followed | None] = {}
        """What was told of a relation is looked at with its first change that counts: before what is bound, it may have
        been another table."""
        self._stopped: dict[str, SqlError] = {}
        self._told: set[str] = set()
        self._passing = False
        self.open = False
        self.changes: dict[str, TableChanges] = {}
        self.size = 0

    def stop(self, stopped: Mapping[str, SqlError]) -> Mapping[str, SqlError]:
        """These tables can't be followed any more: those of them that could until now. Nobody else tells of them."""
        new = {name: error for name, error in stopped.items() if name not in self._stopped}
        for name, error in new.items():
            self._stop(name, error)
        self._told |= new.keys()
        return new

    def _stop(self, name: str, error: SqlError) -> None:
        self._stopped[name] = error
        self.changes.pop(name, None)

    def handle(self, message: Message) -> WholeTransaction | None:
        """What is complete with this message."""
        match message:
            case BeginMessage(commit_lsn):
                self.open, self._passing, self._commit_lsn = True, commit_lsn < self._bound, commit_lsn
            case CommitMessage(commit_lsn):
                self.open = False
                if not self._passing:
                    self._bound = commit_lsn + 1
                    stopped = {name: error for name, error in self._stopped.items() if name not in self._told}
                    self._told |= stopped.keys()
                    return WholeTransaction(self._bound, *self.taken(), stopped)
            case RelationMessage():
                self._relations[message.oid] = message
            case InsertMessage(relation, new):
                self._add(relation, None, new)
            case UpdateMessage(relation, old, new):
                self._add(relation, old, new, whole=old is not None)
            case DeleteMessage(relation, old):
                self._add(relation, old, None, whole=old is not None)
            case TruncateMessage(relations):
                for oid in relations:
                    followed = self._followed(oid)
                    if followed is not None:
                        self.changes.setdefault(followed.table.full_name, TableChanges()).empty()
            case OtherMessage():
                pass
        return None

    def taken(self) -> tuple[Mapping[str, TableChanges], int]:
        """The changes of the open transaction so far, and their size; they are no longer held here."""
        taken = self.changes, self.size
        self.changes, self.size = {}, 0
        return taken

    def _add(self, relation: int, old: Fields | None, new: Fields | None, *, whole: bool = True) -> None:
        followed = self._followed(relation)
        if followed is None:
            return
        if not whole:
            self._stop(followed.table.full_name, no_old_rows(followed.table, _PASSED))
            return
        changes = self.changes.setdefault(followed.table.full_name, TableChanges())
        if old is not None:
            self._note(changes, followed, old, old, -1)
        if new is not None:
            self._note(changes, followed, new, old, 1)

    def _note(self, changes: TableChanges, followed: _Followed, fields: Fields, old: Fields | None, diff: int) -> None:
        row: list[Field] = []
        for at in followed.places:
            value = fields[at]
            if value is Unchanged.UNCHANGED:
                value = None if old is None else old[at]
                if old is None or value is Unchanged.UNCHANGED:
                    self._stop(followed.table.full_name, no_old_rows(followed.table, _PASSED))
                    return
            row.append(value)
            self.size += _FIELD_BYTES + (len(value) if isinstance(value, bytes) else 0)
        changes.rows.append(row)
        changes.diffs.append(diff)

    def _followed(self, oid: int) -> _Followed | None:
        """None of what does not count: it is not ours, was stopped, or is before what is bound."""
        if self._passing:
            return None
        found = self._relations[oid]
        if found is not None and self._commit_lsn < self._points.get(_name_of(found), 0):
            return None
        if isinstance(found, RelationMessage):
            table = self._tables.get(_name_of(found))
            try:
                found = None if table is None else _looked_at(table, found)
            except SqlError as error:
                assert table is not None
                self._stop(table.full_name, error)
                found = None
            self._relations[oid] = found
        return None if found is None or found.table.full_name in self._stopped else found


def _name_of(relation: RelationMessage | _Followed) -> str:
    return f"{relation.schema}.{relation.name}" if isinstance(relation, RelationMessage) else relation.table.full_name


def _looked_at(table: PublishedTable, relation: RelationMessage) -> _Followed:
    """55000 for what is not the table that we follow."""
    require_same_table(table, relation.oid)
    found = {column.name: (at, column) for at, column in enumerate(relation.columns)}
    places = []
    for column in table.columns:
        at, now = found.get(column.name, (0, None))
        require_same_column(table, column, None if now is None else (now.type_oid, now.modifier))
        places.append(at)
    return _Followed(table, tuple(places))
