"""Checkpoints and fences of sinks in a destination that commits rows and these together, for any such store.

Each split of a sink has a row: how far it is, and a number that every session raises when it opens. A transaction
commits only where the number is still the session's own: a session that was taken over writes nothing any more
(source: seed 1, "Remote Store is Authoritative").

A split that opens takes over from all whose keys overlap with its own. Each of its keys is where the narrowest split
that had it stood, since what covers that is older. Where all are at one time, it goes on from there: so one that is
divided hands on where it was, and parts are joined that have come equally far. Else, or where some of its keys were
another's beside it, nobody knows how far all of them are, and it begins anew. The rows of parts go, or the next to open
would find them again. What a split has left of a transaction that never ended is inherited alike.
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
    """A row of the table of checkpoints, of one sink. `partial`: beside what is at the frontier there may be parts of a
    transaction that never ended."""

    keys: KeyRange
    fence: int
    frontier: Timestamp
    partial: bool = False


def opened_at(keys: KeyRange, rows: Iterable[SplitCheckpoint]) -> SplitCheckpoint:
    """How far a split is that opens, and the fence that it has raised, given those rows that overlap with its keys."""
    overlapping = [row for row in rows if overlap(row.keys, keys)]
    fence = 1 + max((row.fence for row in overlapping), default=0)
    begins = {keys.begin, *(row.keys.begin for row in overlapping), *(row.keys.end + 1 for row in overlapping)}
    stood = [_stood(key, overlapping) for key in begins if keys.begin <= key <= keys.end]
    at = {Timestamp(0) if row is None else row.frontier for row in stood}
    if len(at) > 1 or any(is_part(row.keys, keys) and not _within(row.keys, keys) for row in overlapping):
        at = {Timestamp(0)}
    return SplitCheckpoint(keys, fence, at.pop(), any(row is not None and row.partial for row in stood))


def _stood(key: int, rows: Iterable[SplitCheckpoint]) -> SplitCheckpoint | None:
    """Where the keys of a hash are."""
    having = [row for row in rows if row.keys.begin <= key <= row.keys.end]
    return min(having, key=lambda row: row.keys.end - row.keys.begin, default=None)


def _within(part: KeyRange, whole: KeyRange) -> bool:
    return whole.begin <= part.begin and part.end <= whole.end


def overlap(one: KeyRange, other: KeyRange) -> bool:
    """Whether some keys are of both."""
    return one.end >= other.begin and one.begin <= other.end


def is_part(row: KeyRange, keys: KeyRange) -> bool:
    """Whether a split had some of these keys, and not all: its row goes when they open."""
    return overlap(row, keys) and not _within(keys, row)


PARTS = "key_end >= {begin} AND key_begin <= {end} AND (key_begin > {begin} OR key_end < {end})"
"""As `is_part`, of a row in SQL."""


def transaction_lock(sink: str, keys: KeyRange) -> str:
    """What a session has as long as it has a transaction under way, where a server knows locks by name: who opens finds
    by it who hangs. A session that was taken over commits nothing any more, but if it hangs, or its machine is gone, it
    would hold locks of rows for hours."""
    return f"headwater {sink} {keys.begin:x}-{keys.end:x}"


def fenced_off() -> SqlError:
    """Another session has opened the same sink."""
    return SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "another session of this sink has taken over")


def another_sinks(table: str, sink: str) -> SqlError:
    """Two sinks would take each other's rows for their own."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'table "{table}" of the destination is written by another sink',
        detail=f'The sink is "{sink}".',
        hint=f"If that sink is no more, drop the table, or delete its row of {CHECKPOINTS}.",
    )


def not_empty(table: str) -> SqlError:
    """A sink that begins never replaces what it hasn't written."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'table "{table}" of the destination is not empty',
        hint="A sink begins with an empty table, or makes it.",
    )


def not_as_expected(table: str, why: str, *, hint: str | None = None) -> SqlError:
    """Somebody has made, or changed, the table otherwise."""
    message = f'table "{table}" of the destination does not fit the sink: {why}'
    return SqlError(Sqlstate.DATATYPE_MISMATCH, message, hint=hint)
