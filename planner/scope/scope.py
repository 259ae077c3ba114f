"""Resolves names to columns: the namespace of a FROM clause, chained to those of enclosing rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from model.ids.global_id import GlobalId
from planner.catalog_view import ItemView
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import shift_columns
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar
from planner.scope.table_call import TableCall
from planner.scope.uses import ColumnRead, RowRead
from planner.scope.window_use import WindowDefinition, WindowUse


@dataclass(frozen=True, slots=True)
class Field:
    """A column by name. `scalar` reads the column from the scope's row, and with it `read` of a relation, if any."""

    name: str
    scalar: Scalar
    read: ColumnRead | RowRead | None = field(default=None, compare=False, repr=False)

    def taken(self) -> Scalar:
        """Notes that the statement reads the column, and returns its scalar."""
        if self.read is not None:
            self.read.note()
        return self.scalar


@dataclass(frozen=True, slots=True)
class PrimaryKey:
    """A table's primary key: its index, the key's columns, and all columns of the table, which depend on the key."""

    index: GlobalId
    columns: tuple[Scalar, ...]
    dependent: tuple[Scalar, ...]

    def shifted(self, by: int) -> PrimaryKey:
        """Returns the same key in a row with `by` more columns in front."""
        columns = tuple(shift_columns(column, by) for column in self.columns)
        return PrimaryKey(self.index, columns, tuple(shift_columns(column, by) for column in self.dependent))


@dataclass(frozen=True, slots=True)
class NamespaceItem:
    """A table of FROM, or a join with its merged columns.

    `relation_visible`: `alias.column` and `alias.*` work
    `columns_visible`: columns work without an alias, and are part of `*`
    `schema`: set for a table without an alias, for `schema.table.column`
    `scalar_result`: the item is a function of one value; the alias alone means the value
    `system_fields`: found by name if no other column has the name; never part of `*`
    `order`: the ORDER BY of a subquery; aggregates that collect rows follow it if FROM has no other item
    `present`: true for the table's own rows, NULL for a row that an outer join adds; None if no join adds rows
    `primary_key`: the primary key of a table
    `source`: the relation that stands here; `subquery`: a query stands here
    """

    alias: str | None
    fields: tuple[Field, ...]
    schema: str | None = None
    relation_visible: bool = True
    columns_visible: bool = True
    scalar_result: bool = False
    system_fields: tuple[Field, ...] = ()
    order: tuple[SortKey, ...] = ()
    present: Scalar | None = None
    primary_key: PrimaryKey | None = None
    source: ItemView | None = None
    subquery: Relation | None = None

    def shifted(self, by: int) -> NamespaceItem:
        """Returns the same item in a row with `by` more columns in front."""
        if by == 0:
            return self
        fields, system_fields = _shifted(self.fields, by), _shifted(self.system_fields, by)
        present = None if self.present is None else shift_columns(self.present, by)
        key = None if self.primary_key is None else self.primary_key.shifted(by)
        return replace(self, fields=fields, system_fields=system_fields, order=(), present=present, primary_key=key)


def _shifted(fields: tuple[Field, ...], by: int) -> tuple[Field, ...]:
    return tuple(Field(f.name, shift_columns(f.scalar, by), f.read) for f in fields)


@dataclass(frozen=True, slots=True)
class GroupingCall:
    """GROUPING(…), with the places of its arguments, which a group's keys must be."""

    arguments: tuple[Scalar, ...]
    locations: tuple[int, ...] = field(compare=False)


@dataclass(slots=True)
class SelectState:
    """The things that the expressions of one SELECT have asked for besides columns."""

    aggregates: list[Aggregate] = field(default_factory=list)
    aggregate_places: list[int] = field(default_factory=list)
    table_calls: list[TableCall] = field(default_factory=list)
    groupings: list[GroupingCall] = field(default_factory=list)
    windows: list[WindowUse] = field(default_factory=list)
    definitions: dict[str, WindowDefinition] = field(default_factory=dict)
    direct_arguments: list[Scalar] = field(default_factory=list)
    column_places: dict[Scalar, int] = field(default_factory=dict)


@dataclass(slots=True)
class Scope:
    """The names by which an expression reaches the columns of a row.

    items: the tables of FROM, with their columns
    parent: the scope of the outer row, one OuterColumn depth away; None for the outermost row
    select: collects the aggregates over the scope's rows; None for the row of a lateral input, because no SELECT
        computes aggregates there
    lateral: the scope is the row of a lateral input
    hidden: the names may not be used, though the row counts as a depth
    """

    items: tuple[NamespaceItem, ...]
    parent: Scope | None = None
    select: SelectState | None = None
    lateral: bool = False
    hidden: bool = False


def without_laterals(scope: Scope | None) -> Scope | None:
    """Returns the scope for a clause that may not refer to tables on its left: the tables keep their depths, but are
    hidden.
    """
    if scope is None or not scope.lateral:
        return scope
    return replace(scope, parent=without_laterals(scope.parent), hidden=True)


def outside(scope: Scope | None) -> Scope | None:
    """Returns the scope for the clauses of a subquery that may refer to tables on its left: the tables are outer rows
    now, visible to all clauses.
    """
    if scope is None or not scope.lateral:
        return scope
    return replace(scope, parent=outside(scope.parent), lateral=False)
