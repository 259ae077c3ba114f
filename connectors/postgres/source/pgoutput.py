"""Decodes messages of PostgreSQL's output plugin pgoutput, protocol versions 1 and 2. Pure.

A transaction arrives whole, in the order of commits: Begin, changes, Commit. Before the first change of a relation, and
before the first after it was altered, comes a Relation message with its columns. Values are texts.

With version 2 a large transaction arrives in portions, before it has ended, between others: StreamStart, changes,
StreamStop; in the end StreamCommit or StreamAbort. There each message names its subtransaction.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Unchanged(Enum):
    """Stands for a value that is stored out of line and was not changed."""

    UNCHANGED = "unchanged"


Field = bytes | None | Unchanged
Fields = Sequence[Field]


@dataclass(frozen=True, slots=True)
class BeginMessage:
    """A transaction begins. `commit_lsn` is the position of its commit record, as in its Commit."""

    commit_lsn: int
    xid: int


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """The message has an `end_lsn`, too: the first byte behind the commit record. The next transaction's `commit_lsn`
    may be the same, so the two must never be mixed; nothing here needs it."""

    commit_lsn: int


@dataclass(frozen=True, slots=True)
class RelationColumn:
    name: str
    type_oid: int
    modifier: int


@dataclass(frozen=True, slots=True)
class RelationMessage:
    """Describes a relation. `identity` says which part of old rows is sent: f is all of it."""

    oid: int
    schema: str
    name: str
    identity: str
    columns: tuple[RelationColumn, ...]


@dataclass(frozen=True, slots=True)
class InsertMessage:
    relation: int
    new: Fields


@dataclass(frozen=True, slots=True)
class UpdateMessage:
    """An UPDATE of a row. `old` is None when upstream does not send the old row."""

    relation: int
    old: Fields | None
    new: Fields


@dataclass(frozen=True, slots=True)
class DeleteMessage:
    """A DELETE of a row. `old` is None when upstream sends the key alone."""

    relation: int
    old: Fields | None


@dataclass(frozen=True, slots=True)
class TruncateMessage:
    relations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StreamStartMessage:
    """The messages until StreamStop belong to this transaction."""

    xid: int


@dataclass(frozen=True, slots=True)
class StreamStopMessage:
    """The following messages belong to other transactions."""


@dataclass(frozen=True, slots=True)
class StreamCommitMessage:
    """A streamed transaction has committed; its `commit_lsn` is known only now."""

    xid: int
    commit_lsn: int


@dataclass(frozen=True, slots=True)
class StreamAbortMessage:
    """The subtransaction `sub` of `xid` was rolled back; all of it, where both are the same."""

    xid: int
    sub: int


@dataclass(frozen=True, slots=True)
class OtherMessage:
    """A message that changes no table: an origin, a type."""


Message = (
    BeginMessage
    | CommitMessage
    | RelationMessage
    | InsertMessage
    | UpdateMessage
    | DeleteMessage
    | TruncateMessage
    | StreamStartMessage
    | StreamStopMessage
    | StreamCommitMessage
    | StreamAbortMessage
    | OtherMessage
)

_LSN = struct.Struct("!Q")
_UINT = struct.Struct("!I")
_INT = struct.Struct("!i")
_COUNT = struct.Struct("!H")
_NULL, _UNCHANGED, _TEXT = ord("n"), ord("u"), ord("t")
_WHOLE_ROW, _NEW = ord("O"), ord("N")


_XID_BYTES, _STOP = 4, ord("E")


def decode_streamed(data: memoryview) -> tuple[Message, int]:
    """Decodes a message between StreamStart and StreamStop; returns it with its subtransaction (0 for the stop
    itself)."""
    if data[0] == _STOP:
        return StreamStopMessage(), 0
    return decode_message(data, 1 + _XID_BYTES), _uint(data, 1)


def decode_message(data: memoryview, at: int = 1) -> Message:
    """Decodes a message whose contents begin at `at`; raises ValueError for one that the protocol does not have."""
    match data[0:1].tobytes():
        case b"I":
            return InsertMessage(_uint(data, at), _fields(data, at + 5)[0])
        case b"U":
            return _update(data, at)
        case b"D":
            return DeleteMessage(_uint(data, at), _fields(data, at + 5)[0] if data[at + 4] == _WHOLE_ROW else None)
        case b"B":
            return BeginMessage(_LSN.unpack_from(data, at)[0], _uint(data, at + 16))
        case b"C":
            return CommitMessage(_LSN.unpack_from(data, at + 1)[0])
        case b"R":
            return _relation(data, at)
        case b"T":
            count = _uint(data, at)
            return TruncateMessage(tuple(_uint(data, at + 5 + 4 * number) for number in range(count)))
        case b"S":
            return StreamStartMessage(_uint(data, at))
        case b"c":
            return StreamCommitMessage(_uint(data, at), _LSN.unpack_from(data, at + 5)[0])
        case b"A":
            return StreamAbortMessage(_uint(data, at), _uint(data, at + 4))
        case b"O" | b"Y":
            return OtherMessage()
        case other:
            raise ValueError(f"pgoutput has no message {other!r}")


def _update(data: memoryview, at: int) -> UpdateMessage:
    relation, at, old = _uint(data, at), at + 4, None
    if data[at] != _NEW:
        fields, behind = _fields(data, at + 1)
        old = fields if data[at] == _WHOLE_ROW else None
        at = behind
    return UpdateMessage(relation, old, _fields(data, at + 1)[0])


def _relation(data: memoryview, at: int) -> RelationMessage:
    oid = _uint(data, at)
    schema, at = _name(data, at + 4)
    name, at = _name(data, at)
    identity, (count,) = chr(data[at]), _COUNT.unpack_from(data, at + 1)
    at += 3
    columns = []
    for _ in range(count):
        column, at = _name(data, at + 1)
        columns.append(RelationColumn(column, _uint(data, at), _INT.unpack_from(data, at + 4)[0]))
        at += 8
    return RelationMessage(oid, schema or "pg_catalog", name, identity, tuple(columns))


def _name(data: memoryview, at: int) -> tuple[str, int]:
    """Reads a text up to its zero byte; returns it with the offset behind."""
    end = at
    while data[end]:
        end += 1
    return data[at:end].tobytes().decode(), end + 1


def _uint(data: memoryview, at: int) -> int:
    return int(_UINT.unpack_from(data, at)[0])


def _fields(data: memoryview, at: int) -> tuple[list[Field], int]:
    """Reads a row's values; returns them with the offset behind."""
    (count,) = _COUNT.unpack_from(data, at)
    at += 2
    fields: list[Field] = []
    for _ in range(count):
        kind = data[at]
        at += 1
        if kind == _TEXT:
            end = at + 4 + _uint(data, at)
            fields.append(data[at + 4 : end].tobytes())
            at = end
        elif kind == _NULL:
            fields.append(None)
        elif kind == _UNCHANGED:
            fields.append(Unchanged.UNCHANGED)
        else:
            raise ValueError(f"pgoutput has no value of kind {chr(kind)!r}")
    return fields, at
