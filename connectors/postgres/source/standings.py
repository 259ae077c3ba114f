"""Checks whether upstream's tables are still the tables that are followed, by comparing the catalogs with what was
recorded.

The stream does not show that changes were left out, nor to which column a value belongs. The catalogs show both: an
altered object gets another version, a table keeps its oid and a column its number, and neither is ever reused. So a
table that is as recorded has lost no change, whatever was altered and altered back between two looks; and its columns
come in the order of their numbers in each row, before added ones.

A renamed table or column is followed under its old name, until another object upstream has that name: it could then be
mistaken for the followed one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from connectors.postgres.probe import Upstream
from connectors.postgres.source.publications import published_tables, relations_named
from model.errors.sql_error import SqlError
from model.external.publications import (
    MADE_ANEW,
    REREAD,
    PublishedColumn,
    PublishedTable,
    altered_column,
    fits,
    not_followed,
)

_LEFT_OUT = "Changes may have been left out since."


class Standings:
    """The tables of a source. `recorded` are the tables as they were when they were added, or last refreshed."""

    def __init__(self, recorded: Mapping[str, PublishedTable], publication: str) -> None:
        self.tables = dict(recorded)
        """With the numbers of all columns, once it has been looked."""
        self._publication = publication
        self._seen: dict[str, PublishedTable] = {}

    def look(self, upstream: Upstream) -> Mapping[str, SqlError]:
        """Returns the tables that can't be followed any more, with reasons (55000). Raises SqlError where the
        publication can't be followed."""
        found = {table.oid: table for table in published_tables(upstream, self._publication)}
        named = relations_named(upstream, self.tables.values())
        changed: dict[str, SqlError] = {}
        for name, table in self.tables.items():
            now = found.get(table.oid)
            try:
                _require_same_table(table, now, named.get(name), self._publication)
                assert now is not None, "it was found"
                self.tables[name] = table = _numbered(table, now)
                _require_same_columns(table, now)
                _require_same_values(table, now, self._seen.get(name))
            except SqlError as error:
                changed[name] = error
            else:
                self._seen[name] = now
        return changed

    def called_there(self, name: str) -> PublishedTable:
        """Returns a table that was unchanged at the last look, with upstream's current names of it and of its
        columns, in the source's order of columns."""
        now = self._seen[name]
        columns = {column.number: column for column in now.columns}
        return replace(now, columns=tuple(columns[column.number] for column in self.tables[name].columns))


def _require_same_table(table: PublishedTable, now: PublishedTable | None, named: int | None, publication: str) -> None:
    """Requires upstream's table to be the one recorded. (That old rows are sent is checked at the first change
    without one: until then nothing is lost.)"""
    name = table.full_name
    if named not in (None, table.oid):
        raise not_followed(
            f'upstream\'s table "{name}" is not the one that the source has read',
            "It was dropped or renamed there, and another one has its name.",
            REREAD,
        )
    if now is None:
        hint = "ALTER PUBLICATION … ADD TABLE there, then ALTER SOURCE … REFRESH SUBSOURCE here; else drop it here."
        raise not_followed(f'table "{name}" is no longer in publication "{publication}"', _LEFT_OUT, hint)
    if (now.membership, now.row_filter) != (table.membership, table.row_filter):
        message = f'table "{name}" was taken out of publication "{publication}", or has another row filter'
        raise not_followed(message, _LEFT_OUT, REREAD)
    if table.history and now.history != table.history:
        message = f'publication "{publication}" of table "{name}" was altered, or the table moved between schemas'
        raise not_followed(message, _LEFT_OUT, REREAD)


def _numbered(table: PublishedTable, now: PublishedTable) -> PublishedTable:
    """Adds today's numbers to columns that were recorded without."""
    numbers = {column.name: column.number for column in now.columns}
    columns = (
        column if column.number else replace(column, number=numbers.get(column.name, 0)) for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def _require_same_columns(table: PublishedTable, now: PublishedTable) -> None:
    columns = {column.number: column for column in now.columns}
    names = {each.name for each in now.columns} | {each.name for each in now.unpublished}
    for column in table.columns:
        _require_same_column(table, column, columns.get(column.number), now, names)
    still = {each.number for each in now.unpublished if each.generated}
    for each in table.unpublished:
        if each.generated and each.number not in still:
            # It may have lain between the others for a while.
            raise altered_column(table, each.name, "is no longer generated, or is gone", REREAD)


def _require_same_column(
    table: PublishedTable, column: PublishedColumn, same: PublishedColumn | None, now: PublishedTable, names: set[str]
) -> None:
    name = column.name
    if same is None:
        heir = next((each for each in now.columns if each.name == name), None)
        is_like = heir is not None and fits(column, heir.upstream_oid, heir.upstream_modifier)
        what = "is gone" if heir is None else "is gone, and another one has its name"
        raise altered_column(table, name, what, REREAD if is_like else MADE_ANEW)
    if not fits(column, same.upstream_oid, same.upstream_modifier):
        raise altered_column(table, name, "has another type", MADE_ANEW)
    if same.name != name and name in names:
        raise altered_column(table, name, "was renamed, and another one has its name", REREAD)
    if not set(column.labels) <= set(same.labels):
        raise altered_column(table, name, "has a type of which labels were renamed", REREAD)


def _require_same_values(table: PublishedTable, now: PublishedTable, seen: PublishedTable | None) -> None:
    """Raises REREAD for a column that ALTER COLUMN … TYPE … USING may have given other values, also where the type is
    the same in the end: the column was altered, and all rows were written anew (the table has another `storage`).

    Compared with the last look (`seen`) the two together are rare, and reason enough. Compared with the recorded table
    both may have happened apart from each other, so they count only where nothing was altered since.
    """
    before = seen or table
    if not before.storage or now.storage == before.storage:
        return
    versions = {column.number: column.version for column in before.columns}
    for column in now.columns:
        altered = versions.get(column.number, column.version) != column.version
        if altered and (seen is not None or column.version == now.version):
            raise altered_column(table, column.name, "was altered, and all rows were written anew", REREAD)
