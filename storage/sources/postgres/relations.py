"""Relations, as the output plugin tells of them: where our columns are among theirs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.errors import SqlError
from model.publications import STOPPED, PublishedTable, no_old_rows, require_same_column, require_same_table
from storage.sources.postgres.pgoutput import Field, Fields, RelationMessage, Unchanged

_FIELD_BYTES = 60
"""What a value costs beside its text."""
_PASSED = f"A change was made without, which can't be passed. {STOPPED}"


@dataclass(frozen=True, slots=True)
class Followed:
    """A relation as upstream has it now: where our columns are among its own."""

    table: PublishedTable
    places: tuple[int, ...]

    def row(self, fields: Fields, old: Fields | None) -> list[Field]:
        """Our columns. 55000 where a value is only said to be as it was, and the old row isn't told."""
        row: list[Field] = []
        for at in self.places:
            value = fields[at]
            if value is Unchanged.UNCHANGED:
                value = None if old is None else old[at]
                if old is None or value is Unchanged.UNCHANGED:
                    raise untold(self.table)
            row.append(value)
        return row


@dataclass(frozen=True, slots=True)
class Unfollowable:
    """It has the name of a table of ours, and can't be followed."""

    name: str
    error: SqlError


class Relations:
    """By what upstream calls them. What is told of one is looked at with its first change that counts: before what is
    bound, it may have been another table."""

    def __init__(self, tables: Mapping[str, PublishedTable]) -> None:
        self._tables = tables
        self._known: dict[int, RelationMessage | Followed | Unfollowable | None] = {}

    def tell(self, message: RelationMessage) -> None:
        self._known[message.oid] = message

    def adopt(self, later: Relations) -> None:
        """What a transaction was told by itself goes for all that come behind it."""
        self._known |= later._known

    def name(self, oid: int) -> str:
        """A relation's full name, whether it is ours or not."""
        found = self._known[oid]
        match found:
            case RelationMessage(_, schema, name):
                return f"{schema}.{name}"
            case Followed(table):
                return table.full_name
            case Unfollowable(name):
                return name
            case None:
                return ""

    def find(self, oid: int) -> Followed | Unfollowable | None:
        """None for what is not ours."""
        found = self._known[oid]
        if isinstance(found, RelationMessage):
            found = self._known[oid] = self._looked_at(found)
        return found

    def _looked_at(self, told: RelationMessage) -> Followed | Unfollowable | None:
        table = self._tables.get(f"{told.schema}.{told.name}")
        if table is None:
            return None
        try:
            return _followed(table, told)
        except SqlError as error:
            return Unfollowable(table.full_name, error)


def _followed(table: PublishedTable, relation: RelationMessage) -> Followed:
    """55000 for what is not the table that we follow."""
    require_same_table(table, relation.oid)
    found = {column.name: (at, column) for at, column in enumerate(relation.columns)}
    places = []
    for column in table.columns:
        at, now = found.get(column.name, (0, None))
        require_same_column(table, column, None if now is None else (now.type_oid, now.modifier))
        places.append(at)
    return Followed(table, tuple(places))


def size_of(row: Fields) -> int:
    """How many bytes a row takes in memory, about."""
    return sum(_FIELD_BYTES + (len(value) if isinstance(value, bytes) else 0) for value in row)


def untold(table: PublishedTable) -> SqlError:
    """55000: upstream has changed a row, and not said which."""
    return no_old_rows(table, _PASSED)
