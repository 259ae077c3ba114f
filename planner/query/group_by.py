"""GROUP BY: groups of each grouping set, and expressions over rows as expressions over groups.

The rows of several grouping sets are those of all of them together; keys that a set leaves out are NULL:

    GROUPING SETS ((a, b), (a))   =   (a, b, aggregates by a, b)  ∪  (a, NULL, aggregates by a)

A group has the keys of all sets, the aggregates, then GROUPING's numbers:

    SELECT k, count(*), GROUPING(k) FROM t GROUP BY ROLLUP (k)

    With l1 = Read t
    Union
      Project (#0, #1, #2)  Map 0  Reduce by #0 to count_star() over l1         the set (k)
      Project (#1, #0, #2)  Map null, 1  Reduce to count_star() over l1         the set ()

CUBE of ten columns means 1,024 sets, and a Reduce for each would cost more to plan than the rows to group. So many sets
are rows themselves: each row of the input stands beside each set, with the keys that the set has, and all are grouped
once. Only the empty set has a Reduce of its own, since it has a group even where there are no rows:

    Project  Reduce by set, CASE WHEN has0 THEN #0 END, …, grouping0
      Join l1 with Constant (set, has0, …, grouping0)

What the SELECT says about rows becomes an expression about groups: k + 1 in it is a key of GROUP BY k + 1, and a column
that is no key, nor within an aggregate, is 42803.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4
from planner.ir.aggregate import Aggregate
from planner.ir.columns import awaited_by, deepen
from planner.ir.placeholder import (
    AggregateValue,
    DirectArgument,
    GroupingNumber,
    Placeholder,
    StandsFor,
    TableCallField,
    TableCallValue,
    WindowValue,
)
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Join, JoinKind, Let, LocalGet, Map, Project, Reduce, Relation, Union
from planner.ir.scalar import Case, Column, Literal, OuterColumn, Scalar, scalar_type
from planner.ir.unit import UNIT, filtered
from planner.ir.visit import rewrite_aggregate, rewrite_scalar
from planner.query.dependent_columns import with_dependent_columns
from planner.query.group_keys import GroupKey
from planner.query.select_parts import SelectParts
from planner.scope.scope import (
    Scope,
)

SETS_APART_MAX = 8
"""So many sets are grouped each by itself, which takes no more rows than are there; more are grouped together."""


def grouped(
    parts: SelectParts, relation: Relation, scalars: list[Scalar], *, spread: set[int]
) -> tuple[Relation, list[Scalar]]:
    """Plans GROUP BY; `spread` are the numbers of the set-returning functions whose rows are there already."""
    parts.grouping = with_dependent_columns(parts, scalars)
    keys = parts.grouping.keys
    for key in dict.fromkeys(key.scalar for key in keys):
        for awaited in awaited_by(key):
            _refuse_in_key(parts, key, awaited)
    _check_groupings(parts)
    rewrite = _GroupRewrite(parts, keys)
    direct = _GroupRewrite(
        parts, keys, detail="Direct arguments of an ordered-set aggregate must use only grouped columns."
    )
    for argument in parts.state.direct_arguments:
        # The same in every row of a group: what is not of the group is an error here.
        direct(argument)
    # HAVING or GROUP BY () alone make one group, whatever the rows are: nothing asks for them.
    one_group = not (parts.grouping.keys or parts.state.aggregates)
    groups = _of_all_sets(parts, UNIT if one_group else relation)
    if parts.having is not None:
        groups = filtered(groups, rewrite(parts.having))
    parts.state.table_calls = [
        call if at in spread else call.mapped(rewrite) for at, call in enumerate(parts.state.table_calls)
    ]
    parts.state.windows = [use.mapped(rewrite) for use in parts.state.windows]
    own = {at: keys.index(key) for at, key in parts.grouping.own.items()}
    return groups, [
        Column(own[at], scalar_type(scalar)) if at in own else rewrite(scalar) for at, scalar in enumerate(scalars)
    ]


def _refuse_in_key(parts: SelectParts, key: Scalar, awaited: StandsFor) -> None:
    """Raises SqlError 42803 or 42P20 for an aggregate or the like in a key that makes the groups."""
    message, state, place = "aggregate functions are not allowed in GROUP BY", Sqlstate.GROUPING_ERROR, -1
    match awaited:
        case AggregateValue(number):
            place = parts.state.aggregate_places[number]
        case GroupingNumber():
            pass
        case WindowValue():
            message, state = "window functions are not allowed in GROUP BY", Sqlstate.WINDOWING_ERROR
        case TableCallValue() | TableCallField():
            return
        case DirectArgument():
            raise AssertionError("direct arguments stand in aggregates alone")
        case _:
            assert_never(awaited)
    raise parts.analysis.error(state, message, next(_target_places(parts, key), place))


def _check_groupings(parts: SelectParts) -> None:
    keys = {key.scalar for key in parts.grouping.keys}
    for grouping in parts.state.groupings:
        for argument, location in zip(grouping.arguments, grouping.locations, strict=True):
            if argument not in keys:
                message = "arguments to GROUPING must be grouping expressions of the associated query level"
                raise parts.analysis.error(Sqlstate.GROUPING_ERROR, message, location)


def _of_all_sets(parts: SelectParts, relation: Relation) -> Relation:
    """Returns the groups of every set; several sets read the same rows."""
    sets = parts.grouping.sets
    if len(sets) == 1:
        return _of_set(parts, relation, sets[0])
    local_id = parts.analysis.next_local_id()
    rows = LocalGet(local_id, relation_desc_of(relation))
    apart = sets if len(sets) <= SETS_APART_MAX else tuple(each for each in sets if not each)
    groups = [_of_set(parts, rows, each) for each in apart]
    if len(apart) < len(sets):
        groups.append(_of_sets_together(parts, rows, tuple(each for each in sets if each)))
    return Let(local_id, relation, groups[0] if len(groups) == 1 else Union(tuple(groups)))


def _of_sets_together(parts: SelectParts, relation: Relation, sets: tuple[tuple[GroupKey, ...], ...]) -> Relation:
    """Returns the groups of many sets that all have keys, from rows that stand beside every set."""
    keys, groupings = parts.grouping.keys, parts.state.groupings
    width = relation_desc_of(relation).arity
    has = tuple(Column(width + 1 + at, BOOL) for at in range(len(keys)))
    numbers = tuple(Column(width + 1 + len(keys) + at, INT4) for at in range(len(groupings)))
    beside = Join(JoinKind.INNER, relation, _rows_of_sets(parts, sets), ())
    masked = Map(
        beside,
        tuple(
            Case(((present, key.scalar),), Literal(None, scalar_type(key.scalar)), scalar_type(key.scalar))
            for present, key in zip(has, keys, strict=True)
        ),
        tuple(f"key{at}" for at in range(len(keys))),
    )
    own = {
        key.scalar: Column(width + 1 + len(has) + len(numbers) + at, scalar_type(key.scalar))
        for at, key in enumerate(keys)
        if not key.twin
    }
    of_all = tuple(
        Column(width + 1 + len(has) + len(numbers) + at, scalar_type(key.scalar)) for at, key in enumerate(keys)
    )
    aggregates = tuple(_with_direct_arguments(aggregate, parts, own) for aggregate in parts.state.aggregates)
    names = (
        *("grouping_set", *masked.names, *(f"grouping{at}" for at in range(len(numbers)))),
        *(f"agg{at}" for at in range(len(aggregates))),
    )
    groups = Reduce(masked, (Column(width, INT4), *of_all, *numbers), aggregates, names)
    keys_end, numbers_end = 1 + len(keys), 1 + len(keys) + len(numbers)
    places = (
        *range(1, keys_end),
        *range(numbers_end, numbers_end + len(aggregates)),
        *range(keys_end, numbers_end),
    )
    return Project(groups, places)


def _rows_of_sets(parts: SelectParts, sets: tuple[tuple[GroupKey, ...], ...]) -> Constant:
    """Returns a row for each set: its number, which keys it has, and GROUPING's numbers."""
    keys, groupings = parts.grouping.keys, parts.state.groupings
    rows = []
    for number, each in enumerate(sets):
        members = set(each)
        left_out = {key.scalar for key in keys if key not in members and not key.twin}
        bits = (_bits(grouping.arguments, left_out) for grouping in groupings)
        rows.append(((number, *(key in members for key in keys), *bits), 1))
    columns = [("grouping_set", INT4, False)]
    columns += [(f"has{at}", BOOL, False) for at in range(len(keys))]
    columns += [(f"grouping{at}", INT4, False) for at in range(len(groupings))]
    return Constant(tuple(rows), relation_desc(*columns))


