"""GROUP BY: groups of each grouping set, and expressions over rows as expressions over groups.

The rows of several grouping sets are those of all of them together; keys that a set leaves out are NULL:

    GROUPING SETS ((a, b), (a))   =   (a, b, aggregates by a, b)  ∪  (a, NULL, aggregates by a)

A group has the keys of all sets, the aggregates, then GROUPING's numbers.
"""

from __future__ import annotations

from model.scalar_type import INT4
from model.sqlstate import Sqlstate
from planner.ir.columns import deepen, own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Let, LocalGet, Map, Project, Reduce, Relation, Union
from planner.ir.scalar import Column, Literal, OuterColumn, Scalar, scalar_type
from planner.ir.visit import rewrite_scalar
from planner.sql.scope import AGGREGATE_BASE, GROUPING_BASE, TABLE_CALL_BASE, WINDOW_BASE, Scope, is_window
from planner.sql.select_parts import SelectParts
from planner.sql.unit import filtered


def grouped(
    parts: SelectParts, relation: Relation, scalars: list[Scalar], *, spread: set[int]
) -> tuple[Relation, list[Scalar]]:
    """`spread` are the set-returning functions whose rows are there already."""
    keys = parts.keys
    for key in keys:
        if _mentions_aggregate(key):
            message = "aggregate functions are not allowed in GROUP BY"
            raise parts.analysis.error(Sqlstate.GROUPING_ERROR, message, _target_place(parts, key))
        if any(map(is_window, own_columns(key))):
            message = "window functions are not allowed in GROUP BY"
            raise parts.analysis.error(Sqlstate.WINDOWING_ERROR, message, _target_place(parts, key))
    _check_groupings(parts)
    rewrite = _GroupRewrite(parts, keys)
    direct = _GroupRewrite(
        parts, keys, detail="Direct arguments of an ordered-set aggregate must use only grouped columns."
    )
    for argument in parts.state.direct_arguments:
        # The same in every row of a group: what is not of the group is an error here.
        direct(argument)
    groups = _of_all_sets(parts, relation)
    if parts.having is not None:
        groups = filtered(groups, rewrite(parts.having))
    parts.state.table_calls = [
        call if TABLE_CALL_BASE + at in spread else call.mapped(rewrite)
        for at, call in enumerate(parts.state.table_calls)
    ]
    parts.state.windows = [use.mapped(rewrite) for use in parts.state.windows]
    return groups, [rewrite(scalar) for scalar in scalars]


def _check_groupings(parts: SelectParts) -> None:
    for grouping in parts.state.groupings:
        for argument, location in zip(grouping.arguments, grouping.locations, strict=True):
            if argument not in parts.keys:
                message = "arguments to GROUPING must be grouping expressions of the associated query level"
                raise parts.analysis.error(Sqlstate.GROUPING_ERROR, message, location)


def _of_all_sets(parts: SelectParts, relation: Relation) -> Relation:
    """The groups of every set; several sets read the same rows."""
    if len(parts.sets) == 1:
        return _of_set(parts, relation, parts.sets[0])
    local_id = parts.analysis.next_local_id()
    rows = LocalGet(local_id, relation_desc_of(relation))
    return Let(local_id, relation, Union(tuple(_of_set(parts, rows, each) for each in parts.sets)))


def _of_set(parts: SelectParts, relation: Relation, own: tuple[Scalar, ...]) -> Relation:
    keys, aggregates = parts.keys, tuple(parts.state.aggregates)
    own = tuple(key for key in keys if key in own)
    aggregate_names = tuple(f"agg{at}" for at in range(len(aggregates)))
    names = tuple(f"key{at}" for at, key in enumerate(keys) if key in own)
    groups: Relation = Reduce(relation, own, aggregates, (*names, *aggregate_names))
    missing = [(key, f"key{at}") for at, key in enumerate(keys) if key not in own]
    added: list[Scalar] = [Literal(None, scalar_type(key)) for key, _ in missing]
    added += [Literal(_bits(grouping.arguments, own), INT4) for grouping in parts.state.groupings]
    if not added:
        return groups
    width = len(own) + len(aggregates)
    added_names = [name for _, name in missing]
    added_names += [f"grouping{at}" for at in range(len(parts.state.groupings))]
    left_out = {key: width + at for at, (key, _) in enumerate(missing)}
    places = [left_out[key] if key in left_out else own.index(key) for key in keys]
    places += [*range(len(own), width), *range(width + len(missing), width + len(added))]
    return Project(Map(groups, tuple(added), tuple(added_names)), tuple(places))


def _bits(arguments: tuple[Scalar, ...], own: tuple[Scalar, ...]) -> int:
    """GROUPING's number: a bit for each argument, the first the highest, set where the grouping set leaves it out."""
    number = 0
    for argument in arguments:
        number = 2 * number + (argument not in own)
    return number


def _target_place(parts: SelectParts, key: Scalar) -> int:
    return next((target.location for target in parts.targets if target.scalar == key), -1)


def _mentions_aggregate(scalar: Scalar) -> bool:
    found: list[int] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0 and AGGREGATE_BASE <= node.index < WINDOW_BASE:
            found.append(node.index)
        return None

    rewrite_scalar(scalar, visit)
    return bool(found)


class _GroupRewrite:
    """Expressions over the input's rows to expressions over groups: keys, aggregates and GROUPING become columns."""

    def __init__(self, parts: SelectParts, keys: tuple[Scalar, ...], detail: str | None = None) -> None:
        self._detail = detail
        self._parts = parts
        self._keys = keys
        self._groupings_at = len(keys) + len(parts.state.aggregates)
        self._depths: dict[int, dict[Scalar, int]] = {}

    def __call__(self, scalar: Scalar) -> Scalar:
        return rewrite_scalar(scalar, self._visit)

    def _keys_at(self, level: int) -> dict[Scalar, int]:
        if level not in self._depths:
            self._depths[level] = {deepen(key, level): at for at, key in enumerate(self._keys)}
        return self._depths[level]

    def _visit(self, node: Scalar, level: int) -> Scalar | None:
        at = self._keys_at(level).get(node)
        if at is not None:
            return _at_level(at, node, level)
        if not isinstance(node, Column | OuterColumn) or not _is_own(node, level):
            return None
        index = node.index
        if index >= WINDOW_BASE:
            return None
        if index >= GROUPING_BASE:
            return _at_level(self._groupings_at + index - GROUPING_BASE, node, level)
        if index >= AGGREGATE_BASE:
            return _at_level(len(self._keys) + index - AGGREGATE_BASE, node, level)
        raise self._ungrouped(Column(index, node.type), level)

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
