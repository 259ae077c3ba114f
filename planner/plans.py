"""What a statement becomes: a closed union of plans, which the coordinator sequences, one file a kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.global_id import GlobalId
from model.relation_desc import RelationDesc
from model.scalar_type import ScalarType
from planner.alter_table_plans import AlterTablePlan
from planner.catalog_view import KeyRule, OnCommit, QualifiedName
from planner.constraint_plans import (
    NO_RULES,
    NewConstraint,
    OnConflict,
    RenameConstraintPlan,
    TableRules,
)
from planner.ir.aggregate import SortKey
from planner.ir.relation import Finishing, Relation
from planner.ir.scalar import Scalar
from planner.lock_plans import LockRowsPlan, LockTablePlan
from planner.sequence_plans import AlterSequencePlan, ColumnSequence, CreateSequencePlan
from planner.session_plans import (
    BeginPlan,
    CloseCursorPlan,
    CommitPlan,
    DeallocatePlan,
    DeclareCursorPlan,
    DiscardPlan,
    ExecutePlan,
    FetchPlan,
    PreparedTransactionPlan,
    PreparePlan,
    ResetAllPlan,
    RollbackPlan,
    SavepointPlan,
    SetConstraintsPlan,
    SetTransactionPlan,
    SetVariablePlan,
    ShowVariablePlan,
)
from planner.type_plans import AlterDomainPlan, AlterTypePlan, CreateCompositePlan, CreateDomainPlan, CreateTypePlan


@dataclass(frozen=True, slots=True)
class AsOf:
    """AS OF `time` (or AT LEAST); the expression has type mz_timestamp and sees no columns."""

    time: Scalar
    at_least: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A relation with its finishing; `desc` is what the client sees, after the projection."""

    relation: Relation
    finishing: Finishing
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class SelectPlan:
    query: Query
    as_of: AsOf | None = None


@dataclass(frozen=True, slots=True)
class InsertPlan:
    """`source` yields exactly the target's columns, cast, defaults filled in. `returning` maps over the inserted rows,
    bound to LocalGet(returning_local)."""

    target: GlobalId
    source: Query
    returning: Query | None
    returning_local: int
    as_of: AsOf | None = None
    rules: TableRules = NO_RULES
    conflict: OnConflict | None = None


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """`selection` yields, for each row to change, the old row's columns then the new row's (one row per old row:
    with FROM, one match is taken). `returning` maps over the selection's rows, bound to LocalGet(returning_local); when
    there is one, the match's columns may follow the new row's."""

    target: GlobalId
    selection: Relation
    returning: Query | None
    returning_local: int
    rules: TableRules = NO_RULES


@dataclass(frozen=True, slots=True)
class DeletePlan:
    """`selection` yields the rows to delete (with USING and RETURNING, followed by the match's columns).

    `returning` maps over them, bound to LocalGet(returning_local)."""

    target: GlobalId
    selection: Relation
    returning: Query | None
    returning_local: int
    rules: TableRules = NO_RULES


@dataclass(frozen=True, slots=True)
class ModifyingStep:
    """A data-modifying statement of WITH, or a query before one that must be evaluated once; what it returns is
    LocalGet(local_id) for those after it."""

    local_id: int
    plan: SelectPlan | InsertPlan | UpdatePlan | DeletePlan

    @property
    def returned(self) -> RelationDesc | None:
        """The rows that those after it may read."""
        if isinstance(self.plan, SelectPlan):
            return self.plan.query.desc
        return None if self.plan.returning is None else self.plan.returning.desc


@dataclass(frozen=True, slots=True)
class ModifyingPlan:
    """`main` behind a WITH that modifies data: all parts read what was there before any of them."""

    steps: tuple[ModifyingStep, ...]
    main: SelectPlan | InsertPlan | UpdatePlan | DeletePlan

    @property
    def parts(self) -> tuple[SelectPlan | InsertPlan | UpdatePlan | DeletePlan, ...]:
        return (*(step.plan for step in self.steps), self.main)


@dataclass(frozen=True, slots=True)
class TruncatePlan:
    """`restart`: the sequences of the tables' columns begin again. `cascade`: tables that reference these, too."""

    targets: tuple[GlobalId, ...]
    restart: bool = False
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class CopyOptions:
    """COPY's options as written, None for what is not said; the wire checks and completes them. `header` is the word
    ("true" for a bare HEADER), FORCE options are column names or ("*",)."""

    format: str | None = None
    delimiter: str | None = None
    null: str | None = None
    header: str | None = None
    quote: str | None = None
    escape: str | None = None
    force_quote: tuple[str, ...] | None = None
    force_not_null: tuple[str, ...] | None = None
    force_null: tuple[str, ...] | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class CopyFromPlan:
    """COPY t (columns) FROM STDIN: `columns` are positions in the target; `defaults` one scalar for each target column
    not named (NULL literal without DEFAULT). `checked` gives the columns of domains, from the row as it was read."""

    target: GlobalId
    columns: tuple[int, ...]
    defaults: tuple[tuple[int, Scalar], ...]
    options: CopyOptions
    checked: tuple[tuple[int, Scalar], ...] = ()
    rules: TableRules = NO_RULES


