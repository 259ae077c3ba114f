"""Sums over distinct arguments: each group's distinct arguments are counted first, then summed.

Arguments that are the same of several aggregates are counted once, with a count for each FILTER. The rows, for the
aggregates without DISTINCT, and each kind of distinct arguments are parts of one union, with columns of their own and a
number; every aggregate sums its part:

    count(*), count(distinct x), count(distinct x) filter (where p), sum(distinct y) by k
      = count(*) of part 0, count(x) of part 1, count(x) where p of part 1, sum(y) of part 2, by k, of
        (k, 0) of the rows + (k, x, n > 0, 1) of count(*) filter (where p) as n by k, x + (k, y, 2) of distinct k, y
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from compute.maintain.planning.accumulable import guarded
from compute.maintain.planning.groups import accumulated, accumulates_by, distinct, regrouped
from compute.maintain.planning.segments import columns_of, computed, conjunction, united
from compute.maintain.planning.streams import Streams
from model.types.scalar_type import BOOL, INT4, INT8
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Reduce, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar, scalar_type

Scalars = tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Input of one part of the aggregates: `rows`, and each argument and FILTER as a scalar over `rows`."""

    rows: Relation
    key: Scalars
    arguments: Mapping[Scalar, Scalar]
    filters: Mapping[Scalar, Scalar]

    @property
    def values(self) -> Scalars:
        return (*self.arguments.values(), *self.filters.values())


def over_distinct(streams: Streams, segment: Relation, reduce: Reduce) -> Relation:
    """Plans `reduce` over the segment when all aggregates are made of sums, some over distinct arguments."""
    asked = tuple(map(guarded, reduce.aggregates))
    lists = tuple(dict.fromkeys(each.arguments for each in asked if each.distinct))
    plain = [each for each in asked if not each.distinct]
    if plain or len(lists) > 1:
        segment = streams.shared(segment)
    parts = []
    if plain:
        arguments = dict.fromkeys(argument for each in plain for argument in each.arguments)
        parts.append(
            _Part(segment, reduce.key, {each: each for each in arguments}, {each: each for each in _filters(plain)})
        )
    for own in lists:
        filters = _filters([each for each in asked if each.distinct and each.arguments == own])
        parts.append(_distinct_part(streams, segment, reduce.key, own, filters))
    first = len(parts) - len(lists)
    rows = united([_numbered(parts, number) for number in range(len(parts))])
    columns = columns_of(rows)

    def summed(each: Aggregate) -> Aggregate:
        number = first + lists.index(each.arguments) if each.distinct else 0
        part = parts[number]
        start = len(reduce.key) + sum(len(before.values) for before in parts[:number])
        places = dict(zip(part.arguments, columns[start:], strict=False))
        flags = dict(zip(part.filters, columns[start + len(part.arguments) :], strict=False))
        conditions: list[Scalar] = [_is_part(columns[-1], number)] if len(parts) > 1 else []
        conditions += [] if each.condition is None else [flags[each.condition]]
        return replace(
            each,
            arguments=tuple(places[argument] for argument in each.arguments),
            condition=conjunction(conditions) if conditions else None,
            distinct=False,
        )

    aggregates = tuple(map(summed, asked))
    return accumulated(streams, rows, Reduce(rows, columns[: len(reduce.key)], aggregates, reduce.names))


def _distinct_part(streams: Streams, segment: Relation, key: Scalars, arguments: Scalars, filters: Scalars) -> _Part:
    """Returns the distinct arguments in each group, and whether any of their rows is let through by each FILTER."""
    scalars = (*key, *arguments)
    names = tuple(f"k{at}" for at in range(len(scalars) + len(filters)))
    if filters:
        counts = tuple(Aggregate("count_star", (), INT8, condition=each) for each in filters)
        reduce = Reduce(segment, scalars, counts, names)
        rows: Relation = (accumulated if accumulates_by(scalars) else regrouped)(streams, segment, reduce)
    else:
        rows = distinct(streams, segment, scalars, names)
    columns = columns_of(rows)
    some = (Call("gt_int8_int8", (count, Literal(0, INT8)), BOOL) for count in columns[len(scalars) :])
    places = dict(zip(arguments, columns[len(key) : len(scalars)], strict=True))
    return _Part(rows, columns[: len(key)], places, dict(zip(filters, some, strict=True)))


def _numbered(parts: Sequence[_Part], number: int) -> Relation:
    """Returns a part's rows in the shape of the union: key, the values of each part (NULL for others), the part's
    number."""
    part = parts[number]
    scalars: list[Scalar] = list(part.key)
    for at, each in enumerate(parts):
        others = (Literal(None, scalar_type(value)) for value in each.values)
        scalars += part.values if at == number else others
    if len(parts) > 1:
        scalars.append(Literal(number, INT4))
    return computed(part.rows, scalars, tuple(f"k{at}" for at in range(len(scalars))))


def _is_part(number_column: Column, number: int) -> Scalar:
    return Call("eq_int4_int4", (number_column, Literal(number, INT4)), BOOL)


def _filters(aggregates: Sequence[Aggregate]) -> Scalars:
    return tuple(dict.fromkeys(each.condition for each in aggregates if each.condition is not None))
