"""Relations, as the output plugin tells of them: where our columns are among theirs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from connectors.sources.postgres.pgoutput import Field, Fields, RelationMessage, Unchanged
from model.errors.sql_error import SqlError
from model.external.publications import MADE_ANEW, REREAD, PublishedTable, altered_column, fits, no_old_rows

_FIELD_BYTES = 60
"""What a value costs beside its text."""
_PASSED = f"A change was made without, which can't be passed. {REREAD}"


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
    """It is a table of ours, and can't be followed."""

    name: str
    error: SqlError


class Relations:
    """By what upstream calls them. What is told of one is looked at with its first change that counts: before what is
    bound, it may have been something else. `tables` have the numbers of their columns."""

    def __init__(self, tables: Mapping[str, PublishedTable]) -> None:
        self._tables = tables
        self._ours = {table.oid: table for table in tables.values()}
        self._known: dict[int, RelationMessage | Followed | Unfollowable | None] = {}
        self._news: dict[int, str] = {}

    def tell(self, message: RelationMessage) -> None:
        self._known[message.oid] = message
        # One that has the name of ours tells that ours has another one, or is gone.
        name = self.name(message.oid) or f"{message.schema}.{message.name}"
        if name in self._tables:
            self._news[message.oid] = name

    def adopt(self, later: Relations) -> None:
        """What a transaction was told by itself goes for all that come behind it."""
        self._known |= later._known
        self._news |= later._news

    def name(self, oid: int) -> str:
        """Our name of a relation; empty for one that is not ours."""
        ours = self._ours.get(oid)
        return "" if ours is None else ours.full_name

    def news(self, oid: int) -> str | None:
        """The table of ours, if it is one, of which something was told with this relation that wasn't asked for yet:
        the catalogs have to be looked at before anything counts."""
        return self._news.pop(oid, None)

    def all_news(self) -> frozenset[str]:
        """As of `news`, of all relations."""
        found = frozenset(self._news.values())
        self._news.clear()
        return found

    def find(self, oid: int) -> Followed | Unfollowable | None:
        """None for what is not ours."""
        found = self._known[oid]
        if isinstance(found, RelationMessage):
            found = self._known[oid] = self._looked_at(found)
        return found

    def _looked_at(self, told: RelationMessage) -> Followed | Unfollowable | None:
        table = self._ours.get(told.oid)
        if table is None:
            return None
        try:
            return _followed(table, told)
        except SqlError as error:
            return Unfollowable(table.full_name, error)


def _followed(table: PublishedTable, relation: RelationMessage) -> Followed:
    """Our columns are in the order of their numbers, and no other is before the last of them: that this is so, and
    none of them gone, the catalogs tell. 55000 for what can't be them in any case."""
    places = {}
    for at, column in enumerate(sorted(table.columns, key=lambda column: column.number)):
        if at >= len(relation.columns):
            raise altered_column(table, column.name, "is gone", MADE_ANEW)
        told = relation.columns[at]
        if not fits(column, told.type_oid, told.modifier):
            raise altered_column(table, column.name, "was gone, or had another type, for a while", REREAD)
        places[column.number] = at
    return Followed(table, tuple(places[column.number] for column in table.columns))


def size_of(row: Fields) -> int:
    """How many bytes a row takes in memory, about."""
    return sum(_FIELD_BYTES + (len(value) if isinstance(value, bytes) else 0) for value in row)


def untold(table: PublishedTable) -> SqlError:
    """55000: upstream has changed a row, and not said which."""
    return no_old_rows(table, _PASSED)
