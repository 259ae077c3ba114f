"""Aggregates made of sums: a change of the input is a change of the sums."""

from __future__ import annotations

from dataclasses import replace

from compute.operators.sums import SUMMED
from planner.interpret import reach
from planner.ir.aggregate import Aggregate

_IDEMPOTENT_NAMES = ("min_", "max_", "bool_and_", "bool_or_", "every_", "bit_and_", "bit_or_")


def idempotent(aggregate: Aggregate) -> bool:
    """Returns whether duplicates of a value leave the aggregate's answer as it is."""
    return aggregate.function.startswith(_IDEMPOTENT_NAMES)


def plain(aggregate: Aggregate) -> Aggregate:
    """Removes ORDER BY and DISTINCT from an aggregate whose answer does not depend on them."""
    if aggregate.distinct and idempotent(aggregate):
        aggregate = replace(aggregate, distinct=False)
    if aggregate.order and aggregate.function in SUMMED:
        aggregate = replace(aggregate, order=())
    return aggregate


def made_of_sums(aggregate: Aggregate) -> bool:
    """Returns whether sums over the rows, or over the distinct arguments, are enough for the aggregate."""
    return aggregate.function in SUMMED


def guarded(aggregate: Aggregate) -> Aggregate:
    """Returns the aggregate with fallible arguments evaluated only for rows that pass FILTER."""
    arguments = tuple(reach.guarded(aggregate.condition, argument) for argument in aggregate.arguments)
    return replace(aggregate, arguments=arguments)
