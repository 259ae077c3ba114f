"""Reduce: sums where all aggregates are made of sums, of rows or of distinct arguments; else anew by group.

Aggregates that need their group's rows read them anyway: sums beside them would save nothing, so all go by group.
"""

from __future__ import annotations

from dataclasses import replace

from compute.maintain.planning.accumulable import made_of_sums, plain
from compute.maintain.planning.distinct_aggregates import over_distinct
from compute.maintain.planning.groups import accumulated, accumulates_by, distinct, regrouped
from compute.maintain.planning.streams import Streams
from planner.ir.relation import Reduce, Relation


def reduced(streams: Streams, reduce: Reduce, segment: Relation) -> Relation:
    """The groups of a segment; `reduce` says by what and to what."""
    if not reduce.aggregates:
        return distinct(streams, segment, reduce.key, reduce.names)
    reduce = replace(reduce, aggregates=tuple(map(plain, reduce.aggregates)))
    if not all(map(made_of_sums, reduce.aggregates)) or not accumulates_by(reduce.key):
        return regrouped(streams, segment, reduce)
    if any(aggregate.distinct for aggregate in reduce.aggregates):
        return over_distinct(streams, reduce, segment)
    return accumulated(streams, segment, reduce)
