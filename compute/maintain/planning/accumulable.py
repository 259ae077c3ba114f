"""Aggregates that are made of sums, so that a change of their input is a change of the sums."""

from __future__ import annotations

from dataclasses import replace

from compute.operators.accumulable import ACCUMULABLE
from planner.ir.aggregate import Aggregate

_IDEMPOTENT_NAMES = ("min_", "max_", "bool_and_", "bool_or_", "every_", "bit_and_", "bit_or_")


def plain(aggregate: Aggregate) -> Aggregate:
    """The aggregate without an order or a DISTINCT that do not matter to it."""
    if aggregate.distinct and aggregate.function.startswith(_IDEMPOTENT_NAMES):
        aggregate = replace(aggregate, distinct=False)
    if aggregate.order and aggregate.function in ACCUMULABLE:
        aggregate = replace(aggregate, order=())
    return aggregate


def accumulable(aggregate: Aggregate) -> bool:
    """Whether it is made of sums over the rows themselves."""
    return aggregate.function in ACCUMULABLE and not aggregate.distinct
