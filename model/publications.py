"""What a PostgreSQL server publishes: tables, as its catalogs described them when a source was created. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import SqlError
from model.relation_desc import ColumnDesc, RelationDesc
from model.scalar_type import ScalarType, TypeName
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


STOPPED = (
    "ALTER SOURCE … REFRESH SUBSOURCE reads it anew, where it has its columns still; else drop the source's table."
)
"""What can be done about a table that can't be followed any more; the others go on."""
_TEXTS = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR))


def require_same_table(table: PublishedTable, oid: int) -> None:
    """55000 where another table has the name now: of rows of the one that was dropped nothing is told."""
    if oid != table.oid:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'upstream\'s table "{table.full_name}" is not the one that the source has read',
            detail="It was dropped there, and another one was created with its name.",
            hint=STOPPED,
        )


def require_same_column(table: PublishedTable, ours: PublishedColumn, now: tuple[int, int] | None) -> None:
    """55000 where a column that we follow, of which this is now the type's oid and modifier, is no longer what it was;
    texts may have become longer or shorter."""
    if now is None:
        what = "is gone"
    elif now[0] != ours.upstream_oid or (now[1] != ours.upstream_modifier and ours.type.name not in _TEXTS):
        what = "has another type"
    else:
        return
    raise SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'column "{ours.name}" of upstream\'s table "{table.full_name}" {what}',
        detail="The table was altered there after the source was created.",
        hint=STOPPED,
    )


def no_old_rows(table: PublishedTable, detail: str | None = None) -> SqlError:
    """Without its old row a change can't be followed."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'upstream does not tell the old rows of table "{table.full_name}"',
        detail=detail,
        hint=f"Say ALTER TABLE {table.full_name} REPLICA IDENTITY FULL there.",
    )
