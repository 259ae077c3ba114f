"""Relations, as the output plugin tells of them: where our columns are among theirs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from connectors.postgres.source.pgoutput import Field, Fields, RelationMessage, Unchanged
from model.errors.sql_error import SqlError
from model.external.publications import MADE_ANEW, REREAD, PublishedTable, altered_column, fits, no_old_rows

_FIELD_BYTES = 60
"""What a value costs beside its text."""
_PASSED = f"A change was made without, which can't be passed. {REREAD}"


@dataclass(frozen=True, slots=True)
class Followed:
    """A relation as upstream has it now, with the places of the source's columns among its own."""

    table: PublishedTable
    places: tuple[int, ...]

    def row(self, fields: Fields, old: Fields | None) -> list[Field]:
        """Returns the fields of our columns. Raises 55000 where a value is only said to be as it was, and the old row
        isn't told."""
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
    """A table of the source that can't be followed."""

    name: str
    error: SqlError


class Relations:
    """The relations by upstream's oids. A description is checked at the first change that counts: before the bound
    the relation may have been another. `tables` have the numbers of their columns."""

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
        """Takes over the descriptions that were sent within a streamed transaction: they hold for all later ones."""
        self._known |= later._known
        self._news |= later._news

    def name(self, oid: int) -> str:
        """Returns the full name of the source's table; empty for other relations."""
        ours = self._ours.get(oid)
        return "" if ours is None else ours.full_name

    def news(self, oid: int) -> str | None:
        """Returns the name of the source's table when its relation has been described anew since the last call: the
        catalogs must be checked before a change counts."""
        return self._news.pop(oid, None)

    def all_news(self) -> frozenset[str]:
        """Returns the names as `news` does, of all relations."""
        found = frozenset(self._news.values())
        self._news.clear()
        return found

    def find(self, oid: int) -> Followed | Unfollowable | None:
        """Returns the relation as followed; None for one that is not the source's."""
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
    """Finds the places of the source's columns in a relation: they come in the order of their numbers, before all
    others. (The catalogs tell that none is gone.) Raises 55000 where the description contradicts this."""
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
    """Returns the approximate size of a row in memory."""
    return sum(_FIELD_BYTES + (len(value) if isinstance(value, bytes) else 0) for value in row)


def untold(table: PublishedTable) -> SqlError:
    """Returns the error 55000 for a change whose old row was not sent."""
    return no_old_rows(table, _PASSED)
