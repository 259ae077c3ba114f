"""Reduce: sums where all aggregates are made of sums, of rows or of distinct arguments; else anew by group.

The least and the greatest need no more of a group than its first row: they keep apart from sums and from each other.
Other aggregates read their group's rows anyway: sums beside them would save little, so all go by group. Sums over
distinct arguments would be dear there; they keep apart from all that does not ask how often a value is there.
"""

from __future__ import annotations

from dataclasses import replace

from compute.maintain.planning.accumulable import idempotent, made_of_sums, plain
from compute.maintain.planning.distinct_aggregates import over_distinct
from compute.maintain.planning.extremes import beside_each_other
from compute.maintain.planning.groups import accumulated, accumulates_by, distinct, regrouped
from compute.maintain.planning.streams import Streams
from compute.maintain.steps.prefix import order_of
from planner.ir.relation import Reduce, Relation


def reduced(streams: Streams, reduce: Reduce, segment: Relation) -> Relation:
    """The groups of a segment; `reduce` says by what and to what."""
    if not reduce.aggregates:
        return distinct(streams, segment, reduce.key, reduce.names)
    aggregates = tuple(map(plain, reduce.aggregates))
    reduce = replace(reduce, aggregates=aggregates)
    others = [each for each in aggregates if not made_of_sums(each)]
    over_arguments = any(each.distinct for each in aggregates if made_of_sums(each))
    if not accumulates_by(reduce.key):
        return regrouped(streams, segment, reduce)
    if not others:
        return (over_distinct if over_arguments else accumulated)(streams, segment, reduce)
    if all(order_of(each) is not None or (over_arguments and idempotent(each)) for each in others):
        return beside_each_other(streams, segment, reduce)
    return regrouped(streams, segment, reduce)
