"""Plans steps that work by group: sums by key where sums are enough, else an operator over the group's rows."""

from __future__ import annotations

from collections.abc import Sequence

from compute.maintain.planning.keys import identical, known
from compute.maintain.planning.segments import columns_of, computed
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.unique import Keys, tell_apart
from compute.maintain.steps.accumulate import AccumulateStep
from compute.maintain.steps.group import GROUP_ROWS, GroupStep
from compute.maintain.steps.parts import Keyed
from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, LocalGet, Reduce, Relation, TopK, Window
from planner.ir.scalar import Scalar, scalar_type

GROUP_OF_ALL = Constant((((), 1),), RelationDesc(()))
"""The one row without columns that grouping by nothing yields."""


def accumulates_by(key: Sequence[Scalar]) -> bool:
    """Returns whether groups of the key can be kept as sums."""
    return all(identical(scalar_type(scalar)) for scalar in key)


def accumulated(streams: Streams, segment: Relation, reduce: Reduce) -> LocalGet:
    """Plans a Reduce over the segment whose aggregates are all sums."""
    step = AccumulateStep(Keyed(segment, reduce.key), reduce.aggregates)
    return streams.add(step, relation_desc_of(reduce).columns, _keys_of_groups(reduce))


def regrouped(streams: Streams, segment: Relation, reduce: Reduce) -> LocalGet:
    """Plans a Reduce over the segment that recomputes each group that changes."""
    rows = LocalGet(GROUP_ROWS, relation_desc_of(segment))
    operator = Reduce(rows, reduce.key, reduce.aggregates, reduce.names)
    step = GroupStep(Keyed(segment, _partition(reduce.key)), operator)
    return streams.add(step, relation_desc_of(reduce).columns, _keys_of_groups(reduce))


def topped(streams: Streams, segment: Relation, top: TopK, group: Sequence[Scalar], keys: Keys) -> LocalGet:
    """Plans a TopK over the segment; `group` are the columns of the grouping."""
    rows = LocalGet(GROUP_ROWS, relation_desc_of(segment))
    operator = TopK(rows, top.group, top.order, top.limit, top.offset)
    step = GroupStep(Keyed(segment, _partition(group)), operator)
    return streams.add(step, relation_desc_of(top).columns, keys)


def windowed(streams: Streams, segment: Relation, window: Window) -> LocalGet:
    """Plans window functions over the segment, recomputing each group that changes. Keys of the segment stay keys."""
    rows = LocalGet(GROUP_ROWS, relation_desc_of(segment))
    columns = columns_of(segment)
    step = GroupStep(
        Keyed(segment, _partition([columns[at] for at in window.group])),
        Window(rows, window.group, window.order, window.calls, window.names),
    )
    return streams.add(step, relation_desc_of(window).columns, streams.keys(segment))


def distinct(streams: Streams, segment: Relation, scalars: Sequence[Scalar], names: Sequence[str]) -> Relation:
    """Returns the distinct values of the scalars; just a projection if a key of the segment is among them."""
    if not scalars:
        return GROUP_OF_ALL
    if tell_apart(streams.keys(segment), scalars):
        return computed(segment, scalars, names)
    reduce = Reduce(segment, tuple(scalars), (), tuple(names))
    return (accumulated if accumulates_by(scalars) else regrouped)(streams, segment, reduce)


def _keys_of_groups(reduce: Reduce) -> Keys:
    return frozenset((frozenset(range(len(reduce.key))),))


def _partition(scalars: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """Returns the parts of a group's key that can be keys of an arrangement; groups that differ in other parts lie
    together."""
    return tuple(key for scalar in scalars if (key := known(scalar)) is not None)
