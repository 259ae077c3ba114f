"""JOIN: kinds, ON, USING and NATURAL with their merged columns, aliases of joins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, ScalarType
from planner.expressions.calls import call_operator
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.columns import outer_references
from planner.ir.relation import Join, JoinKind, Map
from planner.ir.scalar import TRUE, Coalesce, Column, Scalar
from planner.ir.unit import conjuncts
from planner.query.from_items import FromItem, check_aliases, cross
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import strings
from planner.scope.scope import Field, NamespaceItem, Scope, without_laterals
from planner.types.coercion import to_common_type

_KINDS = {
    tree.JOIN_INNER: JoinKind.INNER,
    tree.JOIN_LEFT: JoinKind.LEFT,
    tree.JOIN_RIGHT: JoinKind.LEFT,
    tree.JOIN_FULL: JoinKind.FULL,
}


@dataclass(frozen=True, slots=True)
class _Sides:
    """The namespaces of both sides as the joined row has them, in the order written."""

    left: tuple[NamespaceItem, ...]
    right: tuple[NamespaceItem, ...]


def plan_join(
    analysis: Analysis, node: Any, environment: QueryEnvironment, left: FromItem, right: FromItem, lateral: bool
) -> FromItem:
    """Plans a join of two items; if `lateral`, the right item refers to the left.

    RIGHT becomes LEFT with swapped sides; `*` keeps the columns in the order written.
    """
    check_aliases(analysis, left.items, right.items, -1)
    swapped = node.jointype == tree.JOIN_RIGHT
    if swapped or node.jointype == tree.JOIN_FULL:
        left = _with_presence(left)
    if node.jointype in (tree.JOIN_LEFT, tree.JOIN_FULL):
        right = _with_presence(right)
    if lateral and node.jointype not in (tree.JOIN_INNER, tree.JOIN_LEFT):
        table = _table_read(left.items, outer_references(right.relation, 1))
        message = f'invalid reference to FROM-clause entry for table "{table}"'
        detail = "The combining JOIN type must be INNER or LEFT for a LATERAL reference."
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, detail=detail)
    if swapped:
        sides = _Sides(tuple(i.shifted(right.arity) for i in left.items), right.items)
    else:
        sides = _Sides(left.items, tuple(i.shifted(left.arity) for i in right.items))
    names = _using_names(analysis, node, sides)
    expressions = _expressions(analysis, sides, environment)
    merged, on = _merge(analysis, node, sides, names)
    if node.HasField("quals"):
        on = (*on, *conjuncts(expressions.plan_boolean(node.quals, "JOIN/ON")))
    items = _namespace(analysis, node, sides, names, merged)
    if (node.jointype == tree.JOIN_INNER and not on and not lateral) or (lateral and not on and _inner(node)):
        return FromItem(cross(left, right, lateral).relation, items)
    first, second = (right, left) if swapped else (left, right)
    return FromItem(Join(_KINDS[node.jointype], first.relation, second.relation, on, lateral), items)


def _table_read(items: tuple[NamespaceItem, ...], read: set[int]) -> str:
    for item in items:
        scalars = [*(field.scalar for field in (*item.fields, *item.system_fields)), item.present]
        if item.alias is not None and any(isinstance(s, Column) and s.index in read for s in scalars):
            return item.alias
    return "unnamed_join"


def _with_presence(side: FromItem) -> FromItem:
    """Returns the side to which a join adds rows of NULLs, with a column that marks the side's own rows."""
    if all(item.present is not None or not _has_row(item) for item in side.items):
        return side
    present = Column(side.arity, BOOL)
    items = tuple(
        replace(item, present=present) if item.present is None and _has_row(item) else item for item in side.items
    )
    return FromItem(Map(side.relation, (TRUE,), ("present",)), items)


def _has_row(item: NamespaceItem) -> bool:
    return item.relation_visible and not item.scalar_result


def _inner(node: Any) -> bool:
    return bool(node.jointype == tree.JOIN_INNER)


