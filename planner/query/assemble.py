"""From a SELECT's planned expressions to its relation: rows, groups, set-returning functions, columns, DISTINCT."""

from __future__ import annotations

from collections.abc import Sequence

from model.scalar_type import BOOL, INT8
from planner.expressions.functions import set_type
from planner.ir.aggregate import SortKey
from planner.ir.columns import deepen
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Join, JoinKind, Map, Relation, TopK, Window
from planner.ir.scalar import Call, Case, Column, Literal, OuterColumn, RowOf, Scalar
from planner.ir.visit import rewrite_scalar
from planner.query.group_by import grouped
from planner.query.limits import Limits
from planner.query.lockstep import side_by_side
from planner.query.read_offsets import by_number
from planner.query.select_parts import SelectParts
from planner.query.targets import Target
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import TABLE_CALL_BASE, WINDOW_BASE, field_placeholder, table_call_of
from planner.scope.table_call import TableCall
from planner.scope.unit import distinct, projected


def assemble(parts: SelectParts, limits: Limits) -> PlannedQuery:
    """The SELECT as a relation; 42803 for columns that are neither grouped nor aggregated."""
    scalars = [target.scalar for target in parts.targets]
    relation = parts.relation
    calls = parts.state.table_calls
    replaced: dict[int, Scalar] = {}
    if calls:
        relation, replaced = _sets_in_keys(relation, parts)
        scalars = [_replace(scalar, replaced) for scalar in scalars]
        parts.grouping = parts.grouping.mapped(lambda key: _replace(key, replaced))
    if parts.grouped or parts.state.aggregates or parts.state.groupings:
        relation, scalars = grouped(parts, relation, scalars, spread=set(replaced))
    if parts.state.windows:
        relation, scalars = _windowed(parts, relation, scalars)
    if calls:
        relation, scalars = _spread_sets(relation, parts, scalars)
    relation = _columns(relation, scalars, parts.targets)
    names = tuple(target.name for target in parts.targets[: parts.arity])
    order = tuple(SortKey(_column(relation, at), down, nulls) for at, down, nulls in parts.order)
    if parts.distinct == ():
        relation = distinct(projected(relation, tuple(range(parts.arity))))
    elif parts.distinct is not None:
        relation = TopK(relation, parts.distinct, order, Literal(1, INT8), None)
    return limits.applied(relation, names, order)


def _column(relation: Relation, at: int) -> Column:
    return Column(at, relation_desc_of(relation).types[at])


def _columns(relation: Relation, scalars: list[Scalar], targets: list[Target]) -> Relation:
    """One column for each target, in order."""
    relation, positions = _with_columns(relation, scalars, [target.name for target in targets])
    return projected(relation, positions)


def _with_columns(
    relation: Relation, scalars: Sequence[Scalar], names: Sequence[str]
) -> tuple[Relation, tuple[int, ...]]:
    """The relation with all of the values among its columns, and where; those that are columns already are not
    computed again."""
    arity = relation_desc_of(relation).arity
    positions: list[int] = []
    added: list[tuple[Scalar, str]] = []
    for scalar, name in zip(scalars, names, strict=True):
        if isinstance(scalar, Column):
            positions.append(scalar.index)
        else:
            positions.append(arity + len(added))
            added.append((scalar, name))
    if added:
        relation = Map(relation, tuple(scalar for scalar, _ in added), tuple(name for _, name in added))
    return relation, tuple(positions)


def _windowed(parts: SelectParts, relation: Relation, scalars: list[Scalar]) -> tuple[Relation, list[Scalar]]:
    """One node for the calls over the same rows in the same order; their values stand behind the other columns."""
    replaced: dict[int, Scalar] = {}
    shared: dict[tuple[tuple[Scalar, ...], tuple[SortKey, ...]], list[int]] = {}
    for at, use in enumerate(parts.state.windows):
        shared.setdefault((use.partition, use.order), []).append(at)
    for (partition, order), members in shared.items():
        relation, group = _with_columns(relation, partition, ["partition"] * len(partition))
        calls = tuple(parts.state.windows[at].call for at in members)
        own = tuple(dict.fromkeys(group))
        relation, calls = by_number(relation, own, order, calls)
        start = relation_desc_of(relation).arity
        names = tuple(f"window{at}" for at in members)
        relation = Window(relation, own, order, calls, names)
        for place, (at, call) in enumerate(zip(members, calls, strict=True), start):
            replaced[WINDOW_BASE + at] = Column(place, call.type)
    parts.state.table_calls = [_with_arguments(call, replaced) for call in parts.state.table_calls]
    return relation, [_replace(scalar, replaced) for scalar in scalars]


