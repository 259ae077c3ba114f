"""From a SELECT's planned expressions to its relation: each clause becomes a node over what the clauses before it gave.

    SELECT DISTINCT k, rank() OVER (ORDER BY k), unnest(array[k, 0]) FROM t WHERE x > 0 GROUP BY k HAVING count(*) > 1

    Distinct by #0, #1, #2                        DISTINCT
      Project (#0, #2, #3)                        the columns of the SELECT, in their order
        FlatMap unnest_anyarray(array[#0, 0])     functions that return sets
          Window order by #0 to rank()            window functions
            Filter gt_int8_int8(#1, 1)            HAVING
              Reduce by #0 to count_star()        GROUP BY and aggregates
                Filter gt_int4_int4(#1, 0)        WHERE, which came with the FROM
                  Read t

Planning an expression leaves a placeholder where a value has no column yet: of an aggregate, a window function, a
function that returns a set. Each node gives its values columns, and from then on these stand in their stead.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.types.scalar_type import BOOL, INT4, INT8
from planner.expressions.functions import set_type
from planner.functions.types.composites import FIELD
from planner.ir.aggregate import SortKey
from planner.ir.columns import awaited_by, deepen
from planner.ir.placeholder import Placeholder, StandsFor, TableCallField, TableCallValue, WindowValue
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Join, JoinKind, Map, Relation, TopK, Window
from planner.ir.scalar import Call, Case, Column, Literal, RowOf, Scalar
from planner.ir.unit import distinct, projected
from planner.ir.visit import rewrite_scalar
from planner.query.group_by import grouped
from planner.query.limits import Limits
from planner.query.lockstep import rows_of, side_by_side
from planner.query.read_offsets import by_number
from planner.query.select_parts import SelectParts
from planner.query.targets import Target
from planner.scope.planned_query import PlannedQuery
from planner.scope.table_call import TableCall

Replaced = dict[StandsFor, Scalar]
"""What placeholders stand for, once it has a place."""


def assemble(parts: SelectParts, limits: Limits) -> PlannedQuery:
    """Returns the SELECT as a relation; raises 42803 for columns that are neither grouped nor aggregated."""
    scalars = [target.scalar for target in parts.targets]
    relation = parts.relation
    calls = parts.state.table_calls
    spread: set[int] = set()
    if calls:
        spread = _closed({number for key in parts.grouping.keys for number in _sets_in(key.scalar)}, calls)
        # What GROUP BY names has its rows before they are grouped.
        relation, replaced = _spread(relation, calls, spread)
        scalars = [_replace(scalar, replaced) for scalar in scalars]
        parts.grouping = parts.grouping.mapped(lambda key: _replace(key, replaced))
        parts.state.table_calls = [
            call if at in spread else _with_arguments(call, replaced) for at, call in enumerate(calls)
        ]
    if parts.grouped or parts.state.aggregates or parts.state.groupings:
        relation, scalars = grouped(parts, relation, scalars, spread=spread)
    if parts.state.windows:
        relation, scalars = _windowed(parts, relation, scalars)
    first = _distinct_before_sets(parts, scalars)
    if first:
        relation, scalars = _first_rows(parts, relation, scalars)
    if calls:
        relation, scalars = _spread_sets(relation, parts, scalars)
    relation = _columns(relation, scalars, parts.targets)
    names = tuple(target.name for target in parts.targets[: parts.arity])
    order = tuple(SortKey(_column(relation, at), down, nulls) for at, down, nulls in parts.order)
    if parts.distinct == ():
        relation = distinct(projected(relation, tuple(range(parts.arity))))
    elif parts.distinct is not None and not first:
        relation = TopK(relation, parts.distinct, order, Literal(1, INT8), None)
    return limits.applied(relation, names, order)


def _distinct_before_sets(parts: SelectParts, scalars: Sequence[Scalar]) -> bool:
    """Tells whether DISTINCT ON chooses among rows that set-returning functions have not multiplied yet: PostgreSQL
    evaluates these after a sort whose keys contain none of them."""
    keys = (*(parts.distinct or ()), *(at for at, _, _ in parts.order))
    if not parts.distinct or not parts.order or any(_sets_in(scalars[at]) for at in keys):
        return False
    return any(_sets_in(scalar) for scalar in scalars)


def _first_rows(parts: SelectParts, relation: Relation, scalars: list[Scalar]) -> tuple[Relation, list[Scalar]]:
    """Plans DISTINCT ON; its keys and those of ORDER BY are columns from here on."""
    keys = tuple(dict.fromkeys((*(parts.distinct or ()), *(at for at, _, _ in parts.order))))
    names = [parts.targets[at].name for at in keys]
    relation, positions = _with_columns(relation, [scalars[at] for at in keys], names)
    columns = {at: _column(relation, position) for at, position in zip(keys, positions, strict=True)}
    order = tuple(SortKey(columns[at], down, nulls) for at, down, nulls in parts.order)
    group = tuple(columns[at].index for at in parts.distinct or ())
    relation = TopK(relation, group, order, Literal(1, INT8), None)
    return relation, [columns.get(at, scalar) for at, scalar in enumerate(scalars)]


def _column(relation: Relation, at: int) -> Column:
    return Column(at, relation_desc_of(relation).types[at])


def _columns(relation: Relation, scalars: list[Scalar], targets: list[Target]) -> Relation:
    """Adds one column for each target, in order."""
    relation, positions = _with_columns(relation, scalars, [target.name for target in targets])
    return projected(relation, positions)


def _with_columns(
    relation: Relation, scalars: Sequence[Scalar], names: Sequence[str]
) -> tuple[Relation, tuple[int, ...]]:
    """Returns the relation with all of the values among its columns, and where; those that are columns already are not
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
    """Puts one node for the calls over the same rows in the same order; their values stand behind the other columns."""
    replaced: Replaced = {}
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
            replaced[WindowValue(at)] = Column(place, call.type)
    parts.state.table_calls = [_with_arguments(call, replaced) for call in parts.state.table_calls]
    return relation, [_replace(scalar, replaced) for scalar in scalars]


