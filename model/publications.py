"""What a PostgreSQL server publishes: tables, as its catalogs described them when a source was created. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import SqlError
from model.relation_desc import ColumnDesc, RelationDesc
from model.scalar_type import ScalarType
from model.sqlstate import Sqlstate


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """`type` is ours; upstream's are told apart by their oid and modifier."""

    name: str
    type: ScalarType
    upstream_oid: int
    upstream_modifier: int


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """`oid` is upstream's: a table that is made again with its name has another. `membership` tells by what it is in
    the publication: one that was taken out and put in again is there by another. `row_filter` is the publication's
    condition on rows, if it has one; `partitioned`: its rows lie in partitions. `old_rows`: upstream tells old rows of
    it when they change."""

    schema: str
    name: str
    oid: int
    membership: str
    columns: tuple[PublishedColumn, ...]
    row_filter: str | None = None
    partitioned: bool = False
    old_rows: bool = True

    @property
    def full_name(self) -> str:
        """As it is told of, and as its rows are found among those of other tables."""
        return f"{self.schema}.{self.name}"

    @property
    def desc(self) -> RelationDesc:
        return RelationDesc(tuple(ColumnDesc(column.name, column.type) for column in self.columns))


@dataclass(frozen=True, slots=True)
class UpstreamSystem:
    """Which database system it is: what WAL positions mean something in. A restored backup has another timeline."""

    identifier: str
    timeline: int


@dataclass(frozen=True, slots=True)
class Publication:
    """What was found when a source was created. `slot` is the replication slot that the source will have."""

    name: str
    tables: tuple[PublishedTable, ...]
    system: UpstreamSystem
    slot: str


STOPPED = "Drop the source's table of these rows, and add it again."
"""What can be done about a table that can't be followed any more; the others go on."""


def no_old_rows(table: PublishedTable, detail: str | None = None) -> SqlError:
    """Without its old row a change can't be followed."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'upstream does not tell the old rows of table "{table.full_name}"',
        detail=detail,
        hint=f"Say ALTER TABLE {table.full_name} REPLICA IDENTITY FULL there.",
    )
