"""Separates the rows of INSERT … ON CONFLICT into new rows and conflicting rows. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from server.writes.constraints.held_rules import RowsByKey


@dataclass(frozen=True, slots=True)
class Meeting:
    """A proposed row, by its number, and the table's row with the same key."""

    number: int
    existing: Row


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The outcome. `new` are the numbers of rows without an equal; the first of equal proposed rows counts."""

    new: tuple[int, ...]
    meetings: tuple[Meeting, ...]


def conflicts_of(proposed: Sequence[Row], keys: Sequence[RowsByKey], *, updating: bool) -> Conflicts:
    """Finds conflicts on any of the keys, given the table's rows with the same keys. With `updating`, SqlError 21000
    for a row that conflicts with a row inserted by the statement itself."""
    inserted: list[set[Hashable]] = [set() for _ in keys]
    new: list[int] = []
    meetings: list[Meeting] = []
    for number, row in enumerate(proposed):
        identities = [key.identity(row) for key in keys]
        if any(identity in own for identity, own in zip(identities, inserted, strict=True)):
            if updating:
                raise affected_twice()
            continue
        existing = next((k.rows[i] for k, i in zip(keys, identities, strict=True) if i in k.rows), None)
        if existing is not None:
            meetings.append(Meeting(number, existing))
            continue
        new.append(number)
        for identity, own in zip(identities, inserted, strict=True):
            own.update(() if identity is None else (identity,))
    return Conflicts(tuple(new), tuple(meetings))


def affected_twice() -> SqlError:
    """Returns SqlError 21000 for a row that ON CONFLICT would change twice."""
    message = "ON CONFLICT DO UPDATE command cannot affect row a second time"
    hint = "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
    return SqlError(Sqlstate.CARDINALITY_VIOLATION, message, hint=hint)
