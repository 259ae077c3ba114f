"""Plans of statements that make tables."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.scalar_type import ScalarType
from planner.catalog_view import OnCommit, QualifiedName
from planner.ir.query import Query
from planner.plans.constraints import NewConstraint
from planner.plans.sequences import ColumnSequence


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """A column of CREATE TABLE. `default` is the SQL text of DEFAULT, already checked to plan and cast to the column's
    type; `sequence` makes the values of a serial or identity column. Of a generated column `default` is the expression
    over the row, which `reads` the columns at these positions; None for other columns."""

    name: str
    type: ScalarType
    nullable: bool
    default: str | None
    sequence: ColumnSequence | None = None
    reads: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CreateTablePlan:
    """CREATE TABLE. `retain_history_ms` None is the server's default. A temporary table's schema is pg_temp."""

    name: QualifiedName
    columns: tuple[ColumnDefinition, ...]
    if_not_exists: bool
    retain_history_ms: int | None
    create_sql: str
    on_commit: OnCommit = OnCommit.PRESERVE_ROWS
    constraints: tuple[NewConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateTableAsPlan:
    """CREATE TABLE AS. `source` yields the table's columns; without `with_data` no rows are read."""

    table: CreateTablePlan
    source: Query
    with_data: bool
