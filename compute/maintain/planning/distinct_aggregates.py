"""Sums over distinct arguments: the distinct arguments of each group are made first, then summed.

With several of them, or beside others, rows and distinct arguments are one union, each part with columns of its own
and a number that says which it is. Every aggregate sums its part; part 0, the rows, says which groups there are:

    count(*), count(distinct x), sum(distinct y) by k
      = count(*) of part 0, count(x) of part 1, sum(y) of part 2, by k, of
        (k, _, _, 0) of the rows + distinct (k, x, _, 1) + distinct (k, _, y, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compute.maintain.planning.groups import accumulated, distinct
from compute.maintain.planning.segments import columns_of, computed, filtered, united
from compute.maintain.planning.streams import Streams
from model.scalar_type import BOOL, INT4
from planner.interpret.reach import infallible
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Reduce, Relation
from planner.ir.scalar import And, Call, Case, Literal, Scalar, scalar_type

Scalars = tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """`key` and `values` over `rows`."""

    rows: Relation
    key: Scalars
    values: Scalars


def over_distinct(streams: Streams, reduce: Reduce, segment: Relation) -> Relation:
    """`reduce` of the segment, whose aggregates are all made of sums, some of them over distinct arguments."""
    sources = tuple(dict.fromkeys((each.arguments, each.condition) for each in reduce.aggregates if each.distinct))
    if len(sources) == 1 and sources[0][1] is None and all(each.distinct for each in reduce.aggregates):
        # The distinct arguments say which groups there are, too.
        only = _distinct_part(streams, segment, reduce.key, *sources[0])
        aggregates = tuple(replace(each, arguments=only.values, distinct=False) for each in reduce.aggregates)
        return accumulated(streams, only.rows, Reduce(only.rows, only.key, aggregates, reduce.names))
    segment = streams.shared(segment)
    parts = [_Part(segment, reduce.key, _row_values(reduce.aggregates))]
    parts += [_distinct_part(streams, segment, reduce.key, *source) for source in sources]
    rows = united([_numbered(parts, number) for number in range(len(parts))])
    columns = columns_of(rows)
    keys = len(reduce.key)

    def summed(each: Aggregate) -> Aggregate:
        number = 1 + sources.index((each.arguments, each.condition)) if each.distinct else 0
        start = keys + sum(len(part.values) for part in parts[:number])
        own = Call("eq_int4_int4", (columns[-1], Literal(number, INT4)), BOOL)
        if each.distinct:
            arguments: Scalars = columns[start : start + len(each.arguments)]
            return replace(each, arguments=arguments, condition=own, distinct=False)
        values = parts[0].values
        arguments = tuple(columns[start + values.index(argument)] for argument in _guarded(each))
        if each.condition is not None:
            own_and_asked = And((own, columns[start + values.index(each.condition)]))
            return replace(each, arguments=arguments, condition=own_and_asked)
        return replace(each, arguments=arguments, condition=own)

    aggregates = tuple(map(summed, reduce.aggregates))
    return accumulated(streams, rows, Reduce(rows, columns[:keys], aggregates, reduce.names))


def _distinct_part(
    streams: Streams, segment: Relation, key: Scalars, arguments: Scalars, condition: Scalar | None
) -> _Part:
    """The distinct arguments in each group, of the rows that FILTER lets through."""
    chosen = filtered(segment, () if condition is None else (condition,))
    scalars = (*key, *arguments)
    rows = distinct(streams, chosen, scalars, tuple(f"k{at}" for at in range(len(scalars))))
    columns = columns_of(rows)
    return _Part(rows, columns[: len(key)], columns[len(key) :])


def _numbered(parts: Sequence[_Part], number: int) -> Relation:
    """A part's rows in the shape of the union: key, the values of each part (NULL for others), the part's number."""
    part = parts[number]
    scalars = list(part.key)
    for at, each in enumerate(parts):
        scalars += part.values if at == number else (Literal(None, scalar_type(value)) for value in each.values)
    scalars.append(Literal(number, INT4))
    return computed(part.rows, scalars, tuple(f"k{at}" for at in range(len(scalars))))


def _row_values(aggregates: Sequence[Aggregate]) -> Scalars:
    """Arguments and conditions of the aggregates over the rows themselves, each once."""
    values: list[Scalar] = []
    for each in aggregates:
        if not each.distinct:
            values += _guarded(each)
            values += () if each.condition is None else (each.condition,)
    return tuple(dict.fromkeys(values))


def _guarded(aggregate: Aggregate) -> Scalars:
    """The arguments; where they can fail, of rows that FILTER lets through."""
    condition = aggregate.condition
    if condition is None:
        return aggregate.arguments

    def guarded(argument: Scalar) -> Scalar:
        type_ = scalar_type(argument)
        return Case(((condition, argument),), Literal(None, type_), type_)

    return tuple(argument if infallible(argument) else guarded(argument) for argument in aggregate.arguments)
