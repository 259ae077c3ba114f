"""Aggregates that are made of sums, so that a change of their input is a change of the sums."""

from __future__ import annotations

from dataclasses import replace

from compute.operators.sums import SUMMED
from planner.interpret.reach import infallible
from planner.ir.aggregate import Aggregate
from planner.ir.scalar import Case, Literal, Scalar, scalar_type

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
    condition = aggregate.condition
    if condition is None:
        return aggregate

    def when_asked(argument: Scalar) -> Scalar:
        type_ = scalar_type(argument)
        return Case(((condition, argument),), Literal(None, type_), type_)

    arguments = tuple(each if infallible(each) else when_asked(each) for each in aggregate.arguments)
    return replace(aggregate, arguments=arguments)
