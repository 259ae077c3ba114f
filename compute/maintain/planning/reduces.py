"""Plans Reduce: as sums if all aggregates are made of sums over rows or distinct arguments, else by group.

Least and greatest values need only a group's first row, so they are planned apart from sums and from each other. Other
aggregates read the whole group anyway, and sums beside them would save little: all go by group. Sums over distinct
arguments would be dear by group; they are planned apart from aggregates that ignore duplicates.
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
    """Plans the groups of a segment, by the key and aggregates of `reduce`."""
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
