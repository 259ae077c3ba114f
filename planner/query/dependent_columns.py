"""Columns that GROUP BY need not name: those of a table whose primary key is named."""

from __future__ import annotations

from collections.abc import Iterable

from planner.ir.columns import own_columns
from planner.ir.scalar import Column, Scalar
from planner.query.group_keys import GroupKey, GroupKeys
from planner.query.select_parts import SelectParts


def with_dependent_columns(parts: SelectParts, scalars: Iterable[Scalar]) -> GroupKeys:
    """Returns the grouping of a SELECT with the dependent columns that `scalars` or HAVING read.

    Such a plan depends on the key's index, without which it would be meaningless.
    """
    if len(parts.grouping.sets) != 1:
        return parts.grouping
    (keys,) = parts.grouping.sets
    grouped = {key.scalar for key in keys}
    read = {index for scalar in _read(parts, scalars) for index in own_columns(scalar)}
    found: list[Scalar] = []
    for item in parts.scope.items:
        key = item.primary_key
        if key is None or not grouped.issuperset(key.columns):
            continue
        wanted = [c for c in key.dependent if isinstance(c, Column) and c.index in read and c not in grouped]
        if wanted:
            parts.analysis.depends_on.add(key.index)
        found.extend(column for column in wanted if column not in found)
    return GroupKeys(((*keys, *map(GroupKey, found)),), parts.grouping.own)


def _read(parts: SelectParts, scalars: Iterable[Scalar]) -> Iterable[Scalar]:
    yield from scalars
    if parts.having is not None:
        yield parts.having
    for call in parts.state.table_calls:
        yield from call.arguments
    for use in parts.state.windows:
        yield from (*use.partition, *(key.expression for key in use.order), *use.call.arguments)
