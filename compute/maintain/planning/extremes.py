"""Greatest and least beside sums over distinct arguments: each by what maintains it best, joined by the group.

min, max and their like need the values of a group, but only the distinct ones; sums over distinct arguments need no
group at all, and are dear where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compute.maintain.plan import JoinStep, Keyed
from compute.maintain.planning.accumulable import guarded, made_of_sums
from compute.maintain.planning.distinct_aggregates import over_distinct
from compute.maintain.planning.groups import distinct, regrouped
from compute.maintain.planning.keys import flagged
from compute.maintain.planning.segments import columns_of, projected, width_of
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.unique import NO_KEYS
from planner.ir.aggregate import Aggregate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Reduce, Relation
from planner.ir.scalar import Scalar

Scalars = tuple[Scalar, ...]


def beside_extremes(streams: Streams, segment: Relation, reduce: Reduce) -> Relation:
    """`reduce` of the segment; its aggregates are idempotent or made of sums, its key is one of an accumulation."""
    segment = streams.shared(segment)
    asked = {at: _asked(each) for at, each in enumerate(reduce.aggregates) if not made_of_sums(each)}
    summed = [at for at in range(len(reduce.aggregates)) if at not in asked]
    keys = len(reduce.key)
    joined = over_distinct(streams, segment, _only(reduce, summed))
    places = dict(zip(summed, range(keys, keys + len(summed)), strict=True))
    for scalars in dict.fromkeys(asked.values()):
        own = [at for at in asked if asked[at] == scalars]
        start = width_of(joined) + keys
        joined = _by_group(streams, joined, _extremes(streams, segment, _only(reduce, own), scalars), keys)
        places |= dict(zip(own, range(start, start + len(own)), strict=True))
    return projected(joined, (*range(keys), *(places[at] for at in range(len(reduce.aggregates)))))


def _only(reduce: Reduce, places: Sequence[int]) -> Reduce:
    """With those of its aggregates."""
    keys = len(reduce.key)
    names = (*reduce.names[:keys], *(reduce.names[keys + at] for at in places))
    return Reduce(reduce.input, reduce.key, tuple(reduce.aggregates[at] for at in places), names)


def _asked(aggregate: Aggregate) -> Scalars:
    """Arguments and FILTER."""
    return (*guarded(aggregate).arguments, *(() if aggregate.condition is None else (aggregate.condition,)))


def _extremes(streams: Streams, segment: Relation, reduce: Reduce, asked: Scalars) -> Relation:
    """`reduce` of the distinct values of what its aggregates ask."""
    scalars = (*reduce.key, *asked)
    rows = distinct(streams, segment, scalars, tuple(f"k{at}" for at in range(len(scalars))))
    columns = columns_of(rows)
    keys = len(reduce.key)
    places: dict[Scalar, Scalar] = dict(zip(asked, columns[keys:], strict=False))

    def moved(each: Aggregate) -> Aggregate:
        arguments = tuple(places[argument] for argument in guarded(each).arguments)
        return replace(each, arguments=arguments, condition=None if each.condition is None else places[each.condition])

    return regrouped(streams, rows, Reduce(rows, columns[:keys], tuple(map(moved, reduce.aggregates)), reduce.names))


def _by_group(streams: Streams, left: Relation, right: Relation, keys: int) -> Relation:
    """Both sides of each group; it has one row on either."""
    sides = (
        Keyed(each, tuple(part for key in columns_of(each)[:keys] for part in flagged(key))) for each in (left, right)
    )
    columns = relation_desc_of(left).columns + relation_desc_of(right).columns
    known = frozenset((frozenset(range(keys)),)) if keys else NO_KEYS
    return streams.add(JoinStep(*sides), columns, known)