def _replace(scalar: Scalar, values: Replaced) -> Scalar:
    """Returns the expression with placeholders replaced by their values, as far as the values are known."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Placeholder) and node.depth == level and node.stands_for in values:
            return deepen(values[node.stands_for], level)
        return None

    return rewrite_scalar(scalar, visit)


def _sets_in(scalar: Scalar) -> set[int]:
    """Returns the numbers of the set-returning functions whose rows an expression reads."""
    return {each.number for each in awaited_by(scalar) if isinstance(each, TableCallValue | TableCallField)}


def _needs(call: TableCall) -> set[int]:
    return {number for argument in call.arguments for number in _sets_in(argument)}


def _spread_sets(relation: Relation, parts: SelectParts, scalars: list[Scalar]) -> tuple[Relation, list[Scalar]]:
    calls = parts.state.table_calls
    wanted = {number for scalar in scalars for number in _sets_in(scalar)}
    relation, replaced = _spread(relation, calls, _closed(wanted, calls))
    return relation, [_replace(scalar, replaced) for scalar in scalars]


def _closed(wanted: set[int], calls: list[TableCall]) -> set[int]:
    """Returns the wanted calls and, recursively, the calls whose rows their arguments read."""
    closed: set[int] = set()
    pending = set(wanted)
    while pending:
        number = pending.pop()
        closed.add(number)
        pending |= _needs(calls[number]) - closed
    return closed


def _spread(relation: Relation, calls: list[TableCall], wanted: set[int]) -> tuple[Relation, Replaced]:
    """Adds the calls' rows to a relation: inner calls first, calls of one level in lockstep. Returns the values of
    their placeholders, too.
    """
    replaced: Replaced = {}
    pending = set(wanted)
    while pending:
        ready = sorted(number for number in pending if not (_needs(calls[number]) & pending))
        level = [_with_arguments(calls[number], replaced) for number in ready]
        start = relation_desc_of(relation).arity
        relation = _attach(relation, level)
        for number, call in zip(ready, level, strict=True):
            value = _value(call, start)
            if len(level) > 1:
                mark = Column(start + call.desc.arity, INT8)
                value = _until_its_end(value, mark)
            replaced[TableCallValue(number)] = value
            for at, type_ in enumerate(call.desc.types):
                replaced[TableCallField(number, at)] = Column(start + at, type_)
            if not call.composite:
                for at, (_, type_) in enumerate(call.desc.types[0].fields):
                    replaced[TableCallField(number, at)] = Call(FIELD.key, (value, Literal(at, INT4)), type_)
            start += call.desc.arity + (1 if len(level) > 1 else 0)
        pending -= set(ready)
    return relation, replaced


def _with_arguments(call: TableCall, replaced: Replaced) -> TableCall:
    return call.mapped(lambda argument: _replace(argument, replaced))


def _value(call: TableCall, start: int) -> Scalar:
    columns = tuple(Column(start + at, type_) for at, type_ in enumerate(call.desc.types))
    type_ = set_type(call)
    return RowOf(columns, type_) if len(columns) > 1 or call.row_type is not None else columns[0]


def _attach(relation: Relation, calls: list[TableCall]) -> Relation:
    if len(calls) == 1 and calls[0].body is None:
        return FlatMap(relation, calls[0].function, calls[0].arguments, calls[0].desc, listed=True)
    outside = [_with_deeper(call) for call in calls]
    rows = rows_of(outside[0]) if len(outside) == 1 else side_by_side(outside, marked=True)
    return Join(JoinKind.INNER, relation, rows, (), lateral=True, listed=True)


def _until_its_end(value: Scalar, mark: Column) -> Scalar:
    """Makes a row of a function that has ended before others NULL, not a row of NULLs."""
    if not isinstance(value, RowOf):
        return value
    present = Call("is_not_null_any", (mark,), BOOL)
    return Case(((present, value),), Literal(None, value.type), value.type)


def _with_deeper(call: TableCall) -> TableCall:
    return call.mapped(lambda argument: deepen(argument, 1))