@dataclass(frozen=True, slots=True)
class CopyToPlan:
    query: Query
    options: CopyOptions


@dataclass(frozen=True, slots=True)
class Earliest:
    """AS OF EARLIEST: the first time at which everything that is read can be read."""


@dataclass(frozen=True, slots=True)
class UpTo:
    """UP TO `time`, exclusive; None is UNTIL LATEST: through all that is complete when the subscription begins."""

    time: Scalar | None


@dataclass(frozen=True, slots=True)
class Differences:
    """A row for each update, with its mz_diff. `order`, within each timestamp, sees mz_diff and then the columns."""

    order: tuple[SortKey, ...]


@dataclass(frozen=True, slots=True)
class Upsert:
    """A row for each key (columns by position) that changes at a timestamp: its new values, or that it is gone."""

    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Debezium:
    """As Upsert, with the values before and after."""

    keys: tuple[int, ...]


SubscribeOutput = Differences | Upsert | Debezium


@dataclass(frozen=True, slots=True)
class SubscribePlan:
    """The changes of `relation` over time. `desc` is what the client sees: mz_timestamp, then what `progress` and
    `output` ask for, with the relation's columns."""

    relation: Relation
    output: SubscribeOutput
    snapshot: bool
    progress: bool
    as_of: AsOf | Earliest | None
    up_to: UpTo | None
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class CopySubscribePlan:
    """COPY (SUBSCRIBE …) TO STDOUT."""

    subscribe: SubscribePlan
    options: CopyOptions


@dataclass(frozen=True, slots=True)
class CreateReadHoldPlan:
    """A named hold on `objects`, at `at` (None: now). `lease_ms` None never expires."""

    name: str
    objects: tuple[GlobalId, ...]
    at: AsOf | None
    lease_ms: int | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class CloneReadHoldPlan:
    """Another hold of the same right as `source`. `lease_ms` None: the source's."""

    name: str
    source: str
    lease_ms: int | None
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class AdvanceReadHoldPlan:
    """Moves the hold to `time`, and begins its lease anew; None leaves it where it is."""

    name: str
    time: AsOf | None
    if_exists: bool


@dataclass(frozen=True, slots=True)
class TransferReadHoldPlan:
    """The hold becomes the role `owner`'s."""

    name: str
    owner: str
    if_exists: bool


@dataclass(frozen=True, slots=True)
class DropReadHoldPlan:
    names: tuple[str, ...]
    if_exists: bool


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """`default` is the SQL text of DEFAULT, already checked to plan and cast to the column's type; `sequence` makes the
    values of a serial or identity column."""

    name: str
    type: ScalarType
    nullable: bool
    default: str | None
    sequence: ColumnSequence | None = None


@dataclass(frozen=True, slots=True)
class CreateTablePlan:
    """`retain_history_ms` None: the server's default. A temporary table's schema is pg_temp."""

    name: QualifiedName
    columns: tuple[ColumnDefinition, ...]
    if_not_exists: bool
    retain_history_ms: int | None
    create_sql: str
    on_commit: OnCommit = OnCommit.PRESERVE_ROWS
    constraints: tuple[NewConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateTableAsPlan:
    """`source` yields the table's columns. Without `with_data` its rows are not asked for."""

    table: CreateTablePlan
    source: Query
    with_data: bool


@dataclass(frozen=True, slots=True)
class CreateViewPlan:
    """`create_sql` is complete and qualified: planning it again with an empty search_path gives the same view.
    `depends_on`: every relation the query names, views included. A temporary view's schema is pg_temp;
    `becomes_temporary` when nobody said so, but it names temporary relations."""

    name: QualifiedName
    query: Query
    columns: tuple[str, ...]
    depends_on: frozenset[GlobalId]
    or_replace: bool
    if_not_exists: bool
    create_sql: str
    becomes_temporary: bool = False


@dataclass(frozen=True, slots=True)
class CreateMaterializedViewPlan:
    """As CreateViewPlan. `strict`: refused when any part of it would have to be computed anew at each change.
    `retain_history_ms` None: the server's default. `with_data` False is PostgreSQL's WITH NO DATA."""

    name: QualifiedName
    query: Query
    columns: tuple[str, ...]
    depends_on: frozenset[GlobalId]
    or_replace: bool
    if_not_exists: bool
    strict: bool
    retain_history_ms: int | None
    with_data: bool
    create_sql: str


@dataclass(frozen=True, slots=True)
class IndexKey:
    """`expression` sees the columns of what is indexed; `sql` is its text, as an index's definition has it; `name` is
    what PostgreSQL calls such a column of an index."""

    expression: Scalar
    sql: str
    name: str


@dataclass(frozen=True, slots=True)
class CreateIndexPlan:
    """An index on `on` that goes by `relation`; `name` None: one is made up. `default`: fewer keys that tell rows apart
    may be taken than `keys`, which are all columns. `retain_history_ms` None: the server's default. With a `rule`
    the keys are unique."""

    name: str | None
    on: GlobalId
    relation: QualifiedName
    keys: tuple[IndexKey, ...]
    default: bool
    if_not_exists: bool
    retain_history_ms: int | None
    rule: KeyRule | None = None


@dataclass(frozen=True, slots=True)
class CreateSchemaPlan:
    database: str
    schema: str
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class CreateDatabasePlan:
    database: str
    if_not_exists: bool


class ObjectKind(StrEnum):
    DATABASE = "database"
    TYPE = "type"
    DOMAIN = "domain"
    SCHEMA = "schema"
    TABLE = "table"
    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    INDEX = "index"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True)
