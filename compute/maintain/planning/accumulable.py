"""Aggregates that are made of sums, so that a change of their input is a change of the sums."""

from __future__ import annotations

from dataclasses import replace

from compute.operators.sums import SUMMED
from planner.interpret import reach
from planner.ir.aggregate import Aggregate

_IDEMPOTENT_NAMES = ("min_", "max_", "bool_and_", "bool_or_", "every_", "bit_and_", "bit_or_")


def idempotent(aggregate: Aggregate) -> bool:
    """Whether it does not matter how often a value is there."""
    return aggregate.function.startswith(_IDEMPOTENT_NAMES)


def plain(aggregate: Aggregate) -> Aggregate:
    """The aggregate without an order or a DISTINCT that do not matter to it."""
    if aggregate.distinct and idempotent(aggregate):
        aggregate = replace(aggregate, distinct=False)
    if aggregate.order and aggregate.function in SUMMED:
        aggregate = replace(aggregate, order=())
    return aggregate


def made_of_sums(aggregate: Aggregate) -> bool:
    """Whether sums over its rows, or over its distinct arguments, are all that it needs."""
    return aggregate.function in SUMMED


def guarded(aggregate: Aggregate) -> Aggregate:
    """With arguments that can fail evaluated for those rows alone that FILTER lets through."""
    arguments = tuple(reach.guarded(aggregate.condition, argument) for argument in aggregate.arguments)
    return replace(aggregate, arguments=arguments)
