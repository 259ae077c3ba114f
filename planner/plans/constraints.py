"""Constraints of tables in plans: as they are declared, and as they are held against rows."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import KeyRule
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar
from planner.plans.foreign_keys import NewForeignKey


@dataclass(frozen=True, slots=True)
class NewCheck:
    """A new CHECK of a table. `sql` is the condition, which names the table's columns at `columns`. Without `name`, a
    name is made up."""

    name: str | None
    sql: str
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NewKey:
    """PRIMARY KEY, UNIQUE, or EXCLUDE by equality, of the columns at these positions, with the columns of INCLUDE at
    `included`, among the rows for which `condition` is true. Without `name`, a name is made up."""

    name: str | None
    columns: tuple[int, ...]
    rule: KeyRule
    included: tuple[int, ...] = ()
    condition: str | None = None


NewConstraint = NewCheck | NewKey | NewForeignKey


@dataclass(frozen=True, slots=True)
class RowCheck:
    """A row of the table for which `condition` is false is refused."""

    name: str
    condition: Scalar


@dataclass(frozen=True, slots=True)
class GuardReading:
    """`relation` reads LocalGet(local_id) with rows of the table, each with a number behind its columns, and yields the
    numbers of those rows that a condition with subqueries refuses."""

    local_id: int
    relation: Relation


@dataclass(frozen=True, slots=True)
class RowGuard:
    """A row of the table for which `condition` is not true is refused by row security; `policy` is the restrictive
    policy whose it is, None for all permissive ones together. With a `view`, its WITH CHECK OPTION refuses the row.
    `reading`: a condition with subqueries as it is evaluated."""

    policy: str | None
    condition: Scalar
    view: str | None = None
    reading: GuardReading | None = None


@dataclass(frozen=True, slots=True)
class RowKey:
    """A key: no two rows have equal `parts`, expressions over a row. `texts`: the parts in SQL. `index` finds rows by
    the parts. `condition`: the key holds only among rows for which the condition is true.
    """

    name: str
    index: GlobalId
    parts: tuple[Scalar, ...]
    texts: tuple[str, ...]
    rule: KeyRule
    condition: Scalar | None = None

    @property
    def nulls_distinct(self) -> bool:
        """Tells whether a row with a NULL in its parts equals no row."""
        return self.rule.nulls_distinct


@dataclass(frozen=True, slots=True)
class TableRules:
    """A table's constraints besides NOT NULL: checks in the order of testing, and keys; and the values of its generated
    columns, by position, over the row."""

    checks: tuple[RowCheck, ...] = ()
    keys: tuple[RowKey, ...] = ()
    generated: tuple[tuple[int, Scalar], ...] = ()


NO_RULES = TableRules()


@dataclass(frozen=True, slots=True)
class ConflictUpdate:
    """DO UPDATE of INSERT … ON CONFLICT.

    `relation` reads LocalGet(local_id) with the rows `met`: the table's row, the proposed row and a number. `relation`
    yields the new row and the number, for rows that fulfil WHERE. `existing` and `guards` are the conditions of row
    security on the existing row, and on the new row.
    """

    local_id: int
    met: RelationDesc
    relation: Relation
    existing: tuple[RowGuard, ...] = ()
    guards: tuple[RowGuard, ...] = ()


@dataclass(frozen=True, slots=True)
class OnConflict:
    """The treatment of a row when another has the same key, among the keys at these positions: an update, or without
    `update` nothing. `likely` are further keys, those of partial indexes that `given`, the clause's condition, implies
    once its parameters are known."""

    keys: tuple[int, ...]
    update: ConflictUpdate | None
    likely: tuple[int, ...] = ()
    given: Scalar | None = None


@dataclass(frozen=True, slots=True)
class AddConstraintPlan:
    """ALTER TABLE … ADD: the rows that are there have to keep it too."""

    target: GlobalId
    constraint: NewConstraint


@dataclass(frozen=True, slots=True)
class DropConstraintPlan:
    """ALTER TABLE … DROP CONSTRAINT. `name` is the table's, as written; `if_exists` is about the table, `missing_ok`
    about the constraint."""

    name: tuple[str, ...]
    constraint: str
    if_exists: bool
    missing_ok: bool
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class ValidateConstraintPlan:
    """The rows that are there are held against a constraint that was added NOT VALID."""

    target: GlobalId
    constraint: str


@dataclass(frozen=True, slots=True)
class AlterConstraintPlan:
    """ALTER TABLE … ALTER CONSTRAINT: when a foreign key is checked."""

    target: GlobalId
    constraint: str
    deferrable: bool
    deferred: bool


@dataclass(frozen=True, slots=True)
class RenameConstraintPlan:
    """ALTER TABLE … RENAME CONSTRAINT. `name` is the table's, as written."""

    name: tuple[str, ...]
    constraint: str
    new_name: str
    if_exists: bool