def _replace(scalar: Scalar, columns: dict[int, Scalar]) -> Scalar:
    """Placeholders of set-returning functions by the columns that hold their values."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            return columns.get(node.index)
        if isinstance(node, OuterColumn) and node.depth == level and node.index in columns:
            return deepen(columns[node.index], level)
        return None

    return rewrite_scalar(scalar, visit)


def _placeholders(scalar: Scalar) -> set[int]:
    found: set[int] = set()

    def visit(node: Scalar, level: int) -> Scalar | None:
        call = table_call_of(node.index) if isinstance(node, Column) and level == 0 else None
        if call is not None:
            found.add(TABLE_CALL_BASE + call)
        return None

    rewrite_scalar(scalar, visit)
    return found


def _sets_in_keys(relation: Relation, parts: SelectParts) -> tuple[Relation, dict[int, Scalar]]:
    """Set-returning functions that GROUP BY names are spread out before grouping."""
    wanted: set[int] = set()
    for key in parts.keys:
        wanted |= _placeholders(key.scalar)
    return _spread(relation, parts.state.table_calls, wanted)


def _spread_sets(relation: Relation, parts: SelectParts, scalars: list[Scalar]) -> tuple[Relation, list[Scalar]]:
    wanted: set[int] = set()
    for scalar in scalars:
        wanted |= _placeholders(scalar)
    relation, replaced = _spread(relation, parts.state.table_calls, wanted)
    return relation, [_replace(scalar, replaced) for scalar in scalars]


def _spread(relation: Relation, calls: list[TableCall], wanted: set[int]) -> tuple[Relation, dict[int, Scalar]]:
    """Inner calls first; those of one level in lockstep. The answer holds what stands for each placeholder."""
    replaced: dict[int, Scalar] = {}
    pending = set(wanted)
    for index in list(pending):
        for argument in calls[index - TABLE_CALL_BASE].arguments:
            pending |= _placeholders(argument)
    while pending:
        ready = sorted(i for i in pending if not (_needs(calls[i - TABLE_CALL_BASE]) & pending))
        level = [_with_arguments(calls[index - TABLE_CALL_BASE], replaced) for index in ready]
        start = relation_desc_of(relation).arity
        relation = _attach(relation, level)
        for index, call in zip(ready, level, strict=True):
            value = _value(call, start)
            if len(level) > 1:
                mark = Column(start + call.desc.arity, INT8)
                value = _until_its_end(value, mark)
            replaced[index] = value
            for at, type_ in enumerate(call.desc.types):
                replaced[field_placeholder(index - TABLE_CALL_BASE, at)] = Column(start + at, type_)
            start += call.desc.arity + (1 if len(level) > 1 else 0)
        pending -= set(ready)
    return relation, replaced


def _needs(call: TableCall) -> set[int]:
    return {index for argument in call.arguments for index in _placeholders(argument)}


def _with_arguments(call: TableCall, replaced: dict[int, Scalar]) -> TableCall:
    return call.mapped(lambda argument: _replace(argument, replaced))


def _value(call: TableCall, start: int) -> Scalar:
    columns = tuple(Column(start + at, type_) for at, type_ in enumerate(call.desc.types))
    type_ = set_type(call)
    return RowOf(columns, type_) if len(columns) > 1 or call.row_type is not None else columns[0]


def _attach(relation: Relation, calls: list[TableCall]) -> Relation:
    if len(calls) == 1:
        return FlatMap(relation, calls[0].function, calls[0].arguments, calls[0].desc)
    outside = [_with_deeper(call) for call in calls]
    return Join(JoinKind.INNER, relation, side_by_side(outside, marked=True), (), True)


def _until_its_end(value: Scalar, mark: Column) -> Scalar:
    """A row of a function that has ended before others is NULL, not a row of NULLs."""
    if not isinstance(value, RowOf):
        return value
    present = Call("is_not_null_any", (mark,), BOOL)
    return Case(((present, value),), Literal(None, value.type), value.type)


def _with_deeper(call: TableCall) -> TableCall:
    return call.mapped(lambda argument: deepen(argument, 1))
