"""Checkpoints and fences of sinks, for any destination that commits them together with the rows.

Each split of a sink has a row: its frontier, and a number, the fence, which every session raises when it opens. A
transaction commits only where the fence is still the session's own: a session that was replaced by another writes
nothing any more (source: seed 1, "Remote Store is Authoritative").

A split that opens takes over from all splits whose keys overlap with its own. A key stands where the narrowest split
containing it stood, because a wider one is older. Where all keys stand at one time, the split continues from that time:
so a split that is divided passes its frontier on, and splits with equal frontiers are joined. Where the keys stand at
several times, or a split shared only a part of its keys with the new one, the new split begins at 0. Rows of splits
that lie inside the new one are deleted, since the next session to open would find them again. The mark that a
transaction was left half-applied is inherited in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from connectors.sinks.messages import KeyRange
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp

CHECKPOINTS = "headwater_checkpoints"
"""The destination's table of them: sink, key_begin, key_end, fence, frontier, and the table that is written."""


@dataclass(frozen=True, slots=True)
class SplitCheckpoint:
    """A row of the checkpoints' table, of one sink. `partial`: the destination may hold parts of a transaction that
    never ended, besides what it has at the frontier."""

    keys: KeyRange
    fence: int
    frontier: Timestamp
    partial: bool = False


def opened_at(keys: KeyRange, rows: Iterable[SplitCheckpoint]) -> SplitCheckpoint:
    """Returns the checkpoint of a split that opens, with the raised fence, from the rows whose keys overlap with its
    own."""
    overlapping = [row for row in rows if overlap(row.keys, keys)]
    fence = 1 + max((row.fence for row in overlapping), default=0)
    begins = {keys.begin, *(row.keys.begin for row in overlapping), *(row.keys.end + 1 for row in overlapping)}
    stood = [_stood(key, overlapping) for key in begins if keys.begin <= key <= keys.end]
    at = {Timestamp(0) if row is None else row.frontier for row in stood}
    if len(at) > 1 or any(is_part(row.keys, keys) and not _within(row.keys, keys) for row in overlapping):
        at = {Timestamp(0)}
    return SplitCheckpoint(keys, fence, at.pop(), any(row is not None and row.partial for row in stood))


def _stood(key: int, rows: Iterable[SplitCheckpoint]) -> SplitCheckpoint | None:
    """Returns the narrowest row whose keys contain a hash; None where there is none."""
    having = [row for row in rows if row.keys.begin <= key <= row.keys.end]
    return min(having, key=lambda row: row.keys.end - row.keys.begin, default=None)


def _within(part: KeyRange, whole: KeyRange) -> bool:
    return whole.begin <= part.begin and part.end <= whole.end


def overlap(one: KeyRange, other: KeyRange) -> bool:
    """Tells whether two ranges of keys have a key in common."""
    return one.end >= other.begin and one.begin <= other.end


def is_part(row: KeyRange, keys: KeyRange) -> bool:
    """Tells whether a row has some of these keys, though not all: such a row is deleted when the keys are opened."""
    return overlap(row, keys) and not _within(keys, row)


PARTS = "key_end >= {begin} AND key_begin <= {end} AND (key_begin > {begin} OR key_end < {end})"
"""As `is_part`, of a row in SQL."""


def transaction_lock(sink: str, keys: KeyRange) -> str:
    """Names the lock that a session holds while it has a transaction open, on servers with named locks. A session
    that opens finds a hanging session by this lock and ends it: that session could commit nothing any more, but
    would hold its locks on rows for hours if it hangs, or its machine is gone."""
    return f"headwater {sink} {keys.begin:x}-{keys.end:x}"


def fenced_off() -> SqlError:
    """Returns the error that another session has opened the same sink."""
    return SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "another session of this sink has taken over")


def another_sinks(table: str, sink: str) -> SqlError:
    """Returns the error for a table that another sink writes: each sink would take the other's rows for its own."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'table "{table}" of the destination is written by another sink',
        detail=f'The sink is "{sink}".',
        hint=f"If that sink is no more, drop the table, or delete its row of {CHECKPOINTS}.",
    )


def not_empty(table: str) -> SqlError:
    """Returns the error for a table that has rows before its sink has written any: a sink never replaces rows that
    it hasn't written."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'table "{table}" of the destination is not empty',
        hint="A sink begins with an empty table, or makes it.",
    )


def not_as_expected(table: str, why: str, *, hint: str | None = None) -> SqlError:
    """Returns the error that somebody has made, or changed, the table otherwise."""
    message = f'table "{table}" of the destination does not fit the sink: {why}'
    return SqlError(Sqlstate.DATATYPE_MISMATCH, message, hint=hint)
