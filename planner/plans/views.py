"""Plans of statements that create views, materialized views and indexes."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.ids.cluster_id import FIRST_CLUSTER
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import KeyOrder, KeyRule, QualifiedName
from planner.ir.query import AsOf, Query
from planner.ir.scalar import Scalar
from planner.plans.objects import ObjectKind


@dataclass(frozen=True, slots=True)
class CreateViewPlan:
    """CREATE VIEW. `create_sql` is complete and qualified: planning it again with an empty search_path gives the same
    view. `depends_on`: every relation the query names, views included. A temporary view's schema is pg_temp; a view
    `becomes_temporary` when the statement does not say TEMPORARY, but the query names temporary relations. `options`
    are as in ViewOptionsPlan."""

    name: QualifiedName
    query: Query
    columns: tuple[str, ...]
    depends_on: frozenset[GlobalId]
    or_replace: bool
    if_not_exists: bool
    create_sql: str
    becomes_temporary: bool = False
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewOptionsPlan:
    """ALTER VIEW … SET (…) and RESET (…): each in turn sets options, written as `name=value`, or takes names away."""

    name: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    if_exists: bool


@dataclass(frozen=True, slots=True)
class CreateMaterializedViewPlan:
    """A materialized view to create; `CreateViewPlan` describes the common fields.

    `strict`: refused when any part would have to be recomputed at each change
    `retain_history_ms`: None is the server's default
    `with_data`: False is PostgreSQL's WITH NO DATA
    `cluster`: the oid of the cluster that keeps it
    """

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
    cluster: int = FIRST_CLUSTER


@dataclass(frozen=True, slots=True)
class PlannedIndexKey:
    """A part of an index's key. `expression`: over the columns of the indexed relation; `sql`: its text, for the
    index's definition; `name`: PostgreSQL's name for the index's column.
    """

    expression: Scalar
    sql: str
    name: str
    order: KeyOrder = field(default_factory=KeyOrder)


@dataclass(frozen=True, slots=True)
class CreateIndexPlan:
    """An index on `on` that goes by `relation`; `name` None: one is made up. `default`: fewer keys that tell rows apart
    may be taken than `keys`, which are all columns. `retain_history_ms` None: the server's default. With a `rule`
    the keys are unique, with a `condition` among the rows for which it is true.
    `included` are further columns; `cluster` is the oid of the cluster that keeps it; `functions` are users' functions
    in keys and condition."""

    name: str | None
    on: GlobalId
    relation: QualifiedName
    keys: tuple[PlannedIndexKey, ...]
    default: bool
    if_not_exists: bool
    retain_history_ms: int | None
    rule: KeyRule | None = None
    condition: str | None = None
    included: tuple[PlannedIndexKey, ...] = ()
    cluster: int = FIRST_CLUSTER
    functions: frozenset[GlobalId] = frozenset()


@dataclass(frozen=True, slots=True)
class RefreshPlan:
    """REFRESH MATERIALIZED VIEW: waits until it shows all that was committed before."""

    name: tuple[str, ...]
    with_data: bool


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """CHECK VIEW: the difference, at one time, between the maintained rows of `target` and the rows of its
    definition.
    """

    kind: ObjectKind
    target: GlobalId
    as_of: AsOf | None
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class RepairViewPlan:
    """ALTER MATERIALIZED VIEW … REPAIR: the view is built anew where `check` finds a difference."""

    check: CheckPlan
