"""ALTER TABLE: its actions, in the order in which they are done."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import ScalarType
from planner.plans.constraints import AddConstraintPlan, AlterConstraintPlan, DropConstraintPlan, ValidateConstraintPlan
from planner.plans.sequences import ColumnSequence
from planner.sequence_rules import Identity, SequenceOptions


@dataclass(frozen=True, slots=True)
class AddColumnPlan:
    """ALTER TABLE … ADD COLUMN. `default`, `sequence` and `reads` are as in ColumnDefinition. `filled`: the table's
    present rows get a value, or have to be checked for NULLs that the column does not allow."""

    target: GlobalId
    column: ColumnDesc
    default: str | None
    sequence: ColumnSequence | None
    filled: bool
    reads: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DropColumnPlan:
    """ALTER TABLE … DROP COLUMN. `users` are the views and indexes whose definitions need the column, as far as
    planning knows them. `cascaded`: the column is generated from one that is dropped with CASCADE."""

    target: GlobalId
    column: str
    cascade: bool
    users: tuple[GlobalId, ...] = ()
    cascaded: bool = False


@dataclass(frozen=True, slots=True)
class SetTypePlan:
    """ALTER COLUMN … TYPE. `using` is the SQL of the new values, over the table's columns. `users`: as in
    DropColumnPlan."""

    target: GlobalId
    column: str
    type: ScalarType
    using: str
    users: tuple[GlobalId, ...] = ()


@dataclass(frozen=True, slots=True)
class SetDefaultPlan:
    """ALTER TABLE … SET DEFAULT. `default` is SQL text; None for DROP DEFAULT."""

    target: GlobalId
    column: str
    default: str | None


@dataclass(frozen=True, slots=True)
class DropExpressionPlan:
    """ALTER COLUMN … DROP EXPRESSION: a generated column keeps its values, and becomes one like others."""

    target: GlobalId
    column: str


@dataclass(frozen=True, slots=True)
class AddIdentityPlan:
    """ALTER COLUMN … ADD GENERATED … AS IDENTITY: `sequence` makes the values of new rows."""

    target: GlobalId
    column: str
    sequence: ColumnSequence


@dataclass(frozen=True, slots=True)
class SetIdentityPlan:
    """ALTER COLUMN … SET GENERATED, and SET and RESTART of the column's sequence. `identity` None leaves the kind."""

    target: GlobalId
    column: str
    identity: Identity | None
    options: SequenceOptions


@dataclass(frozen=True, slots=True)
class DropIdentityPlan:
    """ALTER COLUMN … DROP IDENTITY: the column keeps its values, and its sequence goes."""

    target: GlobalId
    column: str


@dataclass(frozen=True, slots=True)
class SetNotNullPlan:
    """SET NOT NULL, and DROP NOT NULL (`nullable`)."""

    target: GlobalId
    column: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class SetRowSecurityPlan:
    """ENABLE, DISABLE, FORCE or NO FORCE ROW LEVEL SECURITY; None leaves a switch as it is."""

    target: GlobalId
    enabled: bool | None
    forced: bool | None


@dataclass(frozen=True, slots=True)
class SkippedAction:
    """An action that IF EXISTS or IF NOT EXISTS has turned into a notice."""

    notice: str
    sqlstate: Sqlstate


AlterColumnPlan = (
    AddColumnPlan
    | DropColumnPlan
    | SetTypePlan
    | SetDefaultPlan
    | DropExpressionPlan
    | AddIdentityPlan
    | SetIdentityPlan
    | DropIdentityPlan
    | SetNotNullPlan
)
TableAction = (
    AlterColumnPlan
    | AddConstraintPlan
    | DropConstraintPlan
    | ValidateConstraintPlan
    | AlterConstraintPlan
    | SetRowSecurityPlan
    | SkippedAction
)


@dataclass(frozen=True, slots=True)
class AlterTablePlan:
    """ALTER TABLE. Each action sees the effects of those before it."""

    target: GlobalId
    actions: tuple[TableAction, ...]
