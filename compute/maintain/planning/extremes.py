"""Plans least and greatest values beside each other and beside sums: each by its best method, joined by the group.

A least or greatest value needs only the first row of a group in an order of its own. Other idempotent aggregates
(bit_and, say) need the group's distinct values; sums need no group at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compute.maintain.planning.accumulable import guarded, made_of_sums
from compute.maintain.planning.distinct_aggregates import over_distinct
from compute.maintain.planning.groups import accumulated, distinct, regrouped
from compute.maintain.planning.keys import flagged
from compute.maintain.planning.segments import columns_of, computed, projected, width_of
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.unique import NO_KEYS
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.parts import Keyed
from compute.maintain.steps.prefix import order_of
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Reduce, Relation
from planner.ir.scalar import Scalar

Scalars = tuple[Scalar, ...]


def beside_each_other(streams: Streams, segment: Relation, reduce: Reduce) -> Relation:
    """Plans `reduce` over the segment; its aggregates are idempotent or made of sums, and its key fits an
    accumulation."""
    parts: dict[str, list[int]] = {}
    for at, each in enumerate(reduce.aggregates):
        what = None if made_of_sums(each) else order_of(each) or _asked(each)
        # By their texts: 1.0 and 1.00 are equal, and yet not the same.
        parts.setdefault(repr(what), []).append(at)
    if len(parts) > 1:
        segment = streams.shared(segment)
    keys = len(reduce.key)
    joined: Relation | None = None
    places: dict[int, int] = {}
    for own in parts.values():
        part = _part(streams, segment, _only(reduce, own))
        start = keys if joined is None else width_of(joined) + keys
        joined = part if joined is None else _by_group(streams, joined, part, keys)
        places |= dict(zip(own, range(start, start + len(own)), strict=True))
    assert joined is not None, "there is an aggregate"
    return projected(joined, (*range(keys), *(places[at] for at in range(len(reduce.aggregates)))))


def _part(streams: Streams, segment: Relation, reduce: Reduce) -> Relation:
    """Makes one part of a reduce: `reduce` of the segment; its aggregates are all made of sums, or all ask the same."""
    first = reduce.aggregates[0]
    if made_of_sums(first):
        over_arguments = any(each.distinct for each in reduce.aggregates)
        return (over_distinct if over_arguments else accumulated)(streams, segment, reduce)
    order = order_of(first)
    return _of_distinct(streams, segment, reduce) if order is None else _first(streams, segment, reduce, order)


def _only(reduce: Reduce, places: Sequence[int]) -> Reduce:
    """Returns the Reduce with the aggregates at `places` only."""
    keys = len(reduce.key)
    names = (*reduce.names[:keys], *(reduce.names[keys + at] for at in places))
    return Reduce(reduce.input, reduce.key, tuple(reduce.aggregates[at] for at in places), names)


def _asked(aggregate: Aggregate) -> Scalars:
    """Returns the arguments and the condition of FILTER."""
    return (*guarded(aggregate).arguments, *(() if aggregate.condition is None else (aggregate.condition,)))


def _first(streams: Streams, segment: Relation, reduce: Reduce, order: SortKey) -> Relation:
    """Plans a Reduce whose aggregates all ask for the first value in one order. FILTER turns excluded values into
    NULL."""
    rows = computed(segment, (*reduce.key, order.expression), _names(len(reduce.key) + 1))
    *key, value = columns_of(rows)
    aggregates = tuple(replace(each, arguments=(value,), condition=None) for each in reduce.aggregates)
    return regrouped(streams, rows, Reduce(rows, tuple(key), aggregates, reduce.names))


def _of_distinct(streams: Streams, segment: Relation, reduce: Reduce) -> Relation:
    """Plans a Reduce over the distinct arguments of its aggregates, all of which have the same arguments."""
    asked = _asked(reduce.aggregates[0])
    scalars = (*reduce.key, *asked)
    rows = distinct(streams, segment, scalars, _names(len(scalars)))
    columns = columns_of(rows)
    keys = len(reduce.key)
    places: dict[Scalar, Scalar] = dict(zip(asked, columns[keys:], strict=False))

    def moved(each: Aggregate) -> Aggregate:
        arguments = tuple(places[argument] for argument in guarded(each).arguments)
        return replace(each, arguments=arguments, condition=None if each.condition is None else places[each.condition])

    return regrouped(streams, rows, Reduce(rows, columns[:keys], tuple(map(moved, reduce.aggregates)), reduce.names))


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"k{at}" for at in range(count))


def _by_group(streams: Streams, left: Relation, right: Relation, keys: int) -> Relation:
    """Joins both sides by group; each side has one row a group."""
    sides = (
        Keyed(each, tuple(part for key in columns_of(each)[:keys] for part in flagged(key))) for each in (left, right)
    )
    columns = relation_desc_of(left).columns + relation_desc_of(right).columns
    known = frozenset((frozenset(range(keys)),)) if keys else NO_KEYS
    return streams.add(JoinStep(*sides), columns, known)
