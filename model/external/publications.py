"""What a PostgreSQL server publishes: tables, as its catalogs described them when a source was created. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """`type` is ours; upstream's are told apart by their oid and modifier. `number` is upstream's, which no other
    column of the table ever gets (0: it wasn't asked for); `version` changes with whatever is altered of the column;
    `labels` are those of an enum, each behind its oid."""

    name: str
    type: ScalarType
    upstream_oid: int
    upstream_modifier: int
    number: int = 0
    version: int = field(default=0, compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UnpublishedColumn:
    """One that is left out: because it is `generated`, or by the publication's list of columns."""

    name: str
    number: int
    generated: bool


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """`oid` is upstream's: a table that is made again with its name has another. `membership` tells by what it is in
    the publication: one that was taken out and put in again is there by another. `row_filter` is the publication's
    condition on rows, if it has one; `partitioned`: its rows lie in partitions. `old_rows`: upstream tells old rows of
    it when they change.

    `history` is another one once the publication was altered, or the table was moved between published schemas:
    changes may have been left out meanwhile, of which nothing else tells. `storage` is another one once all rows were
    written anew, and `version` is the one of whatever was altered last."""

    schema: str
    name: str
    oid: int
    membership: str
    columns: tuple[PublishedColumn, ...]
    row_filter: str | None = None
    partitioned: bool = False
    old_rows: bool = True
    history: str = ""
    unpublished: tuple[UnpublishedColumn, ...] = field(default=(), compare=False)
    storage: int = field(default=0, compare=False)
    version: int = field(default=0, compare=False)

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


REREAD = "ALTER SOURCE … REFRESH SUBSOURCE reads it anew."
"""What can be done about a table that can't be followed any more, while it has its columns; the others go on."""
MADE_ANEW = "ALTER SOURCE … DROP SUBSOURCE of the table here, and ADD SUBSOURCE of upstream's, follow it as it is now."
"""What can be done where it has no longer those that the source's table shows."""
_TEXTS = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR))


def not_followed(message: str, detail: str, hint: str) -> SqlError:
    """55000: the table stops."""
    return SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=detail, hint=hint)


def fits(ours: PublishedColumn, oid: int, modifier: int) -> bool:
    """Whether values of this type of upstream's are what the column has; texts may have become longer or shorter."""
    return oid == ours.upstream_oid and (modifier == ours.upstream_modifier or ours.type.name in _TEXTS)


def altered_column(table: PublishedTable, column: str, what: str, hint: str) -> SqlError:
    """55000: something has become of a column that is followed."""
    message = f'column "{column}" of upstream\'s table "{table.full_name}" {what}'
    return not_followed(message, "The table was altered there after the source was created.", hint)


def no_old_rows(table: PublishedTable, detail: str | None = None) -> SqlError:
    """Without its old row a change can't be followed."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'upstream does not tell the old rows of table "{table.full_name}"',
        detail=detail,
        hint=f"Say ALTER TABLE {table.full_name} REPLICA IDENTITY FULL there.",
    )
