"""Plans of statements that change rows."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.query import AsOf, Query
from planner.ir.relation import Relation
from planner.plans.constraints import NO_RULES, OnConflict, RowGuard, TableRules
from planner.plans.locks import LockRowsPlan
from planner.plans.queries import SelectPlan


@dataclass(frozen=True, slots=True)
class InsertPlan:
    """INSERT. `source` yields exactly the target's columns, cast and with defaults filled in. `returning` maps over the
    inserted rows, bound to LocalGet(returning_local). `reads_target`: the statement needs SELECT on the target;
    `guards` are the conditions of row security, and of views' WITH CHECK OPTION, on new rows; `view` is the innermost
    view through which the target is changed."""

    target: GlobalId
    source: Query
    returning: Query | None
    returning_local: int
    as_of: AsOf | None = None
    rules: TableRules = NO_RULES
    conflict: OnConflict | None = None
    reads_target: bool = False
    guards: tuple[RowGuard, ...] = ()
    view: GlobalId | None = None


@dataclass(frozen=True, slots=True)
class CurrentRow:
    """The row at which a cursor stands (WHERE CURRENT OF): a statement's selection reads it as LocalGet(local_id), and
    nothing of the table else."""

    cursor: str
    local_id: int


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """UPDATE. `selection` yields, for each row to change, the old row's columns then the new row's (one row per old
    row: with FROM, one match is taken). `returning` maps over the selection's rows, bound to LocalGet(returning_local);
    with RETURNING, the match's columns may follow the new row's. `reads_target`, `guards`, `view`: as of an INSERT.
    `current`: the only row that may change."""

    target: GlobalId
    selection: Relation
    returning: Query | None
    returning_local: int
    rules: TableRules = NO_RULES
    reads_target: bool = False
    guards: tuple[RowGuard, ...] = ()
    view: GlobalId | None = None
    current: CurrentRow | None = None


@dataclass(frozen=True, slots=True)
class DeletePlan:
    """DELETE. `selection` yields the rows to delete (with USING and RETURNING, followed by the match's columns).
    `returning` maps over the rows, bound to LocalGet(returning_local). `current`: the only row that may go."""

    target: GlobalId
    selection: Relation
    returning: Query | None
    returning_local: int
    rules: TableRules = NO_RULES
    current: CurrentRow | None = None


@dataclass(frozen=True, slots=True)
class MergeAction:
    """The action of a WHEN clause of MERGE.

    `relation` reads LocalGet(local_id) with the rows of the MERGE's selection for which the clause holds, and yields a
    new row for each; None for DELETE. `matched`: the rows begin with rows of the target, which go. `existing` and
    `guards` are the conditions of row security on the rows that go, and on the new rows.
    """

    local_id: int
    relation: Relation | None
    matched: bool
    existing: tuple[RowGuard, ...] = ()
    guards: tuple[RowGuard, ...] = ()


@dataclass(frozen=True, slots=True)
class MergePlan:
    """MERGE. `selection` yields, for each pair of a source's row and a target's row, and each source's row without a
    pair, on which some action acts: the target's columns, the source's columns and the action's place in `actions`.
    `reads_target`: as of an INSERT."""

    target: GlobalId
    selection: Relation
    actions: tuple[MergeAction, ...]
    rules: TableRules = NO_RULES
    reads_target: bool = False

    @property
    def inserts(self) -> bool:
        return any(not action.matched for action in self.actions)

    @property
    def changes(self) -> bool:
        """Returns whether the plan updates or deletes rows."""
        return any(action.matched for action in self.actions)


RowChange = InsertPlan | UpdatePlan | DeletePlan
ModifyingPart = SelectPlan | LockRowsPlan | RowChange


@dataclass(frozen=True, slots=True)
class ModifyingStep:
    """A step before the main query: a data-modifying statement of WITH, a query that must be evaluated once, or one
    whose rows are locked. Later steps read its result as LocalGet(local_id)."""

    local_id: int
    plan: ModifyingPart

    @property
    def returned(self) -> RelationDesc | None:
        """The rows that later steps may read."""
        if isinstance(self.plan, SelectPlan):
            return self.plan.query.desc
        if isinstance(self.plan, LockRowsPlan):
            return self.plan.desc
        return None if self.plan.returning is None else self.plan.returning.desc


@dataclass(frozen=True, slots=True)
class ModifyingPlan:
    """A statement with data-modifying WITH queries, or with queries inside that lock rows. `main` runs behind the
    steps; all parts read the tables as of the statement's start.
    """

    steps: tuple[ModifyingStep, ...]
    main: ModifyingPart

    @property
    def parts(self) -> tuple[ModifyingPart, ...]:
        return (*(step.plan for step in self.steps), self.main)

    @property
    def changes(self) -> tuple[RowChange, ...]:
        """The parts that change rows."""
        return tuple(part for part in self.parts if not isinstance(part, SelectPlan | LockRowsPlan))

    @property
    def locks(self) -> tuple[LockRowsPlan, ...]:
        """The parts that lock rows."""
        return tuple(part for part in self.parts if isinstance(part, LockRowsPlan))


@dataclass(frozen=True, slots=True)
class RepairTablePlan:
    """Retractions of rows that the table does not hold are taken back."""

    target: GlobalId


@dataclass(frozen=True, slots=True)
class TruncatePlan:
    """TRUNCATE. `restart`: the sequences of the tables' columns begin again. `cascade`: tables that reference the
    targets are emptied, too."""

    targets: tuple[GlobalId, ...]
    restart: bool = False
    cascade: bool = False