class DropPlan:
    """`names` are the parts as written; the coordinator resolves them (IF EXISTS: a notice for each missing one)."""

    kind: ObjectKind
    names: tuple[tuple[str, ...], ...]
    if_exists: bool
    cascade: bool


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """Renames an object, or a table's or view's column when `column` is set."""

    kind: ObjectKind
    name: tuple[str, ...]
    new_name: str
    if_exists: bool
    column: str | None = None


@dataclass(frozen=True, slots=True)
class AlterRetainHistoryPlan:
    """ALTER … t SET (RETAIN HISTORY FOR '…') / RESET (RETAIN HISTORY): None resets."""

    kind: ObjectKind
    name: tuple[str, ...]
    retain_history_ms: int | None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """ALTER … name SWAP WITH other: two objects of one schema exchange their names."""

    kind: ObjectKind
    name: tuple[str, ...]
    other: str


@dataclass(frozen=True, slots=True)
class RefreshPlan:
    """REFRESH MATERIALIZED VIEW: waits until it shows all that was committed before."""

    name: tuple[str, ...]
    with_data: bool


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """CHECK VIEW: how what is maintained for `target` differs from what its definition gives at one time."""

    kind: ObjectKind
    target: GlobalId
    as_of: AsOf | None
    desc: RelationDesc


class ExplainStage(StrEnum):
    RAW = "raw"
    OPTIMIZED = "optimized"
    PHYSICAL = "physical"
    TIMESTAMP = "timestamp"


@dataclass(frozen=True, slots=True)
class ExplainedObject:
    """EXPLAIN … FOR VIEW v and its kin: what has been created."""

    kind: ObjectKind
    target: GlobalId


Explained = (
    SelectPlan
    | SubscribePlan
    | InsertPlan
    | UpdatePlan
    | DeletePlan
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateTableAsPlan
    | ExplainedObject
)


@dataclass(frozen=True, slots=True)
class ExplainPlan:
    stage: ExplainStage
    statement: Explained
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """On a schema or an item by its oid, or on a column by its number from 1 (0: none); None takes it away."""

    oid: int
    column: int
    text: str | None


@dataclass(frozen=True, slots=True)
class NoOpPlan:
    """A statement that is accepted and has nothing to do here (VACUUM, COMMENT …); `tag` is its command tag."""

    tag: str
    notice: str | None = None


Plan = (
    SelectPlan
    | LockRowsPlan
    | LockTablePlan
    | InsertPlan
    | UpdatePlan
    | DeletePlan
    | ModifyingPlan
    | TruncatePlan
    | CopyFromPlan
    | CopyToPlan
    | SubscribePlan
    | CopySubscribePlan
    | CreateReadHoldPlan
    | CloneReadHoldPlan
    | AdvanceReadHoldPlan
    | TransferReadHoldPlan
    | DropReadHoldPlan
    | CreateTablePlan
    | CreateTableAsPlan
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateSequencePlan
    | AlterSequencePlan
    | CreateTypePlan
    | AlterTypePlan
    | CreateDomainPlan
    | AlterDomainPlan
    | CreateCompositePlan
    | CreateSchemaPlan
    | CreateDatabasePlan
    | DropPlan
    | RenamePlan
    | SwapPlan
    | AlterRetainHistoryPlan
    | RenameConstraintPlan
    | AlterTablePlan
    | RefreshPlan
    | CheckPlan
    | BeginPlan
    | CommitPlan
    | PreparedTransactionPlan
    | RollbackPlan
    | SavepointPlan
    | SetTransactionPlan
    | SetConstraintsPlan
    | SetVariablePlan
    | ResetAllPlan
    | ShowVariablePlan
    | DiscardPlan
    | PreparePlan
    | ExecutePlan
    | DeallocatePlan
    | DeclareCursorPlan
    | FetchPlan
    | CloseCursorPlan
    | ExplainPlan
    | CommentPlan
    | NoOpPlan
)


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A plan, the types of its parameters ($1 first), and what a client is told about its rows (None: no rows).

    `origins` are the columns of tables and views that the result's columns are, by oid and number from 1."""

    plan: Plan
    parameter_types: tuple[ScalarType, ...]
    result: RelationDesc | None
    origins: tuple[tuple[int, int] | None, ...] = ()
