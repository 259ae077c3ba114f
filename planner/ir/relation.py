"""Relations: multisets of rows computed from multisets of rows.

Every node has a RelationDesc (`relation_desc_of` in planner/ir/properties.py computes it; rewrites never change it).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.scalar import Scalar
from planner.ir.window import WindowCall


@dataclass(frozen=True, slots=True)
class Constant:
    """Rows with their multiplicities (positive)."""

    rows: tuple[tuple[Row, int], ...]
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class Get:
    """The contents of a collection."""

    id: GlobalId
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class TargetGet(Get):
    """The contents of a table whose rows a statement changes or locks. `rights`: letters of the privileges needed on
    the rows; `view`: the view through which the rows are changed, if any; `current`: the statement changes no more than
    the row of a cursor (WHERE CURRENT OF), which it is given as this local id. Only plans with folded views have a
    TargetGet; `contents` takes its place, with the conditions of row security on it.
    """

    rights: str
    view: GlobalId | None = None
    current: int | None = None

    @property
    def contents(self) -> Get | LocalGet:
        """Returns the rows among which the statement finds those that it changes."""
        return Get(self.id, self.desc) if self.current is None else LocalGet(self.current, self.desc)


@dataclass(frozen=True, slots=True)
class ViewGet(Get):
    """The contents of a collection that the query of a `view` reads, where the query is part of a plan that changes
    rows through the view. Only plans with folded views have a ViewGet."""

    view: GlobalId


@dataclass(frozen=True, slots=True)
class LocalGet:
    """The contents of the relation that an enclosing Let, Recursive or LetRecursive binds to `local_id`."""

    local_id: int
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class Let:
    """Binds `value` to a local id for `body`, in which LocalGet(local_id) means `value`. Local ids are unique within a
    plan."""

    local_id: int
    value: Relation
    body: Relation


@dataclass(frozen=True, slots=True)
class Recursive:
    """PostgreSQL's WITH RECURSIVE: `base`, then `step` over the rows last added until none is; in `step`,
    LocalGet(local_id) is the last round's rows. `distinct` (UNION): rows that were there before are dropped."""

    local_id: int
    base: Relation
    step: Relation
    distinct: bool


@dataclass(frozen=True, slots=True)
class RecursiveBinding:
    """Defines LocalGet(local_id): the rows of `value`, with the column types of `desc`."""

    local_id: int
    desc: RelationDesc
    value: Relation


@dataclass(frozen=True, slots=True)
class RecursionLimit:
    """The limit of rounds (from 1), and whether a change in the last of them is an error."""

    rounds: int
    fails: bool

    def exceeded(self) -> SqlError:
        """Returns the error of a recursion that goes on beyond the limit."""
        message = f"a recursive query exceeded the recursion limit {self.rounds}"
        return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)


@dataclass(frozen=True, slots=True)
class LetRecursive:
    """Materialize's WITH MUTUALLY RECURSIVE: `body` over bindings whose values may read each other and themselves.

    All bindings are empty at first. A round computes the bindings in order: each value reads earlier bindings as of
    this round, and later bindings as of the last round. Rounds end with the first round that changes nothing, or at the
    limit. Unlike Recursive, a value sees all rows of a binding, and may take rows away.
    """

    bindings: tuple[RecursiveBinding, ...]
    body: Relation
    limit: RecursionLimit | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """The input's columns at `columns`, in that order."""

    input: Relation
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """The input's columns, then one column for each scalar. A scalar sees the input's columns only."""

    input: Relation
    scalars: tuple[Scalar, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlatMap:
    """For each input row, the input's columns followed by each row of a table function of it.

    `desc` is what the function yields (plus an int8 column, from 1, when `ordinality`). `listed`: the function stands
    in the list of a SELECT rather than in its FROM."""

    input: Relation
    function: str
    arguments: tuple[Scalar, ...]
    desc: RelationDesc
    ordinality: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows for which every predicate is true."""

    input: Relation
    predicates: tuple[Scalar, ...]


class JoinKind(StrEnum):
    INNER = "inner"
    LEFT = "left"
    FULL = "full"
    SEMI = "semi"
    ANTI = "anti"


@dataclass(frozen=True, slots=True)
class Join:
    """Rows of `left` and `right` side by side for which every predicate of `on` is true (no predicate: all).

    Predicates see left's columns, then right's. LEFT adds the unmatched left rows with NULLs, FULL those of both
    sides; SEMI and ANTI yield left's columns only. With `lateral`, `right` is evaluated anew for each left row, which
    it sees as OuterColumn(1, …); kinds INNER and LEFT only. `listed`: `right` are several set-returning functions of
    the list of a SELECT, `left` is the SELECT's FROM.
    """

    kind: JoinKind
    left: Relation
    right: Relation
    on: tuple[Scalar, ...]
    lateral: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Reduce:
    """One row a group: the key columns, then the aggregates. No key: one group, even over no rows.
    No aggregates: DISTINCT of the keys."""

    input: Relation
    key: tuple[Scalar, ...]
    aggregates: tuple[Aggregate, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopK:
    """Keeps, of each group (columns at `group`), the rows after `offset` up to `limit` in the order of `order`.

    Remaining ties are broken by the whole row, so that the answer is definite. Limit and offset see no columns.
    """

    input: Relation
    group: tuple[int, ...]
    order: tuple[SortKey, ...]
    limit: Scalar | None
    offset: Scalar | None


@dataclass(frozen=True, slots=True)
class Window:
    """The input's columns, then a value for each call, of the row's place in its group (columns at `group`).

    Groups are in the order of `order`, in which rows with equal keys are peers; among peers the whole row decides, so
    that the answer is definite.
    """

    input: Relation
    group: tuple[int, ...]
    order: tuple[SortKey, ...]
    calls: tuple[WindowCall, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Negate:
    """The input with the sign of every multiplicity changed; only below Union and Threshold."""

    input: Relation


@dataclass(frozen=True, slots=True)
class Threshold:
    """The rows of positive multiplicity."""

    input: Relation


@dataclass(frozen=True, slots=True)
class Union:
    """Multiplicities add up. All inputs have the same column types; names are the first's."""

    inputs: tuple[Relation, ...]


Relation = (
    Constant
    | Get
    | LocalGet
    | Let
    | Recursive
    | LetRecursive
    | Project
    | Map
    | FlatMap
    | Filter
    | Join
    | Reduce
    | TopK
    | Window
    | Negate
    | Threshold
    | Union
)


@dataclass(frozen=True, slots=True)
class Finishing:
    """The operations on a query's rows outside the dataflow, in this order: sort, offset, limit, project.

    Sort keys see the relation's columns. The whole row breaks remaining ties when there are a limit and an order.
    `shown` says that somebody sees the rows: numerics come with the decimals that they show, as text where these hang
    on the values.
    """

    order: tuple[SortKey, ...]
    limit: Scalar | None
    offset: Scalar | None
    project: tuple[int, ...]
    shown: bool = False