def _of_set(parts: SelectParts, relation: Relation, own: tuple[GroupKey, ...]) -> Relation:
    keys = parts.grouping.keys
    left_out = {key.scalar for key in keys if key not in own and not key.twin}
    values = {key.scalar: key.scalar for key in keys if key.scalar not in left_out}
    values |= {scalar: Literal(None, scalar_type(scalar)) for scalar in left_out}
    aggregates = tuple(_with_direct_arguments(aggregate, parts, values) for aggregate in parts.state.aggregates)
    aggregate_names = tuple(f"agg{at}" for at in range(len(aggregates)))
    names = {key.scalar: f"key{at}" for at, key in reversed(tuple(enumerate(keys))) if key in own}
    grouped_by = tuple(dict.fromkeys(key.scalar for key in keys if key in own))
    groups: Relation = Reduce(relation, grouped_by, aggregates, (*(names[key] for key in grouped_by), *aggregate_names))
    missing = [(key, f"key{at}") for at, key in enumerate(keys) if key not in own]
    added: list[Scalar] = [Literal(None, scalar_type(key.scalar)) for key, _ in missing]
    added += [Literal(_bits(grouping.arguments, left_out), INT4) for grouping in parts.state.groupings]
    if not added and len(grouped_by) == len(keys):
        return groups
    width = len(grouped_by) + len(aggregates)
    added_names = [name for _, name in missing]
    added_names += [f"grouping{at}" for at in range(len(parts.state.groupings))]
    null_places = {key: width + at for at, (key, _) in enumerate(missing)}
    places = [null_places[key] if key in null_places else grouped_by.index(key.scalar) for key in keys]
    places += [*range(len(grouped_by), width), *range(width + len(missing), width + len(added))]
    return Project(Map(groups, tuple(added), tuple(added_names)), tuple(places))