def _expressions(analysis: Analysis, sides: _Sides, environment: QueryEnvironment) -> Expressions:
    scope = Scope((*sides.left, *sides.right), without_laterals(environment.outer))
    return Expressions(analysis, scope, environment, ClausePlace.JOIN_ON)


def _using_names(analysis: Analysis, node: Any, sides: _Sides) -> tuple[str, ...]:
    if node.is_natural:
        right = {field.name for field in _visible(sides.right)}
        return tuple(field.name for field in _visible(sides.left) if field.name in right)
    names = strings(node.using_clause)
    for at, name in enumerate(names):
        if name in names[:at]:
            message = f'column name "{name}" appears more than once in USING clause'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
    return names


def _visible(items: tuple[NamespaceItem, ...]) -> list[Field]:
    return [field for item in items if item.columns_visible for field in item.fields]


def _column(analysis: Analysis, items: tuple[NamespaceItem, ...], name: str, side: str) -> Scalar:
    found = [field for field in _visible(items) if field.name == name]
    if not found:
        message = f'column "{name}" specified in USING clause does not exist in {side} table'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
    if len(found) > 1:
        message = f'common column name "{name}" appears more than once in {side} table'
        raise analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message)
    return found[0].taken()


def _merge(
    analysis: Analysis, node: Any, sides: _Sides, names: tuple[str, ...]
) -> tuple[tuple[Field, ...], tuple[Scalar, ...]]:
    """Returns the merged columns of USING, and the equalities it stands for."""
    merged: list[Field] = []
    on: list[Scalar] = []
    for name in names:
        left = _column(analysis, sides.left, name, "left")
        right = _column(analysis, sides.right, name, "right")
        on.append(call_operator(analysis, "=", [left, right], -1, [-1, -1]))
        (left, right), type_ = to_common_type(analysis, [left, right], "JOIN/USING", [-1, -1])
        match node.jointype:
            case tree.JOIN_FULL:
                value: Scalar = _coalesced(left, right, type_)
            case tree.JOIN_RIGHT:
                value = right
            case _:
                value = left
        merged.append(Field(name, value))
    return tuple(merged), tuple(on)


def _coalesced(left: Scalar, right: Scalar, type_: ScalarType) -> Scalar:
    """Returns one COALESCE for a chain of joins: nested ones would double in size at each level when one is written
    twice."""
    first = left.operands if isinstance(left, Coalesce) and left.type == type_ else (left,)
    return Coalesce((*first, right), type_)


def _namespace(
    analysis: Analysis, node: Any, sides: _Sides, names: tuple[str, ...], merged: tuple[Field, ...]
) -> tuple[NamespaceItem, ...]:
    written = (*sides.left, *sides.right)
    if not names and not node.HasField("alias"):
        return written
    rest = [field for side in (sides.left, sides.right) for field in _visible(side) if field.name not in names]
    fields = (*merged, *rest)
    if node.HasField("alias"):
        alias = node.alias.aliasname
        given = strings(node.alias.colnames)
        if len(given) > len(fields):
            counts = f"{len(fields)} columns available but {len(given)} columns specified"
            message = f'join expression "{alias}" has {counts}'
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message)
        renamed = tuple(
            Field(given[at] if at < len(given) else field.name, field.scalar, field.read)
            for at, field in enumerate(fields)
        )
        # What it is made of is out of reach; errors can tell of it.
        beneath = tuple(replace(i, relation_visible=False, columns_visible=False) for i in written if i.alias)
        return (NamespaceItem(alias, renamed), *beneath)
    beneath = tuple(replace(item, columns_visible=False) for item in written if item.relation_visible)
    named: tuple[NamespaceItem, ...] = ()
    if node.HasField("join_using_alias"):
        named = (NamespaceItem(node.join_using_alias.aliasname, merged, columns_visible=False),)
        check_aliases(analysis, beneath, named, -1)
    return (NamespaceItem(None, fields, relation_visible=False), *beneath, *named)
