"""The description of a PostgreSQL server's published tables, from its catalogs. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """A column of a published table.

    `type`: the type that holds it here
    `upstream_oid`, `upstream_modifier`: upstream's type
    `number`: upstream's number, which no other column of the table ever gets; 0 where it wasn't asked for
    `version`: changes whenever the column is altered
    `labels`: of an enum, each behind its oid
    """

    name: str
    type: ScalarType
    upstream_oid: int
    upstream_modifier: int
    number: int = 0
    version: int = field(default=0, compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UnpublishedColumn:
    """A column that is not published: because it is `generated`, or by the publication's list of columns."""

    name: str
    number: int
    generated: bool


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table.

    `oid`: upstream's; a table created again under the same name has another
    `membership`: identifies its entry in the publication; removing and adding the table changes it
    `row_filter`: the publication's condition on rows
    `partitioned`: its rows are in partitions
    `old_rows`: upstream sends old rows with changes
    `history`: changes when the publication was altered, or the table moved between published schemas: changes may have
        been left out meanwhile
    `storage`: changes when all rows were rewritten
    `version`: that of the object altered last
    """

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
        """The table's name in messages, and the key of its rows among those of other tables."""
        return f"{self.schema}.{self.name}"

    @property
    def desc(self) -> RelationDesc:
        return RelationDesc(tuple(ColumnDesc(column.name, column.type) for column in self.columns))


@dataclass(frozen=True, slots=True)
class UpstreamSystem:
    """A database system, to which WAL positions refer. A restored backup has another timeline."""

    identifier: str
    timeline: int


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication as it was when a source was created. `slot` is the replication slot that the source will have."""

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
    """Returns the SqlError 55000 with which a table of a publication stops being followed."""
    return SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=detail, hint=hint)


def fits(ours: PublishedColumn, oid: int, modifier: int) -> bool:
    """Tells whether values of a type of upstream's fit the column; texts may have become longer or shorter."""
    return oid == ours.upstream_oid and (modifier == ours.upstream_modifier or ours.type.name in _TEXTS)


def altered_column(table: PublishedTable, column: str, what: str, hint: str) -> SqlError:
    """Returns the error 55000 for a change of a followed column."""
    message = f'column "{column}" of upstream\'s table "{table.full_name}" {what}'
    return not_followed(message, "The table was altered there after the source was created.", hint)


def no_old_rows(table: PublishedTable, detail: str | None = None) -> SqlError:
    """Returns the error for a change whose old row is not sent, so that it can't be followed."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'upstream does not tell the old rows of table "{table.full_name}"',
        detail=detail,
        hint=f"Say ALTER TABLE {table.full_name} REPLICA IDENTITY FULL there.",
    )