def _with_direct_arguments(aggregate: Aggregate, parts: SelectParts, keys: Mapping[Scalar, Scalar]) -> Aggregate:
    """Puts direct arguments in where they belong, with what each key is in the set: NULL where it is left out."""

    def in_argument(node: Scalar, level: int) -> Scalar | None:
        found = next((value for key, value in keys.items() if node == deepen(key, level)), None)
        return None if found is None else deepen(found, level)

    def visit(node: Scalar, level: int) -> Scalar | None:
        match node:
            case Placeholder(DirectArgument(number), depth=depth) if depth == level:
                argument = deepen(parts.state.direct_arguments[number], level)
                return rewrite_scalar(argument, in_argument, level)
            case _:
                return None

    return rewrite_aggregate(aggregate, visit) if parts.state.direct_arguments else aggregate


def _bits(arguments: tuple[Scalar, ...], left_out: set[Scalar]) -> int:
    """Computes GROUPING's number: a bit for each argument, the first the highest, set where the grouping set leaves it
    out."""
    number = 0
    for argument in arguments:
        number = 2 * number + (argument in left_out)
    return number


def _target_places(parts: SelectParts, key: Scalar) -> Iterator[int]:
    return (target.location for target in parts.targets if target.scalar == key)


class _GroupRewrite:
    """Expressions over the input's rows to expressions over groups: keys, aggregates and GROUPING become columns."""

    def __init__(self, parts: SelectParts, keys: tuple[GroupKey, ...], detail: str | None = None) -> None:
        self._detail = detail
        self._parts = parts
        self._keys = keys
        self._groupings_at = len(keys) + len(parts.state.aggregates)
        self._depths: dict[int, dict[Scalar, int]] = {}

    def __call__(self, scalar: Scalar) -> Scalar:
        return rewrite_scalar(scalar, self._visit)

    def _keys_at(self, level: int) -> dict[Scalar, int]:
        if level not in self._depths:
            self._depths[level] = {deepen(key.scalar, level): at for at, key in enumerate(self._keys) if not key.twin}
        return self._depths[level]

    def _visit(self, node: Scalar, level: int) -> Scalar | None:
        at = self._keys_at(level).get(node)
        if at is not None:
            return _at_level(at, node, level)
        if isinstance(node, Placeholder):
            return self._of_groups(node) if node.depth == level else None
        if not isinstance(node, Column | OuterColumn) or not _is_own(node, level):
            return None
        raise self._ungrouped(Column(node.index, node.type), level)

    def _of_groups(self, node: Placeholder) -> Scalar | None:
        """Returns the column of the groups that has what a placeholder of theirs stands for."""
        match node.stands_for:
            case AggregateValue(number):
                return _at_level(len(self._keys) + number, node, node.depth)
            case GroupingNumber(number):
                return _at_level(self._groupings_at + number, node, node.depth)
            case WindowValue() | TableCallValue() | TableCallField():
                # They are put in after the groups; what they are computed from is rewritten with the SELECT's notes.
                return None
            case DirectArgument():
                raise AssertionError("direct arguments stand in aggregates alone")
            case _:
                assert_never(node.stands_for)

    def _ungrouped(self, column: Column, level: int) -> Exception:
        analysis = self._parts.analysis
        place = self._parts.state.column_places.get(column, -1)
        name = _qualified_name(self._parts.scope, column)
        if level > 0:
            message = f'subquery uses ungrouped column "{name}" from outer query'
        else:
            message = f'column "{name}" must appear in the GROUP BY clause or be used in an aggregate function'
        return analysis.error(Sqlstate.GROUPING_ERROR, message, place, detail=self._detail)


def _is_own(node: Column | OuterColumn, level: int) -> bool:
    return level == 0 if isinstance(node, Column) else node.depth == level


def _qualified_name(scope: Scope, column: Column) -> str:
    for item in scope.items:
        if item.alias is None:
            continue
        for field in item.fields:
            if field.scalar == column:
                return f"{item.alias}.{field.name}"
        if item.present == column:
            return f"{item.alias}.*"
    for item in scope.items:
        for field in item.fields:
            if field.scalar == column:
                return field.name
    return "?column?"


def _at_level(index: int, node: Scalar, level: int) -> Scalar:
    type_ = scalar_type(node)
    return OuterColumn(level, index, type_) if level else Column(index, type_)
